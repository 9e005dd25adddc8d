// The faults that the parser of arguments finds in a command line, by their cases.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// A fault that the parser of arguments found.
///
/// The parser has no public types for its faults: their cases and values are read by reflection. One of another case
/// keeps the parser's sentence.
enum ParserFault {
  /// A name that no option has: `--lodness`, `-x`.
  case unknownOption(String)
  /// Letters behind one hyphen, of which one is no option.
  case unknownGroup(String)
  /// Words that no argument accepts.
  case surplusWords([String])
  /// A flag with a value.
  case surplusValue(String, flag: String)
  /// A value that an option does not accept, with the error of its converter.
  case badValue(String, option: String, reason: (any Error)?)

  /// Recognizes an error of the parser; nil for other errors, and for cases without an own sentence.
  init?(_ error: any Error) {
    guard let (name, values) = Self.payload(Self.member("parserError", of: error) ?? error) else {
      return nil
    }
    func value<Value>(_ place: Int) -> Value? {
      values.indices.contains(place) ? values[place] as? Value : nil
    }
    func option(_ place: Int) -> String? {
      values.indices.contains(place) ? Self.option(values[place]) : nil
    }
    switch name {
    case "unknownOption":
      guard let option = option(1) else { return nil }
      self = .unknownOption(option)
    case "missingValueOrUnknownCompositeOption":
      guard let group = option(2) else { return nil }
      self = .unknownGroup(group)
    case "unexpectedExtraValues":
      let words = values.compactMap { Mirror(reflecting: $0).children.dropFirst().first?.value }
      self = .surplusWords(words.compactMap { $0 as? String })
    case "unexpectedValueForOption":
      guard let flag = option(1), let text: String = value(2) else { return nil }
      self = .surplusValue(text, flag: flag)
    case "unableToParseValue":
      guard let option = option(1), let text: String = value(2) else { return nil }
      self = .badValue(text, option: option, reason: value(4))
    default: return nil
    }
  }

  /// The words of the command in which the parser found an error: `auricle file info`; nil for other errors.
  static func command(of error: any Error) -> String? {
    let types = member("commandStack", of: error) as? [any ParsableCommand.Type]
    return types?.compactMap { $0.configuration.commandName }.joined(separator: " ")
  }

  /// A stored property by its name.
  private static func member(_ name: String, of value: Any) -> Any? {
    Mirror(reflecting: value).children.first { $0.label == name }?.value
  }

  /// A case and its values; nil for a value that is no case with values.
  private static func payload(_ value: Any) -> (name: String, values: [Any])? {
    let mirror = Mirror(reflecting: value)
    guard mirror.displayStyle == .enum, let child = mirror.children.first, let name = child.label
    else { return nil }
    return (name, Mirror(reflecting: child.value).children.map(\.value))
  }

  /// The name of an option as it is typed: `--jobs`, `-j`.
  private static func option(_ value: Any) -> String? {
    let mirror = Mirror(reflecting: value)
    if mirror.displayStyle == .optional {
      return mirror.children.first.flatMap { option($0.value) }
    }
    guard mirror.displayStyle == .enum, let child = mirror.children.first else { return nil }
    // A letter has a second value: whether others may follow.
    let text =
      (child.value as? String)
      ?? Mirror(reflecting: child.value).children.first.map {
        "\($0.value)"
      }
    return text.map { (child.label == "long" ? "--" : "-") + $0 }
  }
}
