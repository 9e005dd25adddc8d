// The options of a command, as the parser of arguments describes them.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation

/// An option of a command, or an argument without a name.
struct CommandOption {
  /// The names as they are typed: `--jobs`, `-j`; none for an argument.
  let names: [String]
  /// The name of its value in the help.
  let valueName: String

  /// The visible options of the command that a command line begins with, in the order of its help.
  static func all(of words: [String]) -> [CommandOption] {
    var command: any ParsableCommand.Type = AuricleCommand.self
    for word in words {
      guard
        let next = command.configuration.subcommands.first(where: {
          $0.configuration.commandName == word
        })
      else { break }
      command = next
    }
    let description = Data(command._dumpHelp().utf8)
    let tool = try? JSONDecoder().decode(Tool.self, from: description)
    return (tool?.command.arguments ?? []).filter(\.shouldDisplay).map { argument in
      CommandOption(
        names: (argument.names ?? []).map { ($0.kind == "long" ? "--" : "-") + $0.name },
        valueName: argument.valueName ?? "")
    }
  }

  /// The description of a program that is made for manual pages and completions.
  private struct Tool: Decodable {
    struct Command: Decodable { let arguments: [Argument]? }
    struct Argument: Decodable {
      let shouldDisplay: Bool
      let names: [Name]?
      let valueName: String?
    }
    struct Name: Decodable { let kind, name: String }
    let command: Command
  }
}
