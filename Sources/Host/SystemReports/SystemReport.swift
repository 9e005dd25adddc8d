// The state of this machine as far as Auricle depends on it, for a report of a fault; nothing in it is private.
// SPDX-License-Identifier: Apache-2.0

/// The state of this machine as far as Auricle depends on it.
///
/// Nothing in it is private: no name of the user or the machine; the home folder is `~`.
package struct SystemReport: Encodable, Sendable {
  /// The program.
  package struct Program: Encodable, Sendable {
    /// Its version.
    package var version: String
    /// The commit that it was built from; nil where that is unknown.
    package var commit: String?
    /// The build id of its file; nil for none.
    package var buildID: String?
    /// Its file.
    package var path: String
  }

  /// The system.
  package struct System: Encodable, Sendable {
    /// The kernel's name and release.
    package var kernel: String
    /// The processor's architecture.
    package var architecture: String
    /// The distribution's name and version; nil where it has none.
    package var distribution: String?
    /// The version of the C library.
    package var library: String
    /// Processors that this process may use.
    package var processorCount: Int
    /// Bytes of memory.
    package var memory: Int
  }

  /// The sandbox.
  package struct Sandbox: Encodable, Sendable {
    /// The version of Landlock; 0 for none.
    package var landlock: Int
    /// All parts in force in a process that opens units; nil when none could be started.
    package var strict: String?
    /// Parts that the kernel lacks, as a sentence; nil for none.
    package var weakness: String?
  }

  /// A library or program that is found at run time.
  package struct Library: Encodable, Sendable {
    /// Its name.
    package var name: String
    /// Its purpose.
    package var purpose: String
    /// Its file; nil when it is not installed.
    package var path: String?
    /// The version in the name of its file; nil for none.
    package var version: String?
  }

  /// A sound device.
  package struct Device: Encodable, Sendable {
    /// The name that opens it.
    package var name: String
    /// Whether it plays.
    package var plays: Bool
    /// Whether it records.
    package var records: Bool
    /// Whether it is used where none is named.
    package var isDefault: Bool
  }

  /// The folders that are searched for units of a format.
  package struct SearchPath: Encodable, Sendable {
    /// A folder.
    package struct Folder: Encodable, Sendable {
      /// Its path.
      package var path: String
      /// The number of bundles in it; nil when it is not there, or cannot be read.
      package var bundleCount: Int?
    }

    /// The format.
    package var format: String
    /// The environment variable that sets the folders.
    package var variable: String
    /// Whether it is set.
    package var isSet: Bool
    /// The folders, in their order.
    package var folders: [Folder]
  }

  /// The cache.
  package struct Cache: Encodable, Sendable {
    /// Its folder; nil for none.
    package var path: String?
    /// Files in it.
    package var fileCount: Int
    /// Their bytes.
    package var byteCount: Int
    /// Units that are blocked since they crashed.
    package var blockedUnitCount: Int
  }

  /// A limit of this process.
  package struct Limit: Encodable, Sendable {
    /// Its name.
    package var name: String
    /// The value in force; nil for none.
    package var value: UInt64?
    /// The highest value that this process may set; nil for none.
    package var most: UInt64?
  }

  /// The program.
  package var program: Program
  /// The system.
  package var system: System
  /// The sandbox.
  package var sandbox: Sandbox
  /// Libraries and programs that are found at run time.
  package var libraries: [Library]
  /// Sound devices.
  package var devices: [Device]
  /// Search paths of units.
  package var searchPaths: [SearchPath]
  /// The cache.
  package var cache: Cache
  /// Limits of processes.
  package var limits: [Limit]
}
