// A dry run: makes the plan and the chain, and writes nothing.
// SPDX-License-Identifier: Apache-2.0

public import AudioTypes
import Foundation
import Glibc
import HostSystem
public import RunLedgers
public import Workers

/// The planned results of a run.
public final class DryRunResult {
  /// The totals of the plan.
  public let totals: PlanTotals
  /// The units of the chain.
  public let units: [UnitIdentity]
  /// Latency and tail of the chain; nil if not measured.
  public let figures: ChainFigures?
  /// The sandbox in force in workers; nil without one.
  public let sandbox: String?
  /// Free bytes at the destination; nil if unknown.
  public let freeByteCount: Int?
  private let plan: DryPlan
  private let folder: ScratchFolder

  /// - Throws: The `WorkerRefusal` of a chain that cannot be made, or the error of the plan.
  init(
    _ request: PlanRequest, _ options: SupervisorOptions, root: String?, _ control: RunControl
  ) throws {
    folder = try ScratchFolder()
    do {
      plan = try DryPlan(request, at: folder.path + "/plan.jsonl", root: root)
      let trial = try ChainTrial(
        options: options, asksFigures: true, shouldStop: control.shouldStop)
      if let refusal = trial.refusal { throw refusal }
      (units, figures, sandbox) = (trial.units, trial.figures, trial.sandbox)
      totals = plan.totals
      freeByteCount = Self.freeSpace(root ?? ".")
    } catch {
      folder.remove()
      throw error
    }
  }

  deinit { folder.remove() }

  /// Calls `body` with every file that would be processed, in the order of the plan.
  ///
  /// Context: control.
  public func forEach(
    _ body: (PlanEntry) throws(AuricleError) -> Void
  ) throws(AuricleError) {
    try plan.forEach(body)
  }

  private static func freeSpace(_ path: String) -> Int? {
    var path = path
    while FileIdentity.of(path) == nil {
      let parent = ParentFolder.of(path)
      if parent == path { break }
      path = parent
    }
    var status = statvfs()
    guard unsafe path.withFileName({ unsafe statvfs($0, &status) }) == 0 else { return nil }
    return Int(clamping: UInt64(status.f_bavail) &* UInt64(status.f_frsize))
  }
}
