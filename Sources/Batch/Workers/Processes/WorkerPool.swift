// The workers of a run: starts them, waits for them, and passes on their output.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes

/// The worker processes of a supervisor.
final class WorkerPool {
  /// Workers by place; nil where there is none.
  private(set) var places: [Worker?]
  private let launcher: any WorkerLauncher
  let clock: any SupervisorClock
  /// Lines of output already reported.
  private var reported: Set<String> = []
  private var lastCleanUp: ContinuousClock.Instant

  /// The most lines of output reported in a run.
  private static let mostLines = 20
  /// The interval at which leftovers of workers are removed.
  private static let cleanUpInterval = Duration.seconds(1)
  /// The longest wait of a round.
  private static let longestWait = Duration.milliseconds(100)

  init(count: Int, launcher: any WorkerLauncher, clock: any SupervisorClock) {
    places = Array(repeating: nil, count: max(1, count))
    self.launcher = launcher
    self.clock = clock
    lastCleanUp = clock.now
  }

  var workers: [Worker] { places.compactMap(\.self) }
  var isIdle: Bool { workers.allSatisfy(\.jobs.isEmpty) }

  /// Starts a worker without a place and sends its setup.
  func launch(_ setup: WorkerSetup) throws(AuricleError) -> Worker {
    let worker = Worker(try launcher.launch(), now: clock.now)
    // If it has ended already, that is noticed later.
    worker.handle.send(.setup(setup), descriptors: [])
    return worker
  }

  /// Starts a worker at a place.
  func start(_ setup: WorkerSetup, at place: Int) throws(AuricleError) {
    places[place] = try launch(setup)
  }

  func contains(_ worker: Worker) -> Bool { places.contains { $0 === worker } }

  /// Ends a worker and frees its place.
  func remove(_ worker: Worker) {
    for place in places.indices where places[place] === worker { places[place] = nil }
    worker.handle.end(afterWaiting: .zero)
  }

  /// Ends all workers.
  func removeAll() {
    workers.forEach(remove)
    launcher.finish()
  }

  /// Waits for workers, including those without a place, or for a pipe.
  func wait(
    besides others: [Worker], or pipe: WakeUpPipe
  ) -> (isWokenUp: Bool, speaking: [Worker], printing: [Worker]) {
    let all = workers + others
    let activity = launcher.wait(for: all.map(\.handle), or: pipe, atMost: Self.longestWait)
    return (
      activity.isWokenUp, activity.speaking.map { all[$0] }, activity.printing.map { all[$0] }
    )
  }

  /// New lines of a worker's output: a limited number in a run, each once.
  func newLines(of worker: Worker) -> [String] {
    worker.handle.readOutput().filter {
      reported.count < Self.mostLines && reported.insert($0).inserted
    }
  }

  /// Removes leftovers of ended processes, periodically.
  func cleanUp(sparing others: [Worker]) {
    guard clock.now - lastCleanUp > Self.cleanUpInterval else { return }
    lastCleanUp = clock.now
    launcher.cleanUp(sparing: (workers + others).map(\.handle))
  }
}
