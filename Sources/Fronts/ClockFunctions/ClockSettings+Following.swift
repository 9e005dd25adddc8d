// The settings of a clock that follows another: MIDI clock with its transport, or time code.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox
import SyncClocks

extension ClockSettings {
  /// Applies a received event; returns the news for listeners.
  mutating func apply(_ event: ClockFollower.Event, at time: UInt64) -> [ClockNews] {
    switch syncMode {
    case kCAClockSyncMode_MIDIClockTransport: follow(transport: event, at: time)
    case kCAClockSyncMode_MTCTransport: follow(code: event, at: time)
    default: []
    }
  }

  private mutating func follow(
    transport event: ClockFollower.Event, at time: UInt64
  ) -> [ClockNews] {
    switch event {
    case .start:
      clock.setStart(0)
      return begin(at: time)
    case .proceed: return begin(at: time)
    case .stop:
      guard clock.isRunning else { return [] }
      clock.stop(at: time)
      return [.message(kCAClockMessage_Stopped)]
    case .place(let beat):
      guard !clock.isRunning else { return [] }
      clock.setStart(clock.seconds(atBeat: beat))
      return [.message(kCAClockMessage_StartTimeSet)]
    case .tick:
      guard clock.isRunning else { return [] }
      adjust(to: clock.seconds(atBeat: Double(tick) / 24), at: time)
      tick += 1
      return []
    case .code: return []
    }
  }

  private mutating func begin(at time: UInt64) -> [ClockNews] {
    guard isArmed, !clock.isRunning else { return [] }
    tick = Int((clock.beat(atSeconds: clock.startSeconds) * 24).rounded())
    last = nil
    clock.start(at: time)
    return [.message(kCAClockMessage_Started)]
  }

  /// Is somewhere at a moment, and goes on about as fast as from the moment before.
  private mutating func adjust(to seconds: Double, at time: UInt64) {
    var rate = clock.rate
    if let last, time > last.time, seconds > last.seconds {
      let measured = (seconds - last.seconds) * 1e9 / Double(time - last.time)
      rate += (min(10, max(0.1, measured)) - rate) * Self.weight
    }
    last = (time, seconds)
    clock.follow(seconds, at: time, rate: rate)
  }

  /// The weight of a single distance: they jitter.
  private static let weight = 0.2

  private mutating func follow(code event: ClockFollower.Event, at time: UInt64) -> [ClockNews] {
    guard case .code(let code, let isJump) = event, let kind = TimeCode(code.mType) else {
      return []
    }
    guard let wanted = clock.timeCode, wanted.midiRate == kind.midiRate else {
      return [.message(kCAClockMessage_WrongSMPTEFormat)]
    }
    // The last of the eight parts comes in the second frame.
    let late = isJump ? 0 : 1.75 / wanted.rate
    let seconds = wanted.seconds(of: code) - clock.timeCodeOffset + late
    if clock.isRunning {
      if !isJump { adjust(to: seconds, at: time) }
      return []
    }
    clock.setStart(seconds)
    guard isArmed, !isJump else { return [.message(kCAClockMessage_StartTimeSet)] }
    last = (time, seconds)
    clock.start(at: time)
    return [.message(kCAClockMessage_Started)]
  }
}
