// The options of a run that `auricle process` and `auricle watch` share: workers, rights, limits.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AudioTypes
import BatchProcessing
import Foundation

/// How a run is worked at.
struct WorkArguments: ParsableArguments {
  @Option(
    name: .shortAndLong,
    parsing: .unconditional,
    help: ArgumentHelp("How many files are done at once; the cores by default.", valueName: "n"))
  var jobs: Int?

  @Flag(inversion: .prefixedNo, help: "Whether folders in folders are looked through.")
  var recursive = true

  @Flag(help: "Begin anew, whatever run lies in the output folder.")
  var newRun = false

  @Flag(help: "Make pictures of every file for reports.")
  var pictures = false

  @Option(
    help: ArgumentHelp(
      "The rights of the processes that run plug-ins.",
      valueName: SandboxArgument.allCases.map(\.rawValue).joined(separator: "|")))
  var sandbox: SandboxArgument?

  @Option(
    help: ArgumentHelp(
      "A file or folder that plug-ins may read. Repeat for more.", valueName: "path"),
    completion: .anyFile)
  var allowRead: [String] = []

  @Flag(help: "Let plug-ins reach the network.")
  var allowNet = false

  @Option(
    help: ArgumentHelp(
      "The most memory of a worker, such as 512M or 8G; 4G by default.", valueName: "size"))
  var memoryLimit: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Give a unit up that renders nothing for so long; 10 by default.", valueName: "seconds"))
  var stallLimit: Double?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Give a file up that takes longer; 60 s and 50 times its length by default.",
      valueName: "seconds"))
  var timeLimit: Double?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Stop when a unit fails with so many files in a row; 10 by default, 0 for never.",
      valueName: "n"))
  var maxFailures: Int?

  /// `-j8`, as make and xargs take it, in two words; `-qj8` in three.
  static func parting(_ arguments: [String]) -> [String] {
    var result: [String] = []
    for (place, argument) in arguments.enumerated() {
      if argument == "--" { return result + arguments[place...] }
      let isQuiet = argument.hasPrefix("-qj")
      let digits =
        isQuiet || argument.hasPrefix("-j") ? argument.dropFirst(isQuiet ? 3 : 2) : ""
      if !digits.isEmpty, digits.allSatisfy({ "0123456789".contains($0) }) {
        result += (isQuiet ? ["-q"] : []) + ["-j", String(digits)]
      } else {
        result.append(argument)
      }
    }
    return result
  }

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
    if let maxFailures, maxFailures < 0 { throw ValidationError("--max-failures takes 0 or more.") }
    if memoryLimit != nil, Self.size(memoryLimit) == nil {
      throw ValidationError("--memory-limit takes a size such as 512M, 8G or 1T, 64M at least.")
    }
    for path in allowRead where !FileManager.default.fileExists(atPath: path) {
      throw AuricleError(.noInput, "--allow-read: there is no file or folder \(path)")
    }
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
    // 512M, 512MB and 512MiB are the same.
    var scale = 1
    for (unit, factor) in [("K", 1 << 10), ("M", 1 << 20), ("G", 1 << 30), ("T", 1 << 40)] {
      for ending in [unit, unit + "B", unit + "IB"] where digits.hasSuffix(ending) {
        digits.removeLast(ending.count)
        scale = factor
      }
    }
    guard let number = Int(digits), number > 0,
      case let (size, isTooLarge) = number.multipliedReportingOverflow(by: scale), !isTooLarge,
      size >= 64 << 20, size < 1 << 60
    else { return nil }
    return size
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
