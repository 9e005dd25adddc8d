// The workers of a run: started, waited for, and what they print.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes

/// The processes that work for a supervisor.
final class WorkerPool {
  /// Workers by their places; nil where none is.
  private(set) var places: [Worker?]
  private let launcher: any WorkerLauncher
  let clock: any SupervisorClock
  /// Lines of units that were reported.
  private var reported: Set<String> = []
  private var lastCleanUp: ContinuousClock.Instant

  /// Lines of units that are reported in a run.
  private static let mostLines = 20
  /// How often what workers left is looked for.
  private static let cleanUpInterval = Duration.seconds(1)
  /// How long a round waits at most.
  private static let longestWait = Duration.milliseconds(100)

  init(count: Int, launcher: any WorkerLauncher, clock: any SupervisorClock) {
    places = Array(repeating: nil, count: max(1, count))
    self.launcher = launcher
    self.clock = clock
    lastCleanUp = clock.now
  }

  var workers: [Worker] { places.compactMap(\.self) }
  var isIdle: Bool { workers.allSatisfy(\.jobs.isEmpty) }

  /// Starts a process and tells it its work; it has no place.
  func launch(_ setup: WorkerSetup) throws(AuricleError) -> Worker {
    let worker = Worker(try launcher.launch(), now: clock.now)
    // When it is gone already, its end tells.
    worker.handle.send(.setup(setup), descriptors: [])
    return worker
  }

  /// Starts a worker at a place.
  func start(_ setup: WorkerSetup, at place: Int) throws(AuricleError) {
    places[place] = try launch(setup)
  }

  func contains(_ worker: Worker) -> Bool { places.contains { $0 === worker } }

  /// Ends a worker, and leaves its place to another.
  func remove(_ worker: Worker) {
    for place in places.indices where places[place] === worker { places[place] = nil }
    worker.handle.end(afterWaiting: .zero)
  }

  /// Ends all.
  func removeAll() {
    workers.forEach(remove)
    launcher.finish()
  }

  /// Waits for workers, those without a place too, or for a pipe.
  func wait(
    besides others: [Worker], or pipe: WakeUpPipe
  ) -> (isWokenUp: Bool, speaking: [Worker], printing: [Worker]) {
    let all = workers + others
    let activity = launcher.wait(for: all.map(\.handle), or: pipe, atMost: Self.longestWait)
    return (
      activity.isWokenUp, activity.speaking.map { all[$0] }, activity.printing.map { all[$0] }
    )
  }

  /// What a worker has printed: a few lines a run, each once.
  func newLines(of worker: Worker) -> [String] {
    worker.handle.readOutput().filter {
      reported.count < Self.mostLines && reported.insert($0).inserted
    }
  }

  /// Now and then removes what processes that have ended left behind.
  func cleanUp(sparing others: [Worker]) {
    guard clock.now - lastCleanUp > Self.cleanUpInterval else { return }
    lastCleanUp = clock.now
    launcher.cleanUp(sparing: (workers + others).map(\.handle))
  }
}
