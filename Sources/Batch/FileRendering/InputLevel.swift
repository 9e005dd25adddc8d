// The gain that brings an input to a loudness before the chain.
// SPDX-License-Identifier: Apache-2.0

import AudioConversion
import AudioFiles
import AudioTypes
import Glibc
import PlugInGuard
import ResultSettings

/// The level that a chain gets its input at: compressors and gates are set for one.
struct InputLevel {
  /// In dB.
  var gain = 0.0
  /// Why there is none, where there is none.
  var note: String?

  /// The level of the input itself.
  init() {}

  /// As a linear factor.
  var factor: Float { Float(pow(10, gain / 20)) }

  /// Measures the part of a file that is processed; the file has to be opened again after.
  ///
  /// - Parameter observe: Called between slices; throws to end the work.
  init(
    of reader: any SoundInput, _ range: InputRange, to target: Double, _ settings: JobSettings,
    observe: () throws(AuricleError) -> Void
  ) throws(AuricleError) {
    let format = reader.format
    let meter = LoudnessMeter(
      sampleRate: format.sampleRate, channelCount: format.channelCount,
      channelMap: reader.metadata.channelMap, isDualMono: settings.isDualMono)
    let buffer = PlanarBuffer(channelCount: format.channelCount, frameCapacity: 4096)
    var position = 0
    let end = range.end ?? .max
    while position < end {
      Heartbeat.enter(.read, unit: Heartbeat.noUnit)
      try observe()
      // Frames before the part are read in separate slices.
      let limit = position < range.start ? range.start : end
      let count = try unsafe reader.read(
        into: buffer.rows, frameCount: min(buffer.frameCapacity, limit - position))
      guard count > 0 else { break }
      if position >= range.start { unsafe meter?.add(buffer.rows, frameCount: count) }
      position += count
    }
    if let loudness = meter?.integratedLoudness {
      gain = target - loudness
    } else {
      note = "the input is too short or too quiet to have a loudness: the chain gets it as it is"
    }
  }
}
