// Loudness by EBU R 128 (libebur128), fed slice by slice.
// SPDX-License-Identifier: Apache-2.0

import CEbur128

/// Measures loudness and true peak of planar float sound, slice by slice.
///
/// Context: control. Not to be shared between threads.
@safe public final class LoudnessMeter {
  private var state: UnsafeMutablePointer<ebur128_state>?
  private let channelCount: Int
  private let measuresTruePeak: Bool
  private let scratch: UnsafeMutablePointer<Float>
  private let scratchFrames: Int
  /// Frames from one block to the next; nil where blocks are not kept.
  private let framesPerStep: Int?
  private var framesIntoStep = 0
  private var stepCount = 0
  /// What the integrated loudness is the mean of, where it is kept.
  public private(set) var blocks = LoudnessBlocks()

  /// Sets up a meter; nil for formats beyond what the measurement is defined for (more than 64
  /// channels, sample rates below 16 Hz or above 2.8 MHz).
  ///
  /// `channelMap` has the numbers of `ChannelOrder`; without one the order of WAV is taken. `keepsBlocks`
  /// is for asking for `blocks`.
  public init?(
    sampleRate: Double, channelCount: Int, channelMap: [Int32] = [],
    measuresTruePeak: Bool = false, keepsBlocks: Bool = false
  ) {
    guard (1...64).contains(channelCount), (16...2_822_400).contains(sampleRate) else {
      return nil
    }
    let modes =
      EBUR128_MODE_I.rawValue | EBUR128_MODE_LRA.rawValue
      | (measuresTruePeak ? EBUR128_MODE_TRUE_PEAK.rawValue : 0)
    guard
      let state = unsafe ebur128_init(
        UInt32(channelCount), UInt(sampleRate.rounded()), Int32(modes))
    else { return nil }
    unsafe self.state = state
    self.channelCount = channelCount
    framesPerStep = keepsBlocks ? (Int(sampleRate.rounded()) + 5) / 10 : nil
    self.measuresTruePeak = measuresTruePeak
    scratchFrames = sliceFrames(channelCount: channelCount)
    unsafe scratch = .allocate(capacity: scratchFrames * channelCount)
    let places =
      channelMap.count == channelCount ? channelMap : ChannelOrder.usualMap(channelCount)
    let hasSides = places.contains(ChannelOrder.sideLeft) || places.contains(ChannelOrder.sideRight)
    // By itself the library leaves out what comes after the sixth channel.
    for channel in 0..<channelCount {
      let place = places.indices.contains(channel) ? places[channel] : 0
      unsafe ebur128_set_channel(
        state, UInt32(channel), Int32(Self.direction(of: place, besideSides: hasSides).rawValue))
    }
  }

  deinit {
    unsafe ebur128_destroy(&state)
    unsafe scratch.deallocate()
  }

  /// Takes frames in.
  public func add(
    _ channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>, frameCount: Int
  ) {
    var done = 0
    while done < frameCount {
      let left = framesPerStep.map { $0 - framesIntoStep } ?? scratchFrames
      let count = min(scratchFrames, left, frameCount - done)
      unsafe interleave(
        channels, offset: done, into: scratch, channelCount: channelCount, frameCount: count)
      unsafe ebur128_add_frames_float(state, scratch, count)
      done += count
      if framesPerStep != nil { endStep(count) }
    }
  }

  /// Keeps the block that ends here, if one does.
  private func endStep(_ frameCount: Int) {
    framesIntoStep += frameCount
    guard framesIntoStep == framesPerStep else { return }
    framesIntoStep = 0
    stepCount += 1
    // A block is four steps long.
    guard stepCount >= 4, let loudness = unsafe value({ unsafe ebur128_loudness_momentary($0, $1) })
    else { return }
    blocks.add(loudness)
  }

  /// Loudness of all so far in LUFS, gated; nil for silence and for less than 0.4 s.
  public var integratedLoudness: Double? {
    unsafe value { unsafe ebur128_loudness_global($0, $1) }
  }

  /// Loudness range in LU; nil for less than about 3 s of sound.
  public var loudnessRange: Double? {
    unsafe value { unsafe ebur128_loudness_range($0, $1) }.flatMap { $0 > 0 ? $0 : nil }
  }

  /// The highest true peak in dBTP; nil for silence, or when it is not measured.
  public var truePeak: Double? {
    guard measuresTruePeak else { return nil }
    var highest = 0.0
    for channel in 0..<channelCount {
      var peak = 0.0
      guard unsafe ebur128_true_peak(state, UInt32(channel), &peak) == 0 else { continue }
      highest = max(highest, peak)
    }
    return decibels(highest)
  }

  private func value(
    _ get: (UnsafeMutablePointer<ebur128_state>?, UnsafeMutablePointer<Double>) -> Int32
  ) -> Double? {
    var result = 0.0
    guard unsafe get(state, &result) == 0, result.isFinite else { return nil }
    return result
  }

  /// The meter's name for a loudspeaker of a channel map, which decides its weight (ITU-R BS.1770): only
  /// low frequencies do not count, and one that nobody knows counts like those in front.
  ///
  /// The loudspeakers behind stand at the listener's sides (110 degrees) where there is no other pair,
  /// and further behind (135 degrees) where there is one.
  private static func direction(of place: Int32, besideSides: Bool) -> channel {
    switch place {
    case ChannelOrder.left, ChannelOrder.frontLeft: EBUR128_LEFT
    case ChannelOrder.right, ChannelOrder.frontRight: EBUR128_RIGHT
    case ChannelOrder.mono, ChannelOrder.center, ChannelOrder.frontCenter: EBUR128_CENTER
    case ChannelOrder.low: EBUR128_UNUSED
    case ChannelOrder.sideLeft: EBUR128_Mp090
    case ChannelOrder.sideRight: EBUR128_Mm090
    case ChannelOrder.rearLeft: besideSides ? EBUR128_Mp135 : EBUR128_Mp110
    case ChannelOrder.rearRight: besideSides ? EBUR128_Mm135 : EBUR128_Mm110
    case ChannelOrder.rear: EBUR128_Mp180
    case ChannelOrder.topFrontLeft: EBUR128_Up030
    case ChannelOrder.topFrontRight: EBUR128_Um030
    case ChannelOrder.topFrontCenter: EBUR128_Up000
    default: EBUR128_Mp000
    }
  }
}
