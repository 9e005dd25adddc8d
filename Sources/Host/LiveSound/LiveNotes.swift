// Notes on their way from the thread of the ports to that of the device.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import RealtimeSupport
import Synchronization

/// A queue of messages with their times.
///
/// A message is heard one period after it came, so that the distances between messages stay as they were played.
///
/// @unchecked Sendable because any thread writes to the ring, and the device's alone uses the rest.
@safe final class LiveNotes: @unchecked Sendable {
  private let ring: EventRing
  private let framesPerNanosecond: Double
  /// When the slice before began; 0 where the device has no time of its own, or for the first.
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

  /// Adds a message that came at a time (ns of the monotonic clock). Context: any but a device's thread.
  func send(_ bytes: [UInt8], time: UInt64) {
    var record = unsafe withUnsafeBytes(of: time) { unsafe Array($0) }
    record += bytes
    let isTaken = unsafe record.withUnsafeBytes {
      unsafe ring.write(tag: 0, frame: 0, $0.baseAddress, count: $0.count)
    }
    if !isTaken { lost.add(1, ordering: .relaxed) }
  }

  /// Hands over what waits, for the slice that begins now. Context: render.
  func deliver(to first: LiveReceivers, _ second: LiveReceivers?, frameCount: Int) {
    let now = isRealTime ? RenderClock.nanoseconds() : 0
    var record = EventRing.emptyRecord
    while ring.peek(&record) {
      let time = unsafe UnsafeRawPointer(record.bytes).loadUnaligned(as: UInt64.self)
      let frame = place(of: time, frameCount)
      let count = record.count - 8
      unsafe first.send(record.bytes + 8, count: count, atFrame: frame)
      unsafe second?.send(record.bytes + 8, count: count, atFrame: frame)
      ring.release()
    }
    previous = now
  }

  /// The frame that is as far from the slice's start as a time is from that of the slice before.
  private func place(of time: UInt64, _ frameCount: Int) -> Int {
    guard previous > 0, time > previous else { return 0 }
    return Int(min(Double(time - previous) * framesPerNanosecond, Double(frameCount - 1)))
  }
}
