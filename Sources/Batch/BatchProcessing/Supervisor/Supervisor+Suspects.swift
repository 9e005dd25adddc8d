// Which units can have ended a worker that was at something else.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import CHostSystem
import PlugInGuard
import RealtimeSupport

extension Supervisor {
  /// How only a process ends in which a unit did what workers do not: closed files, wrote to them, set
  /// timers, forbade itself calls of the system.
  private static let signalsOfUnits: Set<String> = [
    "exit 0", senseless, closedFiles, "SIGALRM", "SIGVTALRM", "SIGPROF", "SIGUSR1", "SIGUSR2",
    "SIGSYS", "SIGXCPU", "SIGXFSZ", "SIGIO",
  ]

  /// Whether no process ends so but by what a unit did; among it every signal that has but a number.
  static func isOfUnits(_ signal: String) -> Bool {
    signalsOfUnits.contains(signal) || signal.hasPrefix("signal ")
  }

  /// The units of which one must have ended a worker that was at something else; empty where that is
  /// not so.
  func suspects(
    _ worker: WorkerProcess, _ signs: WorkSigns, _ signal: String, _ job: Job
  ) -> [String] {
    let isOfUnits =
      Self.isOfUnits(signal) || signs.isDamaged && !Self.outsideSignals.contains(signal)
    guard signs.isDamaged || !signs.phase.isOfUnit || signs.unit == nil else { return [] }
    if isOfUnits { return foreignUnits.isEmpty ? chainUnits : foreignUnits }
    // The host's own code and its libraries do not crash where they write and wait. Where they read
    // what anybody may have made they may, but not in a sound that was heard before, or shares
    // its process with units that have rendered.
    guard Self.crashes.contains(signal) else { return [] }
    switch signs.phase {
    case .write, .verify, .idle: return foreignUnits
    case .read, .prepare:
      let hasRendered = worker.hasRendered || job.hasRendered || signs.reading.frames > 0
      return hasRendered ? foreignUnits : []
    default: return []
    }
  }

  /// Joins what is said of two attempts that ended at different places, as they do when memory is
  /// damaged: none of these places tells who did it.
  ///
  /// - Returns: What is to be recorded, and the units that are to blame, empty where it is the one.
  func joining(
    _ job: Job, _ record: FileRecord, _ signal: String, _ suspects: [String]
  ) -> (FileRecord, [String]) {
    let isCrash = Self.crashes.contains(signal)
    guard isCrash || signal == "hang" || Self.isOfUnits(signal) else { return (record, suspects) }
    let place = suspects.isEmpty ? record.blame?.unit ?? "" : ""
    let before = job.lastEnd
    job.lastEnd = (place, isCrash)
    let unit = foreignUnits.joined(separator: " or ")
    guard let before, before.place != place, before.isCrash || isCrash, !unit.isEmpty,
      unit != record.blame?.unit
    else { return (record, suspects) }
    var joined = record
    joined.origin = .unit
    joined.blame = FileRecord.Blame(
      unit: unit, phase: record.blame?.phase ?? "\(WorkPhase.render)", signal: signal)
    joined.error = AuricleError(
      .software,
      "\(place.isEmpty ? "the worker" : place) \(Self.sentence(signal)), and the attempt before ended "
        + "elsewhere, as when a unit has damaged the memory of its process, which is \(unit)")
    return (joined, foreignUnits)
  }

  /// The units of the chain, by what they are called while they work.
  private var chainUnits: [String] {
    var names: [String] = []
    for unit in units where names.count < Self.mostSuspects {
      let name = titles[unit.name] ?? "\(unit.name) (\(unit.identity))"
      if !names.contains(name) { names.append(name) }
    }
    return names
  }

  /// The units of the chain that do not ship with the program, each once, as records name them.
  var foreignUnits: [String] {
    // What ships is tested for this; joints of graphs are the program's own.
    chainUnits.filter { !$0.hasSuffix(":appl)") && !$0.hasSuffix(":Auri)") }
  }

  /// How many units of a chain are named at most where one of them is to blame.
  private static let mostSuspects = 16

  /// Notes what units are called while they work, before any of them has run for a file.
  func noteTitles(_ worker: WorkerProcess) {
    guard units.contains(where: { titles[$0.name] == nil }) else { return }
    for number in 0..<Int32(Self.mostTitles) {
      guard let title = worker.unitName(number) else { return }
      for unit in units where titles[unit.name] == nil && title.hasPrefix(unit.name + " (") {
        titles[unit.name] = title
      }
    }
  }

  /// How many units of a worker have names.
  private static let mostTitles = 100

  /// How processes end whose memory was damaged.
  static let crashes: Set<String> = [
    "SIGSEGV", "SIGABRT", "SIGBUS", "SIGILL", "SIGFPE", "SIGTRAP",
  ]
}
