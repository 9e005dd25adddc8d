// Delay lines that feed each other through a Hadamard matrix: a room of the reverb.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
import CRealtime
import RealtimeSupport

/// A feedback delay network of eight or sixteen lines.
///
/// Each line loses in one pass enough to decay by 60 dB in the decay time, and more at high
/// frequencies; the matrix between the lines loses nothing and sends every echo into all of them.
/// Two feeds enter one half of the lines each. The outputs of the matrix are the outputs: sums of
/// all lines with signs that make them orthogonal, so any of them will do as a channel.
///
/// Context: made and freed on a control thread, everything else render.
@safe struct FeedbackDelayNetwork: ~Copyable {
  /// The most lines a network has.
  static var maximumLineCount: Int {
    @_noLocks get { 16 }
  }
  /// Floats between the outputs of two lines.
  static var outputStride: Int {
    @_noLocks get { ControlClock.interval + 8 }
  }

  /// Number of lines, 8 or 16.
  let lineCount: Int
  private let sampleRate: Double
  private var rings: IntervalRings
  private var taps: LineTaps
  private var wobble: LineModulation
  /// The input that each line read, then the outputs of the matrix; line after line.
  let outputs: UnsafeMutablePointer<Float>
  private let spare: UnsafeMutablePointer<Float>
  /// Places of each line's samples of this run: in its ring, or in `outputs`.
  private let sources: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  /// Places of each line's next samples.
  private let targets: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  /// The lines that are read between their frames.
  private let moving: UnsafeMutablePointer<AuricleMovingLine>
  private var losses: LineLosses
  /// Frames in which the losses follow other lengths.
  private let fadeFrames: Int

  /// Allocates for line delays up to `maximumDelay` seconds. Context: control.
  init(lineCount: Int, sampleRate: Double, maximumDelay: Double, isModulated: Bool) {
    self.lineCount = lineCount
    self.sampleRate = sampleRate
    let longest =
      max(Int(maximumDelay * sampleRate) + 64, 256)
      + LineModulation.maximumFrames(sampleRate: sampleRate)
    rings = IntervalRings(count: lineCount, maximumDelay: longest)
    fadeFrames = Int(0.02 * sampleRate)
    taps = LineTaps(lineCount: lineCount, fadeFrames: fadeFrames)
    losses = LineLosses()
    wobble = LineModulation(sampleRate: sampleRate, isOn: isModulated)
    let count = lineCount * Self.outputStride
    unsafe outputs = UnsafeMutableRawPointer.allocate(byteCount: 4 * count, alignment: 64)
      .initializeMemory(as: Float.self, repeating: 0, count: count)
    unsafe spare = .allocate(capacity: Self.outputStride)
    unsafe spare.initialize(repeating: 0, count: Self.outputStride)
    unsafe sources = .allocate(capacity: lineCount)
    unsafe sources.initialize(repeating: outputs, count: lineCount)
    unsafe targets = .allocate(capacity: lineCount)
    unsafe targets.initialize(repeating: outputs, count: lineCount)
    unsafe moving = .allocate(capacity: lineCount)
    unsafe moving.initialize(
      repeating: AuricleMovingLine(source: spare, output: spare, weights: spare),
      count: lineCount)
  }

  deinit {
    unsafe outputs.deallocate()
    unsafe spare.deallocate()
    unsafe sources.deallocate()
    unsafe targets.deallocate()
    unsafe moving.deallocate()
  }

  /// Clears the past; the next delays and the next modulation are set without a glide.
  @_noLocks mutating func reset() {
    clear()
    taps.reset()
    losses.reset()
    wobble.reset()
  }

  /// Silences the lines.
  @_noLocks mutating func clear() {
    rings.reset()
    losses.clear()
    for index in 0..<(lineCount * Self.outputStride) { unsafe outputs[index] = 0 }
  }

  /// Whether the lines are on the way to other lengths.
  var isFading: Bool {
    @_noLocks get { taps.isFading }
  }

  /// Sets the lengths of the lines, unless a change is under way.
  ///
  /// - Returns: Whether the lengths are new ones; `setDecay` must follow then.
  @_noLocks mutating func setDelays(mean: Double, range: Double, seed: Int = 0) -> Bool {
    guard taps.setDelays(mean: mean, range: range, seed: seed, sampleRate: sampleRate) else {
      return false
    }
    var longest = 0
    for line in 0..<lineCount {
      longest = max(longest, max(taps.delay(line), taps.nextDelay(line)))
    }
    rings.reach(longest + LineModulation.maximumFrames(sampleRate: sampleRate))
    return true
  }

  /// Sets the losses, which are reached in an interval, or while the lines fade to other lengths.
  ///
  /// - Parameters:
  ///   - decayTime: Seconds for 60 dB at low frequencies.
  ///   - brightness: Decay time at 22.05 kHz, as a part of `decayTime`, at a rate of 44.1 kHz. At other
  ///     rates the decay is the same at 8 kHz, or at 0.4 of lower rates than 20 kHz; where high frequencies decay
  ///     more slowly than low ones, no slower than that at half the rate.
  /// - Returns: The energy that is left after a pass, on average, at low frequencies; of noise where high ones decay
  ///   more slowly.
  @_noLocks mutating func setDecay(time decayTime: Double, brightness: Double) -> Double {
    var energy = 0.0
    for line in 0..<lineCount {
      let seconds = Double(taps.nextDelay(line)) / sampleRate
      let exponent = -6.907755278982137 * seconds / decayTime
      let gain = RealtimeMath.exp(exponent)
      // Gain at the highest frequency relative to the lowest; 26 dB at most. More would lift the sound while the times
      // move beyond its intended level.
      let ratio = RealtimeMath.exp(min(exponent * (1 / brightness - 1), 3))
      let pole = pole(ratio: ratio)
      // The factor makes the matrix of ones a rotation.
      let factor = lineCount == 16 ? 0.25 : 0.353_553_390_593_273_8
      losses.set(line, pole: Float(pole), gain: Float(factor * gain * (1 - pole)))
      energy += gain * gain * max(1, (1 - pole) / (1 + pole)) / Double(lineCount)
    }
    let left = taps.isFading ? fadeFrames - taps.elapsed : 0
    losses.move(intervals: left / ControlClock.interval)
    return energy
  }

  /// Returns the pole of a low-pass by its ratio of gains, of 22.05 kHz to 0 Hz, at a rate of 44.1 kHz.
  @_noLocks private func pole(ratio: Double) -> Double {
    let pole = (1 - ratio) / (1 + ratio)
    if sampleRate == 44_100 || pole == 0 { return pole }
    let reference = min(8000, 0.4 * sampleRate)
    let there = RealtimeMath.cos(2 * Double.pi * reference / 44_100)
    let here = RealtimeMath.cos(2 * Double.pi * reference / sampleRate)
    let square = (1 - pole) * (1 - pole) / (1 - 2 * pole * there + pole * pole)
    if (square - 1).magnitude < 1e-12 { return 0 }
    let half = (1 - square * here) / (1 - square)
    let root = RealtimeMath.sqrt(max(half * half - 1, 0))
    if pole > 0 { return half - root }
    // One pole that lifts 8 kHz lifts higher frequencies by more, and nothing may be louder after a pass than
    // before.
    return half < -1 ? max(half + root, pole) : pole
  }

  /// Sets how the lengths wobble: speed in hertz and depth from 0 to 1.
  @_noLocks mutating func setModulation(rate: Double, depth: Double) {
    wobble.set(rate: rate, depth: depth)
  }

  /// Begins an interval; `process` then covers it in one or more runs.
  @_noLocks mutating func beginInterval() {
    losses.beginInterval()
    wobble.advance()
  }

  /// Ends an interval.
  @_noLocks mutating func endInterval() {
    rings.advance()
    losses.endInterval()
    taps.advance(ControlClock.interval)
  }

  /// Runs frames of both networks, of sixteen and of eight lines: two feeds in, `outputs` out. Up to
  /// seven frames too many are worked on; rings, outputs and feeds have room for them.
  @_noLocks static func process(
    _ large: inout FeedbackDelayNetwork, _ small: inout FeedbackDelayNetwork, phase: Int,
    _ count: Int, _ feeds: borrowing RoomFeeds
  ) {
    large.readLines(phase, count)
    small.readLines(phase, count)
    let changing = large.losses.isMoving || small.losses.isMoving
    var sixteen = unsafe large.losses.lines(
      from: large.sources, to: large.outputs, changing: changing)
    var eight = unsafe small.losses.lines(
      from: small.sources, to: small.outputs, changing: changing)
    unsafe AuricleNetworksDamp(&sixteen, &eight, outputStride, phase, count)
    unsafe large.feed(feeds.large.0, feeds.large.1, phase, count)
    unsafe small.feed(feeds.small.0, feeds.small.1, phase, count)
  }

  @_noLocks private mutating func feed(
    _ first: UnsafePointer<Float>, _ second: UnsafePointer<Float>, _ phase: Int, _ count: Int
  ) {
    for line in 0..<lineCount { unsafe targets[line] = rings.write(line, phase: phase) }
    if lineCount == 16 {
      unsafe AuricleNetworkMix16(outputs, Self.outputStride, first, second, targets, count)
    } else {
      unsafe AuricleNetworkMix8(outputs, Self.outputStride, first, second, targets, count)
    }
    rings.finishRun(phase: phase, count: count)
  }

  /// Finds where the samples of each line are; some wobble and are read between the
  /// frames.
  @_noLocks private func readLines(_ phase: Int, _ frames: Int) {
    let (sources, outputs, stride) = unsafe (self.sources, self.outputs, Self.outputStride)
    if taps.isFading {
      for line in 0..<lineCount { unsafe sources[line] = outputs + line * stride }
      readFadingLines(phase, frames)
      return
    }
    guard wobble.isOn else {
      for line in 0..<lineCount {
        unsafe sources[line] = rings.read(line, delay: taps.delay(line), phase: phase)
      }
      return
    }
    let moving = unsafe self.moving
    var count = 0
    for line in 0..<lineCount {
      guard wobble.moves(line) else {
        unsafe sources[line] = rings.read(line, delay: taps.delay(line), phase: phase)
        continue
      }
      let output = unsafe outputs + line &* stride
      unsafe sources[line] = output
      unsafe moving[count] = movingLine(line, taps.delay(line), phase, output)
      count &+= 1
    }
    unsafe AuricleReadMovingLines(moving, count, phase, frames)
  }

  @_noLocks private func readFadingLines(_ phase: Int, _ frames: Int) {
    for line in 0..<lineCount {
      let output = unsafe sources[line]
      unsafe read(line, delay: taps.delay(line), phase, frames, output)
      unsafe read(line, delay: taps.nextDelay(line), phase, frames, spare)
      for index in 0..<frames {
        let old = unsafe output[index] * taps.oldWeight(phase + index)
        unsafe output[index] = old + spare[index] * taps.newWeight(line, phase + index)
      }
    }
  }

  /// Reads one line.
  @_noLocks private func read(
    _ line: Int, delay: Int, _ phase: Int, _ frames: Int, _ output: UnsafeMutablePointer<Float>
  ) {
    guard wobble.moves(line) else {
      unsafe SampleRun.copy(rings.read(line, delay: delay, phase: phase), to: output, frames)
      return
    }
    unsafe moving[0] = movingLine(line, delay, phase, output)
    unsafe AuricleReadMovingLines(moving, 1, phase, frames)
  }

  @_noLocks private func movingLine(
    _ line: Int, _ delay: Int, _ phase: Int, _ output: UnsafeMutablePointer<Float>
  ) -> AuricleMovingLine {
    unsafe AuricleMovingLine(
      source: rings.read(line, delay: delay &+ wobble.whole(line) &+ 7, phase: phase),
      output: output, weights: wobble.weights(line))
  }
}
