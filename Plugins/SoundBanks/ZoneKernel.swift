// Windowed sincs that read a sound between its frames: 64 taps, or more where it is played faster than it was recorded.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
import RealtimeSupport

/// The weights of frames at any place between two, for speeds up to eight.
///
/// A table for each eighth of an octave excludes the frequencies that would alias. All are made once, on a control
/// thread.
@safe struct ZoneKernel: @unchecked Sendable {
  /// Frames on either side of a place, up to the speed 1 and at the highest.
  private static var reach: Int { @_noLocks get { 32 } }
  static var mostReach: Int { @_noLocks get { 8 * reach } }
  private static var tableCount: Int { @_noLocks get { 25 } }
  /// Places between two frames, at the speed 1.
  private static var density: Int { @_noLocks get { 256 } }

  /// The weights of a speed.
  @safe struct Table: BitwiseCopyable {
    /// Frames on either side of a place.
    let reach: Int
    /// Places between two frames; there is one row more.
    let rowCount: Int
    let rows: UnsafeMutablePointer<Float>
  }

  private let tables: UnsafeMutablePointer<Table>

  /// The tables of the process.
  static let shared = ZoneKernel()

  private init() {
    unsafe tables = .allocate(capacity: Self.tableCount)
    for index in 0..<Self.tableCount {
      let speed = RealtimeMath.exp2(Double(index) / 8)
      unsafe (tables + index).initialize(to: Self.makeTable(speed))
    }
  }

  /// Computes the weights of a speed: 96 dB down from half of the lower rate on, even up to 0.82 of it.
  private static func makeTable(_ speed: Double) -> Table {
    let reach = (Int((Double(reach) * speed).rounded(.up)) + 3) / 4 * 4
    let rowCount = max(32, Int(Double(density) / speed))
    let taps = 2 * reach
    let rows = UnsafeMutablePointer<Float>.allocate(capacity: (rowCount + 1) * taps)
    let (half, cutoff, beta) = (Double(Self.reach) * speed, 0.91 / speed, 9.2)
    let top = RateChanger.bessel(beta)
    for row in 0...rowCount {
      var weights = [Double](repeating: 0, count: taps)
      for tap in 0..<taps {
        let time = Double(row) / Double(rowCount) - Double(tap - reach + 1)
        guard abs(time) < half else { continue }
        let angle = Double.pi * cutoff * time
        let part = time / half
        weights[tap] =
          (abs(angle) < 1e-9 ? 1 : RealtimeMath.sin(angle) / angle)
          * RateChanger.bessel(beta * (1 - part * part).squareRoot()) / top
      }
      // Every place passes a constant unchanged.
      let sum = weights.reduce(0, +)
      for tap in 0..<taps {
        unsafe (rows + row * taps + tap).initialize(to: Float(weights[tap] / sum))
      }
    }
    return unsafe Table(reach: reach, rowCount: rowCount, rows: rows)
  }

  /// The table of a speed: frames of the sound to a frame of the output. Context: render.
  @_noLocks func table(_ speed: Double) -> Table {
    guard speed > 1.0001 else { return unsafe tables[0] }
    let place = RealtimeMath.ceil(8 * RealtimeMath.log2(speed) - 0.01)
    return unsafe tables[min(max(Int(place), 0), Self.tableCount - 1)]
  }
}

extension ZoneKernel.Table {
  /// The two rows around a place between frames, and the part of the second. Context: render.
  @inline(__always) @_noLocks func rows(
    _ fraction: Double
  ) -> (first: UnsafePointer<Float>, part: Float) {
    let place = fraction * Double(rowCount)
    let row = min(Int(place), rowCount - 1)
    return unsafe (UnsafePointer(rows + row * 2 * reach), Float(place - Double(row)))
  }

  /// The sound at a place, from the frames around it; `samples` is the first of them. Context: render.
  @inline(__always) @_noLocks func sample(
    _ samples: UnsafePointer<Float>, _ row: (first: UnsafePointer<Float>, part: Float)
  ) -> Float {
    let taps = 2 * reach
    let source = unsafe UnsafeRawPointer(samples)
    let (first, second) = unsafe (UnsafeRawPointer(row.first), UnsafeRawPointer(row.first + taps))
    let part = unsafe SIMD8<Float>(repeating: row.part)
    var sum = SIMD8<Float>()
    var offset = 0
    while offset < taps &* 4 {
      let a = unsafe first.loadUnaligned(fromByteOffset: offset, as: SIMD8<Float>.self)
      let b = unsafe second.loadUnaligned(fromByteOffset: offset, as: SIMD8<Float>.self)
      let x = unsafe source.loadUnaligned(fromByteOffset: offset, as: SIMD8<Float>.self)
      sum += x * (a + (b - a) * part)
      offset &+= 32
    }
    let four = sum.lowHalf + sum.highHalf
    return (four[0] + four[2]) + (four[1] + four[3])
  }
}
