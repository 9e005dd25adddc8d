// Messages of a clock to its followers over MIDI: clock, start and stop, and time code.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox

/// The messages of a clock, each at its moment. Moments follow from the start alone, so nothing adds up.
package struct ClockLeader: Sendable {
  /// A message for a moment (ns).
  package struct Message: Sendable, Equatable {
    package let time: UInt64
    package let bytes: [UInt8]
  }

  /// The next of MIDI's clocks, of which a beat has 24, and the next quarter frame of time code.
  private var nextTick = 0
  private var nextQuarter = 0
  /// The time code of eight quarter frames is that of the first.
  private var code: [UInt8] = []

  package init() {}

  /// The messages at a start.
  ///
  /// - Parameter sendsPlace: Whether a start elsewhere than at 0 includes its place.
  package mutating func start(_ clock: ClockState, sendsPlace: Bool) -> [UInt8] {
    let beat = clock.beat(atSeconds: clock.startSeconds)
    // A tick that is due right now counts, though the beat has lost its last digits.
    nextTick = Int((beat * 24 - 1e-6).rounded(.up))
    nextQuarter = 0
    if let timeCode = clock.timeCode {
      let place = (clock.startSeconds + clock.timeCodeOffset) * timeCode.rate * 4
      // Codes are sent from every second frame on.
      nextQuarter = Int(((place - 1e-6) / 8).rounded(.up)) * 8
    }
    guard beat > 1e-9 else { return [0xFA] }
    let sixteenths = Int((beat * 4).rounded(.down))
    let hasPlace = sendsPlace && sixteenths < 1 << 14
    let place: [UInt8] =
      hasPlace ? [0xF2, UInt8(sixteenths & 0x7F), UInt8(sixteenths >> 7)] : []
    return place + [0xFB]
  }

  /// The clocks that are due before a moment.
  package mutating func ticks(_ clock: ClockState, before end: UInt64) -> [Message] {
    var found: [Message] = []
    while let time = clock.time(atSeconds: clock.seconds(atBeat: Double(nextTick) / 24)),
      time < end, found.count < Self.most
    {
      found.append(Message(time: time, bytes: [0xF8]))
      nextTick += 1
    }
    return found
  }

  /// The quarter frames of time code that are due before a moment.
  package mutating func quarterFrames(_ clock: ClockState, before end: UInt64) -> [Message] {
    guard let timeCode = clock.timeCode, let kind = timeCode.midiRate else { return [] }
    var found: [Message] = []
    while found.count < Self.most {
      let seconds = Double(nextQuarter) / 4 / timeCode.rate
      guard let time = clock.time(atSeconds: seconds - clock.timeCodeOffset), time < end else {
        break
      }
      let piece = nextQuarter & 7
      if piece == 0 || code.isEmpty { code = Self.pieces(timeCode, seconds, kind) }
      found.append(Message(time: time, bytes: [0xF1, code[piece]]))
      nextQuarter += 1
    }
    return found
  }

  /// More than this at once is nothing that a receiver could use.
  private static let most = 10_000

  /// The eight quarter frames of a time code.
  private static func pieces(_ timeCode: TimeCode, _ seconds: Double, _ kind: UInt8) -> [UInt8] {
    let time = timeCode.time(atSeconds: seconds, divisor: 80)
    let fields = [time.mFrames, time.mSeconds, time.mMinutes, time.mHours % 24].map {
      UInt8(truncatingIfNeeded: $0)
    }
    return (0..<8).map { piece in
      let field = fields[piece / 2]
      let half = piece % 2 == 0 ? field & 0xF : field >> 4
      return UInt8(piece) << 4 | half | (piece == 7 ? kind << 1 : 0)
    }
  }
}
