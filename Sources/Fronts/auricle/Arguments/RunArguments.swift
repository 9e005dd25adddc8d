// The options of runs with known inputs: lists, variants, reports.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AudioTypes
import CommandOutput
import Foundation
import RunReports
import Workers

/// Options for the run and its inputs.
struct RunArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp("Continue the run of this output folder.", valueName: "folder"),
    completion: .directory)
  var resume: String?

  @Option(
    name: .customLong("from-file"),
    help: ArgumentHelp(
      "Inputs from a list, separated by lines or zero bytes; - for standard input.",
      valueName: "file"),
    completion: .anyFile)
  var lists: [String] = []

  /// The one that is named.
  var fromFile: String? { lists.first }

  @Flag(help: "Show what would be done, and do nothing.")
  var dryRun = false

  @Option(
    help: ArgumentHelp(
      "Write a report of every file; its extension selects the format.",
      valueName: "file.html|json|csv|txt"),
    completion: .anyFile)
  var report: String?

  func check() throws {
    if lists.count > 1 {
      throw ValidationError(
        "--from-file takes one list, not \(lists.count): join them, as cat does, or give - for "
          + "standard input.")
    }
    if let report, ReportFormat(path: report) == nil {
      throw ValidationError(
        "--report takes a name that ends in .html, .json, .csv or .txt, not '\(report)'.")
    }
  }
}

/// Options for random values of presets.
struct VariantArguments: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Variants of each file, with different random values of the preset.",
      valueName: "n"),
    transform: Self.counts)
  var variants: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The seed of random values. Default: 0.",
      valueName: "number"),
    transform: Self.seeds)
  var seed: UInt64?

  /// The accepted numbers of variants.
  static let counts = NumberRange.whole(1...100_000)

  /// The accepted seeds.
  static let seeds = NumberRange.whole(0...UInt64.max)
}
