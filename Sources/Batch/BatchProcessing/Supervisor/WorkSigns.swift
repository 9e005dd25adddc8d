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

  init(of worker: WorkerProcess) {
    let reading = worker.reading
    let unit = worker.unitName(reading.unit)
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

extension WorkerProcess {
  /// What it does now, as far as that can be true.
  var signs: WorkSigns { WorkSigns(of: self) }

  /// Whether it has said that it is at its first job.
  var isAtWork: Bool { jobs.first.map { $0.number == begunJob } ?? false }

  /// Whether a text is what units are called: `Maker: Unit (type:subtype:manufacturer)`, or as much of it
  /// as there is room for.
  static func isUnitName(_ text: String) -> Bool {
    let isReadable = text.unicodeScalars.allSatisfy {
      $0.value >= 0x20 && $0.value != 0x7F && $0.value != 0xFFFD
    }
    guard isReadable else { return false }
    return text.utf8.count > 150 || text.contains(" (") && text.hasSuffix(")")
  }
}
