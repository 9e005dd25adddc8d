// The oversampled stages of the distortion on all channels, and the state of each channel.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
import CRealtime
import RealtimeSupport

/// Ring modulation, polynomial, soft clip; settings glide in 20 ms.
///
/// Context: made and freed on a control thread, otherwise render.
@safe struct Shaper: ~Copyable {
  private let sampleRate: Double
  private let factor: Int
  private var first = RingOscillator()
  private var second = RingOscillator()
  private var frequency1: ParameterGlide
  private var frequency2: ParameterGlide
  private var balance: ParameterGlide
  private var ringMix: ParameterGlide
  private var linear: ParameterGlide
  private var squared: ParameterGlide
  private var cubic: ParameterGlide
  private var polynomialMix: ParameterGlide
  private var gain: ParameterGlide
  /// The carrier of a run, a row for each sample of a frame.
  private let carrier: UnsafeMutablePointer<Float>

  /// Allocates. Context: control.
  init(sampleRate: Double, factor: Int) {
    self.sampleRate = sampleRate
    self.factor = factor
    let glide = ParameterGlide(sampleRate: sampleRate)
    frequency1 = glide
    frequency2 = glide
    balance = glide
    ringMix = glide
    linear = glide
    squared = glide
    cubic = glide
    polynomialMix = glide
    gain = glide
    unsafe carrier = .allocate(capacity: factor * ControlClock.interval)
    unsafe carrier.initialize(repeating: 0, count: factor * ControlClock.interval)
  }

  deinit { unsafe carrier.deallocate() }

  /// Forgets the past; oscillators begin at phase 0.
  @_noLocks mutating func reset() {
    first.reset()
    second.reset()
    frequency1.reset()
    frequency2.reset()
    balance.reset()
    ringMix.reset()
    linear.reset()
    squared.reset()
    cubic.reset()
    polynomialMix.reset()
    gain.reset()
  }

  /// Begins an interval.
  @_noLocks mutating func advance(_ parameters: Distortion.Parameters) {
    let (target1, target2) = (parameters.ringFrequency1, parameters.ringFrequency2)
    if frequency1.advance(toward: RealtimeMath.log(max(target1, 0.1))) {
      first.set(
        Double(RealtimeMath.exp(frequency1.value)), sampleRate: sampleRate, factor: factor)
    }
    if frequency2.advance(toward: RealtimeMath.log(max(target2, 0.1))) {
      second.set(
        Double(RealtimeMath.exp(frequency2.value)), sampleRate: sampleRate, factor: factor)
    }
    first.normalize()
    second.normalize()
    balance.advance(toward: parameters.ringBalance * 0.01)
    ringMix.advance(toward: parameters.ringMix * 0.01)
    linear.advance(toward: parameters.linearTerm)
    squared.advance(toward: parameters.squaredTerm)
    cubic.advance(toward: parameters.cubicTerm)
    polynomialMix.advance(toward: parameters.polynomialMix * 0.01)
    gain.advance(toward: RealtimeMath.gain(decibels: parameters.clipGain))
  }

  /// Whether the ring modulation is audible; its oscillators pause otherwise.
  private var isRinging: Bool {
    @_noLocks get { !ringMix.isSettled || ringMix.value != 0 }
  }

  /// Makes the carrier of a run.
  @_noLocks mutating func prepare(_ count: Int) {
    guard isRinging else { return }
    for frame in 0..<count {
      let (one, two) = (first.next(), second.next())
      let samples = one + (two - one) * SIMD8(repeating: balance.value)
      for row in 0..<factor { unsafe carrier[row * ControlClock.interval + frame] = samples[row] }
    }
  }

  private var shaping: AuricleShaping {
    @_noLocks get {
      AuricleShaping(
        ring: ringMix.line, linear: linear.line, squared: squared.line, cubic: cubic.line,
        polynomial: polynomialMix.line, gain: gain.line)
    }
  }

  /// Shapes a run of the rows of a channel.
  @_noLocks func process(_ rows: UnsafeMutablePointer<Float>, _ count: Int, phase: Int) {
    var shaping = shaping
    for row in 0..<factor {
      let samples = unsafe rows + row * Oversampler.stride
      let wave = unsafe isRinging ? carrier + row * ControlClock.interval : nil
      unsafe AuricleShapeRow(samples, wave, &shaping, phase, count)
    }
  }
}

extension ParameterGlide {
  /// Its value in the present interval.
  fileprivate var line: AuricleLine {
    @_noLocks get { AuricleLine(start: start, slope: slope) }
  }
}

/// The state of a channel in the stages. Context: made on a control thread, otherwise render.
struct DistortionChannel: ~Copyable {
  var oversampler: Oversampler
  /// The sample that the decimation holds.
  var held: Float = 0
  private var steady = 0.0
  private let follow: Double

  /// Allocates. Context: control.
  init(_ filters: borrowing OversamplingFilters, sampleRate: Double) {
    oversampler = Oversampler(filters)
    follow = FollowerRate.rate(seconds: 1 / (2 * Double.pi * 8), sampleRate: sampleRate)
  }

  /// Forgets the past.
  @_noLocks mutating func reset() {
    oversampler.reset()
    held = 0
    steady = 0
  }

  /// Removes frequencies below 8 Hz: a squared term makes a steady part.
  @_noLocks mutating func removeSteady(_ audio: UnsafeMutablePointer<Float>, _ count: Int) {
    var steady = steady
    for index in 0..<count {
      let input = Double(unsafe audio[index])
      steady += (input - steady) * follow
      unsafe audio[index] = Float(input - steady)
    }
    self.steady = steady.isFinite ? steady : 0
  }
}
