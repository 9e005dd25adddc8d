// A clock that steps when the rest of the program waits: what a program plays does not depend on the machine.
// SPDX-License-Identifier: Apache-2.0

import CALSA
import Glibc
import HostSystem
import Synchronization

/// A counted clock that moves when every other thread of the program waits.
///
/// All devices of a program share its time, and the device with the nearest time steps first. A thread waits
/// while the kernel has it asleep: on a semaphore, a descriptor, a run loop or a time.
package final class CountedClock: DeviceClock {
  /// A device thread in `sleep(until:)`.
  private struct Sleeper: Equatable {
    var time: UInt64
    var thread: pid_t
  }

  /// The time and the device threads that wait for another.
  private struct Course {
    var time: UInt64 = 1_000_000_000
    var sleepers: [Sleeper] = []

    /// The device thread that steps next.
    var next: Sleeper? { sleepers.min { ($0.time, $0.thread) < ($1.time, $1.thread) } }
  }

  private static let course = Mutex(Course())

  /// Makes one; all are the same.
  package init() {}

  /// The time, which begins at a second.
  package func now() -> UInt64 { Self.course.withLock { $0.time } }

  /// Moves the time on when the rest of the program waits.
  package func sleep(until wanted: UInt64) {
    let own = Sleeper(time: wanted, thread: auricle_thread())
    Self.course.withLock { $0.sleepers.append(own) }
    // The kernel reports no event for "all threads sleep".
    var pause: useconds_t = 10
    while !Self.canStep(own) {
      pause = min(1000, 2 * pause)
      usleep(pause)
    }
    Self.course.withLock {
      $0.sleepers.removeAll { $0 == own }
      $0.time = max($0.time, wanted)
    }
  }

  /// Waits until the rest of the program waits, also between the slices that fill a device's buffer.
  package func settle() { sleep(until: now()) }

  /// Whether a device thread steps next and all threads but the devices' sleep.
  private static func canStep(_ own: Sleeper) -> Bool {
    let (isNext, sleepers) = course.withLock { ($0.next == own, $0.sleepers) }
    guard isNext else { return false }
    let devices = Set(sleepers.map(\.thread))
    // Threads that slept in both rounds without a switch slept between the rounds, all at once.
    guard let first = ThreadActivity.all(but: devices) else { return false }
    return ThreadActivity.all(but: devices) == first && course.withLock { $0.sleepers == sleepers }
  }

  /// False.
  package var isReal: Bool { false }
}

/// A sleeping thread, and how often the kernel switched it.
private struct ThreadActivity: Equatable {
  private var thread: String
  private var switches: [Substring]

  /// The threads of the program but some; nil while one of the rest runs.
  static func all(but left: Set<pid_t>) -> [Self]? {
    var all: [Self] = []
    for name in FolderListing.names(in: "/proc/self/task")
    where pid_t(name).map(left.contains) != true {
      // A missing thread ended after the list was read.
      guard let lines = lines(ofThread: name) else { return nil }
      let runs = lines.contains { $0.hasPrefix("State:\tR") || $0.hasPrefix("State:\tD") }
      guard !runs else { return nil }
      all.append(Self(thread: name, switches: lines.filter { $0.contains("ctxt_switches:") }))
    }
    return all
  }

  private static func lines(ofThread name: String) -> [Substring]? {
    guard let file = FileDescriptor(ifReadable: "/proc/self/task/\(name)/status") else {
      return nil
    }
    var bytes = [UInt8](repeating: 0, count: 8192)
    let count = unsafe bytes.withUnsafeMutableBytes {
      unsafe FileTransfer.read(file.number, into: $0)
    }
    return count > 0 ? String(decoding: bytes[..<count], as: UTF8.self).split(separator: "\n") : nil
  }
}
