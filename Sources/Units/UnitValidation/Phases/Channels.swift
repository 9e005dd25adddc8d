// Numbers of channels: a unit supports all that it declares.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import CAudioToolbox

extension UnitValidation {
  /// Pairs of channels that the unit names can be set, initialised and rendered, and others cannot.
  func checkChannels() {
    checkLayouts()
    guard isEffect || type == kAudioUnitType_OfflineEffect, isFed else { return }
    for pair in unit.channelCapabilities ?? []
    where (1...64).contains(pair.inChannels) && (1...64).contains(pair.outChannels) {
      checkPair(Int(pair.inChannels), Int(pair.outChannels))
    }
    for (input, output) in Self.usual {
      let isClaimed = unit.supports(inputChannels: input, outputChannels: output)
      if isClaimed, unit.channelCapabilities == nil { continue }
      let isExact = unit.channelCapabilities?.contains {
        ($0.inChannels, $0.outChannels) == (Int16(input), Int16(output))
      }
      if isExact == true { continue }
      if isClaimed { checkPair(input, output) } else { checkUnclaimed(input, output) }
    }
  }

  private func checkPair(_ input: Int, _ output: Int) {
    let text = "\(input) to \(output) channels"
    let seen: [UnitFault.Evidence] = [.count("inputs", input), .count("outputs", output)]
    do throws(AuricleError) {
      let unit = try fresh()
      try initialize(unit, input, output)
      let player = ValidationPlayer(unit)
      player.open(512)
      let (status, defect) = player.slice(256)
      expect(
        status == 0, .channelsRender, "\(text), which it declares, fail with the error \(status)",
        seen + [.count("status", Int(status))])
      if let defect, !wasBroken(defect.check) {
        fault(
          defect.check == .finite ? .channelsRender : defect.check,
          "with \(text) it \(defect.clause)", seen + defect.evidence)
      }
      try unit.uninitialize()
    } catch {
      fault(
        .channelsClaimed, "it declares \(text), and cannot be initialized so: \(error.message)",
        seen)
    }
  }

  private func checkUnclaimed(_ input: Int, _ output: Int) {
    do throws(AuricleError) {
      let unit = try fresh()
      try initialize(unit, input, output)
      try unit.uninitialize()
      fault(
        .channelsUnclaimed,
        "it can be initialized for \(input) to \(output) channels, which it does not "
          + "declare", [.count("inputs", input), .count("outputs", output)])
    } catch {
      return
    }
  }

  /// The pairs of channels that hosts try.
  private static let usual = [
    (1, 1), (1, 2), (1, 4), (1, 5), (1, 6), (1, 7), (1, 8), (2, 2), (2, 4), (2, 5), (2, 6), (2, 7),
    (2, 8), (4, 4), (4, 5), (5, 5), (6, 6), (7, 7), (8, 8),
  ]

  /// Sets both formats to numbers of channels, and initialises the unit.
  private func initialize(
    _ unit: AudioUnit, _ inputCount: Int, _ outputCount: Int
  ) throws(AuricleError) {
    for (scope, count) in [
      (kAudioUnitScope_Input, inputCount), (kAudioUnitScope_Output, outputCount),
    ] {
      try unit.setStreamFormat(
        AudioStreamFormat(sampleRate: 44_100, channelCount: count), scope: scope)
    }
    try unit.initialize()
  }

  /// Layouts that a bus lists for its number of channels can be set, where any can.
  private func checkListedLayouts(_ scope: AudioUnitScope, channelCount: Int) {
    let info = try? unit.propertyInfo(kAudioUnitProperty_AudioChannelLayout, scope: scope)
    guard info?.isWritable == true else { return }
    for tag in unit.supportedChannelLayoutTags(scope: scope)
    where tag.rawValue & 0xFFFF == channelCount {
      let seen: [UnitFault.Evidence] = [
        .count("tag", Int(tag.rawValue)), .count("scope", Int(scope)),
      ]
      do throws(AuricleError) {
        try unit.setChannelLayoutTag(tag, scope: scope)
        let found = unit.channelLayoutTag(scope: scope)?.rawValue
        expect(
          found == tag.rawValue, .layoutSet,
          "layout \(tag.rawValue) was set on scope \(scope), and the unit reports \(found ?? 0)",
          seen)
      } catch {
        fault(
          .layoutSet,
          "layout \(tag.rawValue), which scope \(scope) lists, cannot be set: \(error.message)",
          seen)
      }
    }
  }

  /// A layout has as many channels as the bus; a source of many channels names them.
  private func checkLayouts() {
    for scope in [kAudioUnitScope_Input, kAudioUnitScope_Output] {
      guard let format = try? unit.streamFormat(scope: scope) else { continue }
      // Tags of bitmaps, descriptions and orders of any length hold no number of channels.
      if let tag = unit.channelLayoutTag(scope: scope)?.rawValue, tag & 0xFFFF != 0 {
        expect(
          tag & 0xFFFF == format.channelCount, .layout,
          "the layout of scope \(scope) has \(tag & 0xFFFF) channels, and its format "
            + "\(format.channelCount)",
          [.count("tag", Int(tag)), .count("channels", format.channelCount)])
      }
      checkListedLayouts(scope, channelCount: format.channelCount)
    }
    guard type == kAudioUnitType_MusicDevice || type == kAudioUnitType_Generator else { return }
    let greatest = unit.channelCapabilities?.map(\.outChannels).max() ?? 0
    expect(
      greatest <= 2 || !unit.supportedChannelLayoutTags(scope: kAudioUnitScope_Output).isEmpty,
      .layoutMissing, "it has up to \(greatest) channels, and reports no layout",
      [.count("channels", Int(greatest))])
  }
}
