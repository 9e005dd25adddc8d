// MIDI output of a kernel: collected in a cycle, and passed to the host's callback at its end.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox
import Glibc
import RealtimeSupport
import Synchronization

/// The MIDI outputs of a unit; copies share the memory. Context: render.
@safe struct MIDIOutput: @unchecked Sendable {
  // @unchecked Sendable because the callback is replaced as a whole and the rest belongs to the render
  // thread.
  /// The state that copies share; other threads set most of it.
  @safe private struct Shared: ~Copyable {
    let block = unsafe Atomic<UnsafeMutableRawPointer?>(nil)
    let hostProtocol = Atomic<Int32>(1)
    let byteLimit = Atomic<Int>(MIDIOutput.listCapacity)
    /// Whether there was no room for a message of this cycle. Render thread only.
    var isFull = false
  }

  /// Most bytes of the messages of a cycle.
  static var listCapacity: Int {
    @_noLocks get { 1 << 17 }
  }
  private let outputCount: Int
  let events: MIDIEventStore
  let list: UnsafeMutableRawPointer
  private let shared: UnsafeMutablePointer<Shared>
  private let callback:
    UnsafeMutablePointer<Atomic<UnsafeMutablePointer<AUMIDIOutputCallbackStruct>?>>

  /// Allocates; nil without memory. Context: control.
  init?(outputCount: Int) {
    guard let events = MIDIEventStore(entryCapacity: 4096, byteCapacity: Self.listCapacity) else {
      return nil
    }
    guard let list = unsafe plentyOfMemory(for: Self.listCapacity, of: UInt8.self) else {
      events.deallocate()
      return nil
    }
    self.outputCount = outputCount
    unsafe shared = .allocate(capacity: 1)
    unsafe shared.initialize(to: Shared())
    self.events = events
    unsafe self.list = UnsafeMutableRawPointer(list)
    unsafe callback = .allocate(capacity: 1)
    unsafe callback.initialize(to: Atomic(nil))
  }

  /// Frees. Context: control.
  func deallocate() {
    events.deallocate()
    unsafe free(list)
    unsafe shared.deinitialize(count: 1)
    unsafe shared.deallocate()
    unsafe callback.pointee.load(ordering: .relaxed)?.deallocate()
    unsafe callback.deinitialize(count: 1)
    unsafe callback.deallocate()
  }

  /// Sets the host's callback; returns the old one to be freed when nothing renders.
  ///
  /// Context: control.
  func replaceCallback(
    _ structure: AUMIDIOutputCallbackStruct?
  ) -> UnsafeMutablePointer<AUMIDIOutputCallbackStruct>? {
    var made: UnsafeMutablePointer<AUMIDIOutputCallbackStruct>?
    if let structure = unsafe structure {
      let fresh = UnsafeMutablePointer<AUMIDIOutputCallbackStruct>.allocate(capacity: 1)
      unsafe fresh.initialize(to: structure)
      unsafe made = fresh
    }
    return unsafe callback.pointee.exchange(made, ordering: .acquiringAndReleasing)
  }

  /// The MIDI protocol, 1 or 2, of event lists. Set by any thread.
  var hostProtocol: Int32 {
    @_noLocks get { unsafe shared.pointee.hostProtocol.load(ordering: .relaxed) }
    nonmutating set { unsafe shared.pointee.hostProtocol.store(newValue, ordering: .relaxed) }
  }

  /// Most bytes that the messages of a cycle may have. Set by any thread.
  var byteLimit: Int {
    @_noLocks get { unsafe shared.pointee.byteLimit.load(ordering: .relaxed) }
    nonmutating set { unsafe shared.pointee.byteLimit.store(newValue, ordering: .relaxed) }
  }

  /// Sets the block that receives event lists; null for none. Context: control.
  func setEventBlock(_ block: UnsafeMutableRawPointer?) {
    unsafe shared.pointee.block.store(block, ordering: .releasing)
  }

  /// Adds a message; false when there is no room or no such output.
  @_noLocks func send(
    output: Int, frame: Int, _ bytes: UnsafePointer<UInt8>, count: Int
  ) -> Bool {
    guard output >= 0, output < outputCount, frame >= 0, count > 0 else { return false }
    guard count <= byteLimit - events.usedBytes,
      unsafe events.insert(frame: frame, output: output, bytes, count: count)
    else {
      unsafe shared.pointee.isFull = true
      return false
    }
    return true
  }

  /// Drops unsent messages.
  @_noLocks func removeAll() {
    events.removeAll()
    unsafe shared.pointee.isFull = false
  }

  /// Sends the messages of the cycle to the host, output by output, with their frames as times.
  ///
  /// - Returns: 0; the first error that the host's function returned; or `kAudioUnitErr_MIDIOutputBufferFull`
  ///   when there was no room for a message.
  @_noLocks func flush(_ timeStamp: UnsafePointer<AudioTimeStamp>) -> OSStatus {
    let isFull = unsafe shared.pointee.isFull
    guard events.count > 0 || isFull else { return 0 }
    defer { removeAll() }
    var status: OSStatus = 0
    var hasReceiver = false
    if let block = unsafe shared.pointee.block.load(ordering: .acquiring) {
      hasReceiver = true
      status = unsafe sendLists(block, timeStamp)
    }
    if let structure = unsafe callback.pointee.load(ordering: .acquiring),
      let procedure = unsafe structure.pointee.midiOutputCallback
    {
      hasReceiver = true
      status = unsafe Self.first(
        status, sendPackets(procedure, structure.pointee.userData, timeStamp))
    }
    return status == 0 && isFull && hasReceiver ? kAudioUnitErr_MIDIOutputBufferFull : status
  }

  /// Returns the first of two statuses that is an error.
  @_noLocks static func first(_ one: OSStatus, _ other: OSStatus) -> OSStatus {
    one != 0 ? one : other
  }

  /// Sends the messages to a procedure, in lists of packets.
  @_noLocks private func sendPackets(
    _ procedure: AUMIDIOutputCallback, _ userData: UnsafeMutableRawPointer?,
    _ timeStamp: UnsafePointer<AudioTimeStamp>
  ) -> OSStatus {
    var status: OSStatus = 0
    for output in 0..<outputCount {
      var packets: UInt32 = 0
      var used = 4
      for index in 0..<events.count {
        let entry = events.entry(index)
        guard entry.output == output else { continue }
        var done = 0
        while done < entry.byteCount {
          // A packet's length has 16 bits: longer messages need several with the same time.
          let length = min(entry.byteCount - done, 65532)
          if used + 10 + length > Self.listCapacity {
            status = unsafe Self.first(
              status, send(procedure, userData, timeStamp, output, packets))
            packets = 0
            used = 4
          }
          let packet = unsafe list + used
          unsafe packet.storeBytes(of: UInt64(entry.frame), as: UInt64.self)
          unsafe packet.storeBytes(
            of: UInt16(truncatingIfNeeded: length), toByteOffset: 8, as: UInt16.self)
          unsafe (packet + 10).copyMemory(
            from: events.bytes(of: entry) + done, byteCount: length)
          packets += 1
          used += 10 + length
          done += length
        }
      }
      guard packets > 0 else { continue }
      status = unsafe Self.first(
        status, send(procedure, userData, timeStamp, output, packets))
    }
    return status
  }

  @_noLocks private func send(
    _ procedure: AUMIDIOutputCallback, _ userData: UnsafeMutableRawPointer?,
    _ timeStamp: UnsafePointer<AudioTimeStamp>, _ output: Int, _ packets: UInt32
  ) -> OSStatus {
    unsafe list.storeBytes(of: packets, as: UInt32.self)
    // Door out of checked code: the host's callback.
    return unsafe _unsafePerformance {
      unsafe procedure(
        userData, timeStamp, UInt32(output), list.assumingMemoryBound(to: MIDIPacketList.self))
    }
  }
}
