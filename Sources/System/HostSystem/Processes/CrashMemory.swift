// Memory in which a child that reports on units notes the place of its crash.
// SPDX-License-Identifier: Apache-2.0

import CHostSystem
import Glibc

/// Memory that a child shares with this process, for the place of a crash.
///
/// Context: control.
@safe package final class CrashMemory {
  /// The number that it has as an open file of the child.
  private static let childDescriptor: Int32 = 3
  private let descriptor: Int32
  private let memory: UnsafeMutableRawPointer

  /// Makes it; nil where the system has no more of it.
  package init?() {
    let descriptor = AuricleMakeSharedMemory(AuricleHeartbeatSize())
    guard descriptor >= 0 else { return nil }
    let memory = unsafe mmap(
      nil, AuricleHeartbeatSize(), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0)
    guard let memory = unsafe memory, unsafe memory != MAP_FAILED else {
      close(descriptor)
      return nil
    }
    self.descriptor = descriptor
    unsafe self.memory = unsafe memory
  }

  deinit {
    unsafe munmap(memory, AuricleHeartbeatSize())
    close(descriptor)
  }

  /// The open file as a child has it.
  package var file: (own: Int32, child: Int32) { (descriptor, Self.childDescriptor) }

  /// The words for a crash by a signal: `crashed with SIGSEGV in the function burst of gain.so`.
  package func words(of signal: Int32) -> String {
    let name = "crashed with \(SignalName.text(signal))"
    return unsafe CrashPlace(heartbeat: memory, signal: signal).map { "\(name) \($0.text)" } ?? name
  }

  /// Has this process note the place of its crash, where its parent passed memory for it.
  ///
  /// Context: control, in the child, once.
  package static func adopt() {
    var status = stat()
    // A file of the user's may have the number: only memory without a name, of this size, is the parent's.
    guard unsafe fstat(childDescriptor, &status) == 0, status.st_nlink == 0,
      status.st_size == off_t(AuricleHeartbeatSize())
    else { return }
    let memory = unsafe mmap(
      nil, AuricleHeartbeatSize(), PROT_READ | PROT_WRITE, MAP_SHARED, childDescriptor, 0)
    guard let memory = unsafe memory, unsafe memory != MAP_FAILED else { return }
    unsafe AuricleHeartbeatUse(memory)
    AuricleNoteCrashes()
    close(childDescriptor)
  }
}
