// A plan in memory: for few files, whose results need no ledger.
// SPDX-License-Identifier: Apache-2.0

public import AudioTypes
import HostSystem

/// The files of a run in their order, each with its destination, checked as far as possible without opening
/// one: no two inputs for one output, nothing overwritten unless requested.
public struct BatchPlan: Sendable {
  /// Every file of the plan, with outputs as paths from here.
  public private(set) var entries: [PlanEntry] = []

  /// Plans a run.
  ///
  /// - Throws: As `Planner`.
  ///
  /// Context: control. Reads the disk, never writes to it.
  public init(_ request: PlanRequest) throws(AuricleError) {
    var planner = Planner(request)
    var entries: [PlanEntry] = []
    _ = try planner.run { (entry) throws(AuricleError) in entries.append(entry) }
    if case .folder(let folder) = request.destination, request.backupSuffix == nil {
      for index in entries.indices where !entries[index].output.isEmpty {
        entries[index].output = Path.joining(folder, entries[index].output)
        entries[index].others = entries[index].others.map { Path.joining(folder, $0) }
      }
    }
    let known = entries
    for entry in entries {
      for output in entry.outputs { try planner.checkReplacing(entry, shown: output) }
    }
    try planner.check { index in known.indices.contains(index) ? known[index] : nil }
    self.entries = entries
  }
}
