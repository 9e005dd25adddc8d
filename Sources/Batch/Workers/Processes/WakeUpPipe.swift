// Wakes a thread that waits for files to become readable.
// SPDX-License-Identifier: Apache-2.0

package import AudioTypes
import Glibc
import HostSystem

/// A pipe that is readable while somebody is to be woken.
package final class WakeUpPipe: Sendable {
  /// Readable from `wakeUp` to `drain`.
  package let descriptor: Int32
  private let other: Int32

  /// Opens it.
  package init() throws(AuricleError) {
    var ends: [Int32] = [-1, -1]
    guard unsafe pipe(&ends) == 0 else {
      let number = errno
      throw AuricleError(
        .temporary, "no more files can be opened at once: \(systemReason(number))",
        cause: .errno(number))
    }
    descriptor = ends[0]
    other = ends[1]
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
  }

  deinit {
    close(descriptor)
    close(other)
  }

  /// Makes it readable.
  package func wakeUp() {
    var byte: UInt8 = 1
    _ = unsafe write(other, &byte, 1)
  }

  /// Makes it unreadable again.
  package func drain() {
    var bytes = [UInt8](repeating: 0, count: 256)
    while unsafe read(descriptor, &bytes, bytes.count) > 0 {}
  }

  /// Waits until it is readable, for a time at most; nil for ever.
  ///
  /// Context: control.
  package func wait(atMost limit: Duration? = nil) {
    var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    _ = unsafe poll(&wait, 1, limit.map { Int32($0 / .milliseconds(1)) } ?? -1)
  }
}
