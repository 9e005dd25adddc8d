// The supervisor's interfaces to workers, their launcher and the clock, which tests replace.
// SPDX-License-Identifier: Apache-2.0

package import AudioTypes
package import CHostSystem
package import HostSystem

/// The input from a worker.
package enum WorkerInput: Sendable {
  /// A message.
  case message(WorkerMessage)
  /// No message is waiting to be read.
  case nothing
  /// It closed its end, or has ended.
  case closed
  /// Something that is no message: not the worker wrote it.
  case senseless
}

/// A worker process, or a substitute.
///
/// Context: control, on the supervisor's thread.
package protocol WorkerHandle: AnyObject {
  /// The id of its process.
  var id: Int32 { get }

  /// Sends a message with open files, which the caller keeps; false when nobody reads it.
  @discardableResult
  func send(_ message: WorkerMessage, descriptors: [Int32]) -> Bool

  /// The next message, without waiting.
  func receive() -> WorkerInput

  /// Its heartbeat, which units in it can overwrite.
  var reading: AuricleHeartbeatReading { get }

  /// The name of a unit by its number in the heartbeat; nil when there is none.
  func unitName(_ number: Int32) -> String?

  /// The files that the sandbox refused to units so far; units can overwrite these, too.
  var refusals: [RefusedPath] { get }

  /// The place where a signal ended it; nil where it noted none. Units can overwrite that, too.
  func crashPlace(signal: Int32) -> CrashPlace?

  /// Reads its output: a few whole lines.
  func readOutput() -> [String]

  /// The last line it printed; nil when there was none.
  var lastLine: String? { get }

  /// Discards its output.
  func forgetOutput()

  /// Whether it has more bytes of memory in use than a limit.
  func usesMemory(above limit: Int) -> Bool

  /// Ends it, after some time to end by itself; nil when it had ended already.
  @discardableResult
  func end(afterWaiting graceTime: Duration) -> WorkerEnd?
}

extension WorkerHandle {
  /// A substitute notes no place.
  package func crashPlace(signal: Int32) -> CrashPlace? { nil }
}

/// A file or folder that the sandbox refused to a unit.
package struct RefusedPath: Hashable, Sendable {
  /// The name of the unit in the heartbeat.
  package let unit: String
  /// The absolute path.
  package let path: String
}

/// The activities while a supervisor waited.
package struct WorkerActivityList: Sendable {
  /// Whether the pipe is readable.
  package var isWokenUp = false
  /// Places of workers that sent messages or ended.
  package var speaking: [Int] = []
  /// Places of workers that printed something.
  package var printing: [Int] = []

  /// Nothing.
  package init() {}
}

/// Starts workers and waits for them.
///
/// Context: control, on the supervisor's thread.
package protocol WorkerLauncher: AnyObject {
  /// Starts a worker.
  func launch() throws(AuricleError) -> any WorkerHandle

  /// Waits for workers, or for a pipe, for a time at most.
  func wait(
    for workers: [any WorkerHandle], or pipe: WakeUpPipe, atMost limit: Duration
  ) -> WorkerActivityList

  /// Removes the leftovers of workers that have ended: processes, files.
  func cleanUp(sparing workers: [any WorkerHandle])

  /// The same after all workers have ended.
  func finish()
}

/// A clock.
package protocol SupervisorClock {
  /// A time that advances while the machine runs.
  var now: ContinuousClock.Instant { get }
}

/// The clock of the machine.
struct SystemClock: SupervisorClock {
  var now: ContinuousClock.Instant { .now }
}
