// Which units can have ended a worker that was at something else.
// SPDX-License-Identifier: Apache-2.0

import CSystemSupport
import RealtimeSupport

extension Supervisor {
  /// How only a process ends in which a unit did what workers do not: closed files, wrote to them, set
  /// timers.
  private static let signalsOfUnits: Set<String> = [
    "exit 0", senseless, "SIGALRM", "SIGVTALRM", "SIGPROF", "SIGUSR1", "SIGUSR2",
  ]

  /// The units of which one must have ended a worker that was at something else; empty where that is
  /// not so.
  func suspects(
    _ worker: WorkerProcess, _ reading: AuricleBeaconReading, _ phase: WorkPhase, _ signal: String
  ) -> [String] {
    guard !phase.isOfUnit || worker.unitName(reading.unit) == nil else { return [] }
    if !Self.signalsOfUnits.contains(signal) {
      // The host's own code and its libraries do not crash where they write and wait; where they read
      // what anybody may have made, only the allocator's complaint tells of memory that was damaged.
      guard Self.crashes.contains(signal) else { return [] }
      switch phase {
      case .write, .verify, .idle: break
      case .read where reading.frames > 0 && Self.isComplaint(worker.lastWords ?? ""): break
      default: return []
      }
    }
    var names: [String] = []
    for number in 0..<Int32(Self.mostSuspects) {
      guard let name = worker.unitName(number) else { break }
      // Others are the host's own.
      guard units.contains(where: { name.hasPrefix($0.name + " (") }) else { continue }
      if !names.contains(name) { names.append(name) }
    }
    if names.isEmpty { names = units.map { "\($0.name) (\($0.identity))" } }
    // What ships with the program is tested for this.
    let foreign = names.filter { !$0.hasSuffix(":appl)") }
    guard Self.signalsOfUnits.contains(signal) else { return foreign }
    return foreign.isEmpty ? names : foreign
  }

  /// How many units of a chain are named at most where one of them is to blame.
  private static let mostSuspects = 16

  /// How processes end whose memory was damaged.
  static let crashes: Set<String> = ["SIGSEGV", "SIGABRT", "SIGBUS", "SIGILL", "SIGFPE"]

  /// Whether the C library says that its heap is not as it left it.
  private static func isComplaint(_ words: String) -> Bool {
    ["malloc", "free()", "realloc", "corrupted", "double free", "munmap_chunk"].contains {
      words.contains($0)
    }
  }
}
