// Times as fractions of a second.
// SPDX-License-Identifier: Apache-2.0

import AVFAudio

/// Parts of a second that a time is counted in.
public typealias CMTimeScale = Int32
/// A number of such parts.
public typealias CMTimeValue = Int64

/// A time as a fraction of a second.
public struct CMTime: Sendable, Comparable, Hashable {
  /// The number of parts.
  public var value: CMTimeValue
  /// The parts of a second; 0 for no time.
  public var timescale: CMTimeScale
  /// No time.
  public init() { (value, timescale) = (0, 0) }
  /// A number of parts.
  public init(value: CMTimeValue, timescale: CMTimeScale) {
    self.value = value
    self.timescale = timescale
  }
  /// Seconds, to the nearest part.
  public init(seconds: Double, preferredTimescale: CMTimeScale) {
    value = CMTimeValue((seconds * Double(preferredTimescale)).rounded())
    timescale = preferredTimescale
  }
  /// The seconds; not a number for no time.
  public var seconds: Double { timescale == 0 ? .nan : Double(value) / Double(timescale) }
  /// Whether it is a time.
  public var isValid: Bool { timescale > 0 }
  /// Whether it is a time with a value.
  public var isNumeric: Bool { timescale > 0 }
  /// The start.
  public static let zero = CMTime(value: 0, timescale: 1)
  /// No time.
  public static let invalid = CMTime()
  /// Whether a time is the earlier one.
  public static func < (left: CMTime, right: CMTime) -> Bool {
    left.value * CMTimeValue(right.timescale) < right.value * CMTimeValue(left.timescale)
  }
  /// Whether two times are the same.
  public static func == (left: CMTime, right: CMTime) -> Bool {
    left.value * CMTimeValue(right.timescale) == right.value * CMTimeValue(left.timescale)
      && left.isValid == right.isValid
  }
  /// The sum.
  public static func + (left: CMTime, right: CMTime) -> CMTime {
    left.timescale == right.timescale
      ? CMTime(value: left.value + right.value, timescale: left.timescale)
      : CMTime(
        seconds: left.seconds + right.seconds,
        preferredTimescale: max(left.timescale, right.timescale))
  }
  /// The difference.
  public static func - (left: CMTime, right: CMTime) -> CMTime {
    left + CMTime(value: -right.value, timescale: right.timescale)
  }
  /// Adds the value to a hash.
  public func hash(into hasher: inout Hasher) { hasher.combine(seconds) }
}

/// A number of parts of a second.
public func CMTimeMake(value: CMTimeValue, timescale: CMTimeScale) -> CMTime {
  CMTime(value: value, timescale: timescale)
}
/// Seconds, to the nearest part.
public func CMTimeMakeWithSeconds(_ seconds: Double, preferredTimescale: CMTimeScale) -> CMTime {
  CMTime(seconds: seconds, preferredTimescale: preferredTimescale)
}
/// The seconds of a time.
public func CMTimeGetSeconds(_ time: CMTime) -> Double { time.seconds }
/// A moment of the host's clock as a time in nanoseconds.
public func CMClockMakeHostTimeFromSystemUnits(_ hostTime: UInt64) -> CMTime {
  CMTime(
    value: CMTimeValue(AVAudioTime.seconds(forHostTime: hostTime) * 1e9), timescale: 1_000_000_000)
}
/// A time as a moment of the host's clock.
public func CMClockConvertHostTimeToSystemUnits(_ time: CMTime) -> UInt64 {
  AVAudioTime.hostTime(forSeconds: time.seconds)
}
