// Offline units in graphs: beside other branches, and where sound comes piece by piece.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import TestSupport
import TestUnits
import Testing
import UnitChains

/// A sound in arrays.
private final class ListedSound: SoundStore {
  var channels: [[Float]] = [[]]
  var frameCount: Int { channels[0].count }

  func append(
    _ rows: UnsafeMutablePointer<UnsafeMutablePointer<Float>>, _ count: Int
  ) throws(AuricleError) {
    unsafe channels[0] += unsafe UnsafeBufferPointer(start: rows[0], count: count)
  }

  func read(
    from frame: Int, into rows: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int
  ) throws(AuricleError) {
    for index in 0..<frameCount { unsafe rows[0][index] = channels[0][frame + index] }
  }

  func removeAll() { channels = [[]] }
}

@Suite("Offline units in graphs") struct WholeSoundTests {
  private let normalizer = ChainStage(label: "normalizer", makeUnit: TestUnits.normalizer)

  private func chain(_ nodes: [ChainGraph.Node]) throws -> UnitChain {
    try UnitChain(
      ChainGraph(nodes: nodes, outputNode: nodes.count - 1), sampleRate: 48_000, channelCount: 1,
      maximumFrames: 256)
  }

  private func prepare(_ chain: UnitChain, _ input: [Float]) throws {
    try chain.prepareWholeSounds(makeStore: { () throws(AuricleError) in ListedSound() }) {
      (part, store) throws(AuricleError) in
      do {
        var made = try play(part, [input])[0]
        try unsafe made.withUnsafeMutableBufferPointer { buffer in
          guard var base = buffer.baseAddress else { return }
          try unsafe store.append(&base, buffer.count)
        }
      } catch { throw error as? AuricleError ?? AuricleError(.software, "\(error)") }
      return input.count
    }
  }

  @Test("A branch of an offline unit is aligned with the others")
  func branches() throws {
    let chain = try chain([
      .input, .stage(Stages.gain(0.5), source: 0, sideChains: []),
      .stage(normalizer, source: 1, sideChains: []),
      .stage(Stages.lookAhead(), source: 0, sideChains: []),
      .sum(label: "sum", branches: [.init(node: 2), .init(node: 3)]),
    ])
    let input = TestSignal.noise(seed: 3, amplitude: 0.25, frameCount: 3000)
    try prepare(chain, input)
    #expect(chain.wholeFrameCount == 3000)
    let top = peak(input.map { $0 * 0.5 })
    let expected = input.map { $0 * 0.5 * (1 / top) + $0 }
    let late = chain.latencyFrames
    let output = try play(chain, [input + [Float](repeating: 0, count: late)])[0]
    #expect(maximumDifference(Array(output.dropFirst(late)), expected) < 1e-6)
    #expect(chain.stages.map(\.label) == ["gain", "normalizer", "look-ahead"])
  }

  @Test("Without the whole sound the chain is refused by the name of the unit")
  func stream() throws {
    let chain = try chain([.input, .stage(normalizer, source: 0, sideChains: [])])
    #expect(chain.worksOnWholeSounds)
    #expect(chain.wholeSoundCount == 2)
    for work in [{ try chain.refuseWholeSounds() }, { _ = try play(chain, [[0, 0]]) }] {
      let error = #expect(throws: AuricleError.self) { try work() }
      #expect(error?.category == .unavailable)
      #expect(error?.message.hasPrefix("normalizer works on a whole sound") == true)
    }
    #expect(throws: Never.self) {
      try UnitChain(
        stages: [Stages.gain(1)], sampleRate: 48_000, channelCount: 1, maximumFrames: 64
      ).refuseWholeSounds()
    }
  }

  @Test("A bypassed offline unit is passed by")
  func bypass() throws {
    var stage = normalizer
    stage.isBypassed = true
    let chain = try chain([.input, .stage(stage, source: 0, sideChains: [])])
    #expect(!chain.worksOnWholeSounds)
    #expect(try play(chain, [[0.5, 0.25]]) == [[0.5, 0.25]])
  }
}
