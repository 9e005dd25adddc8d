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
    text += "  peak \(Figures.level(result.before.peakDecibels)) → "
    text += "\(Figures.level(result.after.peakDecibels)) dBFS"
    text += "  RMS \(Figures.level(result.before.rmsDecibels)) → "
    text += "\(Figures.level(result.after.rmsDecibels)) dBFS"
    text += loudness(result.loudnessBefore, result.loudnessAfter)
    for other in result.others {
      let seconds = Double(other.frameCount) / other.format.sampleRate
      text += "\n\(TerminalText.plain(other.path))  \(Figures.duration(seconds))"
      text += "  peak \(Figures.level(other.levels.peakDecibels)) dBFS"
      text += loudness(nil, other.loudness)
    }
    return text
  }

  /// `  loudness -23.1 → -16.0 LUFS  true peak -1.0 dBTP`; nothing when it was not measured.
  private static func loudness(_ before: LoudnessFigures?, _ after: LoudnessFigures?) -> String {
    guard let after else { return "" }
    // A file that is too short or quiet has no loudness, not an infinitely low one.
    func words(_ level: Double?) -> String { level.map(Figures.level) ?? "none" }
    var text = ""
    if before?.integrated != nil || after.integrated != nil {
      text = "  loudness " + (before.map { words($0.integrated) + " → " } ?? "")
      text += words(after.integrated) + " LUFS"
    }
    return text + "  true peak \(Figures.level(after.truePeak)) dBTP"
  }
}
