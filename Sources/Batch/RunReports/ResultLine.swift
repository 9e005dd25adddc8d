// The line that reports a result: its file, length and levels.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
package import FileRendering
import Workers

/// Formats the lines of a finished file.
package enum ResultLine {
  /// The line, and one for each further file.
  package static func text(_ result: FileResult) -> String {
    var text = "\(TerminalText.plain(result.output))  \(Figures.duration(result.outputDuration))"
    // Nothing was decoded: there are no levels.
    if result.isCopied { return text + "  copied" }
    if result.loudnessAfter == nil {
      let (before, after) = (result.before, result.after)
      text += "  peak \(change(before.peakDecibels, after.peakDecibels)) dBFS"
      text += "  RMS \(change(before.rmsDecibels, after.rmsDecibels)) dBFS"
    } else {
      // Where loudness was asked for, levels of samples are in the report alone: a line is one line of a terminal.
      text += loudness(result.loudnessBefore, result.loudnessAfter)
    }
    for other in result.others {
      let seconds = Double(other.frameCount) / other.format.sampleRate
      text += "\n\(TerminalText.plain(other.path))  \(Figures.duration(seconds))"
      text += "  peak \(Figures.level(other.levels.peakDecibels)) dBFS"
      text += loudness(nil, other.loudness)
    }
    return text
  }

  /// `-11.3 → -7.4`; the level after alone where there was no sound before.
  private static func change(_ before: Double?, _ after: Double?) -> String {
    (before.map { Figures.level($0) + " → " } ?? "") + Figures.level(after)
  }

  /// `  loudness -23.1 → -16.0 LUFS  true peak -1.0 dBTP`; nothing when it was not measured.
  private static func loudness(_ before: LoudnessFigures?, _ after: LoudnessFigures?) -> String {
    guard let after else { return "" }
    // A file that is too short or quiet has no loudness, not an infinitely low one.
    func words(_ level: Double?) -> String { level.map(Figures.level) ?? "none" }
    var text = ""
    if before?.integrated != nil || after.integrated != nil {
      text = "  loudness " + (before?.integrated.map { Figures.level($0) + " → " } ?? "")
      text += words(after.integrated) + " LUFS"
    }
    return text + "  true peak \(Figures.level(after.truePeak)) dBTP"
  }
}
