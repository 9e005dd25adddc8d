// The options that `auricle process` and `auricle watch` share: workers, sandbox, limits.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AudioTypes
import AuricleHost
import CommandOutput
import Foundation
import HostSystem
import RunLedgers
import Workers

/// Options for workers and limits.
struct WorkArguments: ParsableArguments {
  @Option(
    name: [.customShort("j", allowingJoined: true), .long],
    parsing: .unconditional,
    help: ArgumentHelp("Files processed at once. Default: the number of cores.", valueName: "n"),
    transform: Self.jobCounts)
  var jobs: Int?

  @Flag(inversion: .prefixedNo, help: "Search subfolders.")
  var recursive = true

  @Flag(help: "Begin a new run, even if the output folder has an unfinished one.")
  var newRun = false

  @Flag(help: "Draw waveforms of every file for reports.")
  var pictures = false

  @Option(
    help: ArgumentHelp(
      "The rights of the processes that run plug-ins. Default: strict.",
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
    parsing: .unconditional,
    help: ArgumentHelp(
      "Memory limit of a worker, such as 512M. Default: 4G.", valueName: "size"),
    transform: Self.size)
  var memoryLimit: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The longest time without output from a unit; three times as long while it opens. Default: 10.",
      valueName: "seconds"),
    transform: Self.limits)
  var stallLimit: Double?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The longest time for a file. Default: 60 s plus 50 times its length.",
      valueName: "seconds"),
    transform: Self.limits)
  var timeLimit: Double?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Stop the run after so many consecutive failures of a unit; 0 for never. Default: 10.",
      valueName: "n"),
    transform: Self.failureCounts)
  var maxFailures: Int?

  func check() throws {
    for path in allowRead where FileIdentity.of(path) == nil {
      throw AuricleError(.noInput, "--allow-read: there is no file or folder \(path)")
    }
  }

  /// The request.
  var request: WorkRequest {
    var request = WorkRequest()
    request.workerCount = jobs
    request.isRecursive = recursive
    request.isNewRun = newRun
    request.makesPictures = pictures
    request.sandbox = sandbox?.level
    request.readablePaths = allowRead
    request.allowsNetwork = allowNet
    request.memoryLimit = memoryLimit
    request.stallLimit = stallLimit
    request.timeLimit = timeLimit
    request.maximumFailures = maxFailures
    return request
  }

  /// The accepted numbers of files at once.
  static let jobCounts = NumberRange.whole(1...1024)

  /// The accepted limits of time.
  static let limits = NumberRange.decimal(0.001...1_000_000, "seconds")

  /// The accepted numbers of failures after which a run stops.
  static let failureCounts = NumberRange.whole(0...1_000_000_000)

  /// Converts a size of memory: `512M`.
  static func size(_ text: String) throws(RefusedValue) -> Int {
    var digits = text.uppercased()
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
    else { throw RefusedValue("a size such as 512M, 8G or 1T, at least 64M") }
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
