// Errors of a preset as lines of text.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
public import ChainPresets
import RunReports
import Workers

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

  /// The first fault of a chain in a sentence, without the file in front.
  ///
  /// Context: any.
  package static func sentence(_ error: any Error) -> String {
    switch error {
    case let error as AuricleError: return error.message
    case let errors as PresetErrors:
      return errors.diagnostics.first?.message ?? "the preset cannot be used"
    case let refusal as WorkerRefusal:
      let first = refusal.text.split(separator: "\n").first.map(String.init) ?? ""
      return first.hasPrefix("auricle: ") ? String(first.dropFirst(9)) : first
    default: return "\(error)"
    }
  }
}

extension PresetLibrary {
  /// The names behind one, and then those in front of it.
  ///
  /// Context: control.
  package func names(after present: String?) -> [String] {
    let names = entries().map(\.name)
    let place = present.flatMap { names.firstIndex(of: $0) } ?? -1
    return (1...max(1, names.count)).map { (place + $0) % max(1, names.count) }
      .filter { names.indices.contains($0) && $0 != place }.map { names[$0] }
  }
}
