// The words of a command line before its options: finds the command.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AudioTypes
import ChainPresets
import Glibc

/// A command that validates its options together.
///
/// Called after parsing: by then unknown options have been reported, which would otherwise look like missing
/// ones.
protocol CheckedCommand: ParsableCommand {
  /// Refuses what does not go together.
  func check() throws
}

/// Finds commands by their words.
enum CommandWords {
  /// Refuses a word that is no subcommand, and suggests similar ones.
  ///
  /// - Throws: `.software` when the words are not available: Swift reads them from /proc.
  static func check(_ words: [String]) throws(AuricleError) {
    guard unsafe !words.isEmpty || access("/proc/self/cmdline", R_OK) == 0 else {
      throw AuricleError(
        .software,
        "/proc is not there, so the command line cannot be read: mount it (mount -t proc proc /proc)"
      )
    }
    try refuseEmptyValues(words)
    var words = words[...]
    var path = ["auricle"]
    if words.first == "help" { words = words.dropFirst() }
    var command: any ParsableCommand.Type = AuricleCommand.self
    while let word = words.first, !word.hasPrefix("-") {
      let known = command.configuration.subcommands
      guard !known.isEmpty else { return }
      guard let next = known.first(where: { name(of: $0) == word }) else {
        let names = known.filter { $0.configuration.shouldDisplay }.map { name(of: $0) }
        throw AuricleError(
          .usage,
          "there is no command '\((path.dropFirst() + [word]).joined(separator: " "))'"
            + suggestion(for: word, in: names) + " (\(path.joined(separator: " ")) --help)")
      }
      path.append(word)
      command = next
      words = words.dropFirst()
    }
  }

  /// Refuses `--output=`, where the parser would use the next word as the value: an input, if a script has
  /// `--output="$FOLDER"` with an empty variable.
  private static func refuseEmptyValues(_ words: [String]) throws(AuricleError) {
    for word in words.prefix(while: { $0 != "--" })
    where word.hasPrefix("--") && word.hasSuffix("=") {
      throw AuricleError(
        .usage, "\(word) has no value: write one behind the '=', or leave the option out")
    }
  }

  /// Validates a command's options; errors are reported like those of the parser.
  static func check(_ command: any ParsableCommand) throws {
    guard let command = command as? any CheckedCommand else { return }
    do {
      try command.check()
    } catch let error as ValidationError {
      let usage = AuricleCommand.usageString(for: type(of: command))
      let words = usage.split(separator: " ").prefix { !"[<-".contains($0.first ?? "-") }
      StandardStreams.writeMessage(
        "Error: \(error.message)\nUsage: \(usage)\n"
          + "  See '\(words.joined(separator: " ")) --help' for more information.")
      throw ExitCode.validationFailure
    }
  }

  /// The word that the parser mistook for a request for help: a file name that begins with `-` and contains
  /// an `h`.
  static func mistakenForHelp(in words: [String]) -> String? {
    let words = words.prefix { $0 != "--" }
    guard words.first != "help", !words.contains("--help"), !words.contains("-h") else {
      return nil
    }
    return words.first { word in
      word.hasPrefix("-") && !word.hasPrefix("--") && word.contains("h")
        && !word.dropFirst().allSatisfy { "hjoq".contains($0) }
    }
  }

  private static func name(of command: any ParsableCommand.Type) -> String {
    command.configuration.commandName ?? ""
  }
}
