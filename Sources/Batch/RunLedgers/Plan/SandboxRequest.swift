// The sandbox and limits that a run requests for its workers.
// SPDX-License-Identifier: Apache-2.0

/// The rights of a worker.
public enum SandboxLevel: String, Sendable, CaseIterable {
  /// May read plug-ins and shared system files; no writing, no programs, no network.
  case strict
  /// May read everything, write temporary files and start programs; for plug-ins that need it.
  case compat
  /// Only a memory limit.
  case off
}

/// The sandbox and limits of workers.
public struct SandboxRequest: Sendable, Equatable {
  /// The rights of a worker.
  public var level = SandboxLevel.strict
  /// More files and folders that may be read.
  public var readablePaths: [String] = []
  /// Files and folders that may be written as well.
  public var writablePaths: [String] = []
  /// Whether sockets of the network may be created.
  public var allowsNetwork = false
  /// The scratch folder of encoders, which holds nothing else; nil for none.
  public var scratchFolder: String?
  /// The most private memory in bytes; 0 for no limit.
  public var memoryLimit = 4 << 30

  /// The default: strict, 4 GiB.
  public init() {}
}
