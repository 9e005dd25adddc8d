// Sockets that carry whole messages between processes.
// SPDX-License-Identifier: Apache-2.0

import Glibc
import HostSystem

/// Calls of the system for sockets in a folder. Context: control, and the threads of the ports.
enum PortSocket {
  /// Bytes that may wait in a connection.
  private static let room: Int32 = 1 << 20

  private static func make() -> Int32 {
    let type = Int32(SOCK_SEQPACKET.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    let made = socket(AF_UNIX, type, 0)
    guard made >= 0 else { return -1 }
    var room = room
    unsafe setsockopt(made, SOL_SOCKET, SO_SNDBUF, &room, 4)
    return made
  }

  /// The address of a name in an open folder, however long the folder's path is.
  private static func withAddress(
    _ folder: Int32, _ name: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) -> Int32 {
    var address = sockaddr_un()
    let bytes = Array("/proc/self/fd/\(folder)/\(name)".utf8)
    guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { return -1 }
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
    return unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }

  /// Two ends of a connection within this process.
  static func pair() -> (Int32, Int32)? {
    var ends: [Int32] = [-1, -1]
    let type = Int32(SOCK_SEQPACKET.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard unsafe socketpair(AF_UNIX, type, 0, &ends) == 0 else { return nil }
    for end in ends { prepare(end) }
    return (ends[0], ends[1])
  }

  /// Makes a connection non-blocking, and enlarges its buffer.
  private static func prepare(_ made: Int32) {
    setNonblocking(made)
    var room = room
    unsafe setsockopt(made, SOL_SOCKET, SO_SNDBUF, &room, 4)
  }

  /// Listens under a name; nil where that cannot be done.
  ///
  /// It has the name only once it listens: a socket that does not answer passes for that of a dead
  /// process.
  static func listen(_ folder: Int32, _ name: String) -> Int32? {
    let made = make()
    guard made >= 0 else { return nil }
    let early = name + ".new"
    guard unsafe withAddress(folder, early, { unsafe bind(made, $0, $1) }) == 0,
      Glibc.listen(made, 4096) == 0, unsafe renameat(folder, early, folder, name) == 0
    else {
      close(made)
      return nil
    }
    setNonblocking(made)
    return made
  }

  /// Connects, and sends the purpose; nil without a listener.
  static func connect(_ folder: Int32, _ name: String, _ greeting: [UInt8]) -> Int32? {
    let made = make()
    guard made >= 0 else { return nil }
    // A process that does not read its connection holds nobody up for longer.
    var limit = timeval(tv_sec: 2, tv_usec: 0)
    unsafe setsockopt(
      made, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    let status = unsafe withAddress(folder, name) { pointer, size in
      retrying { unsafe Glibc.connect(made, pointer, size) }
    }
    setNonblocking(made)
    guard status == 0, send(made, greeting) == 0 else {
      close(made)
      return nil
    }
    return made
  }

  /// Whether a process listens under a name.
  static func answers(_ folder: Int32, _ name: String) -> Bool {
    let made = make()
    guard made >= 0 else { return true }
    defer { close(made) }
    setNonblocking(made)
    let status = unsafe withAddress(folder, name) { unsafe Glibc.connect(made, $0, $1) }
    return status == 0 || (errno != ECONNREFUSED && errno != ENOENT)
  }

  static func setNonblocking(_ descriptor: Int32) {
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
  }

  /// The next that connects; nil for none.
  static func accept(_ listener: Int32) -> Int32? {
    let made = retrying { Glibc.accept(listener, nil, nil) }
    guard made >= 0 else { return nil }
    _ = fcntl(made, F_SETFD, FD_CLOEXEC)
    prepare(made)
    return made
  }

  /// Sends one message: 0, or the error number; `EAGAIN` where there is no room.
  static func send(_ descriptor: Int32, _ bytes: [UInt8]) -> Int32 {
    let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
    let sent = retrying {
      unsafe bytes.withUnsafeBytes {
        unsafe Glibc.send(descriptor, $0.baseAddress, $0.count, flags)
      }
    }
    return sent < 0 ? errno : 0
  }

  /// The result of reading a connection.
  enum Reading {
    case message([UInt8])
    case nothing
    case end
  }

  /// The next message, at most as long as the memory.
  static func receive(_ descriptor: Int32, _ memory: UnsafeMutableRawBufferPointer) -> Reading {
    let flags = Int32(MSG_DONTWAIT)
    let count = retrying { unsafe recv(descriptor, memory.baseAddress, memory.count, flags) }
    if count > 0 { return unsafe .message(Array(memory[0..<count])) }
    return count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK) ? .nothing : .end
  }
}

/// Wakes a thread that waits in `poll`. Lives as long as the process.
struct Waker: Sendable {
  /// To be polled for reading.
  let reading: Int32
  private let writing: Int32

  init() {
    var ends: [Int32] = [-1, -1]
    unsafe _ = pipe(&ends)
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      PortSocket.setNonblocking(end)
    }
    (reading, writing) = (ends[0], ends[1])
  }

  func wake() {
    var byte: UInt8 = 0
    unsafe _ = write(writing, &byte, 1)
  }

  /// Clears the wake-up.
  func clear() {
    var bytes = [UInt8](repeating: 0, count: 256)
    while unsafe read(reading, &bytes, bytes.count) > 0 {}
  }
}
