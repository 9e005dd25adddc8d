// Who is called in each cycle of a device: a list that changes while it is called.
// SPDX-License-Identifier: Apache-2.0

package import CAudioToolbox
import Glibc
import RealtimeSupport
import Synchronization

/// A procedure and what it is called with.
@safe package struct IOClient: @unchecked Sendable {
  // @unchecked Sendable because it is a C function and a pointer, which the caller keeps valid.
  /// The procedure.
  package var procedure: AudioDeviceIOProc
  /// Its last argument.
  package var context: UnsafeMutableRawPointer?
  /// What names the registration.
  package var number: UInt

  /// Names a procedure.
  package init(
    _ procedure: AudioDeviceIOProc, _ context: UnsafeMutableRawPointer?, number: UInt
  ) {
    unsafe self.procedure = unsafe procedure
    unsafe self.context = unsafe context
    self.number = number
  }
}

/// The clients of a device.
///
/// @unchecked Sendable because the list is replaced as a whole under the lock, and the device's thread takes it
/// under the lock before a cycle; the lock is not held while clients are called.
package final class IOClients: @unchecked Sendable {
  private let clients = Mutex<[IOClient]>([])
  private let cycle = Atomic<UInt>(0)
  private let thread = Atomic<UInt>(0)

  /// No clients.
  package init() {}

  /// How many there are.
  package var count: Int { clients.withLock { $0.count } }

  /// Adds one; returns false where its number is there already. Context: control.
  @discardableResult package func add(_ client: IOClient) -> Bool {
    clients.withLock { clients in
      guard !clients.contains(where: { $0.number == client.number }) else { return false }
      clients.append(client)
      return true
    }
  }

  /// Removes one; when it returns, the client is not called any more, unless it is that call itself.
  ///
  /// Context: control; also in a client's call.
  @discardableResult package func remove(number: UInt) -> Bool {
    let (isFound, now) = clients.withLock { clients -> (Bool, UInt) in
      let before = clients.count
      clients.removeAll { $0.number == number }
      return (clients.count < before, cycle.load(ordering: .acquiring))
    }
    waitForCycle(now)
    return isFound
  }

  /// Waits for the end of a cycle that runs on another thread.
  private func waitForCycle(_ now: UInt) {
    guard now & 1 == 1, thread.load(ordering: .acquiring) != RenderClock.thread() else { return }
    while cycle.load(ordering: .acquiring) == now { usleep(200) }
  }

  /// Calls all of them. Context: the device's thread.
  package func call(_ body: (IOClient) -> Void) {
    thread.store(RenderClock.thread(), ordering: .releasing)
    let present = clients.withLock { clients -> [IOClient] in
      cycle.add(1, ordering: .acquiringAndReleasing)
      return clients
    }
    for client in present { body(client) }
    cycle.add(1, ordering: .releasing)
  }
}
