// A stream read at a speed that may change at every frame: the history of the input, and the position in it.
// SPDX-License-Identifier: Apache-2.0

import RealtimeSupport

/// The part of a stream that was read, and interpolation of the sound at a position that moves by any step.
///
/// As long as every step since the start was 1 the samples come out bit for bit; the first other step turns the
/// filter on. For each output frame, with an input that is in memory:
///
/// ```swift
/// while reader.missing(1, step: step) > 0 {
///   reader.makeRoom(block)
///   for frame in 0..<block { unsafe reader.pushPointer(0)[frame] = sound[place + frame] }
///   reader.push(block, isSilent: false)
///   place += block
/// }
/// let reach = reader.aim(step, isQuiet: false)
/// unsafe output[frame] = reader.sample(0, reach: reach)
/// reader.advance(step)
/// ```
///
/// Units pull the input instead, as the varispeed does. Made and freed on a control thread, all else render.
@safe public struct SpeedReader: ~Copyable {
  private let kernel: SincKernel
  private let channelCount: Int
  private let capacity: Int
  /// Frames that are kept behind the position.
  private let kept: Int
  private let history: UnsafeMutablePointer<Float>
  private let weights: UnsafeMutablePointer<Float>
  /// Rows of weights for a step above 1 that stays.
  private let table: UnsafeMutablePointer<Float>
  private var tableRows = 0
  /// The last step above 1, and output frames since it changed.
  private var steadyStep = 0.0
  private var steadyFrames = 0
  /// Input frame of the first sample of the history.
  private var base = 0
  private var held = 0
  /// Frames at the end of the history that are known to be silence.
  private var silentFrames = 0
  private var position = 0
  private var fraction = 0.0
  private var isDirect = true

  /// Allocates for the greatest step, and for as many frames as are pushed at once. Context: control.
  ///
  /// - Parameters:
  ///   - quality: The filter; a better one reaches farther.
  ///   - channelCount: Channels, at least 1.
  ///   - greatestStep: The most input frames to an output frame, such as 4 for four times the speed.
  ///   - maximumPush: The most frames that are pushed at once, such as `setup.maximumFrames`.
  ///   - ahead: Frames that may be pushed before they are needed.
  public init(
    _ quality: RateQuality, channelCount: Int, greatestStep: Double, maximumPush: Int,
    ahead: Int = 0
  ) {
    kernel = SincKernel(quality)
    self.channelCount = channelCount
    kept = kernel.reach(at: max(1, greatestStep)) + 1
    capacity = 4 * kept + Int(greatestStep) + 2 * maximumPush + ahead + 16
    unsafe history = .allocate(capacity: capacity * max(channelCount, 1))
    unsafe history.initialize(repeating: 0, count: capacity * max(channelCount, 1))
    unsafe weights = .allocate(capacity: 2 * kept + 16)
    unsafe weights.initialize(repeating: 0, count: 2 * kept + 16)
    // Memory that no step needs is never touched.
    unsafe table = .allocate(capacity: SincKernel.rowCount * 2 * kept)
    reset()
  }

  deinit {
    kernel.deallocate()
    unsafe history.deallocate()
    unsafe weights.deallocate()
    unsafe table.deallocate()
  }

  /// Input frames on either side of the position up to the step 1: the latency of the filter. Context: any.
  public var reach: Int { kernel.reach }

  /// Returns to the start, with silence before it, and turns the filter off.
  @_noLocks public mutating func reset() {
    position = 0
    fraction = 0
    isDirect = true
    // An earlier table would produce other bits than a fresh reader.
    steadyStep = 0
    base = -kept
    held = kept
    silentFrames = kept
    for channel in 0..<channelCount {
      unsafe SampleCopy.clear(history + channel * capacity, count: kept)
    }
  }

  /// Frames before the position that `past` has room for. Context: any.
  public var pastCount: Int { @_noLocks get { kept } }

  /// Returns the memory of a channel's frames before the start, of which the last is the nearest; to be
  /// written after a reset where the stream did not begin with silence.
  @_noLocks public mutating func past(_ channel: Int) -> UnsafeMutablePointer<Float> {
    silentFrames = 0
    return unsafe history + channel * capacity
  }

  /// Returns the number of frames of input behind the position that an output at a step needs.
  @_noLocks private func lookAhead(_ step: Double) -> Int {
    isDirect && step == 1 ? 0 : kernel.reach(at: step)
  }

  /// Returns the input frames that are missing for so many output frames at a step; 0 where none is.
  ///
  /// - Parameters:
  ///   - count: Output frames, at least 1.
  ///   - step: Input frames to an output frame, above 0.
  @_noLocks public func missing(_ count: Int, step: Double) -> Int {
    let last = fraction + Double(count - 1) * step
    return max(0, position + Int(last) + lookAhead(step) + 1 - (base + held))
  }

  /// Makes room for a push, by removal of frames that no further output needs.
  ///
  /// - Parameter count: Frames that are to be pushed, at most the `maximumPush` of the initialiser.
  @_noLocks public mutating func makeRoom(_ count: Int) {
    guard held + count > capacity else { return }
    let gone = min(max(position - kept - base, 0), held)
    for channel in 0..<channelCount {
      let samples = unsafe history + channel * capacity
      unsafe SampleCopy.copy(from: samples + gone, to: samples, count: held - gone)
    }
    base += gone
    held -= gone
    silentFrames = min(silentFrames, held)
  }

  /// Returns whether so many frames can be pushed, once room was made.
  @_noLocks public func canPush(_ count: Int) -> Bool { held + count <= capacity }

  /// Returns the memory for a channel's next input frames, after room was made.
  @_noLocks public func pushPointer(_ channel: Int) -> UnsafeMutablePointer<Float> {
    unsafe history + channel * capacity + held
  }

  /// Counts frames that were written at the push pointers of all channels.
  ///
  /// - Parameters:
  ///   - count: Frames.
  ///   - isSilent: Whether all of them are zero, which saves work where only such frames are read.
  @_noLocks public mutating func push(_ count: Int, isSilent: Bool) {
    held += count
    silentFrames = isSilent ? silentFrames + count : 0
  }

  /// Returns whether all that an output at a step is made of is silence, so that 0 may be written instead.
  @_noLocks public func isSilent(_ step: Double) -> Bool {
    silentFrames >= base + held - (position - kernel.reach(at: step))
  }

  /// Prepares the next output frame; then `sample(_:reach:)` has it, for each channel.
  ///
  /// - Parameters:
  ///   - step: Input frames to an output frame.
  ///   - isQuiet: Whether no samples will be read, as where `isSilent(_:)` is true.
  /// - Returns: Frames to either side of the position that count, for `sample(_:reach:)`.
  @_noLocks public mutating func aim(_ step: Double, isQuiet: Bool) -> Int {
    if isDirect, step == 1 { return 0 }
    isDirect = false
    if isQuiet { return 0 }
    let reach = kernel.reach(at: step)
    if step > 1, reach < kept, isTableReady(step) {
      unsafe SincKernel.blend(table, 2 * reach, fraction, to: weights)
    } else {
      unsafe kernel.write(fraction, speed: step, to: weights)
    }
    return reach
  }

  /// Output frames for which a step has to stay before a table is made for it: four times as many as it has rows.
  private static var settlingFrames: Int { @_noLocks get { 4 * SincKernel.rowCount } }
  /// Rows that are made with each output frame.
  private static var rowsAtOnce: Int { @_noLocks get { 8 } }

  /// Returns whether there is a table for a step; some of its rows are made otherwise, once the step
  /// has stayed for a while.
  @_noLocks private mutating func isTableReady(_ step: Double) -> Bool {
    if step != steadyStep {
      steadyStep = step
      steadyFrames = 0
      tableRows = 0
    }
    if tableRows == SincKernel.rowCount { return true }
    steadyFrames += 1
    guard steadyFrames > Self.settlingFrames else { return false }
    let end = min(tableRows + Self.rowsAtOnce, SincKernel.rowCount)
    for row in tableRows..<end { unsafe kernel.makeRow(row, speed: step, in: table) }
    tableRows = end
    return false
  }

  /// Returns the output frame of a channel, after `aim`.
  @_noLocks public func sample(_ channel: Int, reach: Int) -> Float {
    let samples = unsafe history + channel * capacity
    if reach == 0 { return unsafe samples[position - base] }
    return unsafe SampleRun.dot(samples + (position - reach + 1 - base), weights, 2 * reach)
  }

  /// Moves the position on, after the samples of all channels were read.
  ///
  /// - Parameter step: Input frames to an output frame, the same as for `aim`.
  @_noLocks public mutating func advance(_ step: Double) {
    fraction += step
    let whole = Int(fraction)
    position += whole
    fraction -= Double(whole)
  }
}
