// A run that is only tried: the plan and the chain, with nothing written.
// SPDX-License-Identifier: Apache-2.0

public import AudioTypes
import Foundation
public import RunLedgers
public import Workers

/// What a run would do.
public final class DryRunResult {
  /// The plan in numbers.
  public let totals: PlanTotals
  /// The units of the chain.
  public let units: [UnitIdentity]
  /// How late the chain is and how long it rings on; nil where that was not found out.
  public let figures: ChainFigures?
  /// What the sandbox of workers reaches; nil where there is none.
  public let sandbox: String?
  /// Bytes that are free where results go; nil when that cannot be known.
  public let freeByteCount: Int?
  private let plan: DryPlan
  private let folder: ScratchFolder

  /// - Throws: The `WorkerRefusal` of a chain that cannot be made, or why there is no plan.
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

  /// Hands over every file that would be done, in the order of the plan.
  ///
  /// Context: control.
  public func forEach(
    _ body: (PlanEntry) throws(AuricleError) -> Void
  ) throws(AuricleError) {
    try plan.forEach(body)
  }

  private static func freeSpace(_ path: String) -> Int? {
    var path = path
    while !FileManager.default.fileExists(atPath: path) {
      let parent = ParentFolder.of(path)
      if parent == path { break }
      path = parent
    }
    let attributes = try? FileManager.default.attributesOfFileSystem(forPath: path)
    return (attributes?[.systemFreeSize] as? NSNumber)?.intValue
  }
}
