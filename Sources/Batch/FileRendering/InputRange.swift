// The part of an input that is processed.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import AudioTypes
import ResultSettings

/// A range of frames of a file.
struct InputRange {
  /// The first frame.
  package let start: Int
  /// The frame after the last; nil for the end of the file.
  package let end: Int?
  /// The number of frames; nil if the file's length is unknown.
  package let count: Int?
  let sampleRate: Double

  /// A range of so many frames.
  init(start: Int, end: Int?, count: Int?, sampleRate: Double) {
    self.start = start
    self.end = end
    self.count = count
    self.sampleRate = sampleRate
  }

  /// Finds the frames for settings.
  ///
  /// Errors: `badData` when the range is empty, or when it needs the file's length and that is unknown.
  package init(_ settings: JobSettings, of reader: any SoundInput) throws(AuricleError) {
    let rate = reader.format.sampleRate
    sampleRate = rate
    func frame(_ position: TimePosition) throws(AuricleError) -> Int {
      let frames = Int((min(position.seconds, 1e9) * rate).rounded())
      guard position.isFromEnd else { return frames }
      guard let total = reader.frameCount else {
        throw AuricleError(
          .badData,
          "\(reader.path) has no known length: give positions from its start, not from its end")
      }
      return max(0, total - frames)
    }
    let start = try settings.start.map(frame) ?? 0
    let end = try settings.end.map(frame)
    self.start = start
    self.end = end
    let last = [end, reader.frameCount].compactMap(\.self).min()
    count = last.map { max(0, $0 - start) }
    if let end, end <= start {
      throw AuricleError(
        .badData, "nothing is left of \(reader.path): the end does not come after the start")
    }
    if let total = reader.frameCount, start >= total, start > 0 {
      throw nothingLeft(reader.path, frames: total)
    }
  }

  /// Refuses a result that a declared sample rate would make out of proportion: one of more than ten minutes and more
  /// than a hundred times the frames.
  ///
  /// - Parameters:
  ///   - rate: The sample rate of the result in Hz.
  ///   - reader: The input.
  func checkProportion(to rate: Double, of reader: any SoundInput) throws(AuricleError) {
    let frames = count ?? reader.likelyFrameCount ?? 0
    let seconds = Double(frames) / sampleRate
    guard rate > 100 * sampleRate, seconds > 600 else { return }
    throw AuricleError(
      .badData,
      "\(reader.path) declares a sample rate of \(sampleRate) Hz: its \(frames) frames would become "
        + "\(SongLimits.text(seconds)) at \(rate) Hz; give a sample rate near its own, or a part with --trim"
    )
  }

  /// The error that a file ends before the range begins.
  func nothingLeft(_ path: String, frames: Int) -> AuricleError {
    let length = (Double(frames) / sampleRate * 1000).rounded() / 1000
    return AuricleError(
      .badData, "nothing is left of \(path): it is \(length) s long and ends before the start")
  }
}
