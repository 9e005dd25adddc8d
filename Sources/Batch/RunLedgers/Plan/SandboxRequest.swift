// The rights and limits of workers, as a run asks for them.
// SPDX-License-Identifier: Apache-2.0

/// How much a worker may do.
public enum SandboxLevel: String, Sendable, CaseIterable {
  /// Reads plug-ins and what the system shares, writes nothing, starts nothing, reaches nobody.
  case strict
  /// Reads everything, writes temporary files and starts programs; for plug-ins that need it.
  case compat
  /// Limits of memory alone.
  case off
}

/// The rights and limits of workers.
public struct SandboxRequest: Sendable, Equatable {
  /// How much a worker may do.
  public var level = SandboxLevel.strict
  /// More files and folders that may be read.
  public var readablePaths: [String] = []
  /// Whether sockets may be made.
  public var allowsNetwork = false
  /// A folder for what encoders put aside while they work, which holds nothing else; nil for none.
  public var scratchFolder: String?
  /// The most private memory in bytes; 0 for no limit.
  public var memoryLimit = 4 << 30

  /// The default: strict, 4 GiB.
  public init() {}
}
