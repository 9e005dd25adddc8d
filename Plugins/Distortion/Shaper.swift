// The oversampled stages of the distortion on all channels, and what each channel remembers.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
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
  /// The carrier of a run, a vector a frame.
  private let carrier: UnsafeMutablePointer<SIMD8<Float>>

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
    unsafe carrier = .allocate(capacity: ControlClock.interval)
    unsafe carrier.initialize(repeating: .zero, count: ControlClock.interval)
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

  /// Makes the carrier of a run.
  @_noLocks mutating func prepare(_ count: Int) {
    for frame in 0..<count {
      let (one, two) = (first.next(), second.next())
      unsafe carrier[frame] = one + (two - one) * SIMD8(repeating: balance.value)
    }
  }

  /// Shapes a run of a channel.
  @_noLocks func process(
    _ groups: UnsafeMutablePointer<SIMD8<Float>>, _ count: Int, phase: Int
  ) {
    for frame in 0..<count {
      let place = phase + frame
      var x = unsafe groups[frame]
      unsafe x += (x * carrier[frame] - x) * SIMD8(repeating: ringMix.value(at: place))
      let high = SIMD8(repeating: cubic.value(at: place)) * x
      let middle = (high + SIMD8(repeating: squared.value(at: place))) * x
      let polynomial = (middle + SIMD8(repeating: linear.value(at: place))) * x
      x += (polynomial - x) * SIMD8(repeating: polynomialMix.value(at: place))
      unsafe groups[frame] = ShapingCurve.softClip(x * SIMD8(repeating: gain.value(at: place)))
    }
  }
}

/// What the stages remember of a channel. Context: made on a control thread, otherwise render.
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

  /// Takes out what lies below 8 Hz: a squared term makes a steady part.
  @_noLocks mutating func takeOutSteady(_ audio: UnsafeMutablePointer<Float>, _ count: Int) {
    var steady = steady
    for index in 0..<count {
      let input = Double(unsafe audio[index])
      steady += (input - steady) * follow
      unsafe audio[index] = Float(input - steady)
    }
    self.steady = steady.isFinite ? steady : 0
  }
}
