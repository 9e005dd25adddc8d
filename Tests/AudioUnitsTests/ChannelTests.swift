// Channel counts and their wildcards.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import CAudioToolbox
import Testing

@Suite struct ChannelTests {
  /// (capability in, out), counts that fit, counts that do not.
  static let rules: [((Int16, Int16), [(Int, Int)], [(Int, Int)])] = [
    ((2, 2), [(2, 2)], [(1, 1), (2, 1), (0, 0)]),
    ((1, 2), [(1, 2)], [(2, 1), (1, 1)]),
    ((0, 2), [(0, 2)], [(1, 2), (2, 2)]),
    ((-1, -1), [(1, 1), (2, 2), (8, 8)], [(1, 2), (0, 0)]),
    ((-1, -2), [(1, 1), (1, 2), (6, 2)], [(0, 2), (2, 0)]),
    ((-2, -1), [(1, 2), (2, 2)], [(0, 1)]),
    ((-1, 2), [(1, 2), (5, 2)], [(2, 1), (0, 2)]),
    ((1, -1), [(1, 1), (1, 6)], [(2, 2), (1, 0)]),
    ((-8, 2), [(1, 2), (8, 2)], [(9, 2), (0, 2), (8, 1)]),
    ((-4, -16), [(4, 16), (1, 1)], [(5, 16), (4, 17)]),
    ((0, -1), [(0, 1), (0, 6)], [(1, 1), (0, 0)]),
  ]

  @Test(arguments: 0..<rules.count)
  func capabilitiesCoverCounts(index: Int) {
    let (pair, fitting, others) = Self.rules[index]
    let info = AUChannelInfo(inChannels: pair.0, outChannels: pair.1)
    for (inputs, outputs) in fitting {
      #expect(info.allows(inputs: inputs, outputs: outputs), "\(pair) \(inputs) \(outputs)")
    }
    for (inputs, outputs) in others {
      #expect(!info.allows(inputs: inputs, outputs: outputs), "\(pair) \(inputs) \(outputs)")
    }
  }

  @Test func anyOfTheUnitsPairsWillDo() throws {
    let fake = FakeUnit()
    fake.bytes[kAudioUnitProperty_SupportedNumChannels] = [1, 0, 1, 0, 2, 0, 2, 0, 1, 0, 2, 0]
    let unit = try fake.open()
    #expect(unit.channelCapabilities?.count == 3)
    #expect(unit.supports(inputChannels: 1, outputChannels: 2))
    #expect(unit.supports(inputChannels: 2, outputChannels: 2))
    #expect(!unit.supports(inputChannels: 2, outputChannels: 1))
    #expect(!unit.supports(inputChannels: 3, outputChannels: 3))
  }

  @Test func anEffectThatReportsNothingAcceptsEqualCounts() throws {
    let effect = try FakeUnit().open()
    #expect(effect.channelCapabilities == nil)
    #expect(effect.supports(inputChannels: 5, outputChannels: 5))
    #expect(!effect.supports(inputChannels: 1, outputChannels: 2))
    let generator = try FakeUnit().open(type: kAudioUnitType_Generator)
    #expect(generator.supports(inputChannels: 0, outputChannels: 2))
    let fake = FakeUnit()
    fake.bytes[kAudioUnitProperty_ElementCount] = [0, 0, 0, 0]
    let busless = try fake.open(type: kAudioUnitType_MusicDevice)
    #expect(!busless.supports(inputChannels: 2, outputChannels: 0))
  }
}
