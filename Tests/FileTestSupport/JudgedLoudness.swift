// Loudness as libebur128 finds it: an independent check of the meters here.
// SPDX-License-Identifier: Apache-2.0

import CEbur128
import Glibc

/// Figures of a sound by libebur128.
public struct JudgedLoudness: Sendable {
  /// The integrated loudness in LUFS; nil for silence.
  public var integrated: Double?
  /// The loudness range in LU.
  public var range: Double?
  /// The highest true peak in dBTP; nil for silence.
  public var truePeak: Double?
}

extension Sound {
  /// Measures the loudness by libebur128, with its own order of channels; `isDualMono` counts one channel twice.
  public func judged(isDualMono: Bool = false) -> JudgedLoudness {
    var result = JudgedLoudness()
    let modes =
      EBUR128_MODE_I.rawValue | EBUR128_MODE_LRA.rawValue | EBUR128_MODE_TRUE_PEAK.rawValue
    var state = unsafe ebur128_init(
      UInt32(channels.count), UInt(sampleRate.rounded()), Int32(modes))
    defer { unsafe ebur128_destroy(&state) }
    if isDualMono { unsafe ebur128_set_channel(state, 0, Int32(EBUR128_DUAL_MONO.rawValue)) }
    let frames = (0..<frameCount).flatMap { frame in channels.map { $0[frame] } }
    unsafe ebur128_add_frames_float(state, frames, frameCount)
    var value = 0.0
    if unsafe ebur128_loudness_global(state, &value) == 0, value.isFinite {
      result.integrated = value
    }
    if unsafe ebur128_loudness_range(state, &value) == 0 { result.range = value }
    var highest = 0.0
    for channel in channels.indices {
      guard unsafe ebur128_true_peak(state, UInt32(channel), &value) == 0 else { continue }
      highest = max(highest, value)
    }
    result.truePeak = highest > 0 ? 20 * log10(highest) : nil
    return result
  }
}
