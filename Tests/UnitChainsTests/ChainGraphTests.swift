// Chains as graphs: the line stays the line, branches null, side chains come in time.
// SPDX-License-Identifier: Apache-2.0

import AudioGraph
import AudioTypes
import AudioUnits
import TestSupport
import TestUnits
import Testing
import UnitChains

@Suite struct ChainGraphTests {
  private let noise = TestSignal.noise(seed: 31, amplitude: 0.25, frameCount: 3000)

  private func graph(
    _ nodes: [ChainGraph.Node], end: Int? = nil, channels: Int = 1, frames: Int = 128,
    openFile: SideFileOpener? = nil
  ) throws(AuricleError) -> UnitChain {
    try UnitChain(
      ChainGraph(nodes: nodes, outputNode: end ?? nodes.count - 1), sampleRate: 48_000,
      channelCount: channels, maximumFrames: frames, openFile: openFile)
  }

  private static var lines: [[ChainStage]] {
    [
      [], [Stages.gain(2), Stages.gain(0.3)], [Stages.lookAhead(), Stages.gain(0.5)],
      [Stages.lookAhead(mix: 0.4), Stages.gain(0.5)], [Stages.shape(1, 1)], [Stages.shape(2, 2)],
      [Stages.shape(1, 2), Stages.lookAhead(mix: 0.25)], [Stages.shape(2, 1)],
      [Stages.shape(0, 2)], [Stages.shape(4, 2), Stages.gain(1.5)],
      [ChainStage(label: "out", isBypassed: true, makeUnit: TestUnits.broken)],
      [ChainStage(label: "dry", mix: 0, makeUnit: TestUnits.broken), Stages.gain(0.7)],
    ]
  }

  @Test(arguments: 0..<12, [1, 2, 3, 6])
  func aLineIsTheSameAsItsStagesOneAfterAnother(line: Int, channels: Int) throws {
    let stages = Self.lines[line]
    let singles = try stages.map { stage in
      try UnitChain(
        stages: [stage], sampleRate: 48_000, channelCount: channels, maximumFrames: 100)
    }
    let chain = try UnitChain(
      ChainGraph(stages: stages), sampleRate: 48_000, channelCount: channels,
      maximumFrames: 100)
    let signals = (0..<channels).map { TestSignal.noise(seed: UInt64($0), frameCount: 1230) }
    func expectSame(slice: Int?) throws {
      let expected = try singles.reduce(signals) { try play($1, $0, slice: slice) }
      #expect(try play(chain, signals, slice: slice) == expected)
    }
    try expectSame(slice: nil)
    #expect(chain.latencyFrames == singles.reduce(0) { $0 + $1.latencyFrames })
    #expect(chain.tailSeconds == singles.reduce(0) { $0 + ($1.tailSeconds ?? .nan) })
    #expect(chain.notes == singles.flatMap(\.notes))
    #expect(chain.isEmpty == singles.allSatisfy(\.isEmpty))
    try chain.reset()
    for single in singles { try single.reset() }
    try expectSame(slice: 33)
  }

  @Test(
    "a chain's own memory has the samples that it copies, also where a slice is rendered in parts",
    arguments: [1, 2], [0, 1, 2, 3])
  func memoryOfTheChain(channels: Int, line: Int) throws {
    var curved = Stages.gain(1)
    // So many points that a slice is more than one part.
    curved.curves = [
      ParameterCurve(
        parameter: 0,
        points: (0..<1500).map {
          ParameterCurve.Point(frame: $0 * 2, value: Float($0 % 7) / 7, shape: .step)
        })
    ]
    let stages = [[], [Stages.gain(2)], [Stages.shape(2, 2), Stages.lookAhead()], [curved]][line]
    func make() throws -> UnitChain {
      try UnitChain(
        ChainGraph(stages: stages), sampleRate: 48_000, channelCount: channels,
        maximumFrames: 1500)
    }
    let signals = (0..<channels).map { TestSignal.noise(seed: UInt64($0), frameCount: 3000) }
    let copied = try play(make(), signals)
    let chain = try make()
    let input = AudioBuffers(channelCount: channels, frameCapacity: 1500)
    for start in [0, 1500] {
      for channel in 0..<channels {
        for frame in 0..<1500 {
          unsafe input.channel(channel)[frame] = signals[channel][start + frame]
        }
      }
      let ins = unsafe (0..<channels).map { unsafe input.channel($0) }
      let made = try unsafe chain.render(input: ins, frameCount: 1500)
      for channel in 0..<channels {
        let samples = unsafe Array(UnsafeBufferPointer(start: made[channel], count: 1500))
        #expect(samples == Array(copied[channel][start..<start + 1500]))
        // It may be changed: the chain is not affected.
        for frame in 0..<1500 { unsafe made[channel][frame] = 9 }
      }
    }
  }

  @Test func failuresNameTheStageAndThePlace() throws {
    let broken = ChainStage(label: "unit 2 (broken)", makeUnit: TestUnits.broken)
    let mixed = ChainStage(label: "unit 3 (mixed)", mix: 0.5, makeUnit: TestUnits.broken)
    let silence = TestSignal.silence(frameCount: 200)
    let loud = TestSignal.impulse(at: 100, frameCount: 200)
    for (label, stages) in [
      ("unit 2", [Stages.gain(1), broken]), ("unit 3", [Stages.gain(1), mixed]),
      ("unit 2", [broken, mixed]),
    ] {
      let chain = try UnitChain(
        ChainGraph(stages: stages), sampleRate: 48_000, channelCount: 2, maximumFrames: 64)
      let error = #expect(throws: AuricleError.self) { try play(chain, [silence, loud]) }
      #expect(error?.category == .someFilesFailed)
      #expect(error?.message.hasPrefix(label) == true)
      #expect(error?.message.contains("frame 100, channel 2") == true)
    }
    var signal = silence
    signal[7] = .infinity
    let chain = try UnitChain(
      ChainGraph(stages: [Stages.gain(1)]), sampleRate: 48_000, channelCount: 1,
      maximumFrames: 64)
    let error = #expect(throws: AuricleError.self) { try play(chain, [signal]) }
    #expect(error?.category == .badData && error?.message.hasPrefix("the input has") == true)
    let gone = ChainStage(label: "unit 1 (gone)") { () throws(AuricleError) in
      throw AuricleError(.unavailable, "it is not there")
    }
    let missing = #expect(throws: AuricleError.self) {
      try UnitChain(
        ChainGraph(stages: [gone]), sampleRate: 48_000, channelCount: 2, maximumFrames: 64)
    }
    #expect(missing?.message == "unit 1 (gone): it is not there")
  }

  @Test func twoDryBranchesOfHalfGainAreTheInput() throws {
    let chain = try graph([
      .input, .same(source: 0), .same(source: 0),
      .sum(
        label: "sum", branches: [.init(node: 1, gain: 0.5), .init(node: 2, gain: 0.5)]),
    ])
    #expect(try play(chain, [noise]) == [noise])
    #expect(chain.latencyFrames == 0 && chain.tailSeconds == 0 && !chain.isEmpty)
  }

  @Test func branchesOfDifferentLatencyMeetInTime() throws {
    let chain = try graph([
      .input, .stage(Stages.lookAhead(), source: 0, sideChains: []),
      .stage(Stages.gain(-1 + 2), source: 1, sideChains: []),
      .sum(
        label: "sum",
        branches: [.init(node: 0, gain: 0.5), .init(node: 1, gain: -0.5), .init(node: 2)]),
    ])
    let output = try play(chain, [noise])[0]
    #expect(chain.latencyFrames == 240 && chain.tailSeconds == 0.25)
    // Dry and delayed cancel; the rest is the third branch.
    #expect(decibels(rootMeanSquare(zip(output, delayed(noise, by: 240)).map { $0 - $1 })) < -140)
  }

  @Test func alignmentFollowsALatencyThatChanges() throws {
    var unit: AudioUnit?
    let stage = ChainStage(label: "delay") { () throws(AuricleError) in
      let made = try TestUnits.movableDelay()
      unit = made
      return made
    }
    let chain = try graph([
      .input, .stage(stage, source: 0, sideChains: []),
      .sum(label: "sum", branches: [.init(node: 0, gain: 0.5), .init(node: 1, gain: 0.5)]),
    ])
    let signal = (0..<24_000).map { Float(0.25) * Float(($0 * 37) % 101) / 101 }
    let before = try play(chain, [signal])[0]
    #expect(before == signal)
    try unit?.setParameter(0, 300)
    let after = try play(chain, [signal])[0]
    #expect(chain.latencyFrames == 300)
    let (late, steady) = (delayed(signal, by: 300), 12_000)
    #expect(
      maximumDifference(Array(after[steady...]), Array(late[steady...])) < 1e-6)
  }

  @Test func panIsABalance() throws {
    let chain = try graph(
      [
        .input,
        .sum(label: "sum", branches: [.init(node: 0, pan: -1), .init(node: 0, pan: 0.5)]),
      ], channels: 2)
    let output = try play(chain, [noise, noise])
    #expect(maximumDifference(output[0], noise.map { $0 * 1.7071068 }) < 1e-6)
    #expect(output[1] == noise)
    let mono = try graph([
      .input, .sum(label: "sum", branches: [.init(node: 0, pan: -1), .init(node: 0)]),
    ])
    #expect(mono.notes == ["sum: pan needs two channels and is without effect on 1"])
  }

  @Test func aSideChainComesFromTheInputAStageOrABranch() throws {
    // 240 frames late through the stage before it: the key is delayed as much.
    let chain = try graph([
      .input, .stage(Stages.lookAhead(), source: 0, sideChains: []),
      .stage(
        Stages.key(), source: 1,
        sideChains: [.init(bus: 1, source: .node(.init(node: 0)), gain: 0.5)]),
    ])
    #expect(try play(chain, [noise])[0] == delayed(noise.map { $0 * 0.5 }, by: 240))
    // From a stage behind it in another branch.
    let across = try graph(
      [
        .input,
        .stage(
          Stages.key(), source: 0, sideChains: [.init(bus: 1, source: .node(.init(node: 2)))]),
        .stage(Stages.gain(3), source: 0, sideChains: []),
        .sum(label: "sum", branches: [.init(node: 1), .init(node: 2, gain: 0.5)]),
      ], channels: 2)
    let output = try play(across, [noise, noise.map { -$0 }])
    #expect(maximumDifference(output[0], noise.map { $0 * 4.5 }) < 1e-6)
    #expect(maximumDifference(output[1], noise.map { $0 * -4.5 }) < 1e-6)
  }

  @Test(arguments: [1, 2, 5])
  func aMixedStageHasItsSideChainToo(channels: Int) throws {
    let chain = try graph(
      [
        .input, .stage(Stages.gain(4), source: 0, sideChains: []),
        .stage(
          Stages.key(mix: 0.5), source: 0,
          sideChains: [.init(bus: 1, source: .node(.init(node: 1)))]),
      ], channels: channels)
    let signals = (0..<channels).map { TestSignal.noise(seed: UInt64($0), frameCount: 500) }
    let output = try play(chain, signals)
    for channel in signals.indices {
      // The unit's side chain has two channels at most; others get the mean or the same ones again.
      let expected = signals[channels > 2 ? channel % 2 : channel].map { $0 * 4 }
      let mixed = zip(signals[channel], expected).map { ($0 + $1) / 2 }
      #expect(maximumDifference(output[channel], mixed) < 1e-6, "\(channel)")
    }
  }

  @Test func aSideChainFromAFileEndsInSilenceOrStartsAgain() throws {
    let file: [Float] = (0..<300).map { Float($0 + 1) / 1024 }
    for loops in [false, true] {
      let chain = try graph(
        [
          .input,
          .stage(
            Stages.key(), source: 0,
            sideChains: [.init(bus: 1, source: .file("/a/bed.wav", loops: loops), gain: 2)]),
        ], channels: 2
      ) { (_, _, channels) throws(AuricleError) in
        (ListedFile(file, channelCount: channels), "adapted")
      }
      #expect(chain.notes == ["key: adapted"])
      let input = [[Float]](repeating: TestSignal.silence(frameCount: 800), count: 2)
      let expected = (0..<800).map { frame -> Float in
        frame < 300 || loops ? file[frame % 300] * 2 : 0
      }
      #expect(try play(chain, input) == [expected, expected])
      try chain.reset()
      #expect(try play(chain, input, slice: 77) == [expected, expected])
    }
    let empty = try graph(
      [
        .input,
        .stage(
          Stages.key(), source: 0, sideChains: [.init(bus: 1, source: .file("e", loops: true))]),
      ]
    ) { (_, _, channels) throws(AuricleError) in (ListedFile([], channelCount: channels), nil) }
    let error = #expect(throws: AuricleError.self) { try play(empty, [noise]) }
    #expect(error?.message == "e has no sound in it: 0 frames to repeat")
  }

  @Test(arguments: [1, 2])
  func aTappedSumKeepsItsBranchesAsTheyMeet(branches: Int) throws {
    var layout = ChainGraph(
      nodes: [
        .input, .stage(Stages.lookAhead(), source: 0, sideChains: []),
        .stage(Stages.gain(3), source: 0, sideChains: []),
        .sum(label: "sum", branches: [.init(node: 1), .init(node: 2)].suffix(branches)),
        .stage(Stages.lookAhead(), source: 3, sideChains: []),
      ], outputNode: 4)
    layout.tappedSum = 3
    let chain = try UnitChain(layout, sampleRate: 48_000, channelCount: 1, maximumFrames: 100)
    let late = branches == 2 ? 240 : 0
    #expect(chain.tapLatencyFrames == late && chain.latencyFrames == late + 240)
    var kept = [[Float]](repeating: [], count: branches)
    var output: [Float] = []
    for start in stride(from: 0, to: 3000, by: 100) {
      output += try play(chain, [Array(noise[start..<start + 100])])[0]
      let rows = try #require(chain.tap)
      for branch in kept.indices {
        unsafe kept[branch] += unsafe UnsafeBufferPointer(start: rows.rows[branch], count: 100)
      }
    }
    let expected = [delayed(noise, by: late), delayed(noise.map { $0 * 3 }, by: late)]
    #expect(kept == expected.suffix(branches))
    let sum = kept.dropFirst().reduce(kept[0]) { sum, branch in zip(sum, branch).map(+) }
    #expect(output == delayed(sum, by: 240))
  }

  @Test func theGraphShowsWhatRenders() throws {
    let chain = try graph([
      .input, .stage(Stages.lookAhead(), source: 0, sideChains: []),
      .sum(label: "sum", branches: [.init(node: 0), .init(node: 1)]),
    ])
    let text = chain.graph.description
    for codes in ["'aufc' 'mspl' 'Auri'", "'aumx' 'mcmx' 'Auri'", "'auou' 'genr' 'Auri'"] {
      #expect(text.contains(codes), "\(text)")
    }
    #expect(chain.graph.dot.contains("delayed by 240"), "\(chain.graph.dot)")
    #expect(chain.graph.nodeCount == 4)
  }

  @Test func unitsAreClosedWithTheirChain() throws {
    final class Seen {
      weak var unit: AudioUnit?
    }
    // A stage that is a node as it is, and one with its own channels.
    for stage in [Stages.gain(2), Stages.shape(2, 2)] {
      var seen: [Seen] = []
      var watched = stage
      watched.makeUnit = { () throws(AuricleError) in
        let unit = try stage.makeUnit()
        let entry = Seen()
        entry.unit = unit
        seen.append(entry)
        return unit
      }
      var chain: UnitChain? = try graph([
        .input, .stage(watched, source: 0, sideChains: []),
        .stage(watched, source: 1, sideChains: []),
      ])
      if let chain { _ = try play(chain, [noise]) }
      #expect(seen.count == 2 && seen.allSatisfy { $0.unit != nil })
      chain = nil
      #expect(seen.allSatisfy { $0.unit == nil })
    }
  }
}
