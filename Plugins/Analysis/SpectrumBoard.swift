// The last samples of a meter, from which a host gets the spectrum.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
import RealtimeSupport
import Spectra

/// The part that the render thread sees: a ring, and the place of the next sample behind it.
struct SpectrumRing: Sendable {
  let store = ParameterStore(count: SpectrumBoard.size + 1)

  /// The place of the next sample. Context: any.
  var place: Int { @_noLocks get { Int(store.value(at: 4096)) } }

  /// Silence. Context: render.
  @_noLocks func reset() {
    for index in 0...4096 { store.setMeter(0, at: index) }
  }

  /// Adds at most 4096 samples. Context: render.
  @_noLocks func add(_ samples: UnsafePointer<Float>, _ count: Int) {
    let place = place
    let first = min(count, 4096 - place)
    unsafe store.setMeters(place, count: first, from: samples)
    unsafe store.setMeters(0, count: count - first, from: samples + first)
    store.setMeter(Float((place + count) & 4095), at: 4096)
  }
}

/// The ring, and the spectrum that a control thread computes from it.
final class SpectrumBoard: Sendable {
  /// Samples of a spectrum.
  static let size = 4096
  /// The samples; lives as long as the board.
  let ring = SpectrumRing()

  deinit { ring.store.deallocate() }

  private static let transform = FourierTransform(count: size)

  /// Decibels of full scale (a sine of full scale has 0) from 0 Hz to half the rate, 2049 values, of the
  /// last 4096 samples under a Hann window. Context: control.
  func spectrum() -> [Float] {
    let first = ring.place
    let samples = (0..<Self.size).map { ring.store.value(at: (first + $0) & 4095) }
    // A sine under the window: half its amplitude in one bin, half the window's sum.
    let scale = 4 / Double(Self.size)
    return Self.transform.power(samples).map {
      Float(max(10 * RealtimeMath.log10(max($0, 1e-30) * scale * scale), -160))
    }
  }
}
