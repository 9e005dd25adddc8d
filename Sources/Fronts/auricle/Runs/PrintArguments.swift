// The options for what a run prints: text or JSON, less or more of it.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CommandOutput

/// The form and the amount of what a run prints.
struct PrintArguments: ParsableArguments {
  @Flag(name: .shortAndLong, help: "Print nothing but errors.")
  var quiet = false

  @Flag(name: .shortAndLong, help: "Print all levels and the format of each result.")
  var verbose = false

  @Option(
    help: ArgumentHelp("Print text, or a JSON line for each event.", valueName: "text|json"))
  var format = OutputFormat.text

  func validate() throws {
    if quiet, verbose { throw ValidationError("Give either --quiet or --verbose, not both.") }
  }

  /// A printer of a run.
  var printer: RunPrinter {
    RunPrinter(format: format, isQuiet: quiet, isVerbose: verbose)
  }
}
