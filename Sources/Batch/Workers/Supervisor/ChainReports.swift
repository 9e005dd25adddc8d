// Reports of workers about the chain rather than about a file: each fact is passed on once.
// SPDX-License-Identifier: Apache-2.0

import FileRendering
import RunLedgers

/// A converter of workers' reports about the chain into events.
struct ChainReports {
  /// The units of the chain, as reported by the first worker; nil before.
  private(set) var units: [UnitIdentity]?
  private var sideFiles = SideFileWatch()
  private var sandboxIsReported = false
  private var refusals = RefusalNotes()

  /// Whether a worker has reported the units.
  var hasUnits: Bool { units != nil }

  /// The events of the units and side files that a worker found.
  mutating func found(_ found: [UnitIdentity], _ files: [PresetFile]) -> [RunEvent] {
    // A unit may have been reinstalled since the first worker listed it.
    if let units { return found == units ? [] : [.units(found)] }
    units = found
    sideFiles.files = files
    return [.sideFiles(files), .units(found)]
  }

  /// The events of the first sandbox.
  mutating func entered(_ sandbox: SandboxState) -> [RunEvent] {
    defer { sandboxIsReported = true }
    guard !sandboxIsReported else { return [] }
    return [.sandbox(sandbox.text)] + (sandbox.weakness.map { [.note($0)] } ?? [])
  }

  /// The notes about files that the sandbox has newly refused to units of a worker.
  mutating func newRefusals(of worker: Worker) -> [RunEvent] {
    refusals.new(worker.handle.refusals).map { .note($0) }
  }

  /// The event of a changed file that the preset names, which stops a run that is tied to it.
  mutating func changedFiles() -> [RunEvent] { sideFiles.changes().map { [.sideFiles($0)] } ?? [] }
}
