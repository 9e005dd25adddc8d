// Changes the sample rate of a stream of doubles, as Core Audio's converters want it: by filters or by lines.
// SPDX-License-Identifier: Apache-2.0

package import AudioTypes
import CSoxr

/// The method of a change of sample rate.
package enum RateMethod: Hashable, Sendable {
  /// A straight line between two samples.
  case linear
  /// A filter of 16 bits with a large roll-off (quality 0 up), 16 bits (32 up), 20 bits (64 up), 24 bits (96
  /// up) or 28 bits (127).
  case filter(quality: UInt32)
  /// The same filters with nothing before the sound: its phase is not linear.
  case minimumPhase(quality: UInt32)
  /// A filter of 32 bits.
  case mastering

  /// Frames of the input on one side of a filter's middle that it reads, where the rates are alike.
  package var reach: Int {
    switch self {
    case .linear: 1
    case .filter(let quality), .minimumPhase(let quality):
      [26, 96, 112, 128, 136][Self.step(quality)]
    case .mastering: 152
    }
  }

  /// libsoxr's recipe.
  var recipe: UInt {
    let filters = [SOXR_LQ, SOXR_MQ, SOXR_20_BITQ, SOXR_24_BITQ, SOXR_28_BITQ].map { UInt($0) }
    return switch self {
    case .linear: UInt(SOXR_QQ)
    case .filter(let quality): filters[Self.step(quality)]
    case .minimumPhase(let quality): filters[Self.step(quality)] | UInt(SOXR_MINIMUM_PHASE)
    case .mastering: UInt(SOXR_32_BITQ)
    }
  }

  private static func step(_ quality: UInt32) -> Int {
    quality >= 127 ? 4 : Int(quality / 32)
  }
}

/// Changes the sample rate of planar doubles, slice by slice, without moving them in time.
///
/// It has no end: a caller that wants the frames still inside puts silence behind the sound.
///
/// Context: control. Not to be shared between threads.
@safe package final class RateStream {
  /// One row of samples a channel.
  package typealias Channels = UnsafeMutablePointer<UnsafeMutablePointer<Double>>

  private let channelCount: Int
  private let inputs: UnsafeMutablePointer<UnsafeRawPointer?>
  private let outputs: UnsafeMutablePointer<UnsafeMutableRawPointer?>
  private let filter: (functions: AuricleSoxr, resampler: OpaquePointer)?
  private var line: LinearRate?

  /// Sets up a conversion.
  ///
  /// Errors: `unavailable` without libsoxr; `software` when it refuses.
  package init(
    from inputRate: Double, to outputRate: Double, channelCount: Int, method: RateMethod
  ) throws(AuricleError) {
    self.channelCount = channelCount
    if method == .linear {
      unsafe filter = nil
      line = LinearRate(from: inputRate, to: outputRate, channelCount: channelCount)
    } else {
      unsafe filter = try RateLibrary.makeResampler(
        from: inputRate, to: outputRate, channelCount: channelCount, type: SOXR_FLOAT64_S,
        recipe: method.recipe)
    }
    unsafe inputs = .allocate(capacity: channelCount)
    unsafe inputs.initialize(repeating: nil, count: channelCount)
    unsafe outputs = .allocate(capacity: channelCount)
    unsafe outputs.initialize(repeating: nil, count: channelCount)
  }

  deinit {
    if let filter = unsafe filter { unsafe filter.functions.destroy(filter.resampler) }
    unsafe inputs.deallocate()
    unsafe outputs.deallocate()
  }

  /// Converts frames from a place on; returns how many were read and how many were made, or nil when the
  /// library fails.
  package func convert(
    _ input: Channels, at offset: Int, frameCount: Int, into output: Channels, capacity: Int
  ) -> (used: Int, supplied: Int)? {
    if line != nil {
      return unsafe line?.convert(
        input, at: offset, frameCount: frameCount, into: output, capacity: capacity)
    }
    guard let filter = unsafe filter else { return nil }
    for channel in 0..<channelCount {
      unsafe inputs[channel] = UnsafeRawPointer(input[channel] + offset)
      unsafe outputs[channel] = UnsafeMutableRawPointer(output[channel])
    }
    var (used, supplied) = (0, 0)
    let failure = unsafe filter.functions.process(
      filter.resampler, UnsafeRawPointer(inputs), frameCount, &used,
      UnsafeMutableRawPointer(outputs), capacity, &supplied)
    return unsafe failure == nil ? (used, supplied) : nil
  }

  /// Forgets all sound; false when the library fails.
  package func reset() -> Bool {
    line?.reset()
    guard let filter = unsafe filter else { return true }
    return unsafe filter.functions.clear(filter.resampler) == nil
  }
}

/// Draws lines between samples.
private struct LinearRate {
  private let inputRate: Double
  private let outputRate: Double
  /// Frames that were read.
  private var inputCount = 0
  /// Frames that were made.
  private var outputCount = 0
  /// The last frame that was read.
  private var last: [Double]

  init(from inputRate: Double, to outputRate: Double, channelCount: Int) {
    self.inputRate = inputRate
    self.outputRate = outputRate
    last = [Double](repeating: 0, count: channelCount)
  }

  mutating func reset() {
    self = LinearRate(from: inputRate, to: outputRate, channelCount: last.count)
  }

  /// The place of the next frame of the output in the input: a frame, and how far to the next one.
  private var place: (frame: Int, fraction: Double) {
    if let from = Int(exactly: inputRate), let to = Int(exactly: outputRate) {
      let (frame, rest) = (outputCount &* from).quotientAndRemainder(dividingBy: to)
      return (frame, Double(rest) / outputRate)
    }
    let place = Double(outputCount) * inputRate / outputRate
    return (Int(place), place - place.rounded(.down))
  }

  mutating func convert(
    _ input: RateStream.Channels, at offset: Int, frameCount: Int, into output: RateStream.Channels,
    capacity: Int
  ) -> (used: Int, supplied: Int) {
    var supplied = 0
    var next = place
    while supplied < capacity, next.frame + 1 < inputCount + frameCount {
      let index = next.frame - inputCount
      for channel in last.indices {
        let row = unsafe input[channel] + offset
        let first = unsafe index < 0 ? last[channel] : row[index]
        unsafe output[channel][supplied] = first + (row[index + 1] - first) * next.fraction
      }
      supplied += 1
      outputCount += 1
      next = place
    }
    // The frames with which the next output begins stay, except for its first.
    let used = max(0, min(frameCount, next.frame - inputCount + 1))
    if used > 0 {
      for channel in last.indices { unsafe last[channel] = input[channel][offset + used - 1] }
      inputCount += used
    }
    return (used, supplied)
  }
}
