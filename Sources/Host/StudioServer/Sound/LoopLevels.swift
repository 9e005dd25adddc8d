// The loudness of a part of a sound in memory.
// SPDX-License-Identifier: Apache-2.0

import AudioConversion
import HostSystem

/// Measures samples in memory.
enum LoopLevels {
  /// The integrated loudness in LUFS; nil for a sound that is too short or too quiet.
  static func loudness(_ samples: [Float], _ sound: FloatSound) -> Double? {
    let channels = sound.channelCount
    guard channels > 0,
      let meter = LoudnessMeter(sampleRate: sound.sampleRate, channelCount: channels)
    else { return nil }
    let block = 4096
    let rows = UnsafeMutablePointer<Float>.allocate(capacity: block * channels)
    let pointers = UnsafeMutablePointer<UnsafeMutablePointer<Float>>.allocate(capacity: channels)
    defer {
      unsafe rows.deallocate()
      unsafe pointers.deallocate()
    }
    for channel in 0..<channels {
      unsafe (pointers + channel).initialize(to: rows + channel * block)
    }
    var frame = 0
    let frames = samples.count / channels
    while frame < frames {
      let count = min(block, frames - frame)
      for channel in 0..<channels {
        for index in 0..<count {
          unsafe rows[channel * block + index] = samples[(frame + index) * channels + channel]
        }
      }
      unsafe meter.add(pointers, frameCount: count)
      frame += count
    }
    guard let loudness = meter.integratedLoudness, loudness.isFinite else { return nil }
    return (loudness * 100).rounded() / 100
  }
}
