// Validates stream formats.
// SPDX-License-Identifier: Apache-2.0

internal import CAudioToolbox

extension AudioStreamFormat {
  /// The most channels of a bus; a larger number counts as a damaged format.
  public static let maximumChannelCount = 1024

  /// The range of plausible sample rates, in Hz.
  public static let sampleRateRange: ClosedRange<Double> = 1...6_144_000

  /// The problem of the format, as a sentence without a full stop; nil if it is valid.
  ///
  /// For linear PCM the sizes must agree with each other; other formats are only checked for a
  /// sensible rate and number of channels.
  public var problem: String? {
    guard sampleRate.isFinite, Self.sampleRateRange.contains(sampleRate) else {
      return "the sample rate \(sampleRate) Hz is out of range"
    }
    guard (1...Self.maximumChannelCount).contains(channelCount) else {
      return "\(channelCount) channels are out of the range 1 to \(Self.maximumChannelCount)"
    }
    return isLinearPCM ? linearPCMProblem : nil
  }

  /// Throws `kAudioUnitErr_FormatNotSupported` if the format is not usable.
  public func validate() throws(AuricleError) {
    if let problem {
      throw AuricleError(
        .badData, status: AudioStatus.formatNotSupported.rawValue,
        "The stream format (\(description)) is not valid: \(problem).")
    }
  }

  private var linearPCMProblem: String? {
    let bits = asbd.mBitsPerChannel
    guard (1...64).contains(bits) else { return "\(bits) bits per channel are not possible" }
    if asbd.mFormatFlags & Flag.float != 0, ![16, 32, 64].contains(bits) {
      return "a float has 16, 32 or 64 bits, not \(bits)"
    }
    guard asbd.mFramesPerPacket == 1 else {
      return "linear PCM has one frame a packet, not \(asbd.mFramesPerPacket)"
    }
    guard asbd.mBytesPerPacket == asbd.mBytesPerFrame else {
      return "the bytes per packet (\(asbd.mBytesPerPacket)) and per frame "
        + "(\(asbd.mBytesPerFrame)) differ"
    }
    let samples: UInt32 = isPlanar ? 1 : asbd.mChannelsPerFrame
    guard asbd.mBytesPerFrame % samples == 0, asbd.mBytesPerFrame / samples * 8 >= bits else {
      return "\(asbd.mBytesPerFrame) bytes per frame do not hold \(samples) × \(bits) bits"
    }
    if asbd.mFormatFlags & Flag.packed != 0, asbd.mBytesPerFrame / samples * 8 != bits {
      return "\(asbd.mBytesPerFrame) bytes per frame are not \(samples) × \(bits) bits packed"
    }
    return nil
  }
}
