// The behaviour of a chain of units: order, channels, mix, latency, errors.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import TestSupport
import TestUnits
import Testing
import UnitChains

@Suite struct UnitChainTests {
  @Test func unitsFollowOneAnother() throws {
    let chain = try UnitChain(
      stages: [gain(2), gain(0.25)], sampleRate: 48_000, channelCount: 2, maximumFrames: 64)
    let noise = TestSignal.noise(seed: 1, frameCount: 500)
    let output = try play(chain, [noise, noise.map { -$0 }])
    #expect(maximumDifference(output[0], noise.map { $0 * 0.5 }) == 0)
    #expect(maximumDifference(output[1], noise.map { $0 * -0.5 }) == 0)
    #expect(chain.notes.isEmpty)
  }

  @Test func anEmptyOrBypassedChainCopies() throws {
    let noise = TestSignal.noise(seed: 2, frameCount: 300)
    for stages in [[], [ChainStage(label: "x", isBypassed: true, makeUnit: TestUnits.broken)]] {
      let chain = try UnitChain(
        stages: stages, sampleRate: 48_000, channelCount: 1, maximumFrames: 128)
      #expect(try play(chain, [noise]) == [noise])
      #expect(chain.tailSeconds == 0)
    }
  }

  @Test func aMonoUnitGetsAnInstanceForEachChannel() throws {
    let stage = ChainStage(label: "mono") { () throws(AuricleError) in try TestUnits.shape(1, 1) }
    let chain = try UnitChain(
      stages: [stage], sampleRate: 48_000, channelCount: 3, maximumFrames: 128)
    let signals = (0..<3).map { TestSignal.noise(seed: UInt64($0), frameCount: 200) }
    #expect(try play(chain, signals) == signals)
    #expect(chain.notes == ["mono takes mono only: 3 instances, one a channel"])
  }

  @Test func aStereoUnitReceivesAMonoFileTwiceAndIsAveraged() throws {
    let stage = ChainStage(label: "stereo") { () throws(AuricleError) in try TestUnits.shape(2, 2) }
    let chain = try UnitChain(
      stages: [stage], sampleRate: 48_000, channelCount: 1, maximumFrames: 128)
    let noise = TestSignal.noise(seed: 3, frameCount: 200)
    // Outputs are input × 1 and input × 2; their mean is × 1.5.
    #expect(maximumDifference(try play(chain, [noise])[0], noise.map { $0 * 1.5 }) < 1e-7)
    #expect(chain.notes.count == 1)
  }

  @Test(arguments: [(1, 2, 1), (1, 2, 2), (2, 1, 2), (4, 2, 2), (0, 2, 2), (2, 2, 5), (2, 1, 1)])
  func everyShapeOfUnitReturnsAsManyChannelsAsItGot(
    _ inputs: Int, _ outputs: Int, _ channels: Int
  ) throws {
    let stage = ChainStage(label: "shape") { () throws(AuricleError) in
      try TestUnits.shape(inputs, outputs)
    }
    let chain = try UnitChain(
      stages: [stage], sampleRate: 48_000, channelCount: channels, maximumFrames: 128)
    let signals = (0..<channels).map { TestSignal.noise(seed: UInt64($0), frameCount: 200) }
    let output = try play(chain, signals)
    #expect(output.count == channels)
    #expect(output.allSatisfy { $0.count == 200 && peak($0) > 0 })
    #expect(chain.notes.count == 1)
  }

  @Test func aUnitOfManyOutputsKeepsItsFirst() throws {
    let stage = ChainStage(label: "many") { () throws(AuricleError) in
      try TestUnits.shape(2, 96)
    }
    for channels in [1, 2] {
      let chain = try UnitChain(
        stages: [stage], sampleRate: 48_000, channelCount: channels, maximumFrames: 128)
      let signals = (0..<channels).map { TestSignal.noise(seed: UInt64($0), frameCount: 200) }
      let output = try play(chain, signals)
      let expected = channels == 1 ? signals[0].map { $0 * 1.5 } : signals[0]
      #expect(maximumDifference(output[0], expected) < 1e-6)
      #expect(chain.notes.count == 1)
    }
  }

  @Test func latencyIsReportedAndTheDrySignalIsAlignedWithIt() throws {
    let stage = ChainStage(label: "look-ahead", mix: 0.5, makeUnit: TestUnits.lookAhead)
    let chain = try UnitChain(
      stages: [stage], sampleRate: 48_000, channelCount: 1, maximumFrames: 100)
    let output = try play(chain, [TestSignal.impulse(at: 10, frameCount: 1000)])[0]
    #expect(chain.latencyFrames == 240)
    #expect(chain.tailSeconds == 0.25)
    // Dry and wet halves meet again at one frame.
    #expect(output[250] == 1)
    #expect(output.filter { $0 != 0 }.count == 1)
  }

  @Test(arguments: [1e18, 1e300, .infinity, .nan, -1] as [Double])
  func aLatencyThatCannotBeTrueEndsNoProcess(_ frames: Double) throws {
    for mix in [Float(1), 0.5] {
      let stage = ChainStage(label: "boasting", mix: mix) { () throws(AuricleError) in
        try TestUnits.boasting(latencyFrames: frames)
      }
      let chain = try UnitChain(
        stages: [stage, stage], sampleRate: 48_000, channelCount: 1, maximumFrames: 64)
      let isGood = !(frames > 0 && frames.isFinite)
      if isGood || mix == 1 {
        _ = try play(chain, [TestSignal.silence(frameCount: 64)])
      } else {
        #expect(throws: AuricleError.self) { try play(chain, [TestSignal.silence(frameCount: 64)]) }
      }
      #expect(isGood ? chain.latencyFrames == 0 : chain.latencyFrames >= 1 << 40)
    }
  }

  @Test func aValueThatIsNotFiniteNamesItsUnitAndPlace() throws {
    let broken = ChainStage(label: "unit 2 (broken)", makeUnit: TestUnits.broken)
    let chain = try UnitChain(
      stages: [gain(1), broken], sampleRate: 48_000, channelCount: 2, maximumFrames: 64)
    let loud = TestSignal.impulse(at: 100, frameCount: 200)
    let error = #expect(throws: AuricleError.self) {
      try play(chain, [TestSignal.silence(frameCount: 200), loud])
    }
    #expect(error?.message.contains("unit 2 (broken)") == true)
    #expect(error?.message.contains("frame 100, channel 2") == true)
  }

  @Test func anInputThatIsNotFiniteIsTheInputsFault() throws {
    let chain = try UnitChain(
      stages: [gain(1)], sampleRate: 48_000, channelCount: 1, maximumFrames: 64)
    var signal = TestSignal.silence(frameCount: 64)
    signal[7] = .infinity
    let error = #expect(throws: AuricleError.self) { try play(chain, [signal]) }
    #expect(error?.category == .badData)
    #expect(error?.message.contains("the input") == true)
  }

  @Test func aUnitThatCannotOpenSaysWhichStageItIs() {
    let stage = ChainStage(label: "unit 1 (gone)") { () throws(AuricleError) in
      throw AuricleError(.unavailable, "it is not there")
    }
    let error = #expect(throws: AuricleError.self) {
      try UnitChain(stages: [stage], sampleRate: 48_000, channelCount: 2, maximumFrames: 64)
    }
    #expect(error?.category == .unavailable)
    #expect(error?.message == "unit 1 (gone): it is not there")
  }

  @Test func resetForgetsThePast() throws {
    let stage = ChainStage(label: "look-ahead", mix: 0.5, makeUnit: TestUnits.lookAhead)
    let chain = try UnitChain(
      stages: [stage], sampleRate: 48_000, channelCount: 1, maximumFrames: 100)
    let noise = TestSignal.noise(seed: 5, frameCount: 700)
    let first = try play(chain, [noise])
    try chain.reset()
    #expect(try play(chain, [noise]) == first)
  }

  private func gain(_ value: Float) -> ChainStage {
    ChainStage(
      label: "gain",
      makeUnit: { () throws(AuricleError) in try TestUnits.gain() },
      configure: { unit throws(AuricleError) in try unit.setParameter(0, value) })
  }
}
