// Wakes a thread that waits for files to become readable.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import Glibc

/// A pipe that holds nothing but the wish to be looked at.
final class Bell: Sendable {
  /// Readable while the bell rings.
  let descriptor: Int32
  private let other: Int32

  init() throws(AuricleError) {
    var ends: [Int32] = [-1, -1]
    guard unsafe pipe(&ends) == 0 else {
      throw AuricleError(.temporary, "no more files can be opened: \(Path.reason(errno))")
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

  /// Rings.
  func ring() {
    var byte: UInt8 = 1
    _ = unsafe write(other, &byte, 1)
  }

  /// Stops ringing.
  func silence() {
    var bytes = [UInt8](repeating: 0, count: 256)
    while unsafe read(descriptor, &bytes, bytes.count) > 0 {}
  }

  /// Waits until it rings, and silences it.
  func await() {
    var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    _ = unsafe poll(&wait, 1, -1)
    silence()
  }
}
