// What renders a file slice by slice: a chain of units, or a graph of them.
// SPDX-License-Identifier: Apache-2.0

public import AudioTypes
import RealtimeSupport

/// Something that takes slices of planar float audio and gives as many frames back.
///
/// It keeps its number of channels; what comes out lags by `latencyFrames`. Not thread-safe: one
/// thread at a time.
public protocol RenderChain: AnyObject {
  /// Frames per second (Hz).
  var sampleRate: Double { get }
  /// Channels in and out.
  var channelCount: Int { get }
  /// Greatest number of frames in one `render`.
  var maximumFrames: Int { get }
  /// One sentence for each stage whose channels had to be adapted.
  var notes: [String] { get }
  /// Latency of the whole chain in frames, as the units tell it now.
  ///
  /// Many LV2 plug-ins know theirs only after they have run; read it again after the first slice.
  var latencyFrames: Int { get }
  /// Whether a unit tells its latency only while it runs.
  var tellsLatencyLate: Bool { get }
  /// Whether a unit is harmed by slices of other lengths than the ones before.
  var wantsWholeSlices: Bool { get }
  /// Seconds the chain rings on after its input ended, or nil when a unit cannot tell.
  var tailSeconds: Double? { get }
  /// Whether no stage is heard; the chain then copies.
  var isEmpty: Bool { get }

  /// Forgets the past of every unit.
  ///
  /// - Throws: The failure of a unit that could not be reset.
  func reset() throws(AuricleError)

  /// Renders one slice, which stays where it was made.
  ///
  /// - Parameters:
  ///   - input: A pointer a channel, `frameCount` samples each.
  ///   - frameCount: 1 to `maximumFrames`.
  /// - Returns: A pointer a channel, `frameCount` samples each: memory of the chain, or that of `input` where no
  ///   stage is heard. Samples and pointers may be changed; both hold until the chain is used again.
  /// - Throws: A unit's failure or a value that is not finite, with the stage's label.
  ///
  /// Context: the one thread that drives the chain, offline.
  func render(
    input: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int
  ) throws(AuricleError) -> UnsafeMutablePointer<UnsafeMutablePointer<Float>>
}

extension RenderChain {
  /// False, unless a chain knows better.
  public var tellsLatencyLate: Bool { false }
  /// False, unless a chain knows better.
  public var wantsWholeSlices: Bool { false }

  /// Renders one slice into memory of the caller's.
  ///
  /// - Parameters:
  ///   - input: A pointer a channel, `frameCount` samples each.
  ///   - output: A pointer a channel, overwritten; may be the same memory as `input`.
  ///   - frameCount: 1 to `maximumFrames`.
  /// - Throws: A unit's failure or a value that is not finite, with the stage's label.
  ///
  /// Context: the one thread that drives the chain, offline.
  public func render(
    input: UnsafePointer<UnsafeMutablePointer<Float>>,
    output: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int
  ) throws(AuricleError) {
    let made = try unsafe render(input: input, frameCount: frameCount)
    for channel in 0..<channelCount {
      unsafe SampleCopy.copy(from: made[channel], to: output[channel], count: frameCount)
    }
  }
}
