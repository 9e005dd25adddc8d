// The clients that a device calls in each cycle: a list that changes meanwhile.
// SPDX-License-Identifier: Apache-2.0

package import CAudioToolbox
import Glibc
import RealtimeSupport
import Synchronization

/// A procedure and its arguments.
@safe package struct IOClient: @unchecked Sendable {
  // @unchecked Sendable because it is a C function and a pointer, which the caller keeps valid.
  /// The procedure.
  package var procedure: AudioDeviceIOProc
  /// Its last argument.
  package var context: UnsafeMutableRawPointer?
  /// The number of the registration.
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

/// An immutable list of clients.
@safe struct IOClientList {
  let count: Int
  let clients: UnsafeMutablePointer<IOClient>

  init(_ all: [IOClient]) {
    count = all.count
    unsafe clients = .allocate(capacity: max(1, all.count))
    for (index, client) in all.enumerated() { unsafe (clients + index).initialize(to: client) }
  }

  func deallocate() {
    unsafe clients.deinitialize(count: count)
    unsafe clients.deallocate()
  }
}

/// The clients of a device.
///
/// The device's thread reads an immutable list behind an atomic pointer; it neither locks nor allocates.
///
/// @unchecked Sendable because lists are replaced as a whole under the lock, and freed when no cycle reads them.
@safe package final class IOClients: @unchecked Sendable {
  @safe private struct State {
    var all: [IOClient] = []
    /// Lists that were replaced, with the cycle that may still read them.
    var retired: [(list: UnsafeMutablePointer<IOClientList>, cycle: UInt)] = unsafe []
  }

  private let state = Mutex(State())
  /// The address of the present list; 0 for none.
  private let present = Atomic<UInt>(0)
  /// Odd while clients are called.
  private let cycle = Atomic<UInt>(0)
  private let thread = Atomic<UInt>(0)
  private let cycleEnd = RenderSignal()
  private let cycleEndWords: RenderSignalWords

  /// No clients.
  package init() { cycleEndWords = cycleEnd.words }

  deinit {
    let retired = unsafe state.withLock { unsafe $0.retired.map { unsafe $0.list } }
    unsafe retired.forEach { unsafe Self.free($0) }
    if let list = unsafe Self.list(present.load(ordering: .relaxed)) { unsafe Self.free(list) }
  }

  /// The number of clients.
  package var count: Int { state.withLock { $0.all.count } }

  /// Adds one; returns false where its number is there already. Context: control.
  @discardableResult package func add(_ client: IOClient) -> Bool {
    state.withLock { state in
      guard !state.all.contains(where: { $0.number == client.number }) else { return false }
      state.all.append(client)
      publish(&state)
      return true
    }
  }

  /// Removes one; when it returns, the client is not called any more, unless it is that call itself.
  ///
  /// Context: control; also in a client's call.
  @discardableResult package func remove(number: UInt) -> Bool {
    let (isFound, now) = state.withLock { state -> (Bool, UInt) in
      let before = state.all.count
      state.all.removeAll { $0.number == number }
      if state.all.count < before { publish(&state) }
      return (state.all.count < before, cycle.load(ordering: .sequentiallyConsistent))
    }
    waitForCycle(now)
    return isFound
  }

  /// Replaces the list, and frees lists that no cycle reads any more. Context: under the lock.
  private func publish(_ state: inout State) {
    let made = UnsafeMutablePointer<IOClientList>.allocate(capacity: 1)
    unsafe made.initialize(to: IOClientList(state.all))
    let old = present.exchange(UInt(bitPattern: made), ordering: .sequentiallyConsistent)
    let now = cycle.load(ordering: .sequentiallyConsistent)
    if let list = unsafe Self.list(old) { unsafe state.retired.append((list, now)) }
    unsafe state.retired.filter { unsafe $0.cycle & 1 == 0 || $0.cycle != now }.forEach {
      unsafe Self.free($0.list)
    }
    unsafe state.retired.removeAll { unsafe $0.cycle & 1 == 0 || $0.cycle != now }
  }

  private static func list(_ address: UInt) -> UnsafeMutablePointer<IOClientList>? {
    unsafe UnsafeMutablePointer(bitPattern: address)
  }

  private static func free(_ list: UnsafeMutablePointer<IOClientList>) {
    unsafe list.pointee.deallocate()
    unsafe list.deallocate()
  }

  /// Waits for the end of a cycle that runs on another thread.
  private func waitForCycle(_ now: UInt) {
    guard now & 1 == 1, thread.load(ordering: .acquiring) != RenderClock.thread() else { return }
    let isOver = { self.cycle.load(ordering: .sequentiallyConsistent) != now }
    while !cycleEnd.wait(nanoseconds: 1_000_000_000, until: isOver) {}
  }

  /// Whether the caller is in a client's call. Context: any.
  package var isCalling: Bool {
    cycle.load(ordering: .acquiring) & 1 == 1
      && thread.load(ordering: .acquiring) == RenderClock.thread()
  }

  /// Waits for the end of the present cycle. Context: control, in no client's call.
  package func finishCycle() { waitForCycle(cycle.load(ordering: .sequentiallyConsistent)) }

  /// Returns whether a client of the present cycle was not removed since its begin. Context: the device's thread.
  @_noLocks func contains(number: UInt) -> Bool {
    // Lists that are replaced in a cycle are kept until its end.
    let address = present.load(ordering: .sequentiallyConsistent)
    guard let list = unsafe UnsafeMutablePointer<IOClientList>(bitPattern: address) else {
      return false
    }
    for index in 0..<(unsafe list.pointee.count) {
      if unsafe list.pointee.clients[index].number == number { return true }
    }
    return false
  }

  /// Begins a cycle: the clients that are called in it, valid until its end. Context: the device's thread.
  @_noLocks func beginCycle() -> UnsafeBufferPointer<IOClient> {
    thread.store(RenderClock.thread(), ordering: .releasing)
    cycle.add(1, ordering: .sequentiallyConsistent)
    let address = present.load(ordering: .sequentiallyConsistent)
    guard let list = unsafe UnsafeMutablePointer<IOClientList>(bitPattern: address) else {
      return unsafe UnsafeBufferPointer(start: nil, count: 0)
    }
    return unsafe UnsafeBufferPointer(start: list.pointee.clients, count: list.pointee.count)
  }

  /// Ends a cycle. Context: the device's thread.
  @_noLocks func endCycle() {
    cycle.add(1, ordering: .sequentiallyConsistent)
    cycleEndWords.post()
  }
}
