// Workers, who starts them, and the time, as the supervisor sees them: tests put others in their place.
// SPDX-License-Identifier: Apache-2.0

package import AudioTypes
package import CHostSystem

/// What came from a worker.
package enum WorkerInput: Sendable {
  /// A message.
  case message(WorkerMessage)
  /// No message is waiting to be read.
  case nothing
  /// It closed its end, or is gone.
  case closed
  /// Something that is no message: what writes there is not the worker.
  case senseless
}

/// A worker process, or what stands for one.
///
/// Context: control, on the supervisor's thread.
package protocol WorkerHandle: AnyObject {
  /// The number of its process.
  var id: Int32 { get }

  /// Sends a message with open files, which stay with the caller; false when nobody reads it.
  @discardableResult
  func send(_ message: WorkerMessage, descriptors: [Int32]) -> Bool

  /// The next message, without waiting.
  func receive() -> WorkerInput

  /// Its signs of life, which units in it can overwrite.
  var reading: AuricleHeartbeatReading { get }

  /// The name of a unit by its number in the signs of life; nil when there is none.
  func unitName(_ number: Int32) -> String?

  /// The files that the sandbox refused to units so far, which units can overwrite, too.
  var refusals: [RefusedPath] { get }

  /// Reads what it printed: a few whole lines.
  func readOutput() -> [String]

  /// The last line it printed; nil when there was none.
  var lastLine: String? { get }

  /// Forgets what it printed.
  func forgetOutput()

  /// Whether it has more bytes of memory in use than a limit.
  func usesMemory(above limit: Int) -> Bool

  /// Ends it, after it was given some time to end by itself; nil when it has ended before.
  @discardableResult
  func end(afterWaiting patience: Duration) -> WorkerEnd?
}

/// A file or folder that the sandbox refused to a unit.
package struct RefusedPath: Hashable, Sendable {
  /// What the unit is called while it works.
  package let unit: String
  /// The absolute path.
  package let path: String
}

/// What happened while a supervisor waited.
package struct WorkerActivityList: Sendable {
  /// Whether the pipe is readable.
  package var isWokenUp = false
  /// Places of workers from which messages came, or which are gone.
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
  /// Starts one.
  func launch() throws(AuricleError) -> any WorkerHandle

  /// Waits for workers, or for a pipe, for a time at most.
  func wait(
    for workers: [any WorkerHandle], or pipe: WakeUpPipe, atMost limit: Duration
  ) -> WorkerActivityList

  /// Removes what workers that have ended left behind: processes, files.
  func cleanUp(sparing workers: [any WorkerHandle])

  /// The same when all have ended, for good.
  func finish()
}

/// Tells the time.
package protocol SupervisorClock {
  /// The time that goes on while the machine runs.
  var now: ContinuousClock.Instant { get }
}

/// The time of the machine.
struct SystemClock: SupervisorClock {
  var now: ContinuousClock.Instant { .now }
}
