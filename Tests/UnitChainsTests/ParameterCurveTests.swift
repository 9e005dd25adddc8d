// Automation against the analytic curve, sample by sample, at every slice size.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import Foundation
import TestSupport
import TestUnits
import Testing
import UnitChains

@Suite struct ParameterCurveTests {
  private static let points: [ParameterCurve.Point] = [
    .init(frame: 100, value: 0.5, shape: .linear), .init(frame: 700, value: 2, shape: .linear),
    .init(frame: 900, value: 1, shape: .step), .init(frame: 2100, value: 0.01, shape: .exponential),
    .init(frame: 2101, value: 4, shape: .linear), .init(frame: 2400, value: 3, shape: .exponential),
  ]

  /// The value that is wanted at a frame.
  private static func wanted(_ frame: Int) -> Double {
    guard let next = points.firstIndex(where: { $0.frame > frame }) else { return 3 }
    if next == 0 { return 0.5 }
    let (from, to) = (points[next - 1], points[next])
    let part = Double(frame - from.frame) / Double(to.frame - from.frame)
    let (low, high) = (Double(from.value), Double(to.value))
    switch to.shape {
    case .linear: return low + (high - low) * part
    case .exponential: return low * pow(high / low, part)
    case .step: return low
    }
  }

  private func chain(
    before: [ChainStage] = [], frames: Int = 512, mix: Float = 1, channels: Int = 1
  ) throws -> UnitChain {
    var stage = ChainStage(
      label: "gain", mix: mix, makeUnit: { () throws(AuricleError) in try TestUnits.gain() },
      configure: { unit throws(AuricleError) in try unit.setParameter(0, 0.5) })
    stage.curves = [ParameterCurve(parameter: 0, points: Self.points)]
    return try UnitChain(
      ChainGraph(stages: before + [stage]), sampleRate: 48_000, channelCount: channels,
      maximumFrames: frames)
  }

  @Test(arguments: [512, 64, 1, 333])
  func everySampleIsOnTheCurve(slice: Int) throws {
    let ones = [Float](repeating: 1, count: 3000)
    let output = try play(chain(frames: slice), [ones])[0]
    let errors = ones.indices.map { abs(Double(output[$0]) / Self.wanted($0) - 1) }
    let worst = errors.indices.max { errors[$0] < errors[$1] } ?? 0
    #expect(errors[worst] < 2e-6, "frame \(worst)")
  }

  @Test func sliceSizesMakeNoDifference() throws {
    let ones = [Float](repeating: 1, count: 3000)
    let whole = try play(chain(), [ones])
    for slice in [7, 100, 256] {
      #expect(maximumDifference(try play(chain(), [ones], slice: slice)[0], whole[0]) < 1e-6)
    }
  }

  @Test func timesGoWithTheSoundThroughLateStages() throws {
    let late = try chain(before: [Stages.lookAhead()])
    let signal = TestSignal.noise(seed: 5, amplitude: 0.5, frameCount: 3000)
    let output = try play(late, [signal])[0]
    #expect(late.latencyFrames == 240)
    let errors = (0..<(3000 - 240)).map { frame in
      abs(Double(output[frame + 240]) - Double(signal[frame]) * Self.wanted(frame))
    }
    let worst = errors.indices.max { errors[$0] < errors[$1] } ?? 0
    #expect(errors[worst] < 1e-5, "frame \(worst)")
  }

  @Test func aChainThatIsResetStartsItsCurvesAnew() throws {
    let chain = try chain(channels: 2)
    let ones = [Float](repeating: 1, count: 3000)
    let first = try play(chain, [ones, ones])
    try chain.reset()
    #expect(try play(chain, [ones, ones]) == first)
  }

  @Test func aMixedStageFollowsItsCurve() throws {
    let ones = [Float](repeating: 1, count: 3000)
    let output = try play(chain(mix: 0.5), [ones])[0]
    let errors = ones.indices.map { abs(Double(output[$0]) - (1 + Self.wanted($0)) / 2) }
    #expect(errors.max() ?? 1 < 1e-5)
  }
}
