// Reads plug-ins in child processes of the `auricle` program, for a host or a library.
// SPDX-License-Identifier: Apache-2.0

public import AudioComponents
package import WatchedProcesses

/// A reader in child processes of `auricle` of files that may crash or hang it.
public struct ChildReader: IsolatedReader {
  /// The limits for opening a unit.
  package static let unitLimits = ProcessLimits(seconds: 10)

  private let program: String

  /// Makes a reader.
  ///
  /// - Parameter program: The `auricle` program of the same build.
  ///
  /// Context: any.
  public init(program: String) { self.program = program }

  /// Reads bundles in parallel, each under a time limit: 20 s, or the value of AURICLE_SCAN_SECONDS.
  ///
  /// Context: control; it may be slow.
  public func readBundles(_ paths: [String], format: String) -> [BundleOutcome] {
    BundleWorkers(program, format, paths, BundleWorkers.standardLimits).run()
  }

  /// Opens a plug-in in a child process.
  ///
  /// Context: control; it may be slow.
  public func readCode(of identifier: String, format: String) -> [UInt8]? {
    let child = try? WatchedProcess(
      program: program, arguments: ["read-programs", format, identifier],
      output: .results(keepsErrors: false))
    var answer: [UInt8] = []
    let excess = child?.collect(Self.unitLimits) { bytes in
      answer += bytes
      return true
    }
    return excess == nil && child?.end(within: .zero) == .exited(0) ? answer : nil
  }
}
