// Sends messages of players to MIDI endpoints from a separate thread, through the Core MIDI of the process.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import CAudioToolbox
import Glibc
import HostSystem
import MacSystem
import RealtimeSupport
import Synchronization

/// Receives messages from threads that play, and sends them.
///
/// @unchecked Sendable because the ring is made for threads, and the rest is the sender's thread's.
@safe final class MIDISender: @unchecked Sendable {
  static let shared = MIDISender()

  private typealias Number = UnsafeMutablePointer<UInt32>
  private typealias ClientCreate =
    @convention(c) (CFStringRef?, UnsafeRawPointer?, UnsafeRawPointer?, Number) -> OSStatus
  private typealias PortCreate =
    @convention(c) (UInt32, CFStringRef?, Number) -> OSStatus
  private typealias Send = @convention(c) (UInt32, UInt32, UnsafeRawPointer) -> OSStatus

  private let ring = EventRing(minimumCapacity: 1 << 20)
  /// Posted for messages, and when a player ends.
  private let arrivals = RenderSignal()
  private let users = Mutex<Int>(0)
  private let isRunning = Atomic<Bool>(false)
  private var port: UInt32 = 0
  private var send: Send?

  /// Keeps a message for a moment of the host's clock (ns). Context: any.
  func put(
    _ endpoint: MIDIEndpointRef, at time: UInt64, _ bytes: UnsafeRawPointer, count: Int
  ) {
    guard let ring = ring else { return }
    // Microseconds are stored by their low 32 bits: nothing waits for half an hour.
    unsafe _ = ring.write(
      tag: endpoint, frame: UInt32(truncatingIfNeeded: time / 1000), bytes, count: count)
    arrivals.post()
  }

  /// Has the thread run for one more player. Context: control.
  func begin() {
    let starts = users.withLock { users -> Bool in
      users += 1
      return users == 1 && !isRunning.exchange(true, ordering: .acquiringAndReleasing)
    }
    guard starts else { return }
    connect()
    if let thread = startThread({ self.run() }) { pthread_detach(thread) }
  }

  /// A player has ended.
  func end() {
    users.withLock { $0 = max(0, $0 - 1) }
    arrivals.post()
  }

  /// Finds Core MIDI, and makes a port. Context: control, before the thread runs.
  private func connect() {
    guard unsafe send == nil,
      let makeClient = unsafe Block.symbol("MIDIClientCreate", as: ClientCreate.self),
      let makePort = unsafe Block.symbol("MIDIOutputPortCreate", as: PortCreate.self)
    else { return }
    var client: UInt32 = 0
    unsafe withCFString("Music Player") { name in
      if unsafe makeClient(name, nil, nil, &client) == noErr,
        unsafe makePort(client, name, &port) == noErr
      {
        unsafe send = Block.symbol("MIDISend", as: Send.self)
      }
    }
  }

  private func run() {
    while true {
      let mark = arrivals.mark
      drain()
      let isOver = users.withLock { users -> Bool in
        if users == 0 { isRunning.store(false, ordering: .releasing) }
        return users == 0
      }
      if isOver { return drain() }
      arrivals.wait(since: mark, nanoseconds: 3_600_000_000_000)
    }
  }

  private func drain() {
    guard let ring = ring else { return }
    var record = EventRing.emptyRecord
    while ring.peek(&record) {
      pass(record)
      ring.release()
    }
  }

  /// Sends one message; a long one in several packets.
  private func pass(_ record: EventRecord) {
    guard let send = unsafe send else { return }
    let now = mach_absolute_time()
    let distance = Int32(bitPattern: record.frame &- UInt32(truncatingIfNeeded: now / 1000))
    let time = UInt64(clamping: Int64(now / 1000) + Int64(distance)) * 1000
    var place = 0
    while place < record.count {
      let count = min(record.count - place, 32_000)
      var bytes = [UInt8](repeating: 0, count: 14 + max(count, 256))
      unsafe bytes.withUnsafeMutableBytes { list in
        unsafe list.storeBytes(of: 1, as: UInt32.self)
        unsafe list.storeBytes(of: time, toByteOffset: 4, as: UInt64.self)
        unsafe list.storeBytes(of: UInt16(count), toByteOffset: 12, as: UInt16.self)
        if let start = list.baseAddress {
          unsafe (start + 14).copyMemory(from: record.bytes + place, byteCount: count)
          unsafe _ = send(port, record.tag, start)
        }
      }
      place += count
    }
  }
}
