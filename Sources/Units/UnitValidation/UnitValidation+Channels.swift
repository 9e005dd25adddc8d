// Numbers of channels: what a unit says that it can do, it does.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import CAudioToolbox

extension UnitValidation {
  /// Pairs of channels that the unit names can be set, initialised and rendered, and others cannot.
  mutating func checkChannels() {
    checkLayouts()
    guard isEffect, unit.busCount(scope: kAudioUnitScope_Input) > 0 else { return }
    let source = ValidationSource()
    source.most = 256
    feed(source)
    defer { withExtendedLifetime(source) {} }
    let before = [kAudioUnitScope_Input, kAudioUnitScope_Output].map {
      try? unit.streamFormat(scope: $0)
    }
    for pair in unit.channelCapabilities ?? []
    where (1...64).contains(pair.inChannels) && (1...64).contains(pair.outChannels) {
      let text = "\(pair.inChannels) to \(pair.outChannels) channels"
      do throws(AuricleError) {
        try initialize(Int(pair.inChannels), Int(pair.outChannels))
        let (status, isFinite) = render(256, at: 0)
        expect(status == 0, "channels", "\(text), which it can do, give the error \(status)")
        expect(isFinite, "channels", "\(text) give samples that are no finite numbers")
        try unit.uninitialize()
      } catch {
        fault("channels", "it says that it can do \(text), and cannot: \(error.message)")
      }
    }
    for (input, output) in Self.usual
    where !unit.supports(inputChannels: input, outputChannels: output) {
      do throws(AuricleError) {
        try initialize(input, output)
        try unit.uninitialize()
        advise(
          false, "channels",
          "it can be initialised for \(input) to \(output) channels, which it "
            + "does not say that it can do")
      } catch {
        continue
      }
    }
    for (scope, format) in zip([kAudioUnitScope_Input, kAudioUnitScope_Output], before) {
      if let format { try? unit.setStreamFormat(format, scope: scope) }
    }
  }

  /// The pairs of channels that hosts try.
  private static let usual = [
    (1, 1), (1, 2), (1, 4), (1, 5), (1, 6), (1, 7), (1, 8), (2, 2), (2, 4), (2, 5), (2, 6), (2, 7),
    (2, 8), (4, 4), (4, 5), (5, 5), (6, 6), (7, 7), (8, 8),
  ]

  /// Sets both formats to numbers of channels, and initialises the unit.
  private func initialize(_ inputCount: Int, _ outputCount: Int) throws(AuricleError) {
    for (scope, count) in [
      (kAudioUnitScope_Input, inputCount), (kAudioUnitScope_Output, outputCount),
    ] {
      try unit.setStreamFormat(
        AudioStreamFormat(sampleRate: 44_100, channelCount: count), scope: scope)
    }
    try unit.initialize()
  }

  /// A layout has as many channels as the bus; a source of many channels says what they are.
  private mutating func checkLayouts() {
    for scope in [kAudioUnitScope_Input, kAudioUnitScope_Output] {
      guard let format = try? unit.streamFormat(scope: scope) else { continue }
      // Tags of bitmaps, descriptions and orders of any length hold no number of channels.
      if let tag = unit.channelLayoutTag(scope: scope)?.rawValue, tag & 0xFFFF != 0 {
        expect(
          tag & 0xFFFF == format.channelCount, "channels",
          "the layout of scope \(scope) has \(tag & 0xFFFF) channels, and its format "
            + "\(format.channelCount)")
      }
    }
    guard type == kAudioUnitType_MusicDevice || type == kAudioUnitType_Generator else { return }
    let greatest = unit.channelCapabilities?.map(\.outChannels).max() ?? 0
    advise(
      greatest <= 2 || !unit.supportedChannelLayoutTags(scope: kAudioUnitScope_Output).isEmpty,
      "channels", "it has up to \(greatest) channels, and does not tell their layout")
  }
}
