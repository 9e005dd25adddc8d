// Reads plug-ins in child processes of the `auricle` program, for a host or a library.
// SPDX-License-Identifier: Apache-2.0

public import AudioComponents
import HostSystem

/// Reads what may crash or hang its reader in child processes of `auricle`.
public struct ChildReader: IsolatedReader {
  /// How long a unit may take to be opened.
  package static let unitTimeLimit = Duration.seconds(10)

  private let program: String

  /// Makes a reader.
  ///
  /// - Parameter program: The `auricle` program of the same build.
  ///
  /// Context: any.
  public init(program: String) { self.program = program }

  /// Reads bundles side by side, each under a time limit: 20 s, or what AURICLE_SCAN_SECONDS says.
  ///
  /// Context: control; it may take long.
  public func readBundles(_ paths: [String], format: String) -> [BundleOutcome] {
    BundleWorkers(program, format, paths, BundleWorkers.standardTimeLimit).run()
  }

  /// Has a process of its own open a plug-in.
  ///
  /// Context: control; it may take long.
  public func readCode(of identifier: String, format: String) -> [UInt8]? {
    let child = ChildProcess.run(
      program, ["read-programs", format, identifier], timeLimit: Self.unitTimeLimit, patience: 12)
    return child.end == .exited(0) ? child.output : nil
  }
}
