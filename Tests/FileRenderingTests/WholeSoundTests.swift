// Offline units in chains: they see the whole sound, in its place in the chain, before anything is written.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import FileRendering
import FileTestSupport
import ResultSettings
import TestSupport
import TestUnits
import Testing
import UnitChains

@Suite("Offline units in files") struct WholeSoundTests {
  let bench: SignalBench

  init() throws { bench = try SignalBench() }

  /// Brings the peak of the whole sound to 1.
  private func normalizer(mix: Float = 1) -> ChainStage {
    ChainStage(label: "normalizer", mix: mix, makeUnit: TestUnits.normalizer)
  }

  private func gain(_ value: Float) -> ChainStage {
    ChainStage(
      label: "gain", makeUnit: { () throws(AuricleError) in try TestUnits.gain() },
      configure: { unit throws(AuricleError) in try unit.setParameter(0, value) })
  }

  private let lookAhead = ChainStage(label: "look-ahead", makeUnit: TestUnits.lookAhead)

  /// Noise whose highest sample is far from its start.
  private func sound(_ frameCount: Int = 20_000) -> [Float] {
    var noise = TestSignal.noise(seed: 44, amplitude: 0.2, frameCount: frameCount)
    noise[frameCount - 100] = 0.25
    return noise
  }

  @Test("The peak at the end sets the gain of the start")
  func peak() throws {
    let input = sound()
    let (result, output) = try bench.process(Sound([input]), units: [normalizer()]) { _ in }
    #expect(output.channels == [input.map { $0 * 4 }])
    #expect(result.inputFrameCount == input.count)
    #expect(result.tailFrameCount == 0)
  }

  @Test("Units before and behind it stay where they are, aligned")
  func chain() throws {
    let input = sound()
    let (_, output) = try bench.process(
      Sound([input, input]), units: [lookAhead, normalizer(), lookAhead, gain(0.5)]
    ) { $0.tail = .keepLength }
    #expect(output.channels == [[Float]](repeating: input.map { $0 * 4 * 0.5 }, count: 2))
    let (_, twice) = try bench.process(
      Sound([input]), units: [normalizer(), gain(0.5), normalizer()]
    ) { _ in }
    #expect(twice.channels == [input.map { $0 * 4 }])
  }

  @Test("A mix adds the input of the same frames")
  func mix() throws {
    let input = sound()
    let (_, output) = try bench.process(Sound([input]), units: [normalizer(mix: 0.5)]) { _ in }
    #expect(maximumDifference(output.channels[0], input.map { $0 * 2.5 }) < 1e-6)
  }

  @Test("A range, a level and a tail hold as for other units")
  func settings() throws {
    let input = sound(48_000)
    let (_, output) = try bench.process(Sound([input]), units: [normalizer()]) {
      $0.start = TimePosition(text: "0.5")
      $0.tail = .seconds(0.25)
      $0.deliverables[0].truePeak = -6
    }
    #expect(output.frameCount == 24_000 + 12_000)
    #expect(abs(output.channels[0].truePeakDecibels + 6) < 0.2)
    #expect(output.channels[0].suffix(12_000).allSatisfy { $0 == 0 })
  }

  @Test("Sounds that share a file do not meet in it")
  func lanes() throws {
    let folder = try TemporaryFolder("auricle-spool")
    let path = try folder.write("", to: "spool")
    let file = try #require(FileBench.openForUpdate(path))
    defer { FileBench.close(file) }
    // More than stays in memory.
    let (channels, frames) = (64, 70_000)
    let spools = (0..<3).map {
      SoundSpool(channelCount: channels, path: path, file: file, lane: $0, of: 3)
    }
    let rows = PlanarBuffer(channelCount: channels, frameCapacity: frames)
    for (number, spool) in spools.enumerated() {
      for frame in 0..<frames { unsafe rows.rows[63][frame] = Float(frame + number) }
      try unsafe spool.append(rows.rows, frames)
    }
    for (number, spool) in spools.enumerated() {
      #expect(spool.frameCount == frames)
      try unsafe spool.read(from: 4000, into: UnsafePointer(rows.rows), frameCount: 200)
      for frame in 0..<200 {
        #expect(unsafe rows.rows[63][frame] == Float(4000 + frame + number))
      }
    }
  }
}
