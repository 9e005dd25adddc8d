// The commands whose plain lines are read without the parser of arguments.
// SPDX-License-Identifier: Apache-2.0

import CommandOutput

extension PlainLine {
  /// The commands that read plain lines: those that are often started.
  static let commands: [any PlainCommand.Type] = [
    ProcessCommand.self, ConvertCommand.self, InfoCommand.self, ListCommand.self,
  ]
}

extension ProcessCommand: PlainCommand {
  init(plain line: inout PlainLine) {
    self.init()
    chain = line.group()
    output = line.group()
    place = line.group()
    runOptions = line.group()
    variantOptions = line.group()
    work = line.group()
    printing = line.group()
    inputs = line.rest()
  }
}

extension ConvertCommand: PlainCommand {
  init(plain line: inout PlainLine) {
    self.init()
    output = line.group()
    place = line.group()
    runOptions = line.group()
    work = line.group()
    listFormats = line.flag("--list-formats")
    printing = line.group()
    inputs = line.rest()
  }
}

extension InfoCommand: PlainCommand {
  init(plain line: inout PlainLine) {
    self.init()
    format = line.value("--format") ?? .text
    formatOfNames = line.group()
    let names = line.rest()
    if names.count != 1 { line.refuse() }
    component = names.first ?? ""
  }
}

extension ListCommand: PlainCommand {
  init(plain line: inout PlainLine) {
    self.init()
    search = line.value("--search")
    uris = line.flag("--uris")
    format = line.value("--format") ?? .text
    let patterns = line.rest()
    if patterns.count > 1 { line.refuse() }
    pattern = patterns.first
  }
}

extension PrintArguments: PlainArguments {
  init(plain line: inout PlainLine) {
    self.init()
    quiet = line.flag("--quiet", short: "-q")
    verbose = line.flag("--verbose", short: "-v")
    format = line.value("--format") ?? .text
  }
}
