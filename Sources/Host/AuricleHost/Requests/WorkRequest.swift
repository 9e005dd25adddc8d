// How a run is worked at: workers, what they may do, when they are given up.
// SPDX-License-Identifier: Apache-2.0

import Foundation
public import RunLedgers
import Workers

/// Workers, rights and limits of a run.
public struct WorkRequest: Sendable, Equatable {
  /// How many files are done at once; nil for as many as there are cores.
  public var workerCount: Int?
  /// Whether folders in folders are searched.
  public var isRecursive = true
  /// Whether a new run begins, whatever run lies in the output folder.
  public var isNewRun = false
  /// Whether pictures of every file are made for reports.
  public var makesPictures = false
  /// How much workers may do; nil for the usual.
  public var sandbox: SandboxLevel?
  /// More files and folders that plug-ins may read.
  public var readablePaths: [String] = []
  /// Whether plug-ins may reach the network.
  public var allowsNetwork = false
  /// The most memory of a worker, in bytes; nil for the usual.
  public var memoryLimit: Int?
  /// Seconds without a sign of life while a unit renders; nil for the usual.
  public var stallLimit: Double?
  /// The longest a file may take, in seconds; nil for the usual.
  public var timeLimit: Double?
  /// How many files in a row a unit may fail with, 0 for any number; nil for the usual.
  public var maximumFailures: Int?

  /// Everything as usual.
  public init() {}

  /// How many workers there are at most.
  var workers: Int { workerCount ?? max(1, ProcessInfo.processInfo.activeProcessorCount) }

  /// The rights of workers.
  func sandboxRequest(_ base: SandboxRequest) -> SandboxRequest {
    var request = base
    if let sandbox { request.level = sandbox }
    request.readablePaths += readablePaths.map { URL(fileURLWithPath: $0).path }
    if allowsNetwork { request.allowsNetwork = true }
    if let memoryLimit { request.memoryLimit = memoryLimit }
    return request
  }

  /// When work is given up.
  func limits(_ base: WorkLimits) -> WorkLimits {
    var limits = base
    if let stallLimit {
      limits.stall = stallLimit
      // Who is impatient while a unit renders is so while it is opened.
      limits.open = min(limits.open, max(3 * stallLimit, 1))
    }
    if let timeLimit { limits.file = timeLimit }
    if let maximumFailures { limits.failuresInRow = maximumFailures }
    return limits
  }
}
