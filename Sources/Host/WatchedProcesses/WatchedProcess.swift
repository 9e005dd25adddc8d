// A child process of this program that shows its parent which unit is at work.
// SPDX-License-Identifier: Apache-2.0

package import AudioTypes
import CHostSystem
import Glibc
import HostSystem
import PlugInGuard

/// A running child with memory for its signs of life and a socket to it; standard streams are those of the parent.
///
/// Context: control.
@safe package final class WatchedProcess {
  /// The descriptors that the child has: its heartbeat, and the socket to its parent.
  package static let (heartbeatDescriptor, socketDescriptor): (Int32, Int32) = (3, 4)

  /// The parent's end of the socket.
  package let socket: Int32
  private let process: pid_t
  private let memory: UnsafeMutableRawPointer
  private var hasEnded = false

  /// Starts a child.
  ///
  /// - Parameter arguments: The words behind the program's name.
  /// - Throws: What the system has no more of.
  package init(arguments: [String]) throws(AuricleError) {
    let shared = AuricleMakeSharedMemory(AuricleHeartbeatSize())
    guard shared >= 0 else { throw systemError(errno, "make", "shared memory") }
    defer { close(shared) }
    let memory = unsafe mmap(
      nil, AuricleHeartbeatSize(), PROT_READ | PROT_WRITE, MAP_SHARED, shared, 0)
    guard let memory = unsafe memory, unsafe memory != MAP_FAILED else {
      throw systemError(errno, "map", "shared memory")
    }
    var sockets: [Int32] = [-1, -1]
    let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard unsafe socketpair(AF_UNIX, type, 0, &sockets) == 0 else {
      let number = errno
      unsafe munmap(memory, AuricleHeartbeatSize())
      throw systemError(number, "make", "a socket")
    }
    var launch = ProcessLaunch("/proc/self/exe", arguments)
    launch.files = [
      (STDIN_FILENO, STDIN_FILENO), (STDOUT_FILENO, STDOUT_FILENO),
      (STDERR_FILENO, STDERR_FILENO), (shared, Self.heartbeatDescriptor),
      (sockets[1], Self.socketDescriptor),
    ]
    let (child, error) = launch.start()
    close(sockets[1])
    socket = sockets[0]
    process = child
    unsafe self.memory = unsafe memory
    guard error == 0 else {
      hasEnded = true
      throw systemError(error, "start", "a process for plug-ins")
    }
  }

  deinit {
    if !hasEnded {
      kill(process, SIGKILL)
      _ = wait()
    }
    close(socket)
    unsafe munmap(memory, AuricleHeartbeatSize())
  }

  /// Asks it to end.
  package func ask() { kill(process, SIGTERM) }

  /// How it ended.
  package enum End {
    /// With an exit code.
    case exited(Int32)
    /// By a signal, with the system's words for it.
    case crashed(String)
  }

  /// Waits for its end.
  package func wait() -> End {
    var status: Int32 = 0
    retrying { unsafe waitpid(process, &status, 0) }
    hasEnded = true
    let signal = status & 0x7F
    guard signal != 0 else { return .exited((status >> 8) & 0xFF) }
    let name = unsafe strsignal(signal).map { unsafe String(cString: $0) }
    return .crashed(name ?? "signal \(signal)")
  }

  /// The name of the unit that is, or was at the end, at work; nil for none.
  package var unitAtWork: String? {
    var reading = AuricleHeartbeatReading()
    unsafe AuricleHeartbeatRead(memory, &reading)
    guard WorkPhase(rawValue: reading.phase)?.isOfUnit ?? false else { return nil }
    var name = [CChar](repeating: 0, count: 200)
    guard unsafe AuricleHeartbeatName(memory, reading.unit, &name, name.count) else { return nil }
    return String(
      decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// Shows the parent from here on what this process does. Context: control, in the child, once.
  package static func adoptHeartbeat() {
    let memory = unsafe mmap(
      nil, AuricleHeartbeatSize(), PROT_READ | PROT_WRITE, MAP_SHARED, heartbeatDescriptor, 0)
    guard let memory = unsafe memory, unsafe memory != MAP_FAILED else { return }
    unsafe AuricleHeartbeatUse(memory)
    close(heartbeatDescriptor)
    // Programs that a plug-in starts have no socket to the parent.
    _ = fcntl(socketDescriptor, F_SETFD, FD_CLOEXEC)
  }

  /// Reads what the parent sent, up to a byte, which is left out; nil at the end. Context: control, in the child.
  package static func readText(upTo end: UInt8) -> String? {
    var bytes: [UInt8] = []
    var byte: UInt8 = 0
    while retrying({ unsafe read(socketDescriptor, &byte, 1) }) == 1 {
      if byte == end { return String(decoding: bytes, as: UTF8.self) }
      bytes.append(byte)
    }
    return nil
  }
}
