// Delay lines that feed each other through a Hadamard matrix: a room of the reverb.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
import RealtimeSupport

/// A feedback delay network of eight or sixteen lines.
///
/// Each line loses in one pass what it must to decay by 60 dB in the decay time, and more at high
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

  private typealias Lanes = SIMD4<Float>

  /// Number of lines, 8 or 16.
  let lineCount: Int
  private let sampleRate: Double
  private var rings: IntervalRings
  private var taps: LineTaps
  private var wobble: LineModulation
  /// What each line read, then the outputs of the matrix; line after line.
  let outputs: UnsafeMutablePointer<Float>
  private let vectors: UnsafeMutablePointer<SIMD4<Float>>
  private let spare: UnsafeMutablePointer<Float>
  /// Where each line's samples of this run are: in its ring, or in `outputs`.
  private let sources: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  private let damping: UnsafeMutablePointer<SIMD4<Float>>  // states, poles, gains: 4 each

  /// Allocates for line delays up to `maximumDelay` seconds. Context: control.
  init(lineCount: Int, sampleRate: Double, maximumDelay: Double, isModulated: Bool) {
    self.lineCount = lineCount
    self.sampleRate = sampleRate
    let longest =
      max(Int(maximumDelay * sampleRate) + 64, 256)
      + LineModulation.maximumFrames(sampleRate: sampleRate)
    rings = IntervalRings(count: lineCount, maximumDelay: longest)
    taps = LineTaps(lineCount: lineCount, fadeFrames: Int(0.02 * sampleRate))
    wobble = LineModulation(sampleRate: sampleRate, isOn: isModulated)
    let count = lineCount * Self.outputStride
    unsafe vectors = .allocate(capacity: count / 4)
    unsafe vectors.initialize(repeating: Lanes(repeating: 0), count: count / 4)
    unsafe outputs = UnsafeMutableRawPointer(vectors).assumingMemoryBound(to: Float.self)
    unsafe spare = .allocate(capacity: Self.outputStride)
    unsafe spare.initialize(repeating: 0, count: Self.outputStride)
    unsafe sources = .allocate(capacity: lineCount)
    unsafe sources.initialize(repeating: outputs, count: lineCount)
    unsafe damping = .allocate(capacity: 12)
    unsafe damping.initialize(repeating: .zero, count: 12)
  }

  deinit {
    unsafe vectors.deallocate()
    unsafe spare.deallocate()
    unsafe sources.deallocate()
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
    for index in 0..<(lineCount * Self.outputStride) { unsafe outputs[index] = 0 }
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
    for line in 0..<lineCount {
      let seconds = Double(taps.nextDelay(line)) / sampleRate
      let exponent = -6.907755278982137 * seconds / decayTime
      let gain = RealtimeMath.exp(exponent)
      // Gain at the highest frequency relative to the lowest.
      let ratio = RealtimeMath.exp(exponent * (1 / brightness - 1))
      let pole = (1 - ratio) / (1 + ratio)
      unsafe (damping + 4 + line / 4).pointee[line & 3] = Float(pole)
      // The factor makes the matrix of ones a rotation.
      unsafe (damping + 8 + line / 4).pointee[line & 3] = Float(
        (lineCount == 16 ? 0.25 : 0.353_553_390_593_273_8) * gain * (1 - pole))
      energy += gain * gain / Double(lineCount)
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
    dampAndMix(0, count)
    if lineCount == 16 {
      dampAndMix(2, count)
      for line in 0..<4 { unsafe mixSixteen(line, first, second, phase, count) }
    } else {
      for line in 0..<4 { unsafe mixEight(line, first, second, phase, count) }
    }
    rings.finishRun(phase: phase, count: count)
  }

  @_noLocks private func readLines(_ phase: Int, _ frames: Int) {
    for line in 0..<lineCount {
      if !taps.isFading && !wobble.moves(line) {
        unsafe sources[line] = rings.read(line, delay: taps.delay(line), phase: phase)
        continue
      }
      let output = unsafe outputs + line * Self.outputStride
      unsafe sources[line] = output
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
    let start = Lanes(repeating: wobble.fraction(line))
    let slope = Lanes(repeating: wobble.slope(line))
    let one = Lanes(repeating: 1)
    let source = unsafe rings.read(line, delay: delay + whole + 2, phase: phase)
    let first = Float(Int32(truncatingIfNeeded: phase))
    var lane = Lanes(first, first + 1, first + 2, first + 3)
    var frame = 0
    // Up to three frames too many are read and written; both have room for them.
    while frame < frames {
      let offset = start + slope * lane
      let near = VectorMath.minimum(offset, one)
      let far = offset - near
      let last = unsafe SampleRun.four(source + frame)
      let before = unsafe SampleRun.four(source + (frame + 1))
      let now = unsafe SampleRun.four(source + (frame + 2))
      let sample = now + (before - now) * near + (last - before) * far
      unsafe SampleRun.setFour(output + frame, sample)
      lane += Lanes(repeating: 4)
      frame += 4
    }
  }

  /// Damps eight neighbouring lines, and mixes each four by the inner part of the matrix.
  ///
  /// Two groups at a time, since each waits for its own past.
  @_noLocks private mutating func dampAndMix(_ group: Int, _ count: Int) {
    let line = Self.outputStride / 4
    let first = unsafe vectors + group * 4 * line
    let second = unsafe first + 4 * line
    var firstState = unsafe damping[group]
    var secondState = unsafe damping[group + 1]
    let firstPole = unsafe damping[4 + group], secondPole = unsafe damping[5 + group]
    let firstGain = unsafe damping[8 + group], secondGain = unsafe damping[9 + group]
    let a0 = unsafe sources[4 * group], a1 = unsafe sources[4 * group + 1]
    let a2 = unsafe sources[4 * group + 2], a3 = unsafe sources[4 * group + 3]
    let b0 = unsafe sources[4 * group + 4], b1 = unsafe sources[4 * group + 5]
    let b2 = unsafe sources[4 * group + 6], b3 = unsafe sources[4 * group + 7]
    var frame = 0
    var index = 0
    while frame < count {
      let left = count - frame
      let a = unsafe Self.damped(
        Self.turned(
          SampleRun.four(a0 + frame), SampleRun.four(a1 + frame), SampleRun.four(a2 + frame),
          SampleRun.four(a3 + frame)),
        &firstState, firstPole, firstGain, left)
      let b = unsafe Self.damped(
        Self.turned(
          SampleRun.four(b0 + frame), SampleRun.four(b1 + frame), SampleRun.four(b2 + frame),
          SampleRun.four(b3 + frame)),
        &secondState, secondPole, secondGain, left)
      let c = Self.mixed(Self.turned(a.0, a.1, a.2, a.3))
      unsafe first[index] = c.0
      unsafe first[index + line] = c.1
      unsafe first[index + 2 * line] = c.2
      unsafe first[index + 3 * line] = c.3
      let d = Self.mixed(Self.turned(b.0, b.1, b.2, b.3))
      unsafe second[index] = d.0
      unsafe second[index + line] = d.1
      unsafe second[index + 2 * line] = d.2
      unsafe second[index + 3 * line] = d.3
      frame += 4
      index += 1
    }
    unsafe damping[group] = firstState
    unsafe damping[group + 1] = secondState
  }

  private typealias Four = (SIMD4<Float>, SIMD4<Float>, SIMD4<Float>, SIMD4<Float>)

  /// One-pole damping of four frames, of which `left` are real; the lanes are lines.
  @inline(__always) @_noLocks private static func damped(
    _ x: Four, _ state: inout SIMD4<Float>, _ pole: SIMD4<Float>, _ gain: SIMD4<Float>, _ left: Int
  ) -> Four {
    let s0 = pole * state + gain * x.0
    let s1 = pole * s0 + gain * x.1
    let s2 = pole * s1 + gain * x.2
    let s3 = pole * s2 + gain * x.3
    state = left > 3 ? s3 : (left == 3 ? s2 : (left == 2 ? s1 : s0))
    return (s0, s1, s2, s3)
  }

  /// The Hadamard matrix of four, without its factor.
  @inline(__always) @_noLocks private static func mixed(_ x: Four) -> Four {
    let sum01 = x.0 + x.1, difference01 = x.0 - x.1
    let sum23 = x.2 + x.3, difference23 = x.2 - x.3
    return (
      sum01 + sum23, difference01 + difference23, sum01 - sum23, difference01 - difference23
    )
  }

  /// Mixes four lines of four groups by the outer part of the matrix, and feeds them.
  @_noLocks private mutating func mixSixteen(
    _ line: Int, _ first: UnsafePointer<Float>, _ second: UnsafePointer<Float>, _ phase: Int,
    _ frames: Int
  ) {
    let group = Self.outputStride
    let start = unsafe vectors + line * Self.outputStride / 4
    let gain = Lanes(repeating: 0.35355339)
    let gain4 = line & 1 == 0 ? -gain : gain
    let gain8 = line & 2 == 0 ? gain : -gain
    let gain12 = line == 0 ? -gain : gain
    let ring0 = unsafe rings.write(line, phase: phase)
    let ring4 = unsafe rings.write(line + 4, phase: phase)
    let ring8 = unsafe rings.write(line + 8, phase: phase)
    let ring12 = unsafe rings.write(line + 12, phase: phase)
    for index in 0..<((frames + 3) / 4) {
      let output = unsafe start + index
      let x = unsafe Self.mixed(
        (output[0], output[group], output[2 * group], output[3 * group]))
      unsafe output[0] = x.0
      unsafe output[group] = x.1
      unsafe output[2 * group] = x.2
      unsafe output[3 * group] = x.3
      let a = unsafe SampleRun.four(first + 4 * index)
      let b = unsafe SampleRun.four(second + 4 * index)
      unsafe SampleRun.setFour(ring0 + 4 * index, x.0 + gain * a)
      unsafe SampleRun.setFour(ring4 + 4 * index, x.1 + gain4 * a)
      unsafe SampleRun.setFour(ring8 + 4 * index, x.2 + gain8 * b)
      unsafe SampleRun.setFour(ring12 + 4 * index, x.3 + gain12 * b)
    }
  }

  /// The same for two lines of two groups.
  @_noLocks private mutating func mixEight(
    _ line: Int, _ first: UnsafePointer<Float>, _ second: UnsafePointer<Float>, _ phase: Int,
    _ frames: Int
  ) {
    let group = Self.outputStride
    let start = unsafe vectors + line * Self.outputStride / 4
    let gain = Lanes(repeating: line & 1 == 0 ? 0.5 : -0.5)
    let gain4 = Lanes(repeating: line & 2 == 0 ? 0.5 : -0.5)
    let ring0 = unsafe rings.write(line, phase: phase)
    let ring4 = unsafe rings.write(line + 4, phase: phase)
    for index in 0..<((frames + 3) / 4) {
      let output = unsafe start + index
      let a = unsafe output[0], b = unsafe output[group]
      unsafe output[0] = a + b
      unsafe output[group] = a - b
      unsafe SampleRun.setFour(
        ring0 + 4 * index, a + b + gain * SampleRun.four(first + 4 * index))
      unsafe SampleRun.setFour(
        ring4 + 4 * index, a - b + gain4 * SampleRun.four(second + 4 * index))
    }
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
