// The words of a command line before its options: finds the command.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AudioTypes
import ChainPresets
import CommandOutput
import Glibc
import HostSystem
import RunReports

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
    try refuseOtherDashes(words)
    let isHelp = words.first == "help"
    var words = words[...]
    var path = ["auricle"]
    if isHelp { words = words.dropFirst() }
    try refuseUnknownOption(words.first)
    var command: any ParsableCommand.Type = AuricleCommand.self
    while let word = words.first, !word.hasPrefix("-") {
      let known = command.configuration.subcommands
      guard !known.isEmpty || isHelp else { return }
      let isNamed = { (each: any ParsableCommand.Type) in
        name(of: each) == word || each.configuration.aliases.contains(word)
      }
      guard let next = known.first(where: isNamed) else {
        let names = known.filter { $0.configuration.shouldDisplay }.map { name(of: $0) }
        var hint = suggestion(for: word, in: names)
        let (verbs, others) = (["show", "info"], ["describe", "print"])
        // An entry that a command shows is easily mistaken for a command, and one of its verbs for the other.
        let isVerb = words.dropFirst().first.map { !$0.hasPrefix("-") } ?? false
        if hint.isEmpty, path.count > 1, let verb = verbs.first(where: names.contains),
          !isVerb || FileIdentity.exists(word) || (verbs + others).contains(word)
        {
          let entry = (verbs + others).contains(word) ? [] : [word]
          let meant = (path.dropFirst() + [verb] + entry).joined(separator: " ")
          hint = "; did you mean '\(meant)'?"
        }
        if path.count == 1, let kind = FileBeginning(path: word) {
          throw AuricleError(
            .usage, "'\(TerminalText.plain(word))' is no command, but \(kind.advice)")
        }
        if path.count == 1, hint.isEmpty {
          hint = suggestion(for: word, in: options.map { String($0.dropFirst(2)) })
            .replacing("'", with: "'--", maxReplacements: 1)
        }
        let isHinted = !hint.isEmpty || MissingCommands.replacement(for: word) != nil
        hint += " (\(path.joined(separator: " ")) --help)"
        if path.count == 1, let other = MissingCommands.replacement(for: word) {
          hint = ": \(other)"
        }
        throw AuricleError(
          .usage,
          "there is no command '\((path.dropFirst() + [word]).joined(separator: " "))'" + hint,
          cause: path.count == 1 && !isHinted ? .unknownName(word, kind: .command) : nil)
      }
      path.append(word)
      command = next
      words = words.dropFirst()
    }
  }

  /// The command of a command line, with its options checked.
  ///
  /// Plain lines of commands that are often started need no parser. Other lines of such commands are parsed by
  /// themselves first: the parser then makes no options of the whole program and checks for no request for a completion
  /// script. Faults and help come from the whole program.
  static func command(_ words: [String]) throws -> any ParsableCommand {
    if let command = PlainLine.command(words) {
      try check(command)
      return command
    }
    let type = AuricleCommand.configuration.subcommands.first {
      name(of: $0) == words.first && $0.configuration._superCommandName != nil
    }
    if let type, let command = try? type.parseAsRoot(Array(words.dropFirst())),
      Swift.type(of: command) == type
    {
      return try checked(command)
    }
    return try checked(AuricleCommand.parseAsRoot(words))
  }

  /// The options of the program itself, which has no other.
  private static let options = ["--help", "--version"]

  /// Refuses an option in front of the command, and suggests the one that is near.
  private static func refuseUnknownOption(_ word: String?) throws(AuricleError) {
    // Those of the parser: completion scripts with their requests (`---completion`), and the description that manual
    // pages are made of.
    let known =
      options + ["--help-hidden", "--generate-completion-script", "--experimental-dump-help"]
    guard let word, word.hasPrefix("-"), word != "--", word != "-h", !word.hasPrefix("---"),
      !known.contains(where: { word == $0 || word.hasPrefix($0 + "=") })
    else { return }
    throw AuricleError(
      .usage, "unknown option '\(word)'" + proposal(for: word, in: options) + " (auricle --help)")
  }

  /// Refuses `--output=`, where the parser would use the next word as the value: an input, if a script has
  /// `--output="$FOLDER"` with an empty variable.
  private static func refuseEmptyValues(_ words: [String]) throws(AuricleError) {
    for word in words.prefix(while: { $0 != "--" })
    where word.hasPrefix("--") && word.hasSuffix("=") {
      throw AuricleError(
        .usage, "\(word) has no value: write one after the '=', or leave the option out")
    }
  }

  /// Refuses an option behind another dash than the hyphen, which editors and web pages write.
  private static func refuseOtherDashes(_ words: [String]) throws(AuricleError) {
    let isDash = { (each: Character) in
      each == "-" || each.unicodeScalars.first?.properties.generalCategory == .dashPunctuation
        || each == "\u{2212}"
    }
    for word in words.prefix(while: { $0 != "--" }) where word.first.map(isDash) == true {
      let option = "--" + word.drop(while: isDash)
      let name = String(option.prefix { $0 != "=" })
      guard !word.prefix(while: isDash).allSatisfy({ $0 == "-" }),
        CommandOption.all(of: words).contains(where: { $0.names.contains(name) })
      else { continue }
      throw AuricleError(
        .usage, "'\(word)' begins with a dash that is not on the keyboard: write \(option)")
    }
  }

  /// Makes a command check its options, if it has a check.
  private static func checked(_ command: any ParsableCommand) throws -> any ParsableCommand {
    if let command = command as? any CheckedCommand { try check(command) }
    return command
  }

  /// Makes a command check its options.
  private static func check(_ command: any CheckedCommand) throws {
    func fault(_ message: String) -> AuricleError {
      let words = path(of: type(of: command)) ?? [AuricleCommand.name]
      return AuricleError(.usage, "\(sentence(message)) (\(words.joined(separator: " ")) --help)")
    }
    do { try command.check() } catch let error as ValidationError { throw fault(error.message) }
  }

  /// Converts a fault that the parser found to the program's form; nil for another error.
  ///
  /// - Parameter words: The command line, by which similar options are found.
  static func fault(_ error: any Error, words: [String]) -> AuricleError? {
    let message = AuricleCommand.message(for: error)
    guard AuricleCommand.exitCode(for: error) == .validationFailure, !message.isEmpty else {
      return nil
    }
    let fault = ParserFault(error)
    let command = ParserFault.command(of: error) ?? AuricleCommand.name
    var cause: AuricleError.Cause?
    if case .surplusWords(let surplus)? = fault, let first = surplus.first {
      cause = .unknownName(first, kind: .argument)
    }
    let body = fault.map { text(about: $0, words) } ?? sentence(message)
    return AuricleError(.usage, "\(body) (\(command) --help)", cause: cause)
  }

  /// The sentence about a fault: `--jobs takes a whole number from 1 to 1024, not 'x'`.
  private static func text(about fault: ParserFault, _ words: [String]) -> String {
    switch fault {
    case .unknownOption(let name):
      let letter = name.dropFirst()
      // A letter within a word that is no group of options: the name of a file.
      if letter.count == 1, let word = words.first(where: { isGroup($0) && $0.contains(letter) }) {
        return noOption(word)
      }
      // The parser proposes options that share no letter with the word, and none that begins with it.
      let names = CommandOption.all(of: words).flatMap(\.names).filter { $0.hasPrefix("--") }
      return "unknown option '\(name)'" + proposal(for: name, in: names)
    case .unknownGroup(let name): return noOption(name)
    case .surplusWords(let surplus):
      let list = surplus.map { "'\($0)'" }.joined(separator: ", ")
      let text =
        surplus.count == 1
        ? "unexpected argument \(list)" : "\(surplus.count) unexpected arguments: \(list)"
      let kind = surplus.first.flatMap { FileBeginning(path: $0) }
      return text + (kind.map { ", which is \($0.advice)" } ?? "")
    case .surplusValue(let value, let flag): return "\(flag) takes no value, not '\(value)'"
    case .badValue(let value, let option, let reason):
      if let refused = reason as? RefusedValue {
        return "\(option) takes \(refused.accepted), not '\(value)'"
      }
      if let reason { return sentence((reason as? ValidationError)?.message ?? "\(reason)") }
      return "\(option) takes \(kind(of: option, words)), not '\(value)'"
    }
  }

  /// The kind of value of an option, after its name in the help.
  private static func kind(of option: String, _ words: [String]) -> String {
    let used = CommandOption.all(of: words).first { $0.names.contains(option) }?.valueName ?? ""
    let kinds = used.split(separator: "|").map { kind($0) }
    guard let last = kinds.last else { return "another value" }
    return kinds.count < 2 ? last : kinds.dropLast().joined(separator: ", ") + " or " + last
  }

  /// Whether a word is of several letters behind one hyphen.
  private static func isGroup(_ word: String) -> Bool {
    word.hasPrefix("-") && !word.hasPrefix("--") && word.count > 2
  }

  /// The sentence about a word that begins as an option does, and may be the name of a file.
  static func noOption(_ word: String) -> String {
    "there is no option '\(word)'; a file of that name is './\(word)'"
  }

  /// A proposal of options that are near to a word; for one letter, the first that begins with it.
  private static func proposal(for word: String, in options: [String]) -> String {
    // An option that is much shorter has only a part of the word in common with it.
    guard word.count == 2 else {
      return suggestion(for: word, in: options.filter { $0.count + 2 > word.count })
    }
    let option = options.first { $0.hasPrefix("-" + word.lowercased()) }
    return option.map { "; did you mean '\($0)'?" } ?? ""
  }

  /// The name of a value as words.
  private static func kind(_ name: Substring) -> String {
    switch name {
    case "time": "a time such as 90, 1:30 or -5"
    case "start..end": "START..END, such as 10..1:30"
    case "encoding,Hz,channels": "an encoding, a rate and channels, such as pcm16,44100,2"
    case "folder", "name", "file", "part", "rate": "a \(name)"
    default: String(name)
    }
  }

  /// Sentences of a command or of the parser as one.
  private static func sentence(_ message: String) -> String {
    let parts = message.replacing("\n", with: " ").replacing("!", with: ".").split(separator: ". ")
      .map { part in
        let text = part.hasSuffix(".") ? part.dropLast() : part
        // A word that begins with a capital letter alone: no name and no option.
        guard let first = text.first, first.isUppercase,
          text.dropFirst().first.map({ $0.isLowercase || $0 == " " }) == true
        else { return String(text) }
        return first.lowercased() + text.dropFirst()
      }
    return parts.joined(separator: "; ")
  }

  /// The word in which the parser saw a plea for help that is none: the name of a file that begins with
  /// `-` and has an `h` in it.
  static func mistakenForHelp(in words: [String]) -> String? {
    let words = words.prefix { $0 != "--" }
    guard words.first != "help", !words.contains("--help"), !words.contains("-h") else {
      return nil
    }
    return words.first { word in
      word.hasPrefix("-") && !word.hasPrefix("--") && word.contains("h")
        && !word.dropFirst().allSatisfy { "hjoqv".contains($0) }
    }
  }

  /// The words of a command: `auricle file info`; nil for one that the program has not.
  private static func path(
    of command: any ParsableCommand.Type, in parent: any ParsableCommand.Type = AuricleCommand.self
  ) -> [String]? {
    if parent == command { return [name(of: parent)] }
    for next in parent.configuration.subcommands {
      if let path = path(of: command, in: next) { return [name(of: parent)] + path }
    }
    return nil
  }

  private static func name(of command: any ParsableCommand.Type) -> String {
    command.configuration.commandName ?? ""
  }
}
