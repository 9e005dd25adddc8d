// Time code: hours, minutes, seconds and frames, with the counts that drop frames leave out.
// SPDX-License-Identifier: Apache-2.0

package import CAudioToolbox
import Glibc

/// A kind of time code.
package struct TimeCode: Sendable, Equatable {
  /// The kind, as Core Audio numbers it.
  package let type: SMPTETimeType
  /// Frames that a second of the count has.
  package let framesPerSecond: Int
  /// Frames of a second of the clock.
  package let rate: Double
  /// Whether two counts (of 60: four) are left out each minute, save each tenth.
  package let isDrop: Bool

  /// A kind by its number; nil for none.
  package init?(_ type: SMPTETimeType) {
    self.type = type
    let pulled = 1000.0 / 1001
    let found: (Int, Double, Bool)? =
      switch type {
      case kSMPTETimeType24: (24, 24, false)
      case kSMPTETimeType25: (25, 25, false)
      case kSMPTETimeType30Drop: (30, 30, true)
      case kSMPTETimeType30: (30, 30, false)
      case kSMPTETimeType2997: (30, 30 * pulled, false)
      case kSMPTETimeType2997Drop: (30, 30 * pulled, true)
      case kSMPTETimeType60: (60, 60, false)
      case kSMPTETimeType5994: (60, 60 * pulled, false)
      case kSMPTETimeType60Drop: (60, 60, true)
      case kSMPTETimeType5994Drop: (60, 60 * pulled, true)
      case kSMPTETimeType50: (50, 50, false)
      case kSMPTETimeType2398: (24, 24 * pulled, false)
      default: nil
      }
    guard let found else { return nil }
    (framesPerSecond, rate, isDrop) = found
  }

  private var dropped: Int { framesPerSecond / 15 }

  /// The number that a frame, counted from 0, is called by.
  private func name(of frame: Int) -> Int {
    guard isDrop else { return frame }
    let minute = framesPerSecond * 60 - dropped
    let ten = framesPerSecond * 600 - 9 * dropped
    let rest = frame % ten
    let minutes = rest < framesPerSecond * 60 ? 0 : 1 + (rest - framesPerSecond * 60) / minute
    return frame + dropped * (9 * (frame / ten) + minutes)
  }

  /// The frame that is called by a number.
  private func frame(named name: Int) -> Int {
    guard isDrop else { return name }
    let minutes = name / (framesPerSecond * 60)
    return name - dropped * (minutes - minutes / 10)
  }

  /// The time code of seconds, to the nearest of so many parts of a frame; of less than none, that of none.
  package func time(atSeconds seconds: Double, divisor: Int) -> SMPTETime {
    let most = 1_000_000.0 * rate
    let parts = Int((min(max(0, seconds * rate), most) * Double(divisor)).rounded())
    let (frame, part) = parts.quotientAndRemainder(dividingBy: divisor)
    let name = name(of: frame)
    var time = SMPTETime()
    time.mSubframes = Int16(clamping: part)
    time.mSubframeDivisor = Int16(clamping: divisor)
    time.mType = type
    time.mFlags = kSMPTETimeValid
    time.mFrames = Int16(name % framesPerSecond)
    let whole = name / framesPerSecond
    time.mSeconds = Int16(whole % 60)
    time.mMinutes = Int16(whole / 60 % 60)
    time.mHours = Int16(clamping: whole / 3600)
    return time
  }

  /// The seconds of a time code.
  package func seconds(of time: SMPTETime) -> Double {
    let whole = (Int(time.mHours) * 60 + Int(time.mMinutes)) * 60 + Int(time.mSeconds)
    let frames = frame(named: whole * framesPerSecond + Int(time.mFrames))
    let part =
      time.mSubframeDivisor > 0 ? Double(time.mSubframes) / Double(time.mSubframeDivisor) : 0
    return (Double(frames) + part) / rate
  }

  /// The number in MIDI time code; nil for a rate without one.
  package var midiRate: UInt8? {
    switch type {
    case kSMPTETimeType24, kSMPTETimeType2398: 0
    case kSMPTETimeType25: 1
    case kSMPTETimeType30Drop, kSMPTETimeType2997Drop: 2
    case kSMPTETimeType30, kSMPTETimeType2997: 3
    default: nil
    }
  }
}
