// Commands that people expect and that do not exist, with their replacements.
// SPDX-License-Identifier: Apache-2.0

/// Words that are no commands, though one would expect them.
enum MissingCommands {
  /// The replacement of a command that does not exist, as the end of a sentence; nil for any other word.
  static func replacement(for word: String) -> String? {
    switch word {
    case "transcode", "encode", "copy": "auricle convert IN OUT writes other kinds of files"
    case "resample":
      "auricle process --sample-rate 48k --output FOLDER FILES changes the sample rate"
    case "normalize", "normalise", "loudness", "level":
      "auricle process --loudness -16 --true-peak -1 --output FOLDER FILES sets the loudness, "
        + "--normalize -1 the peak"
    case "trim", "cut":
      "auricle process --trim 0:10..1:30 --output FOLDER FILES keeps a part of each file"
    case "mix":
      "auricle process --unit NAME --mix 0.3 mixes a unit with its input; no command mixes files"
    case "join", "concat": "no command joins files; sox and ffmpeg do"
    case "run", "apply", "batch": "auricle process runs files through a chain"
    case "search", "find", "units", "plugins", "components":
      "auricle list --search WORD lists the units that are installed"
    case "test": "auricle validate UNIT tries a unit, and auricle info UNIT describes it"
    case "analyze", "analyse", "stats": "auricle measure FILES measures levels and loudness"
    default: nil
    }
  }
}
