// What is wrong with a preset, as lines for a person.
// SPDX-License-Identifier: Apache-2.0

public import ChainPresets
import RunReports

/// How errors of presets are shown: as they are, one below the other.
public enum PresetFailure {
  /// The lines, without control characters.
  ///
  /// Context: any.
  public static func text(_ errors: PresetErrors) -> String {
    // What came from a request has no file and no place: it is told like any other failure.
    let hasFile = errors.diagnostics.contains { $0.file != nil }
    let text =
      hasFile
      ? errors.description
      : errors.diagnostics.map { "auricle: \($0.message)" }.joined(separator: "\n")
    return TerminalText.lines(text)
  }
}
