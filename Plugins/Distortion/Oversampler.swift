// Two, four or eight samples for each frame, and back to one: linear-phase filters.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
import RealtimeSupport

/// The filters of an oversampler, for all channels.
///
/// Up and down together pass 0.42 of the sample rate and take away 90 dB from 0.515 on. The lanes of a
/// vector are the samples between two frames; unused lanes are zero.
///
/// Context: made and freed on a control thread, otherwise any.
@safe struct OversamplingFilters: ~Copyable {
  /// Samples for each frame.
  let factor: Int
  /// Frames by which both filters delay.
  let latency: Int
  let upLength: Int
  let downLength: Int
  let up: UnsafeMutablePointer<SIMD8<Float>>
  let down: UnsafeMutablePointer<SIMD8<Float>>

  /// Designs for a rate. Context: control.
  init(sampleRate: Double) {
    let factor = sampleRate < 60_000 ? 8 : sampleRate < 130_000 ? 4 : 2
    self.factor = factor
    // Delays of 18 and of 34 frames: the lengths are twice that, and a sample.
    upLength = 37
    downLength = 69
    latency = 18 + 34
    let rise = Self.kernel(half: 18 * factor, edge: 0.5 / Double(factor), factor: factor)
    let fall = Self.kernel(half: 34 * factor, edge: 0.4725 / Double(factor), factor: factor)
    unsafe up = .allocate(capacity: upLength)
    unsafe up.initialize(repeating: .zero, count: upLength)
    unsafe down = .allocate(capacity: downLength)
    unsafe down.initialize(repeating: .zero, count: downLength)
    for (index, value) in rise.enumerated() {
      unsafe up[index / factor][index % factor] = Float(value * Double(factor))
    }
    // Lane k of the frame g before is the sample g · factor − k before the present frame's first.
    for (index, value) in fall.enumerated() {
      let group = (index + factor - 1) / factor
      unsafe down[group][group * factor - index] = Float(value)
    }
  }

  deinit {
    unsafe up.deallocate()
    unsafe down.deallocate()
  }

  /// A low-pass of 2 · half + 1 samples with a Kaiser window and a sum of 1.
  private static func kernel(half: Int, edge: Double, factor: Int) -> [Double] {
    func bessel(_ x: Double) -> Double {
      var (sum, term) = (1.0, 1.0)
      for order in 1..<50 {
        term *= (x / 2 / Double(order)) * (x / 2 / Double(order))
        sum += term
      }
      return sum
    }
    let beta = 8.96
    let values = (-half...half).map { place in
      let x = Double(place)
      let angle = 2 * Double.pi * edge * x
      let sinc = place == 0 ? 2 * edge : RealtimeMath.sin(angle) / (Double.pi * x)
      let part = x / Double(half)
      return sinc * bessel(beta * (1 - part * part).squareRoot()) / bessel(beta)
    }
    let sum = values.reduce(0, +)
    return values.map { $0 / sum }
  }
}

/// The past of one channel.
@safe struct Oversampler: ~Copyable {
  private static var room: Int { @_noLocks get { 256 } }

  private let frames: UnsafeMutablePointer<Float>
  private let groups: UnsafeMutablePointer<SIMD8<Float>>
  private let frameHistory: Int
  private let groupHistory: Int
  private var place = 0

  /// Allocates. Context: control.
  init(_ filters: borrowing OversamplingFilters) {
    frameHistory = filters.upLength - 1
    groupHistory = filters.downLength - 1
    unsafe frames = .allocate(capacity: frameHistory + Self.room)
    unsafe frames.initialize(repeating: 0, count: frameHistory + Self.room)
    unsafe groups = .allocate(capacity: groupHistory + Self.room)
    unsafe groups.initialize(repeating: .zero, count: groupHistory + Self.room)
  }

  deinit {
    unsafe frames.deallocate()
    unsafe groups.deallocate()
  }

  /// Forgets the past.
  @_noLocks mutating func reset() {
    place = 0
    for index in 0..<(frameHistory + Self.room) { unsafe frames[index] = 0 }
    for index in 0..<(groupHistory + Self.room) { unsafe groups[index] = .zero }
  }

  /// Makes vectors of a run of at most an interval; `shape` then works on them, and `fall` makes frames.
  @_noLocks mutating func rise(
    _ source: UnsafePointer<Float>, _ count: Int, _ filters: borrowing OversamplingFilters
  ) -> UnsafeMutablePointer<SIMD8<Float>> {
    if place + count > Self.room {
      for index in 0..<frameHistory { unsafe frames[index] = frames[place + index] }
      for index in 0..<groupHistory { unsafe groups[index] = groups[place + index] }
      place = 0
    }
    let (taps, length) = unsafe (filters.up, filters.upLength)
    for frame in 0..<count {
      let newest = unsafe frames + (frameHistory + place + frame)
      unsafe newest.pointee = source[frame]
      var sum = SIMD8<Float>(repeating: 0)
      for tap in 0..<length {
        unsafe sum += taps[tap] * SIMD8(repeating: newest[-tap])
      }
      unsafe groups[groupHistory + place + frame] = sum
    }
    return unsafe groups + (groupHistory + place)
  }

  /// Makes frames of the vectors of the run.
  @_noLocks mutating func fall(
    _ target: UnsafeMutablePointer<Float>, _ count: Int, _ filters: borrowing OversamplingFilters
  ) {
    let (taps, length) = unsafe (filters.down, filters.downLength)
    for frame in 0..<count {
      let newest = unsafe groups + (groupHistory + place + frame)
      var sum = SIMD8<Float>(repeating: 0)
      for tap in 0..<length { unsafe sum += taps[tap] * newest[-tap] }
      let four = sum.lowHalf + sum.highHalf
      unsafe target[frame] = (four[0] + four[1]) + (four[2] + four[3])
    }
    place += count
  }
}
