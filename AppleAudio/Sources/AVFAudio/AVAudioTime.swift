// Moments, by the clock of the host and in samples.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A moment that never changes.
open class AVAudioTime: NSObject, @unchecked Sendable {
  private let stamp: AudioTimeStamp
  /// Frames a second of the sample time; 0 without one.
  public let sampleRate: Double

  /// A moment of a time stamp of C; without a sample time for a rate of 0.
  public init(audioTimeStamp ts: UnsafePointer<AudioTimeStamp>, sampleRate: Double) {
    var stamp = ts.pointee
    if sampleRate == 0 { stamp.mFlags.remove(.sampleTimeValid) }
    self.stamp = stamp
    self.sampleRate = sampleRate
  }
  init(stamp: AudioTimeStamp, sampleRate: Double) {
    self.stamp = stamp
    self.sampleRate = sampleRate
  }
  /// A moment of the host's clock.
  public convenience init(hostTime: UInt64) {
    var stamp = AudioTimeStamp()
    stamp.mHostTime = hostTime
    stamp.mFlags = .hostTimeValid
    self.init(stamp: stamp, sampleRate: 0)
  }
  /// A moment in samples.
  public convenience init(sampleTime: AVAudioFramePosition, atRate sampleRate: Double) {
    var stamp = AudioTimeStamp()
    stamp.mSampleTime = Double(sampleTime)
    stamp.mFlags = .sampleTimeValid
    self.init(stamp: stamp, sampleRate: sampleRate)
  }
  /// A moment by both clocks.
  public convenience init(
    hostTime: UInt64, sampleTime: AVAudioFramePosition, atRate sampleRate: Double
  ) {
    var stamp = AudioTimeStamp()
    stamp.mHostTime = hostTime
    stamp.mSampleTime = Double(sampleTime)
    stamp.mFlags = [.hostTimeValid, .sampleTimeValid]
    self.init(stamp: stamp, sampleRate: sampleRate)
  }

  private static let timebase: (numerator: Double, denominator: Double) = {
    var info = mach_timebase_info_data_t()
    mach_timebase_info(&info)
    return (Double(info.numer), Double(info.denom))
  }()
  /// Ticks of the host's clock in seconds of time.
  open class func hostTime(forSeconds seconds: TimeInterval) -> UInt64 {
    UInt64(Swift.max(seconds * 1e9 * timebase.denominator / timebase.numerator, 0).rounded())
  }
  /// Seconds of ticks of the host's clock.
  open class func seconds(forHostTime hostTime: UInt64) -> TimeInterval {
    Double(hostTime) * timebase.numerator / timebase.denominator / 1e9
  }

  /// Whether there is a host time.
  open var isHostTimeValid: Bool { stamp.mFlags.contains(.hostTimeValid) }
  /// The host time.
  open var hostTime: UInt64 { stamp.mHostTime }
  /// Whether there is a sample time.
  open var isSampleTimeValid: Bool { stamp.mFlags.contains(.sampleTimeValid) && sampleRate > 0 }
  /// The sample time.
  open var sampleTime: AVAudioFramePosition { AVAudioFramePosition(stamp.mSampleTime) }
  /// The time stamp of C.
  open var audioTimeStamp: AudioTimeStamp { stamp }

  /// The moment by both clocks, from another that has both; nil where that is impossible.
  open func extrapolateTime(fromAnchor anchorTime: AVAudioTime) -> AVAudioTime? {
    if isHostTimeValid && isSampleTimeValid { return self }
    guard anchorTime.isHostTimeValid, anchorTime.isSampleTimeValid else { return nil }
    if isSampleTimeValid {
      guard sampleRate == anchorTime.sampleRate else { return nil }
      let seconds = (stamp.mSampleTime - anchorTime.stamp.mSampleTime) / sampleRate
      let ticks = AVAudioTime.hostTime(forSeconds: abs(seconds))
      return AVAudioTime(
        hostTime: seconds < 0 ? anchorTime.hostTime &- ticks : anchorTime.hostTime &+ ticks,
        sampleTime: sampleTime,
        atRate: sampleRate)
    }
    guard isHostTimeValid else { return nil }
    let isLater = hostTime >= anchorTime.hostTime
    let ticks = isLater ? hostTime - anchorTime.hostTime : anchorTime.hostTime - hostTime
    let frames = (AVAudioTime.seconds(forHostTime: ticks) * anchorTime.sampleRate).rounded()
    return AVAudioTime(
      hostTime: hostTime,
      sampleTime: anchorTime.sampleTime + AVAudioFramePosition(isLater ? frames : -frames),
      atRate: anchorTime.sampleRate)
  }

  /// Both times.
  open override var description: String {
    let host = isHostTimeValid ? "\(hostTime)" : "-"
    let sample = isSampleTimeValid ? "\(sampleTime) at \(Int(sampleRate)) Hz" : "-"
    return "<AVAudioTime: host \(host), sample \(sample)>"
  }
}
