// A whole sound at another sample rate, for units that make or read one before they play it.
// SPDX-License-Identifier: Apache-2.0

/// Conversion of sounds that are in memory as a whole.
///
/// A sampler converts its sounds once, when it is initialised:
///
/// ```swift
/// let sound = WholeSound.convert(
///   file.samples, from: file.sampleRate, to: setup.sampleRate)
/// unsafe samples = .allocate(capacity: sound.count)
/// unsafe _ = samples.initialize(from: sound)
/// ```
///
/// Here `samples` is an `UnsafeMutableBufferPointer<Float>` of the unit, freed in its `deinit`.
public enum WholeSound {
  /// Returns a sound at another rate, without delay: its first sample stays at time 0.
  ///
  /// - Parameters:
  ///   - samples: One channel; others are converted one by one.
  ///   - inputRate: Its rate (Hz).
  ///   - outputRate: The wanted rate (Hz); with an equal one the samples come back unchanged.
  ///   - quality: The filter, by default the best.
  /// - Returns: As many samples as the sound lasts, rounded up.
  ///
  /// Context: control.
  public static func convert(
    _ samples: [Float], from inputRate: Double, to outputRate: Double,
    quality: RateQuality = .mastering
  ) -> [Float] {
    guard inputRate != outputRate, !samples.isEmpty else { return samples }
    let ratio = RateRatio(from: inputRate, to: outputRate)
    let count = (samples.count * ratio.phaseCount + ratio.step - 1) / ratio.step
    let block = 4096
    var converter = RateConverter(ratio, quality, channelCount: 1, maximumPull: block)
    converter.advance(converter.delayFrames)
    var output = [Float](repeating: 0, count: count)
    var (read, made) = (0, 0)
    while made < count {
      converter.makeRoom()
      let target = unsafe converter.pushPointer(0)
      for frame in 0..<block {
        // Silence follows.
        unsafe target[frame] = read + frame < samples.count ? samples[read + frame] : 0
      }
      converter.push(block, isSilent: false)
      read += block
      let ready = min(converter.availableFrames(), count - made)
      guard ready > 0 else { continue }
      unsafe output.withUnsafeMutableBufferPointer { buffer in
        if let first = buffer.baseAddress { unsafe converter.pull(0, into: first + made, ready) }
      }
      converter.advance(ready)
      made += ready
    }
    return output
  }
}
