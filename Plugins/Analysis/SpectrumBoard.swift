// The last samples of a meter, from which a host gets the spectrum.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
import RealtimeSupport

/// The part that the render thread sees: a ring, and the place of the next sample behind it.
struct SpectrumRing: Sendable {
  let store = ParameterStore(count: SpectrumBoard.size + 1)

  /// The place of the next sample. Context: any.
  var place: Int { @_noLocks get { Int(store.value(at: 4096)) } }

  /// Silence. Context: render.
  @_noLocks func reset() {
    for index in 0...4096 { store.setMeter(0, at: index) }
  }

  /// Adds a sample. Context: render.
  @_noLocks func add(_ sample: Float) {
    let place = place
    store.setMeter(sample, at: place)
    store.setMeter(Float((place + 1) & 4095), at: 4096)
  }
}

/// The ring, and what a control thread makes of it.
final class SpectrumBoard: Sendable {
  /// Samples of a spectrum.
  static let size = 4096
  /// The samples; lives as long as the board.
  let ring = SpectrumRing()

  deinit { ring.store.deallocate() }

  /// Decibels of full scale (a sine of full scale has 0) from 0 Hz to half the rate, 2049 values, of the
  /// last 4096 samples under a Hann window. Context: control.
  func spectrum() -> [Float] {
    let first = ring.place
    var real = (0..<Self.size).map { index in
      let window = 0.5 - 0.5 * RealtimeMath.cos(2 * Double.pi * Double(index) / Double(Self.size))
      return Double(ring.store.value(at: (first + index) & 4095)) * window
    }
    var imaginary = [Double](repeating: 0, count: Self.size)
    Self.transform(&real, &imaginary)
    // A sine under the window: half its amplitude in one bin, half the window's sum.
    let scale = 4 / Double(Self.size)
    return (0...(Self.size / 2)).map { bin in
      let power = real[bin] * real[bin] + imaginary[bin] * imaginary[bin]
      return Float(max(10 * RealtimeMath.log10(max(power, 1e-30) * scale * scale), -160))
    }
  }

  /// The discrete Fourier transform of a power of two of values, in place.
  private static func transform(_ real: inout [Double], _ imaginary: inout [Double]) {
    let count = real.count
    var target = 0
    for index in 1..<count {
      var bit = count >> 1
      while target & bit != 0 {
        target ^= bit
        bit >>= 1
      }
      target |= bit
      if index < target {
        real.swapAt(index, target)
        imaginary.swapAt(index, target)
      }
    }
    var length = 1
    while length < count {
      for offset in 0..<length {
        let angle = -Double.pi * Double(offset) / Double(length)
        let (c, s) = (RealtimeMath.cos(angle), RealtimeMath.sin(angle))
        for start in stride(from: offset, to: count, by: 2 * length) {
          let other = start + length
          let r = real[other] * c - imaginary[other] * s
          let i = real[other] * s + imaginary[other] * c
          real[other] = real[start] - r
          imaginary[other] = imaginary[start] - i
          real[start] += r
          imaginary[start] += i
        }
      }
      length *= 2
    }
  }
}
