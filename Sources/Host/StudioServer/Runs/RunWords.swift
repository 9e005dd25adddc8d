// The options of runs, read from the program's own help: a page has the words of `auricle process`.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostSystem
import RunReports
import Synchronization

/// The options of `auricle process` that a page may give, and command lines of them.
final class RunWords: Sendable {
  /// An option.
  struct Option: Sendable, Equatable {
    /// `sampleRate`.
    var name: String
    /// `--sample-rate`.
    var option: String
    var help: String
    /// `rate`, or the words with bars between.
    var valueName: String?
    var isFlag: Bool

    /// The words that it takes; nil where it takes others.
    var values: [String]? {
      guard let valueName, valueName.contains("|") else { return nil }
      return valueName.split(separator: "|").map(String.init)
    }

    var json: JSONValue {
      let isNumber = ["dB", "seconds", "n", "number", "lufs", "LUFS", "dBTP", "dBFS"]
        .contains(valueName ?? "")
      let type = isFlag ? "switch" : values != nil ? "choice" : isNumber ? "number" : "text"
      return .members([
        ("name", .string(name)), ("option", .string(option)), ("help", .string(help)),
        ("values", values.map { .array($0.map(JSONValue.string)) } ?? .null),
        ("valueName", valueName.map(JSONValue.string) ?? .null), ("type", .string(type)),
      ])
    }
  }

  /// Options that the studio gives itself, or that make no sense in a page.
  private static let hidden: Set<String> = [
    "preset", "unit", "format-of", "unit-preset", "set", "mix", "output", "output-file", "resume",
    "from-file", "dry-run", "report", "quiet", "format", "help", "version", "raw", "in-place",
    "sandbox", "allow-read", "allow-net", "experimental-dump-help", "no-config",
  ]

  private let program: String
  private let known = Mutex<[Option]?>(nil)

  init(program: String) { self.program = program }

  /// All options.
  ///
  /// - Throws: When the program does not describe itself.
  func options() throws -> [Option] {
    if let known = known.withLock({ $0 }) { return known }
    let help = try ProgramCommand.json(program, ["--experimental-dump-help"])
    let command = help["command"]?["subcommands"]?.elements?.first {
      $0["commandName"]?.text == "process"
    }
    let options = (command?["arguments"]?.elements ?? []).compactMap(Self.option)
    known.withLock { $0 = options }
    return options
  }

  private static func option(_ argument: JSONValue) -> Option? {
    guard argument["kind"]?.text != "positional", argument["shouldDisplay"]?.boolean != false,
      let long = argument["names"]?.elements?.first(where: { $0["kind"]?.text == "long" }),
      let word = long["name"]?.text, !hidden.contains(word)
    else { return nil }
    let parts = word.split(separator: "-").map(String.init)
    let name = (parts.first ?? "") + parts.dropFirst().map(\.capitalized).joined()
    return Option(
      name: name, option: "--\(word)", help: argument["abstract"]?.text ?? "",
      valueName: argument["kind"]?.text == "flag" ? nil : argument["valueName"]?.text,
      isFlag: argument["kind"]?.text == "flag")
  }

  /// The words of options that a page gives.
  ///
  /// - Throws: `.usage` for one that there is not, or whose value is none.
  func words(_ supplied: JSONValue?) throws -> [String] {
    let options = try options()
    return try (supplied?.members ?? []).flatMap { member -> [String] in
      guard let option = options.first(where: { $0.name == member.key }) else {
        throw StudioFault(.usage, "a run has no option '\(member.key)'")
      }
      switch member.value {
      case .null: return []
      case .boolean(let isOn):
        guard option.isFlag else {
          throw StudioFault(.usage, "\(option.option) takes a value")
        }
        return isOn ? [option.option] : []
      case .string(let text):
        guard !option.isFlag else { throw StudioFault(.usage, "\(option.option) is true or false") }
        return text.isEmpty ? [] : ["\(option.option)=\(text)"]
      default:
        guard let number = member.value.number, !option.isFlag else {
          throw StudioFault(.usage, "the value of \(option.option) is no text and no number")
        }
        return ["\(option.option)=\(ChainText.number(number))"]
      }
    }
  }

  /// A command line to copy.
  static func line(_ words: [String]) -> String {
    (["auricle"] + words.map(quoted)).joined(separator: " ")
  }

  private static func quoted(_ word: String) -> String {
    guard word.hasPrefix("-") else { return ShellWord.quoted(word) }
    let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
    guard parts.count == 2 else { return word }
    return parts[0] + "="
      + (parts[1].hasPrefix("-")
        ? String(ShellWord.quoted("." + parts[1]).replacing(".", with: "", maxReplacements: 1))
        : ShellWord.quoted(parts[1]))
  }
}
