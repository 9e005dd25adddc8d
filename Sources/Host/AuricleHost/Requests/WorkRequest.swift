// The workers of a run: number, sandbox and limits.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostSystem
public import RunLedgers
import Workers

/// Workers, sandbox and limits of a run.
public struct WorkRequest: Sendable, Equatable {
  /// The number of workers; nil for the number of cores.
  public var workerCount: Int?
  /// Whether subfolders are searched.
  public var isRecursive = true
  /// Whether to begin a new run, even if the output folder has one.
  public var isNewRun = false
  /// Whether pictures of every file are made for reports.
  public var makesPictures = false
  /// The sandbox level of workers; nil for the default.
  public var sandbox: SandboxLevel?
  /// More files and folders that plug-ins may read.
  public var readablePaths: [String] = []
  /// Whether plug-ins may reach the network.
  public var allowsNetwork = false
  /// The most memory of a worker, in bytes; nil for the default.
  public var memoryLimit: Int?
  /// Seconds without progress while a unit renders; nil for the default.
  public var stallLimit: Double?
  /// The time limit of a file in seconds; nil for the default.
  public var timeLimit: Double?
  /// The number of consecutive failures of a unit that stops the run; 0 for no limit; nil for the default.
  public var maximumFailures: Int?
  /// Seconds that a unit may need longer than others until it is ready, as one that speaks a long text.
  var longerOpening = 0.0

  /// Makes a request with defaults.
  public init() {}

  /// The effective number of workers.
  var workers: Int { workerCount ?? max(1, ProcessInfo.processInfo.activeProcessorCount) }

  /// The sandbox of workers.
  func sandboxRequest(_ base: SandboxRequest) -> SandboxRequest {
    var request = base
    if let sandbox { request.level = sandbox }
    request.readablePaths += readablePaths.map(WorkingFolder.absolute)
    if allowsNetwork { request.allowsNetwork = true }
    if let memoryLimit { request.memoryLimit = memoryLimit }
    return request
  }

  /// The limits after which work is given up.
  func limits(_ base: WorkLimits) -> WorkLimits {
    var limits = base
    if let stallLimit {
      limits.stall = stallLimit
      limits.open = max(3 * stallLimit, 1)
    }
    limits.open += longerOpening
    if let timeLimit { limits.file = timeLimit }
    if let maximumFailures { limits.failuresInRow = maximumFailures }
    return limits
  }
}
