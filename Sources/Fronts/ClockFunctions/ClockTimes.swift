// The functions of CoreAudioClock.h about time: where a clock is, and one kind of time in another.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
public import CAudioToolbox
import MIDIPorts
import SyncClocks
import Synchronization

/// A time on one of the two lines: that of the host (ns), which always runs, and the clock's own (s).
private enum Moment {
  case host(Double)
  case clock(Double)
}

/// Parts of a frame of time code, as MIDI counts them.
private let subframes = 80

extension ClockState {
  fileprivate func moment(_ time: CAClockTime) throws(ClockFailure) -> Moment {
    switch time.format {
    case kCAClockTimeFormat_HostTime: return unsafe .host(Double(time.time.hostTime))
    case kCAClockTimeFormat_Samples: return unsafe .host(time.time.samples / sampleRate * 1e9)
    case kCAClockTimeFormat_AbsoluteSeconds: return unsafe .host(time.time.seconds * 1e9)
    case kCAClockTimeFormat_Seconds: return unsafe .clock(time.time.seconds)
    case kCAClockTimeFormat_SMPTESeconds:
      return unsafe .clock(time.time.seconds - timeCodeOffset)
    case kCAClockTimeFormat_Beats: return unsafe .clock(seconds(atBeat: time.time.beats))
    case kCAClockTimeFormat_SMPTETime:
      guard let timeCode else { throw ClockFailure(kCAClock_InvalidSMPTEFormatError) }
      return unsafe .clock(timeCode.seconds(of: time.time.smpte) - timeCodeOffset)
    default: throw ClockFailure(kCAClock_InvalidTimeFormatError)
    }
  }

  /// The clock's own time of a moment (s).
  fileprivate func ownSeconds(_ moment: Moment) throws(ClockFailure) -> Double {
    switch moment {
    case .clock(let seconds): return seconds
    case .host(let time):
      guard time >= 0, time < 1.8e19 else { throw .parameter }
      // While it is stopped, no moment of the host is one of the clock's.
      guard isRunning else { throw ClockFailure(kCAClock_InvalidTimeFormatError) }
      return seconds(at: UInt64(time))
    }
  }

  fileprivate func hostTime(_ moment: Moment) throws(ClockFailure) -> Double {
    switch moment {
    case .host(let time): return time
    case .clock(let seconds):
      guard let time = time(atSeconds: seconds) else {
        throw ClockFailure(kCAClock_InvalidTimeFormatError)
      }
      return Double(time)
    }
  }

  fileprivate func time(
    _ moment: Moment, as format: CAClockTimeFormat
  ) throws(ClockFailure) -> CAClockTime {
    var made = CAClockTime()
    made.format = format
    switch format {
    case kCAClockTimeFormat_HostTime:
      // A whole number loses no precision.
      if case .clock(let seconds) = moment, let time = time(atSeconds: seconds) {
        unsafe made.time.hostTime = time
      } else {
        let time = try hostTime(moment)
        guard time < 1.8e19 else { throw .parameter }
        unsafe made.time.hostTime = UInt64(max(0, time))
      }
    case kCAClockTimeFormat_Samples:
      unsafe made.time.samples = try hostTime(moment) / 1e9 * sampleRate
    case kCAClockTimeFormat_AbsoluteSeconds:
      unsafe made.time.seconds = try hostTime(moment) / 1e9
    case kCAClockTimeFormat_Seconds: unsafe made.time.seconds = try ownSeconds(moment)
    case kCAClockTimeFormat_SMPTESeconds:
      unsafe made.time.seconds = try ownSeconds(moment) + timeCodeOffset
    case kCAClockTimeFormat_Beats:
      unsafe made.time.beats = beat(atSeconds: try ownSeconds(moment))
    case kCAClockTimeFormat_SMPTETime:
      guard let timeCode else { throw ClockFailure(kCAClock_InvalidSMPTEFormatError) }
      unsafe made.time.smpte = timeCode.time(
        atSeconds: try ownSeconds(moment) + timeCodeOffset, divisor: subframes)
    default: throw ClockFailure(kCAClock_InvalidTimeFormatError)
    }
    return made
  }

  /// The moment that is now.
  fileprivate func now(_ format: CAClockTimeFormat) -> Moment {
    let isAbsolute = [
      kCAClockTimeFormat_HostTime, kCAClockTimeFormat_Samples, kCAClockTimeFormat_AbsoluteSeconds,
    ].contains(format)
    let time = HostClock.now
    return isAbsolute ? .host(Double(time)) : .clock(seconds(at: time))
  }
}

private func clock(_ kept: KeptClock) -> ClockState { kept.settings.withLock(\.clock) }

/// Sets where a clock starts from.
///
/// - Returns: -66805 while it runs; -66814 for a time of the host; -50 for null pointers.
///
/// Context: control.
@c @implementation
public func CAClockSetCurrentTime(
  _ clockRef: CAClockRef?, _ time: UnsafePointer<CAClockTime>?
) -> OSStatus {
  unsafe withClock(clockRef) { kept throws(ClockFailure) in
    guard let time = unsafe time?.pointee else { throw .parameter }
    try kept.change { settings throws(ClockFailure) in
      guard !settings.clock.isRunning else { throw ClockFailure(kCAClock_CannotSetTimeError) }
      let seconds = try settings.clock.ownSeconds(settings.clock.moment(time))
      guard abs(seconds) < 1e9 else { throw .parameter }
      settings.clock.setStart(seconds)
      return [.message(kCAClockMessage_StartTimeSet)]
    }
  }
}

/// Where a clock is now.
///
/// - Returns: -66814 for an unknown format; -50 for null pointers.
///
/// Context: control.
@c @implementation
public func CAClockGetCurrentTime(
  _ clockRef: CAClockRef?, _ format: CAClockTimeFormat,
  _ outTime: UnsafeMutablePointer<CAClockTime>?
) -> OSStatus {
  unsafe withClock(clockRef) { kept throws(ClockFailure) in
    let state = clock(kept)
    try unsafe store(state.time(state.now(format), as: format), outTime)
  }
}

/// The place where a clock was started, or will be.
///
/// - Returns: As `CAClockGetCurrentTime`; -66814 for a time of the host while it is stopped.
///
/// Context: control.
@c @implementation
public func CAClockGetStartTime(
  _ clockRef: CAClockRef?, _ format: CAClockTimeFormat,
  _ outTime: UnsafeMutablePointer<CAClockTime>?
) -> OSStatus {
  unsafe withClock(clockRef) { kept throws(ClockFailure) in
    let state = clock(kept)
    try unsafe store(state.time(.clock(state.startSeconds), as: format), outTime)
  }
}

/// A time in another format.
///
/// - Returns: -66814 for an unknown format, and between the host's and the clock's own time while
///   it is stopped; -50 for null pointers.
///
/// Context: control.
@c @implementation
public func CAClockTranslateTime(
  _ clockRef: CAClockRef?, _ time: UnsafePointer<CAClockTime>?, _ format: CAClockTimeFormat,
  _ outTime: UnsafeMutablePointer<CAClockTime>?
) -> OSStatus {
  unsafe withClock(clockRef) { kept throws(ClockFailure) in
    guard let time = unsafe time?.pointee else { throw .parameter }
    let state = clock(kept)
    try unsafe store(state.time(state.moment(time), as: format), outTime)
  }
}

/// The tempo now, and where that is, in beats.
///
/// - Returns: -50 for another object, and for a null tempo.
///
/// Context: control.
@c @implementation
public func CAClockGetCurrentTempo(
  _ clockRef: CAClockRef?, _ outTempo: UnsafeMutablePointer<CAClockTempo>?,
  _ outTime: UnsafeMutablePointer<CAClockTime>?
) -> OSStatus {
  unsafe withClock(clockRef) { kept throws(ClockFailure) in
    let state = clock(kept)
    let seconds = state.seconds(at: HostClock.now)
    let tempo = state.tempo(atBeat: state.beat(atSeconds: seconds))
    try unsafe store(state.isRunning ? tempo * state.rate : tempo, outTempo)
    if unsafe outTime != nil {
      try unsafe store(state.time(.clock(seconds), as: kCAClockTimeFormat_Beats), outTime)
    }
  }
}

/// Sets the tempo from a time on; now without one. Tempos behind it are gone.
///
/// - Returns: -50 for a wrong tempo, and for another object; -66814 for an unknown format.
///
/// Context: control.
@c @implementation
public func CAClockSetCurrentTempo(
  _ clockRef: CAClockRef?, _ tempo: CAClockTempo, _ time: UnsafePointer<CAClockTime>?
) -> OSStatus {
  unsafe withClock(clockRef) { kept throws(ClockFailure) in
    let wanted = unsafe time?.pointee
    try kept.change { settings throws(ClockFailure) in
      let state = settings.clock
      let seconds =
        if let wanted { try state.ownSeconds(state.moment(wanted)) } else {
          state.seconds(at: HostClock.now)
        }
      guard settings.clock.setTempo(tempo, fromBeat: state.beat(atSeconds: seconds)) else {
        throw .parameter
      }
      return [.property(kCAClockProperty_TempoMap)]
    }
  }
}

private func code(_ kept: KeptClock) throws(ClockFailure) -> (ClockState, TimeCode) {
  let state = clock(kept)
  guard let found = state.timeCode else { throw ClockFailure(kCAClock_InvalidSMPTEFormatError) }
  return (state, found)
}

/// The time code of seconds.
///
/// - Returns: -50 for null pointers, and for parts of nothing.
///
/// Context: control.
@c @implementation
public func CAClockSecondsToSMPTETime(
  _ clockRef: CAClockRef?, _ seconds: CAClockSeconds, _ subframeDivisor: UInt16,
  _ outTime: UnsafeMutablePointer<SMPTETime>?
) -> OSStatus {
  unsafe withClock(clockRef) { kept throws(ClockFailure) in
    let (state, found) = try code(kept)
    guard subframeDivisor > 0, subframeDivisor < 1 << 15, seconds.isFinite else {
      throw .parameter
    }
    let time = found.time(
      atSeconds: seconds + state.timeCodeOffset, divisor: Int(subframeDivisor))
    try unsafe store(time, outTime)
  }
}

/// The seconds of a time code.
///
/// - Returns: -66809 for another kind of time code than the clock's; -50 for null pointers.
///
/// Context: control.
@c @implementation
public func CAClockSMPTETimeToSeconds(
  _ clockRef: CAClockRef?, _ time: UnsafePointer<SMPTETime>?,
  _ outSeconds: UnsafeMutablePointer<CAClockSeconds>?
) -> OSStatus {
  unsafe withClock(clockRef) { kept throws(ClockFailure) in
    let (state, found) = try code(kept)
    guard let time = unsafe time?.pointee else { throw .parameter }
    guard time.mType == found.type else { throw ClockFailure(kCAClock_InvalidSMPTEFormatError) }
    try unsafe store(found.seconds(of: time) - state.timeCodeOffset, outSeconds)
  }
}

/// The bar and beat of a time in beats.
///
/// - Returns: -50 for parts of nothing, and for null pointers.
///
/// Context: control.
@c @implementation
public func CAClockBeatsToBarBeatTime(
  _ clockRef: CAClockRef?, _ beats: CAClockBeats, _ subbeatDivisor: UInt16,
  _ outTime: UnsafeMutablePointer<CABarBeatTime>?
) -> OSStatus {
  unsafe withClock(clockRef) { kept throws(ClockFailure) in
    guard subbeatDivisor > 0, abs(beats) < 1e9 else { throw .parameter }
    try unsafe store(
      clock(kept).barBeat(atBeat: beats, divisor: subbeatDivisor), outTime)
  }
}

/// The time in beats of a bar and beat.
///
/// - Returns: -50 for bar or beat 0, for parts of nothing, and for null pointers.
///
/// Context: control.
@c @implementation
public func CAClockBarBeatTimeToBeats(
  _ clockRef: CAClockRef?, _ time: UnsafePointer<CABarBeatTime>?,
  _ outBeats: UnsafeMutablePointer<CAClockBeats>?
) -> OSStatus {
  unsafe withClock(clockRef) { kept throws(ClockFailure) in
    guard let place = unsafe time?.pointee, let beats = clock(kept).beat(of: place)
    else { throw .parameter }
    try unsafe store(beats, outBeats)
  }
}
