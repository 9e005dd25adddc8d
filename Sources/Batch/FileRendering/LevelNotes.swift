// Levels that nobody can have meant: nothing left of a sound, or far too much of it.
// SPDX-License-Identifier: Apache-2.0

import ResultSettings

/// Finds results that sound as if something had gone wrong.
enum LevelNotes {
  /// An input above this is no silence, linear: -80 dBFS.
  private static let sound: Float = 1e-4
  /// A result that stays below this is silent, linear: -120 dBFS.
  private static let silence: Float = 1e-6
  /// A result beyond this is no sound, linear: 120 dB above full scale.
  private static let most: Float = 1e6

  /// The notes on the levels of a rendering's files.
  package static func notes(before: Levels, of output: JobOutput) -> [String] {
    output.files.compactMap { file in
      // One of several instruments may well have nothing to play.
      guard file.settings.firstChannel == nil,
        let text = note(before: before, after: file.levels)
      else { return nil }
      return file.settings.name.map { "\($0): \(text)" } ?? text
    }
  }

  private static func note(before: Levels, after: Levels) -> String? {
    if after.peak > most, before.peak <= most {
      return "the result is more than 120 dB above full scale: a unit has lost its way"
    }
    if after.peak < silence, before.peak > sound {
      return "the result is silent, though there is sound in the input"
    }
    return nil
  }
}
