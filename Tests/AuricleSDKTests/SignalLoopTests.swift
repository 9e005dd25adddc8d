// The inner loops in C: against plain sums in double precision, and the wide ones against the others.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
import CRealtime
import Foundation
import TestSupport
import Testing

@Suite("Inner loops")
struct SignalLoopTests {
  /// Runs a body with the loops for any processor and with the widest; both results must be the same.
  private func both(_ body: () -> [Float]) -> [Float] {
    AuricleLoopsSetWidest(0)
    let any = body()
    AuricleLoopsSetWidest(1)
    let wide = body()
    #expect(any.map(\.bitPattern) == wide.map(\.bitPattern))
    return wide
  }

  /// The energy of a difference beside that of the signal, in decibels.
  private func difference(_ found: [Float], _ wanted: [Double]) -> Double {
    var error = 0.0
    var energy = 1e-30
    for (one, other) in zip(found, wanted) {
      error += (Double(one) - other) * (Double(one) - other)
      energy += other * other
    }
    return 10 * log10(error / energy + 1e-30)
  }

  /// Four steps in one, found by making them.
  private func step(_ c: StateVariableCoefficients) -> AuricleFilterStep {
    /// Outputs and last states for states and inputs.
    func run(_ s1: Double, _ s2: Double, _ inputs: [Double]) -> ([Double], (Double, Double)) {
      var s = (s1, s2)
      var outputs: [Double] = []
      for x in inputs {
        outputs.append(c.d * x + c.c1 * s.0 + c.c2 * s.1)
        s = (c.a11 * s.0 + c.a12 * s.1 + c.b1 * x, c.a21 * s.0 + c.a22 * s.1 + c.b2 * x)
      }
      return (outputs, s)
    }
    let first = run(1, 0, [0, 0, 0, 0]), second = run(0, 1, [0, 0, 0, 0])
    let x = (0..<4).map { place in run(0, 0, (0..<4).map { $0 == place ? 1 : 0 }) }
    return AuricleFilterStep(
      response: (x[0].0[0], x[0].0[1], x[0].0[2], x[0].0[3]),
      outputs: (
        (first.0[0], second.0[0]), (first.0[1], second.0[1]), (first.0[2], second.0[2]),
        (first.0[3], second.0[3])
      ),
      states: ((first.1.0, second.1.0), (first.1.1, second.1.1)),
      inputs: (
        (x[0].1.0, x[1].1.0, x[2].1.0, x[3].1.0), (x[0].1.1, x[1].1.1, x[2].1.1, x[3].1.1)
      ))
  }

  @Test(
    "a filter of four frames at once is the filter of one, however it is cut",
    arguments: [(20.0, 0.1, -18.0), (100, 1, 3), (1000, 20, 20), (21_000, 0.7, -6)])
  func filter(_ frequency: Double, _ q: Double, _ decibels: Double) {
    let c = StateVariableCoefficients.bell(
      frequency: frequency, q: q, gain: pow(10, decibels / 20), sampleRate: 48_000)
    let left = TestSignal.noise(seed: 1, amplitude: 0.5, frameCount: 5001)
    let right = TestSignal.noise(seed: 2, amplitude: 0.5, frameCount: 5001)
    func run(_ cuts: [Int]) -> [Float] {
      var (one, two) = (left, right)
      var state = AuricleFilterState()
      var step = step(c)
      var frame = 0
      var turn = 0
      while frame < one.count {
        let count = min(cuts[turn % cuts.count], one.count - frame)
        turn += 1
        unsafe one.withUnsafeMutableBufferPointer { one in
          unsafe two.withUnsafeMutableBufferPointer { two in
            guard let one = one.baseAddress, let two = two.baseAddress else { return }
            unsafe AuricleFilter(one + frame, two + frame, count, &step, &state)
          }
        }
        frame += count
      }
      return one + two
    }
    let whole = both { run([5001]) }
    for cuts in [[1], [2], [3], [64, 1, 1, 33], [7, 512]] {
      #expect(run(cuts).map(\.bitPattern) == whole.map(\.bitPattern), "cut by \(cuts)")
    }
    var wanted: [Double] = []
    for channel in [left, right] {
      var state = (0.0, 0.0)
      for sample in channel {
        let x = Double(sample)
        wanted.append(c.d * x + c.c1 * state.0 + c.c2 * state.1)
        state = (
          c.a11 * state.0 + c.a12 * state.1 + c.b1 * x,
          c.a21 * state.0 + c.a22 * state.1 + c.b2 * x
        )
      }
    }
    // The rest is the rounding of the result to single precision.
    #expect(difference(whole, wanted) < -140)
  }

  @Test("compression is that of the curve within a thousandth of a decibel")
  func compression() {
    let levels = (0..<32).map { Float(pow(10, (Double($0) * 3 - 80) / 20)) }
    for (threshold, headroom) in [(-20.0, 5.0), (-40, 0.1), (10, 40), (0, 12)] {
      let found = both {
        var result = [Float](repeating: .nan, count: 32)
        unsafe AuricleCompression(levels, &result, 32, Float(threshold), Float(headroom))
        return result
      }
      for (level, reduction) in zip(levels, found) {
        let over = max(20 * log10(Double(level)) - threshold, 0)
        let wanted = over - headroom * (1 - exp(-over / headroom))
        #expect(abs(Double(reduction) - wanted) < 1e-3 && reduction >= 0)
        if over == 0 { #expect(reduction == 0) }
      }
    }
  }

  @Test("gains are those of the decibels, and none is exactly 1")
  func gains() {
    let reductions = (0..<32).map { Float($0) * 1.5 }
    let found = both {
      var result = [Float](repeating: .nan, count: 32)
      unsafe AuricleReducedGains(reductions, &result, 32, 6, -0.25, 3)
      return result
    }
    for (index, gain) in found.enumerated() {
      let decibels = 6 - 0.25 * Double(3 + index) - Double(reductions[index])
      #expect(abs(Double(gain) / pow(10, decibels / 20) - 1) < 3e-6)
    }
    var still = [Float](repeating: 0, count: 32)
    unsafe AuricleReducedGains([Float](repeating: 0, count: 32), &still, 32, 0, 0, 0)
    #expect(still == [Float](repeating: 1, count: 32))
  }

  @Test("slow changes are removed as frame by frame, with any division of the interval")
  func follower() {
    let inputs = (0..<2).map { TestSignal.noise(seed: 5 + UInt64($0), frameCount: 32 * 40) }
    let stay: Float = 0.998
    func run(_ cuts: [Int]) -> [Float] {
      var follower = AuricleFollower(
        scales: (1, 0.5), follow: 1 - stay, stay: stay, slow: (0, 0))
      var rows = [[Float]](repeating: [Float](repeating: 0, count: 40), count: 4)
      var results: [[Float]] = [[], []]
      var frame = 0
      var turn = 0
      while frame < inputs[0].count {
        let phase = frame % 32
        let count = min(cuts[turn % cuts.count], 32 - phase)
        turn += 1
        for index in 0..<count {
          rows[0][phase + index] = inputs[0][frame + index]
          rows[1][phase + index] = inputs[1][frame + index]
        }
        var (one, two) = (rows[2], rows[3])
        unsafe AuricleTakeOutSlow(rows[0], rows[1], &one, &two, phase, count, &follower)
        results[0] += one[phase..<(phase + count)]
        results[1] += two[phase..<(phase + count)]
        frame += count
      }
      return results[0] + results[1]
    }
    let whole = both { run([32]) }
    for cuts in [[1], [3], [5, 8], [31, 2]] {
      #expect(run(cuts).map(\.bitPattern) == whole.map(\.bitPattern), "cut by \(cuts)")
    }
    var wanted: [Double] = []
    for (channel, scale) in zip(inputs, [1, 0.5]) {
      var slow = 0.0
      for sample in channel {
        let x = Double(sample) * scale
        slow = slow * Double(stay) + x * Double(1 - stay)
        wanted.append(x - slow)
      }
    }
    #expect(difference(whole, wanted) < -120)
  }

  @Test("all-pass stages are those of the difference equation")
  func diffuser() {
    let (stages, count, a, change, phase) = (4, 24, Float(0.6), Float(-4e-3), 8)
    let feed = TestSignal.noise(seed: 9, frameCount: count)
    let past = (0..<stages).map { TestSignal.noise(seed: 20 + UInt64($0), frameCount: count) }
    let found = both {
      let memory = UnsafeMutablePointer<Float>.allocate(capacity: (2 * stages + 1) * count)
      defer { unsafe memory.deallocate() }
      unsafe memory.initialize(repeating: 0, count: (2 * stages + 1) * count)
      for frame in 0..<count { unsafe memory[frame] = feed[frame] }
      for stage in 0..<stages {
        for frame in 0..<count { unsafe memory[(1 + stage) * count + frame] = past[stage][frame] }
      }
      let old = unsafe (0..<stages).map { unsafe memory + (1 + $0) * count }
      let next = unsafe (0..<stages).map { unsafe memory + (1 + stages + $0) * count }
      unsafe AuricleDiffuse(memory, memory, old, next, stages, a, change, phase, count)
      var result = unsafe Array(UnsafeBufferPointer(start: memory, count: count))
      for stage in 0..<stages {
        unsafe result += unsafe UnsafeBufferPointer(start: next[stage], count: count)
      }
      return result
    }
    var wanted = feed.map(Double.init)
    var stored: [Double] = []
    for stage in 0..<stages {
      for frame in 0..<count {
        let (x, old) = (wanted[frame], Double(past[stage][frame]))
        let now = Double(a) + Double(change) * Double(phase + frame)
        stored.append(x + now * old)
        wanted[frame] = old - now * (x + now * old)
      }
    }
    #expect(difference(found, wanted + stored) < -125)
  }
}
