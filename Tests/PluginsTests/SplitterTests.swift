// The splitters and the merger.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import CAudioToolbox
import TestSupport
import Testing

@Suite("Splitters and merger")
struct SplitterTests {
  private func noise(_ seed: UInt64, _ count: Int = 2048) -> [Float] {
    TestSignal.noise(seed: seed, amplitude: 0.3, frameCount: count)
  }

  @Test(
    "every output is the input, bit for bit, pulled once a sample time",
    arguments: [("aufc:splt:appl", 2), ("aufc:mspl:appl", 5), ("aufc:mspl:appl", 1)])
  func split(_ name: String, _ outputs: Int) throws {
    for channels in [1, 2, 8] {
      let rig = try MultiBusRig(
        name, inputs: [channels], outputs: Array(repeating: channels, count: outputs))
      rig.feeds[0].channels = (0..<channels).map { noise(UInt64($0 + 1)) }
      var position = 0
      for (turn, count) in [100, 1, 512, 64].enumerated() {
        for bus in 0..<outputs {
          let order = turn & 1 == 0 ? bus : outputs - 1 - bus
          let out = try rig.slice(count, bus: order, isSameTime: bus > 0)
          let wanted = rig.feeds[0].channels.map { Array($0[position..<(position + count)]) }
          #expect(out == wanted)
        }
        position += count
      }
      #expect(rig.feeds[0].pulls.count == 4)
    }
  }

  @Test("outputs of other channels than the input are refused")
  func channels() throws {
    #expect(throws: AuricleError.self) {
      try MultiBusRig("aufc:splt:appl", inputs: [2], outputs: [2, 1])
    }
  }

  @Test("a fixed splitter keeps its two outputs")
  func fixed() throws {
    let unit = try Shipped.open(name: "aufc:splt:appl")
    #expect(throws: AuricleError.self) {
      try unit.setProperty(
        kAudioUnitProperty_ElementCount, scope: kAudioUnitScope_Output, UInt32(3))
    }
  }

  @Test("two mono inputs become left and right; equal counts are added")
  func merge() throws {
    let rig = try MultiBusRig("aufc:merg:appl", inputs: [1, 1], outputs: [2])
    rig.feeds[0].channels = [noise(1)]
    rig.feeds[1].channels = [noise(2)]
    #expect(try rig.render(2048) == [noise(1), noise(2)])
    let wide = try MultiBusRig("aufc:merg:appl", inputs: [2, 3], outputs: [5])
    wide.feeds[0].channels = [noise(1), noise(2)]
    wide.feeds[1].channels = [noise(3), noise(4), noise(5)]
    #expect(try wide.render(2048) == (1...5).map { noise($0) })
    let sum = try MultiBusRig("aufc:merg:appl", inputs: [2, 2], outputs: [2])
    sum.feeds[0].channels = [noise(1), noise(2)]
    sum.feeds[1].channels = [noise(3), noise(4)]
    let wanted = zip(noise(1), noise(3)).map { $0 + $1 }
    #expect(try sum.render(2048)[0] == wanted)
    #expect(throws: AuricleError.self) {
      try MultiBusRig("aufc:merg:appl", inputs: [2, 2], outputs: [3])
    }
  }

  @Test("an input without a source is silence, and reported as such")
  func silence() throws {
    let rig = try MultiBusRig("aufc:merg:appl", inputs: [1, 1], outputs: [2])
    rig.feeds[0].channels = [noise(1)]
    unsafe try rig.unit.setInputCallback(element: 1, nil, refCon: nil)
    let out = try rig.render(512)
    #expect(out[0] == Array(noise(1).prefix(512)) && out[1].allSatisfy { $0 == 0 })
    rig.feeds[0].isSilent = true
    _ = try rig.slice(64)
    #expect(rig.flags & kAudioUnitRenderAction_OutputIsSilence != 0)
  }
}
