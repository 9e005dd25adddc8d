// The line that reports a result: its file, length and levels.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
package import FileRendering
import Workers

/// Formats the lines of a finished file.
package enum ResultLine {
  /// The line, and one for each further file.
  ///
  /// - Parameter showsAll: Whether a second line has the levels that the first leaves out, and the format.
  package static func text(_ result: FileResult, showsAll: Bool = false) -> String {
    let duration = "  \(Figures.duration(result.outputDuration))"
    // Nothing was decoded: there are no levels.
    if result.isCopied {
      return fitted(result.output, duration + "  copied") + (showsAll ? "\n" + format(result) : "")
    }
    // Where loudness was asked for, levels of samples are left out: a line is one line of a terminal.
    let hasLoudness = result.loudnessAfter != nil
    let levels =
      hasLoudness ? loudness(result.loudnessBefore, result.loudnessAfter) : samples(result)
    var text = fitted(result.output, duration + levels)
    if showsAll {
      text += "\n" + (hasLoudness ? range(result) + samples(result) : "") + format(result)
    }
    for other in result.others {
      let seconds = Double(other.frameCount) / other.format.sampleRate
      let peak = "  peak \(Figures.level(other.levels.peakDecibels)) dBFS"
      text +=
        "\n"
        + fitted(
          other.path, "  \(Figures.duration(seconds))" + peak + loudness(nil, other.loudness))
    }
    return text
  }

  /// A file's name with its figures: behind it, or below one that leaves no room.
  private static func fitted(_ path: String, _ figures: String) -> String {
    let name = TerminalText.plain(path)
    let fits = TextWidth.of(name) + TextWidth.of(figures) <= TextTable.lineWidth
    return name + (fits ? "" : "\n") + figures
  }

  /// `  peak -11.3 → -7.4 dBFS  RMS -29.5 → -23.3 dBFS`.
  private static func samples(_ result: FileResult) -> String {
    let (before, after) = (result.before, result.after)
    return "  peak \(change(before.peakDecibels, after.peakDecibels)) dBFS"
      + "  RMS \(change(before.rmsDecibels, after.rmsDecibels)) dBFS"
  }

  /// `  range 11.5 → 3.1 LU`; nothing where there is none.
  private static func range(_ result: FileResult) -> String {
    guard let after = result.loudnessAfter?.range else { return "" }
    return "  range \(change(result.loudnessBefore?.range, after)) LU"
  }

  /// `  flac, pcm16, 44100 Hz, 2 ch`.
  private static func format(_ result: FileResult) -> String { "  \(result.outputFormat)" }

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
