// Time stamps made of and read as sample times.
// SPDX-License-Identifier: Apache-2.0

public import CAudioToolbox

extension AudioTimeStamp {
  /// A time stamp with a sample time only.
  ///
  /// - Parameter sampleTime: Frames since some start; may be negative.
  @_noLocks
  public init(sampleTime: Double) {
    self.init()
    mSampleTime = sampleTime
    mFlags = 1
  }

  /// The sample time, or nil if its flag of validity is not set.
  public var validSampleTime: Double? {
    mFlags & 1 != 0 ? mSampleTime : nil
  }

  /// The host time, or nil if its flag of validity is not set.
  public var validHostTime: UInt64? {
    mFlags & 2 != 0 ? mHostTime : nil
  }
}
