// The buffers of a queue: their owners, and the data that was enqueued with them.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox
import Glibc
import Synchronization

/// A buffer that the queue has.
///
/// @unchecked Sendable because a buffer belongs to one side at a time.
@safe struct EnqueuedBuffer: @unchecked Sendable {
  let buffer: UnsafeMutablePointer<AudioQueueBuffer>
  /// Where packets are that differ in size; empty for others.
  var packets: [AudioStreamPacketDescription] = []
  var trimAtStart: Int64 = 0
  var trimAtEnd: Int64 = 0
  var parameters: [AudioQueueParameterEvent] = []
  /// The frame of the queue at which it begins; nil: behind the one before.
  var start: Double?

  init(_ buffer: UnsafeMutablePointer<AudioQueueBuffer>) { unsafe self.buffer = unsafe buffer }

  /// Whether there is nothing in it to be played.
  var isEmpty: Bool { unsafe buffer.pointee.mAudioDataByteSize == 0 }
}

/// All buffers of a queue, by their addresses.
final class QueueBuffers: Sendable {
  private struct State {
    var all: Set<UInt> = []
    var enqueued: Set<UInt> = []
  }

  private let state = Mutex(State())

  /// Makes a buffer of so many bytes, below 1 GiB, with room for so many descriptions; nil where there is no memory.
  func allocate(
    _ byteCount: UInt32, _ packetCount: UInt32
  ) -> UnsafeMutablePointer<AudioQueueBuffer>? {
    guard byteCount < 1 << 30, let memory = unsafe calloc(1, max(1, Int(byteCount))),
      let record = unsafe calloc(1, MemoryLayout<AudioQueueBuffer>.size)
    else { return nil }
    var descriptions: UnsafeMutableRawPointer?
    if packetCount > 0 {
      unsafe descriptions = calloc(
        Int(packetCount), MemoryLayout<AudioStreamPacketDescription>.size)
    }
    let buffer = unsafe record.bindMemory(to: AudioQueueBuffer.self, capacity: 1)
    unsafe buffer.initialize(
      to: AudioQueueBuffer(
        mAudioDataBytesCapacity: byteCount, mAudioData: memory, mAudioDataByteSize: 0,
        mUserData: nil, mPacketDescriptionCapacity: packetCount,
        mPacketDescriptions: descriptions?.bindMemory(
          to: AudioStreamPacketDescription.self, capacity: Int(packetCount)),
        mPacketDescriptionCount: 0))
    state.withLock { _ = $0.all.insert(UInt(bitPattern: buffer)) }
    return unsafe buffer
  }

  /// Whether a buffer is of this queue.
  func contains(_ buffer: UnsafeMutablePointer<AudioQueueBuffer>) -> Bool {
    let address = UInt(bitPattern: buffer)
    return state.withLock { $0.all.contains(address) }
  }

  /// Whether the queue has every buffer that was made.
  var areAllEnqueued: Bool { state.withLock { $0.enqueued.count == $0.all.count } }

  /// Makes a buffer the queue's; false for one that is already.
  func enqueue(_ buffer: UnsafeMutablePointer<AudioQueueBuffer>) -> Bool {
    let address = UInt(bitPattern: buffer)
    return state.withLock { $0.enqueued.insert(address).inserted }
  }

  /// Makes a buffer the program's again.
  func returnBuffer(_ buffer: UnsafeMutablePointer<AudioQueueBuffer>) {
    let address = UInt(bitPattern: buffer)
    state.withLock { _ = $0.enqueued.remove(address) }
  }

  /// Frees a buffer.
  func free(_ buffer: UnsafeMutablePointer<AudioQueueBuffer>) -> OSStatus {
    let address = UInt(bitPattern: buffer)
    let status = state.withLock { state -> OSStatus in
      guard state.all.contains(address) else { return kAudioQueueErr_InvalidBuffer }
      guard !state.enqueued.contains(address) else { return kAudioQueueErr_BufferInQueue }
      state.all.remove(address)
      return noErr
    }
    if status == noErr { unsafe Self.release(buffer) }
    return status
  }

  /// Frees all.
  func freeAll() {
    let all = state.withLock { state -> Set<UInt> in
      defer { state = State() }
      return state.all
    }
    for address in all {
      guard let buffer = unsafe UnsafeMutablePointer<AudioQueueBuffer>(bitPattern: address) else {
        continue
      }
      unsafe Self.release(buffer)
    }
  }

  private static func release(_ buffer: UnsafeMutablePointer<AudioQueueBuffer>) {
    unsafe Glibc.free(buffer.pointee.mAudioData)
    unsafe Glibc.free(buffer.pointee.mPacketDescriptions)
    unsafe Glibc.free(buffer)
  }
}
