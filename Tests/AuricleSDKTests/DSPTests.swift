// The building blocks for signal processing.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
import Foundation
import TestSupport
import Testing

@Suite("DSP building blocks")
struct DSPTests {
  @Test("vector logarithm is that of libm within 1e-6")
  func vectorMath() {
    var random = SeededGenerator(seed: 1)
    for _ in 0..<20_000 {
      let x = exp2(random.nextSample() * 100)
      let logarithm = VectorMath.log2(SIMD4(x, 1, 2, 0.5))
      #expect(abs(Double(logarithm[0]) - log2(Double(x))) < 1e-6 * max(1, abs(log2(Double(x)))))
      #expect(logarithm[1] == 0 && logarithm[2] == 1 && logarithm[3] == -1)
    }
    let a = SIMD4<Float>(1, -2, 3, -0.0), b = SIMD4<Float>(-1, 2, 0.5, 0)
    #expect(VectorMath.maximum(a, b) == SIMD4(1, 2, 3, 0))
    #expect(VectorMath.minimum(a, b) == SIMD4(-1, -2, 0.5, 0))
    #expect(VectorMath.magnitude(a) == SIMD4(1, 2, 3, 0))
  }

  @Test("a glide has its first target at once and reaches others in its time, exactly")
  func glide() {
    var glide = ParameterGlide(sampleRate: 48_000, seconds: 0.02)
    #expect(glide.advance(toward: 3) && glide.value == 3 && glide.slope == 0)
    #expect(!glide.advance(toward: 3) && glide.isSettled)
    var values: [Float] = []
    while values.count < 100 {
      glide.advance(toward: 5)
      #expect(abs(glide.value(at: ControlClock.interval) - glide.value) < 1e-5)
      values.append(glide.value)
    }
    // 960 frames are 30 intervals.
    #expect(values[28] < 5 && values[29] == 5 && values[99] == 5 && glide.isSettled)
    #expect(zip(values, values.dropFirst()).allSatisfy { $0 <= $1 })
    glide.reset()
    #expect(glide.advance(toward: -1) && glide.value == -1 && glide.slope == 0)
  }

  @Test("a clock stops a run at grid points only while something moves")
  func clock() {
    var clock = ControlClock()
    #expect(clock.isAtGridPoint)
    clock.advance(10)
    #expect(clock.run(of: 100, isMoving: true) == 22 && clock.run(of: 5, isMoving: true) == 5)
    #expect(clock.run(of: 100, isMoving: false) == 100)
    clock.advance(22)
    #expect(clock.isAtGridPoint)
    clock.advance(7)
    clock.reset()
    #expect(clock.isAtGridPoint)
  }

  @Test("a crossfade has equal power and exact ends")
  func mix() {
    #expect(MixGlide.gains(0) == (1, 0) && MixGlide.gains(100) == (0, 1))
    for percent in stride(from: Float(0), through: 100, by: 7) {
      let gains = MixGlide.gains(percent)
      #expect(abs(gains.dry * gains.dry + gains.wet * gains.wet - 1) < 1e-6)
    }
  }

  @Test("a tap fades smoothly to the next delay and accepts no other meanwhile")
  func tap() {
    var tap = TapFade(frames: 64)
    tap.setDelay(0)
    #expect(tap.current == 1 && !tap.isFading)
    tap.setDelay(100)
    tap.setDelay(200)
    #expect(tap.isFading && tap.current == 1 && tap.next == 100)
    #expect(tap.weight(after: 0) == 0 && tap.weight(after: 32) == 0.5)
    tap.advance(63)
    #expect(tap.isFading)
    tap.advance(1)
    #expect(!tap.isFading && tap.current == 100)
  }

  @Test("no step of a state-variable filter adds energy, whatever its coefficients")
  func passivity() {
    var random = SeededGenerator(seed: 2)
    var state = (1.0, 0.5)
    for _ in 0..<10_000 {
      let frequency = pow(10, Double(random.nextSample()) * 2 + 2.4)
      let damping = pow(10, Double(random.nextSample()) * 2)
      let c = StateVariableCoefficients(
        frequency: frequency, damping: damping, sampleRate: 44_100, m0: 0, m1: 0, m2: 1)
      let next = (c.a11 * state.0 + c.a12 * state.1, c.a21 * state.0 + c.a22 * state.1)
      let before = state.0 * state.0 + state.1 * state.1
      #expect(next.0 * next.0 + next.1 * next.1 <= before * (1 + 1e-12))
      state = next
      if before < 1e-12 { state = (Double(random.nextSample()), 1) }
    }
  }

  @Test("ringing dies in the reported time")
  func decay() {
    let c = StateVariableCoefficients.lowPass(frequency: 100, q: 10, sampleRate: 48_000)
    let frames = c.decayFrames(decibels: 60)
    var state = (1.0, 0.0)
    for _ in 0..<Int(frames) {
      state = (c.a11 * state.0 + c.a12 * state.1, c.a21 * state.0 + c.a22 * state.1)
    }
    let level = 10 * log10(state.0 * state.0 + state.1 * state.1)
    #expect(abs(level + 60) < 1.5)
    #expect(StateVariableCoefficients().decayFrames(decibels: 60) == .infinity)
  }

  @Test("delay lines return the written samples")
  func lines() {
    var lines = ChannelDelayLines(channelCount: 2, maximumDelay: 100)
    var written: [Float] = []
    for run in 0..<300 {
      let count = lines.contiguous(1 + run % 37, delay: 90)
      #expect(count >= 1)
      for index in 0..<count {
        let sample = Float(written.count + 1)
        unsafe lines.writePointer(0)[index] = sample
        unsafe lines.writePointer(1)[index] = -sample
        written.append(sample)
        let old = written.count > 90 ? written[written.count - 91] : 0
        let second = unsafe lines.readPointer(1, delay: 90)[index]
        #expect(unsafe lines.readPointer(0, delay: 90)[index] == old && second == -old)
      }
      lines.advance(count)
    }
  }

  @Test("runs of samples are searched for silence and for samples above a level")
  func runs() {
    let samples: [Float] = [0, -0.0, 0.25, -0.5, 0]
    unsafe samples.withUnsafeBufferPointer { buffer in
      guard let start = buffer.baseAddress else { return }
      let first = unsafe SampleRun.isSilent(start, 2), all = unsafe SampleRun.isSilent(start, 5)
      #expect(first && !all)
      let over = unsafe SampleRun.exceeds(0.4, start, 5),
        under = unsafe SampleRun.exceeds(0.5, start, 5)
      #expect(over && !under)
    }
  }

  @Test("a follower covers 63 % in its time constant")
  func follower() {
    let rate = FollowerRate.rate(seconds: 0.01, sampleRate: 48_000)
    #expect(abs(pow(1 - rate, 480) - exp(-1)) < 1e-9)
  }
}
