// Signs of life of a worker, and whether they can be true: plug-ins reach the memory they lie in.
// SPDX-License-Identifier: Apache-2.0

import CHostSystem
import PlugInGuard
import RealtimeSupport

/// What a worker tells of its work through the memory that it shares with its supervisor.
struct WorkSigns {
  /// The numbers as they stand there.
  let reading: AuricleHeartbeatReading
  /// The step of work; `idle` where what stands there is none.
  let phase: WorkPhase
  /// The name of the unit it is done with; nil for none.
  let unit: String?
  /// Whether step and unit are such as a worker tells.
  let isSensible: Bool
  /// Whether something else than the worker has written there.
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
    // As long as it has said nothing, it may not have begun to tell.
    isDamaged =
      worker.hasSpoken && (!isSensible || isOfOther || reading.unit >= 0 && unit == nil)
  }

  /// Numbers of units are below this one.
  private static let mostUnits: Int32 = 100
}
