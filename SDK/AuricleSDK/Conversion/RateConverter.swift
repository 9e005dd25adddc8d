// Sample-rate conversion of a stream: the history of the input, and the output position in it.
// SPDX-License-Identifier: Apache-2.0

/// Converts planar channels from one rate to another with a linear-phase filter.
///
/// The output lags by `delayFrames` output frames, a whole number, and n output frames never need more input
/// than n × the ratio, rounded up. The output does not depend on how the stream is divided.
///
/// Made and freed on a control thread, all else render.
@safe struct RateConverter: ~Copyable {
  let ratio: RateRatio
  private let filter: PolyphaseFilter
  private let channelCount: Int
  private let capacity: Int
  private let history: UnsafeMutablePointer<Float>
  /// Input frame of the first sample of the history.
  private var base = 0
  /// Samples in the history.
  private var held = 0
  private var position: RatePosition
  /// Frames at the end of the history that are known to be silence.
  private var silentFrames = 0

  /// Frames by which the output lags, in output frames.
  let delayFrames: Int

  /// Allocates filter and history.
  ///
  /// - Parameter maximumPull: Most input frames that are pushed at once.
  init(_ ratio: RateRatio, _ quality: RateQuality, channelCount: Int, maximumPull: Int) {
    self.ratio = ratio
    self.channelCount = channelCount
    filter = PolyphaseFilter(ratio, quality)
    let half = filter.tapCount / 2
    delayFrames = (half * ratio.phaseCount + ratio.step - 1) / ratio.step
    // A step may be longer than the filter; skipped frames are kept for a moment.
    capacity = filter.tapCount + ratio.step / ratio.phaseCount + 2 + maximumPull
    unsafe history = .allocate(capacity: capacity * max(channelCount, 1))
    unsafe history.initialize(repeating: 0, count: capacity * max(channelCount, 1))
    position = RatePosition(frame: 0, phase: 0)
    reset()
  }

  deinit {
    filter.deallocate()
    unsafe history.deallocate()
  }

  /// The tail after the input's end, in input frames.
  var tailFrames: Int { filter.tapCount }

  /// Returns to the start, with silence before it.
  @_noLocks mutating func reset() {
    position = RatePosition(ratio, outputFrame: -delayFrames)
    base = position.frame - filter.tapCount / 2 + 1
    held = -base
    silentFrames = held
    for channel in 0..<channelCount {
      for frame in 0..<held { unsafe history[channel * capacity + frame] = 0 }
    }
  }

  /// Output frames that the history suffices for.
  @_noLocks func availableFrames() -> Int {
    position.framesBefore(ratio, base + held - filter.tapCount / 2)
  }

  /// Input frames that are missing for a number of output frames.
  @_noLocks func missingFrames(for count: Int) -> Int {
    let last = position.advanced(ratio, by: count - 1)
    return max(0, last.frame + filter.tapCount / 2 + 1 - (base + held))
  }

  /// Returns whether the rest of the history is silent.
  @_noLocks func isSilent() -> Bool {
    let first = position.frame - filter.tapCount / 2 + 1
    return silentFrames >= base + held - first
  }

  /// Makes room for the largest push.
  @_noLocks mutating func makeRoom() {
    let first = position.frame - filter.tapCount / 2 + 1
    let gone = min(max(first - base, 0), held)
    guard gone > 0 else { return }
    for channel in 0..<channelCount {
      let samples = unsafe history + channel * capacity
      unsafe SampleRun.moveDown(samples, by: gone, count: held - gone)
    }
    base += gone
    held -= gone
    silentFrames = min(silentFrames, held)
  }

  /// Returns the memory for a channel's next input frames.
  @_noLocks func pushPointer(_ channel: Int) -> UnsafeMutablePointer<Float> {
    unsafe history + channel * capacity + held
  }

  /// Counts frames that were written at the push pointers of all channels.
  @_noLocks mutating func push(_ count: Int, isSilent: Bool) {
    held += count
    silentFrames = isSilent ? silentFrames + count : 0
  }

  /// Renders output frames of one channel without advancing.
  @_noLocks func pull(_ channel: Int, into output: UnsafeMutablePointer<Float>, _ count: Int) {
    let samples = unsafe history + channel * capacity
    let whole = ratio.step / ratio.phaseCount
    let parts = ratio.step - whole * ratio.phaseCount
    var first = position.frame - filter.tapCount / 2 + 1 - base
    var phase = position.phase
    for frame in 0..<count {
      unsafe output[frame] = filter.output(
        samples + first, phase: phase, phaseCount: ratio.phaseCount)
      first += whole
      phase += parts
      if phase >= ratio.phaseCount {
        phase -= ratio.phaseCount
        first += 1
      }
    }
  }

  /// Advances by output frames.
  @_noLocks mutating func advance(_ count: Int) {
    position = position.advanced(ratio, by: count)
  }
}
