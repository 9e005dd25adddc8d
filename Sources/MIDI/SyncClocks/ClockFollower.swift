// The messages of MIDI for a clock that follows: transport, clocks and time code, out of a stream of bytes.
// SPDX-License-Identifier: Apache-2.0

package import CAudioToolbox

/// Reads messages for clocks; everything else is passed over.
package struct ClockFollower: Sendable {
  /// An order to a clock.
  package enum Event: Sendable, Equatable {
    /// To start at 0.
    case start
    /// To go on from the present place.
    case proceed
    case stop
    /// One of the 24 of a beat.
    case tick
    /// To stop at a beat.
    case place(beat: Double)
    /// A time code, whose frame begins now; whether it is a jump, and not part of a run.
    case code(SMPTETime, isJump: Bool)
  }

  private var status: UInt8 = 0
  private var data: [UInt8] = []
  private var exclusive: [UInt8]?
  /// The pieces of a time code that came in their order.
  private var pieces: [UInt8] = []

  package init() {}

  /// The orders in bytes.
  package mutating func read(_ bytes: [UInt8]) -> [Event] {
    var events: [Event] = []
    for byte in bytes {
      switch byte {
      case 0xF8: events.append(.tick)
      case 0xFA: events.append(.start)
      case 0xFB: events.append(.proceed)
      case 0xFC: events.append(.stop)
      case 0xF9, 0xFD...0xFF: break
      case 0x80...0xF7:
        if byte == 0xF7, let found = exclusive.flatMap(Self.fullCode) { events.append(found) }
        exclusive = byte == 0xF0 ? [] : nil
        (status, data) = (byte, [])
      default:
        // A full time code has eight bytes.
        if let held = exclusive, held.count < 16 { exclusive?.append(byte) }
        data.append(byte)
        if let event = finish() { events.append(event) }
      }
    }
    return events
  }

  private mutating func finish() -> Event? {
    switch (status, data.count) {
    case (0xF1, 1):
      let piece = data[0]
      data = []
      return accept(piece)
    case (0xF2, 2):
      let place = Int(data[0]) | Int(data[1]) << 7
      data = []
      return .place(beat: Double(place) / 4)
    case (_, 3...): data.removeAll(keepingCapacity: true)
    default: break
    }
    return nil
  }

  /// Eight pieces in their order are a time code, that of the frame in which the first came.
  private mutating func accept(_ piece: UInt8) -> Event? {
    let number = Int(piece >> 4)
    if number == 0 { pieces = [] }
    guard pieces.count == number else {
      pieces = []
      return nil
    }
    pieces.append(piece & 0xF)
    guard number == 7 else { return nil }
    let values = stride(from: 0, to: 8, by: 2).map { pieces[$0] | pieces[$0 + 1] << 4 }
    pieces = []
    return Self.code(
      hours: values[3] & 0x1F, values[2], values[1], values[0], kind: values[3] >> 5 & 3,
      isJump: false)
  }

  /// The message of a time code as a whole: 7F, device, 1, 1, and the code in four bytes.
  private static func fullCode(_ bytes: [UInt8]) -> Event? {
    guard bytes.count == 8, bytes[0] == 0x7F, bytes[2] == 1, bytes[3] == 1 else { return nil }
    return code(
      hours: bytes[4] & 0x1F, bytes[5], bytes[6], bytes[7], kind: bytes[4] >> 5 & 3, isJump: true)
  }

  private static func code(
    hours: UInt8, _ minutes: UInt8, _ seconds: UInt8, _ frames: UInt8, kind: UInt8, isJump: Bool
  ) -> Event? {
    let types = [
      kSMPTETimeType24, kSMPTETimeType25, kSMPTETimeType30Drop, kSMPTETimeType30,
    ]
    guard hours < 24, minutes < 60, seconds < 60, frames < 30 else { return nil }
    var time = SMPTETime()
    time.mType = types[Int(kind)]
    time.mFlags = kSMPTETimeValid
    time.mSubframeDivisor = 80
    (time.mHours, time.mMinutes) = (Int16(hours), Int16(minutes))
    (time.mSeconds, time.mFrames) = (Int16(seconds), Int16(frames))
    return .code(time, isJump: isJump)
  }
}

extension ClockFollower.Event {
  /// Compares events by their contents.
  package static func == (left: Self, right: Self) -> Bool {
    switch (left, right) {
    case (.start, .start), (.proceed, .proceed), (.stop, .stop), (.tick, .tick): true
    case (.place(let first), .place(let second)): first == second
    case (.code(let first, let isFirst), .code(let second, let isSecond)):
      isFirst == isSecond && first.mType == second.mType && first.mHours == second.mHours
        && first.mMinutes == second.mMinutes && first.mSeconds == second.mSeconds
        && first.mFrames == second.mFrames
    default: false
    }
  }
}
