// Notes on their way from the thread of the ports to that of the device.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import RealtimeSupport
import Synchronization

/// A queue of messages with their times.
///
/// A message is rendered one period after it came, so that the distances between messages stay as they were played.
///
/// @unchecked Sendable because any thread writes to the ring, and the device's alone uses the rest.
@safe final class LiveNotes: @unchecked Sendable {
  private let ring: EventRing
  private let framesPerNanosecond: Double
  /// The time when the slice before began; 0 where the device has no clock, or for the first.
  private var previous: UInt64 = 0
  private let isRealTime: Bool
  /// Messages for which there was no room.
  let lost = Atomic<Int>(0)

  /// Bytes of messages that may wait.
  private static let room = 1 << 17
  /// Bytes of the longest message: less than half of the room.
  static let longest = 1 << 15

  /// - Throws: `temporary` where there is no memory for them.
  init(sampleRate: Double, isRealTime: Bool) throws(AuricleError) {
    guard let ring = EventRing(minimumCapacity: Self.room) else {
      throw AuricleError(
        .temporary, "there is no memory for \(Self.room) bytes of notes: end other programs")
    }
    self.ring = ring
    self.isRealTime = isRealTime
    framesPerNanosecond = sampleRate / 1e9
  }

  deinit { ring.deallocate() }

  /// A message with its time in front.
  static func record(_ bytes: [UInt8], time: UInt64) -> [UInt8] {
    unsafe withUnsafeBytes(of: time) { unsafe Array($0) } + bytes
  }

  /// Adds a message that came at a time (ns of the monotonic clock). Context: any but a device's thread.
  func send(_ bytes: [UInt8], time: UInt64) {
    let record = Self.record(bytes, time: time)
    let isAccepted = unsafe record.withUnsafeBytes {
      unsafe ring.write(tag: 0, frame: 0, $0.baseAddress, count: $0.count)
    }
    if !isAccepted { lost.add(1, ordering: .relaxed) }
  }

  /// Adds a message with its time in front, as `drain` passes it on. Context: render.
  @_noLocks func forward(_ bytes: UnsafeRawPointer, count: Int) {
    guard count > 8, unsafe ring.write(tag: 0, frame: 0, bytes, count: count) else {
      lost.add(1, ordering: .relaxed)
      return
    }
  }

  /// Finds the next waiting message, with its time in front; false for none. Context: the device's thread.
  @_noLocks func peek(_ record: inout EventRecord) -> Bool { ring.peek(&record) }

  /// Removes the message that was found; one that could not be passed on is lost. Context: the device's thread.
  @_noLocks func release(isLost: Bool) {
    if isLost { lost.add(1, ordering: .relaxed) }
    ring.release()
  }

  /// Delivers the waiting messages, for the slice that begins now. Context: render.
  @_noLocks func deliver(
    to first: Unmanaged<LiveChain>, _ second: Unmanaged<LiveChain>?, frameCount: Int
  ) {
    let now = isRealTime ? RenderClock.nanoseconds() : 0
    var record = EventRing.emptyRecord
    while ring.peek(&record) {
      let time = unsafe UnsafeRawPointer(record.bytes).loadUnaligned(as: UInt64.self)
      let frame = place(of: time, frameCount)
      let count = record.count - 8
      let bytes = unsafe record.bytes + 8
      unsafe first._withUnsafeGuaranteedRef {
        unsafe $0.send(bytes, count: count, atFrame: frame)
      }
      if let second = unsafe second {
        unsafe second._withUnsafeGuaranteedRef {
          unsafe $0.send(bytes, count: count, atFrame: frame)
        }
      }
      ring.release()
    }
    previous = now
  }

  /// The frame that is as far from the slice's start as a time is from that of the slice before.
  @_noLocks private func place(of time: UInt64, _ frameCount: Int) -> Int {
    guard previous > 0, time > previous else { return 0 }
    return Int(min(Double(time - previous) * framesPerNanosecond, Double(frameCount - 1)))
  }
}
