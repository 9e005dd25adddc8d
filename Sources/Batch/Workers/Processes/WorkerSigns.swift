// The heartbeat of a worker, checked for plausibility, since plug-ins can overwrite its memory.
// SPDX-License-Identifier: Apache-2.0

import CHostSystem
import PlugInGuard
import RealtimeSupport

/// The signs that a worker reports through the memory that it shares with its supervisor.
struct WorkerSigns {
  /// The numbers as they were read.
  let reading: AuricleHeartbeatReading
  /// The step of work; `idle` when the number is none.
  let phase: WorkPhase
  /// The name of the unit that is running; nil for none.
  let unit: String?
  /// Whether step and unit are values that a worker writes.
  let isSensible: Bool
  /// Whether something other than the worker has written there.
  let isDamaged: Bool

  init(of worker: Worker) {
    let reading = worker.handle.reading
    let unit = worker.handle.unitName(reading.unit)
    let known = WorkPhase(rawValue: reading.phase)
    let isSensible =
      known?.isOfUnit == true
      ? reading.unit >= Heartbeat.noUnit && reading.unit < Self.mostUnits
      : known != nil && reading.unit == Heartbeat.noUnit
    let isOfOther = worker.isAtWork && reading.job != UInt64(worker.jobs.first?.number ?? 0)
    self.reading = reading
    self.phase = isSensible ? known ?? .idle : .idle
    self.unit = isSensible ? unit : nil
    self.isSensible = isSensible
    // Before its first message the worker may not have written anything.
    isDamaged =
      worker.hasSpoken && (!isSensible || isOfOther || reading.unit >= 0 && unit == nil)
  }

  /// The upper limit of unit numbers.
  private static let mostUnits: Int32 = 100
}
