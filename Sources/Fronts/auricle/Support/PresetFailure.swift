// What is wrong with a preset on its way to standard error and an exit code.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AudioComponents
import AudioTypes
import ChainPresets
import Foundation

/// How errors of presets leave the program: as they are, one below the other.
enum PresetFailure {
  static func exit(_ errors: PresetErrors) -> ExitCode {
    StandardStreams.writeMessage(text(errors))
    return ExitCode(errors.category.rawValue)
  }

  static func text(_ errors: PresetErrors) -> String {
    // What came from the command line has no file and no place: it is told like any other failure.
    let hasFile = errors.diagnostics.contains { $0.file != nil }
    let text =
      hasFile
      ? errors.description
      : errors.diagnostics.map { "auricle: \($0.message)" }.joined(separator: "\n")
    return TerminalText.lines(text)
  }
}
