// Command lines that are read without the parser of arguments.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandOutput

/// A command line in the plain form: each option is a word, its value the next one or behind a `=`.
///
/// The parser finds the options of a command by reflection, which costs more than the work on a second of sound. A
/// group of options reads its own here. A line with anything else, such as a fault, goes to the parser as it is.
struct PlainLine {
  /// A word that begins with a dash.
  private struct Option {
    var name: String
    var attached: String?
    var place: Int
  }

  private let words: [String]
  private var options: [Option] = []
  /// The words that belong to an option, by their places.
  private var isRead: [Bool]
  /// Whether all that was read so far is in the plain form.
  private var isPlain: Bool

  init(_ words: [String]) {
    self.words = words
    isRead = Array(repeating: false, count: words.count)
    isPlain = !words.contains("--")
    for (place, word) in words.enumerated() where Self.isOption(word) {
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let hasValue = parts.count == 2 && word.hasPrefix("--")
      options.append(
        Option(
          name: hasValue ? String(parts[0]) : word, attached: hasValue ? String(parts[1]) : nil,
          place: place))
    }
  }

  /// Whether every word was read, and all of them in the plain form.
  private var isComplete: Bool {
    isPlain && !options.contains { !isRead[$0.place] }
  }

  /// Whether the parser counts a word as an option; a dash alone is a file.
  private static func isOption(_ word: String) -> Bool { word.hasPrefix("-") && word != "-" }

  /// The command of a line; nil if the line needs the parser.
  static func command(_ words: [String]) -> (any PlainCommand)? {
    guard let name = words.first,
      let type = commands.first(where: { $0.configuration.commandName == name })
    else { return nil }
    var line = PlainLine(Array(words.dropFirst()))
    let command = type.init(plain: &line)
    return line.isComplete ? command : nil
  }

  /// Reads a group of options.
  mutating func group<Group: PlainArguments>() -> Group {
    var group = Group(plain: &self)
    do { try group.validate() } catch { isPlain = false }
    return group
  }

  /// Reads a flag.
  mutating func flag(_ name: String, short: String? = nil) -> Bool {
    let found = found(name, short)
    for option in found {
      isRead[option.place] = true
      if option.attached != nil { isPlain = false }
    }
    return !found.isEmpty
  }

  /// Reads an option's value; nil without the option.
  ///
  /// - Parameter acceptsDash: Whether a value that begins with a dash is the next word, as `-16` is.
  mutating func value<Value>(
    _ name: String, short: String? = nil, acceptsDash: Bool = false,
    by convert: (String) throws -> Value?
  ) -> Value? {
    let values = values(name, short: short, acceptsDash: acceptsDash, by: convert)
    if values.count > 1 { isPlain = false }
    return values.first
  }

  /// Reads an option's value, which is a word of its type.
  mutating func value<Value: ExpressibleByArgument>(
    _ name: String, short: String? = nil, acceptsDash: Bool = false
  ) -> Value? {
    value(name, short: short, acceptsDash: acceptsDash, by: Value.init(argument:))
  }

  /// Reads the values of an option that may be there several times.
  mutating func values<Value>(
    _ name: String, short: String? = nil, acceptsDash: Bool = false,
    by convert: (String) throws -> Value?
  ) -> [Value] {
    found(name, short).compactMap { option in
      guard let text = text(of: option, acceptsDash: acceptsDash), let value = try? convert(text)
      else {
        isPlain = false
        return nil
      }
      return value
    }
  }

  /// Reads options whose order among each other matters.
  mutating func orderedValues(_ name: String) -> [OrderedOption] {
    found(name, nil).compactMap { option in
      guard let text = text(of: option, acceptsDash: false) else {
        isPlain = false
        return nil
      }
      return OrderedOption(text, place: option.place)
    }
  }

  /// The words that no option has read; called after all options.
  func rest() -> [String] {
    zip(words, isRead).filter { !$1 && !Self.isOption($0) }.map(\.0)
  }

  /// Sends the line to the parser.
  mutating func refuse() { isPlain = false }

  private func found(_ name: String, _ short: String?) -> [Option] {
    options.filter { $0.name == name || $0.name == short }
  }

  /// The text of an option's value, if it is in the plain form.
  private mutating func text(of option: Option, acceptsDash: Bool) -> String? {
    let next = option.place + 1
    guard !isRead[option.place] else { return nil }
    isRead[option.place] = true
    if let attached = option.attached { return attached }
    guard next < words.count, !isRead[next], acceptsDash || !Self.isOption(words[next]) else {
      return nil
    }
    isRead[next] = true
    return words[next]
  }
}

/// Options that are read from a plain line; their names and defaults are those that the parser has.
protocol PlainArguments: ParsableArguments {
  /// Reads all options of the group; one that is left out would have no value.
  init(plain line: inout PlainLine)
}

/// A command whose plain lines are read without the parser.
protocol PlainCommand: CheckedCommand, PlainArguments {}
