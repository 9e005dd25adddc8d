// Errors of a preset as lines of text.
// SPDX-License-Identifier: Apache-2.0

public import ChainPresets
import RunReports

/// Formats errors of presets, one below the other.
public enum PresetFailure {
  /// The lines, without control characters.
  ///
  /// Context: any.
  public static func text(_ errors: PresetErrors) -> String {
    // A preset from a request has no file and no position: it is reported like any other failure.
    let hasFile = errors.diagnostics.contains { $0.file != nil }
    let text =
      hasFile
      ? errors.description
      : errors.diagnostics.map { "auricle: \($0.message)" }.joined(separator: "\n")
    return TerminalText.lines(text)
  }
}
