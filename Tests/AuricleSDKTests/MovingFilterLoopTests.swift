// The loop of filters whose coefficients move: against plain sums, however it is cut, between still runs.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
import CRealtime
import Foundation
import TestSupport
import Testing

@Suite("The loop of moving filters")
struct MovingFilterLoopTests {
  private func bell(_ frequency: Double, _ decibels: Double) -> AuricleFilterCoefficients {
    let c = StateVariableCoefficients.bell(
      frequency: frequency, q: 2, gain: pow(10, decibels / 20), sampleRate: 48_000)
    return AuricleFilterCoefficients(
      a11: c.a11, a12: c.a12, b1: c.b1, a21: c.a21, a22: c.a22, b2: c.b2, c1: c.c1, c2: c.c2,
      d: c.d)
  }

  private let left = TestSignal.noise(seed: 3, amplitude: 0.5, frameCount: 320)
  private let right = TestSignal.noise(seed: 4, amplitude: 0.5, frameCount: 320)

  /// Ten intervals of 32 frames, on a way from 300 Hz and -12 dB to 9 kHz and 18 dB.
  private func way(_ interval: Int) -> AuricleMovingFilter {
    func point(_ part: Double) -> AuricleFilterCoefficients {
      bell(300 * pow(30, part), -12 + 30 * part)
    }
    return AuricleMovingFilter(
      start: point(Double(interval) / 10), end: point(Double(interval + 1) / 10), slope: 1 / 32)
  }

  private func run(_ cuts: [Int]) -> [Float] {
    var (one, two) = (left, right)
    var state = AuricleFilterState()
    var (frame, turn) = (0, 0)
    while frame < one.count {
      let count = min(cuts[turn % cuts.count], 32 - frame % 32)
      turn += 1
      var moving = way(frame / 32)
      unsafe one.withUnsafeMutableBufferPointer { one in
        unsafe two.withUnsafeMutableBufferPointer { two in
          guard let one = one.baseAddress, let two = two.baseAddress else { return }
          unsafe AuricleFilterMoving(
            one + frame, two + frame, count, frame % 32, &moving, &state)
        }
      }
      frame += count
    }
    return one + two
  }

  /// The coefficients of a frame, in the order of the structure.
  private func coefficients(_ frame: Int) -> [Double] {
    let way = way(frame / 32), part = Double(frame % 32 + 1) / 32
    func list(_ c: AuricleFilterCoefficients) -> [Double] {
      [c.a11, c.a12, c.b1, c.a21, c.a22, c.b2, c.c1, c.c2, c.d]
    }
    return zip(list(way.start), list(way.end)).map { $0 + ($1 - $0) * part }
  }

  @Test("the same bits however an interval is cut and whatever the processor has")
  func cuts() {
    AuricleLoopsSetWidest(0)
    let any = run([32])
    AuricleLoopsSetWidest(1)
    for cuts in [[32], [1], [2], [3], [5, 1, 7], [31]] {
      #expect(run(cuts).map(\.bitPattern) == any.map(\.bitPattern), "cut by \(cuts)")
    }
  }

  @Test("each frame has separate coefficients")
  func sums() {
    let found = run([32])
    for (channel, input) in [left, right].enumerated() {
      var (s1, s2) = (0.0, 0.0)
      for (frame, sample) in input.enumerated() {
        let c = coefficients(frame), x = Double(sample)
        let wanted = c[6] * s1 + c[7] * s2 + c[8] * x
        #expect(abs(Double(found[channel * 320 + frame]) - wanted) < 1e-6, "frame \(frame)")
        let next = c[0] * s1 + c[1] * s2 + c[2] * x
        s2 = c[3] * s1 + c[4] * s2 + c[5] * x
        s1 = next
      }
    }
  }
}
