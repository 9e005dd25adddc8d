// The options of a run besides its chain and its results: workers, limits, lists, what is told.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AudioTypes
import BatchProcessing
import Foundation

/// How a run is done.
struct RunArguments: ParsableArguments {
  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("How many files are done at once; the cores by default.", valueName: "n"))
  var jobs: Int?

  @Option(
    help: ArgumentHelp("Go on with the run of this output folder.", valueName: "folder"))
  var resume: String?

  @Flag(help: "Begin anew where an unfinished run of other files lies in the output folder.")
  var newRun = false

  @Option(
    help: ArgumentHelp(
      "Inputs from a list, one a line or parted by zero bytes; - for standard input.",
      valueName: "file"))
  var fromFile: String?

  @Option(
    help: ArgumentHelp(
      "Make so many variants of each file, with other random values of the preset.",
      valueName: "n"))
  var variants: Int?

  @Option(
    help: ArgumentHelp(
      "The seed of random values; the same seed gives the same values. 0 by default.",
      valueName: "number"))
  var seed: UInt64?

  @Flag(inversion: .prefixedNo, help: "Whether folders in folders are searched.")
  var recursive = true

  @Flag(help: "Tell what would be done, and do nothing.")
  var dryRun = false

  @Option(
    help: ArgumentHelp(
      "The rights of the processes that run plug-ins.",
      valueName: SandboxArgument.allCases.map(\.rawValue).joined(separator: "|")))
  var sandbox: SandboxArgument?

  @Option(
    help: ArgumentHelp(
      "A file or folder that plug-ins may read. Repeat for more.", valueName: "path"))
  var allowRead: [String] = []

  @Flag(help: "Let plug-ins reach the network.")
  var allowNet = false

  @Option(
    help: ArgumentHelp(
      "The most memory of a worker, such as 512M or 8G; 4G by default.", valueName: "size"))
  var memoryLimit: String?

  @Option(
    help: ArgumentHelp(
      "Give a unit up that renders nothing for so long; 10 by default.", valueName: "seconds"))
  var stallLimit: Double?

  @Option(
    help: ArgumentHelp(
      "Give a file up that takes longer; 60 and 50 times its length by default.",
      valueName: "seconds"))
  var timeLimit: Double?

  @Option(
    help: ArgumentHelp(
      "Stop when a unit fails with so many files in a row; 10 by default, 0 for never.",
      valueName: "n"))
  var maxFailures: Int?

  @Option(
    help: ArgumentHelp(
      "Write a report of every file; the name tells its kind.",
      valueName: "file.html|json|csv|txt"))
  var report: String?

  @Flag(help: "Make pictures of every file for reports; --report x.html does so.")
  var pictures = false

  func check() throws {
    if let jobs, !(1...1024).contains(jobs) {
      throw ValidationError("--jobs takes a number from 1 to 1024, not \(jobs).")
    }
    for (name, value) in [("--stall-limit", stallLimit), ("--time-limit", timeLimit)] {
      guard let value else { continue }
      guard value.isFinite, value > 0, value <= 1e6 else {
        throw ValidationError("\(name) takes seconds, more than 0.")
      }
    }
    if let variants, !(1...100_000).contains(variants) {
      throw ValidationError("--variants takes a number from 1 to 100000, not \(variants).")
    }
    if let report, ReportFormat(path: report) == nil {
      throw ValidationError(
        "--report takes a name that ends in .html, .json, .csv or .txt, not '\(report)'.")
    }
    if let maxFailures, maxFailures < 0 { throw ValidationError("--max-failures takes 0 or more.") }
    if memoryLimit != nil, Self.size(memoryLimit) == nil {
      throw ValidationError("--memory-limit takes a size such as 512M or 8G, 64M at least.")
    }
    if resume != nil, fromFile != nil || dryRun || newRun {
      throw ValidationError("--resume goes on with what the run was given: no other files.")
    }
  }

  /// Whether pictures are made of files.
  var wantsPictures: Bool {
    pictures || report.flatMap(ReportFormat.init(path:)) == .html
  }

  /// How many workers there are at most.
  var workerCount: Int { jobs ?? max(1, ProcessInfo.processInfo.activeProcessorCount) }

  /// The rights of workers.
  func sandboxRequest(_ base: SandboxRequest = SandboxRequest()) -> SandboxRequest {
    var request = base
    if let sandbox { request.level = sandbox.level }
    request.readablePaths += allowRead.map { URL(fileURLWithPath: $0).path }
    if allowNet { request.allowsNetwork = true }
    if let size = Self.size(memoryLimit) { request.memoryLimit = size }
    return request
  }

  /// When work is given up.
  func limits(_ base: WorkLimits = WorkLimits()) -> WorkLimits {
    var limits = base
    if let stallLimit {
      limits.stall = stallLimit
      // Who is impatient while a unit renders is so while it is opened.
      limits.open = min(limits.open, max(3 * stallLimit, 1))
    }
    if let timeLimit { limits.file = timeLimit }
    if let maxFailures { limits.failuresInRow = maxFailures }
    return limits
  }

  private static func size(_ text: String?) -> Int? {
    guard var digits = text?.uppercased() else { return nil }
    var scale = 1
    for (unit, factor) in [("K", 1 << 10), ("M", 1 << 20), ("G", 1 << 30)]
    where digits.hasSuffix(unit) {
      digits.removeLast()
      scale = factor
    }
    guard let number = Int(digits), number > 0, number < 1 << 30, number * scale >= 64 << 20 else {
      return nil
    }
    return number * scale
  }
}

/// The words of `--sandbox`.
enum SandboxArgument: String, ExpressibleByArgument, CaseIterable {
  case strict
  case compat
  case off

  var level: SandboxLevel {
    switch self {
    case .strict: .strict
    case .compat: .compat
    case .off: .off
    }
  }
}
