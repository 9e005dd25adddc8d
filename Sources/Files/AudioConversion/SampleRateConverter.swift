// Changes the sample rate of a stream of frames (libsoxr), without moving it in time.
// SPDX-License-Identifier: Apache-2.0

public import AudioTypes
import CSoxr
import HostSystem

/// Changes the sample rate of planar float sound, slice by slice.
///
/// The output is aligned with the input: the sound at second `t` stays at second `t`. It has
/// round(input frames × output rate / input rate) frames, and of any input at least one.
///
/// Context: control. Not to be shared between threads.
@safe public final class SampleRateConverter {
  /// The effort of a conversion.
  public enum Quality: String, CaseIterable, Sendable {
    /// Cubic interpolation.
    case quick
    /// 16 bits with a large roll-off.
    case low
    /// 16 bits with a medium roll-off.
    case medium
    /// 20 bits.
    case high
    /// 28 bits.
    case veryHigh = "very-high"

    /// Finds a quality by its name, in any case.
    public init?(named name: String) {
      let plain = String(name.lowercased().map { $0 == " " || $0 == "_" ? "-" : $0 })
      self.init(rawValue: plain == "veryhigh" ? "very-high" : plain)
    }

    var recipe: UInt {
      switch self {
      case .quick: UInt(SOXR_QQ)
      case .low: UInt(SOXR_LQ)
      case .medium: UInt(SOXR_MQ)
      case .high: UInt(SOXR_20_BITQ)
      case .veryHigh: UInt(SOXR_28_BITQ)
      }
    }
  }

  /// Frames a second that go in.
  public let inputRate: Double
  /// Frames a second that come out.
  public let outputRate: Double
  /// Channels of both.
  public let channelCount: Int
  /// Frames read so far.
  public private(set) var inputFrameCount = 0
  /// Frames written so far.
  public private(set) var outputFrameCount = 0

  private let library: AuricleSoxr
  private let resampler: OpaquePointer
  private var inputs: UnsafeMutablePointer<UnsafeRawPointer?>
  private var outputs: UnsafeMutablePointer<UnsafeMutableRawPointer?>

  /// Sets up a conversion.
  ///
  /// Errors: `usage` for rates or channels that make no sense; `unavailable` without libsoxr.
  public init(
    from inputRate: Double, to outputRate: Double, channelCount: Int,
    quality: Quality = .veryHigh
  ) throws(AuricleError) {
    let rates = 1.0...SoundLimits.maximumSampleRate
    guard rates.contains(inputRate), rates.contains(outputRate),
      (1...SoundLimits.maximumChannelCount).contains(channelCount)
    else {
      throw AuricleError(
        .usage, status: ConversionStatus.formatNotSupported,
        "cannot convert \(channelCount) channels from \(inputRate) Hz to \(outputRate) Hz")
    }
    let made = try unsafe RateLibrary.makeResampler(
      from: inputRate, to: outputRate, channelCount: channelCount, type: SOXR_FLOAT32_S,
      recipe: quality.recipe)
    unsafe library = made.functions
    unsafe resampler = made.resampler
    self.inputRate = inputRate
    self.outputRate = outputRate
    self.channelCount = channelCount
    unsafe inputs = .allocate(capacity: channelCount)
    unsafe inputs.initialize(repeating: nil, count: channelCount)
    unsafe outputs = .allocate(capacity: channelCount)
    unsafe outputs.initialize(repeating: nil, count: channelCount)
  }

  deinit {
    unsafe library.destroy(resampler)
    unsafe inputs.deallocate()
    unsafe outputs.deallocate()
  }

  /// The frames of the output for so many of the input: sound never becomes none.
  public static func frameCount(of inputFrames: Int, from: Double, to: Double) -> Int {
    max(Int((Double(inputFrames) * to / from).rounded()), inputFrames > 0 ? 1 : 0)
  }

  /// Converts a slice; returns the numbers of frames read and written.
  ///
  /// Call again with the rest until all is read. Errors: `software` when the library fails.
  public func convert(
    _ input: UnsafeMutablePointer<UnsafeMutablePointer<Float>>, frameCount: Int,
    into output: UnsafeMutablePointer<UnsafeMutablePointer<Float>>, capacity: Int
  ) throws(AuricleError) -> (used: Int, supplied: Int) {
    for channel in 0..<channelCount {
      unsafe inputs[channel] = UnsafeRawPointer(input[channel])
      unsafe outputs[channel] = UnsafeMutableRawPointer(output[channel])
    }
    var used = 0
    var supplied = 0
    let failure = unsafe library.process(
      resampler, UnsafeRawPointer(inputs), frameCount, &used, UnsafeMutableRawPointer(outputs),
      capacity, &supplied)
    try unsafe check(failure)
    inputFrameCount += used
    outputFrameCount += supplied
    return (used, supplied)
  }

  /// Writes the frames still inside, after the last slice; returns their number, 0 when all came
  /// out.
  ///
  /// Errors: `software` when the library fails.
  public func finish(
    into output: UnsafeMutablePointer<UnsafeMutablePointer<Float>>, capacity: Int
  ) throws(AuricleError) -> Int {
    let total = Self.frameCount(of: inputFrameCount, from: inputRate, to: outputRate)
    let wanted = min(capacity, total - outputFrameCount)
    guard wanted > 0 else { return 0 }
    for channel in 0..<channelCount {
      unsafe outputs[channel] = UnsafeMutableRawPointer(output[channel])
    }
    var supplied = try coax(capacity: wanted)
    if supplied == wanted {
      outputFrameCount += wanted
      return wanted
    }
    let failure = unsafe library.process(
      resampler, nil, 0, nil, UnsafeMutableRawPointer(outputs), wanted, &supplied)
    try unsafe check(failure)
    if supplied < wanted {
      // The library rounds the length its own way: at most a frame of silence is missing.
      for channel in 0..<channelCount {
        unsafe (output[channel] + supplied).update(repeating: 0, count: wanted - supplied)
      }
    }
    outputFrameCount += wanted
    return wanted
  }

  /// Puts silence behind a stream that is shorter than half a frame of the output, for which the
  /// library would write nothing; returns the number of frames written for that.
  private func coax(capacity: Int) throws(AuricleError) -> Int {
    guard Double(inputFrameCount) * outputRate / inputRate < 0.5 else { return 0 }
    let count = Int((inputRate / outputRate).rounded(.up))
    var supplied = 0
    let silence = UnsafeMutablePointer<Float>.allocate(capacity: count)
    unsafe silence.initialize(repeating: 0, count: count)
    defer { unsafe silence.deallocate() }
    for channel in 0..<channelCount { unsafe inputs[channel] = UnsafeRawPointer(silence) }
    let failure = unsafe library.process(
      resampler, UnsafeRawPointer(inputs), count, nil, UnsafeMutableRawPointer(outputs), capacity,
      &supplied)
    try unsafe check(failure)
    return supplied
  }

  private func check(_ failure: UnsafePointer<CChar>?) throws(AuricleError) {
    guard let failure = unsafe failure else { return }
    let reason = unsafe String(cString: failure)
    throw AuricleError(
      .software, status: ConversionStatus.unspecified,
      "the conversion from \(inputRate) Hz to \(outputRate) Hz failed: \(reason)")
  }
}
