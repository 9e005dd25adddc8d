// Sixteen delay lines that feed each other through a Hadamard matrix: the room of the reverb.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
import RealtimeSupport

/// A feedback delay network.
///
/// Each line loses in one pass what it must to decay by 60 dB in the decay time, and more at high
/// frequencies; the matrix between the lines loses nothing and makes every echo sixteen. Two feeds
/// enter eight lines each. The sixteen outputs of the matrix are the outputs: sums of all lines with
/// signs that make them orthogonal, so any of them will do as a channel.
///
/// Context: made and freed on a control thread, everything else render.
@safe struct FeedbackDelayNetwork: ~Copyable {
  /// Number of lines.
  static var lineCount: Int {
    @_noLocks get { 16 }
  }
  /// Floats between the outputs of two lines.
  static var outputStride: Int {
    @_noLocks get { ControlClock.interval + 8 }
  }

  private typealias Lanes = SIMD4<Float>

  private let sampleRate: Double
  private var rings: IntervalRings
  private var taps: LineTaps
  private var wobble: LineModulation
  /// What each line read, then the outputs of the matrix; line after line.
  let outputs: UnsafeMutablePointer<Float>
  private let vectors: UnsafeMutablePointer<SIMD4<Float>>
  private let spare: UnsafeMutablePointer<Float>
  private let damping: UnsafeMutablePointer<SIMD4<Float>>  // states, poles, gains: 4 each

  /// Allocates for line delays up to `maximumDelay` seconds. Context: control.
  init(sampleRate: Double, maximumDelay: Double, isModulated: Bool) {
    self.sampleRate = sampleRate
    let longest =
      max(Int(maximumDelay * sampleRate) + 64, 256)
      + LineModulation.maximumFrames(sampleRate: sampleRate)
    rings = IntervalRings(count: Self.lineCount, maximumDelay: longest)
    taps = LineTaps(fadeFrames: Int(0.02 * sampleRate))
    wobble = LineModulation(sampleRate: sampleRate, isOn: isModulated)
    let count = Self.lineCount * Self.outputStride
    unsafe vectors = .allocate(capacity: count / 4)
    unsafe vectors.initialize(repeating: Lanes(repeating: 0), count: count / 4)
    unsafe outputs = UnsafeMutableRawPointer(vectors).assumingMemoryBound(to: Float.self)
    unsafe spare = .allocate(capacity: Self.outputStride)
    unsafe spare.initialize(repeating: 0, count: Self.outputStride)
    unsafe damping = .allocate(capacity: 12)
    unsafe damping.initialize(repeating: .zero, count: 12)
  }

  deinit {
    unsafe vectors.deallocate()
    unsafe spare.deallocate()
    unsafe damping.deallocate()
  }

  /// Forgets the past; the next delays and the next modulation are taken at once.
  @_noLocks mutating func reset() {
    clear()
    taps.reset()
    wobble.reset()
  }

  /// Silences the lines.
  @_noLocks mutating func clear() {
    rings.reset()
    for index in 0..<4 { unsafe damping[index] = Lanes(repeating: 0) }
    for index in 0..<(Self.lineCount * Self.outputStride) { unsafe outputs[index] = 0 }
  }

  /// Sets the lengths of the lines, unless a change is under way.
  ///
  /// - Returns: Whether the lengths are new ones; `setDecay` must follow then.
  @_noLocks mutating func setDelays(mean: Double, range: Double) -> Bool {
    taps.take(mean: mean, range: range, sampleRate: sampleRate)
  }

  /// Sets the losses.
  ///
  /// - Parameters:
  ///   - decayTime: Seconds for 60 dB at low frequencies.
  ///   - brightness: Decay time at the highest frequency, as a part of `decayTime`.
  /// - Returns: The energy that is left after a pass, on average, at low frequencies.
  @_noLocks mutating func setDecay(time decayTime: Double, brightness: Double) -> Double {
    var energy = 0.0
    for line in 0..<Self.lineCount {
      let seconds = Double(taps.nextDelay(line)) / sampleRate
      let exponent = -6.907755278982137 * seconds / decayTime
      let gain = RealtimeMath.exp(exponent)
      // Gain at the highest frequency relative to the lowest.
      let ratio = RealtimeMath.exp(exponent * (1 / brightness - 1))
      let pole = (1 - ratio) / (1 + ratio)
      unsafe damping[4 + line / 4][line & 3] = Float(pole)
      // The quarter makes the matrix of ones a rotation.
      unsafe damping[8 + line / 4][line & 3] = Float(0.25 * gain * (1 - pole))
      energy += gain * gain / 16
    }
    return energy
  }

  /// Sets how the lengths wobble: speed in hertz and depth from 0 to 1.
  @_noLocks mutating func setModulation(rate: Double, depth: Double) {
    wobble.set(rate: rate, depth: depth)
  }

  /// Begins an interval; `process` then covers it in one or more runs.
  @_noLocks mutating func beginInterval() { wobble.advance() }

  /// Ends an interval.
  @_noLocks mutating func endInterval() {
    rings.advance()
    taps.advance(ControlClock.interval)
  }

  /// Runs frames: two feeds in, `outputs` out.
  @_noLocks mutating func process(
    _ first: UnsafePointer<Float>, _ second: UnsafePointer<Float>, phase: Int, _ count: Int
  ) {
    readLines(phase, count)
    for group in 0..<4 { dampAndMix(group, count) }
    for line in 0..<4 { unsafe mixAndWrite(line, first, second, phase, count) }
    rings.finishRun(phase: phase, count: count)
  }

  @_noLocks private func readLines(_ phase: Int, _ frames: Int) {
    for line in 0..<Self.lineCount {
      let output = unsafe outputs + line * Self.outputStride
      unsafe read(line, delay: taps.delay(line), phase, frames, output)
      guard taps.isFading else { continue }
      unsafe read(line, delay: taps.nextDelay(line), phase, frames, spare)
      for index in 0..<frames {
        let old = unsafe output[index] * taps.oldWeight(phase + index)
        unsafe output[index] = old + spare[index] * taps.newWeight(line, phase + index)
      }
    }
  }

  /// Reads one line; every other line wobbles and is read between the frames.
  @_noLocks private func read(
    _ line: Int, delay: Int, _ phase: Int, _ frames: Int, _ output: UnsafeMutablePointer<Float>
  ) {
    guard wobble.moves(line) else {
      unsafe SampleRun.copy(rings.read(line, delay: delay, phase: phase), to: output, frames)
      return
    }
    // The offset moves by less than one frame in an interval: three neighbours are enough.
    let whole = wobble.whole(line)
    let start = wobble.fraction(line)
    let slope = wobble.slope(line)
    let source = unsafe rings.read(line, delay: delay + whole + 2, phase: phase)
    for index in 0..<frames {
      let offset = start + slope * Float(phase + index)
      let near = offset < 1 ? offset : 1
      let far = offset < 1 ? 0 : offset - 1
      let now = unsafe source[index + 2], before = unsafe source[index + 1]
      unsafe output[index] =
        now + (before - now) * near + (source[index] - before) * far
    }
  }

  /// Damps four neighbouring lines and mixes them by the inner part of the matrix.
  ///
  /// Four frames of four lines are turned so that the lines are the lanes, and back.
  @_noLocks private mutating func dampAndMix(_ group: Int, _ count: Int) {
    let vectorStride = Self.outputStride / 4
    let a = unsafe vectors + group * 4 * vectorStride
    let b = unsafe a + vectorStride
    let c = unsafe b + vectorStride
    let d = unsafe c + vectorStride
    let pole = unsafe damping[4 + group]
    let gain = unsafe damping[8 + group]
    var state = unsafe damping[group]
    var frame = 0
    var index = 0
    while frame < count {
      let x = unsafe Self.turned(a[index], b[index], c[index], d[index])
      let s0 = pole * state + gain * x.0
      let s1 = pole * s0 + gain * x.1
      let s2 = pole * s1 + gain * x.2
      let s3 = pole * s2 + gain * x.3
      let left = count - frame
      state = left > 3 ? s3 : (left == 3 ? s2 : (left == 2 ? s1 : s0))
      let y = Self.turned(s0, s1, s2, s3)
      let sum01 = y.0 + y.1, difference01 = y.0 - y.1
      let sum23 = y.2 + y.3, difference23 = y.2 - y.3
      unsafe a[index] = sum01 + sum23
      unsafe b[index] = difference01 + difference23
      unsafe c[index] = sum01 - sum23
      unsafe d[index] = difference01 - difference23
      frame += 4
      index += 1
    }
    unsafe damping[group] = state
  }

  /// Mixes four lines of four groups by the outer part of the matrix, and feeds them.
  @_noLocks private mutating func mixAndWrite(
    _ line: Int, _ first: UnsafePointer<Float>, _ second: UnsafePointer<Float>, _ phase: Int,
    _ frames: Int
  ) {
    let groupStride = Self.outputStride
    let a = unsafe vectors + line * Self.outputStride / 4
    let b = unsafe a + groupStride
    let c = unsafe b + groupStride
    let d = unsafe c + groupStride
    for index in 0..<((frames + 3) / 4) {
      let sum01 = unsafe a[index] + b[index], difference01 = unsafe a[index] - b[index]
      let sum23 = unsafe c[index] + d[index], difference23 = unsafe c[index] - d[index]
      unsafe a[index] = sum01 + sum23
      unsafe b[index] = difference01 + difference23
      unsafe c[index] = sum01 - sum23
      unsafe d[index] = difference01 - difference23
    }
    unsafe write(line, first, 0.35355339, phase, frames)
    unsafe write(line + 4, first, line & 1 == 0 ? -0.35355339 : 0.35355339, phase, frames)
    unsafe write(line + 8, second, line & 2 == 0 ? 0.35355339 : -0.35355339, phase, frames)
    unsafe write(line + 12, second, line == 0 ? -0.35355339 : 0.35355339, phase, frames)
  }

  @_noLocks private func write(
    _ line: Int, _ feed: UnsafePointer<Float>, _ gain: Float, _ phase: Int, _ frames: Int
  ) {
    let output = unsafe outputs + line * Self.outputStride
    let ring = unsafe rings.write(line, phase: phase)
    for index in 0..<frames { unsafe ring[index] = output[index] + gain * feed[index] }
  }

  /// Four vectors with lines and columns exchanged.
  @inline(__always) @_noLocks private static func turned(
    _ a: Lanes, _ b: Lanes, _ c: Lanes, _ d: Lanes
  ) -> (Lanes, Lanes, Lanes, Lanes) {
    (
      Lanes(a[0], b[0], c[0], d[0]), Lanes(a[1], b[1], c[1], d[1]),
      Lanes(a[2], b[2], c[2], d[2]), Lanes(a[3], b[3], c[3], d[3])
    )
  }
}
