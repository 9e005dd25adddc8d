// Values of properties: kept, announced, measured, refused.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import AuricleSDK
import CAudioToolbox
import TestUnits
import Testing

@Suite struct PropertyValueTests {
  @Test func keepsWhatAHostReports() throws {
    let unit = try ReportingUnit.open()
    #expect(unit.contextName == nil && unit.nickName == nil)
    try unit.setContextName("Track 7")
    try unit.setNickName("My favourite")
    #expect(unit.contextName == "Track 7" && unit.nickName == "My favourite")
    try unit.setContextName(nil)
    try unit.setNickName(nil)
    #expect(unit.contextName == nil && unit.nickName == nil)
    try unit.setHost(name: "Host", version: 0x10203)
    #expect(status { _ = try unit.property(46, as: UInt64.self) } == kAudioUnitErr_InvalidProperty)
    try unit.setPresentationLatency(0.02, scope: kAudioUnitScope_Output)
    #expect(
      status { try unit.setPresentationLatency(-1, scope: 2) } == kAudioUnitErr_InvalidPropertyValue
    )
  }

  @Test func renderQualityIsBoundedAndSaved() throws {
    let unit = try ReportingUnit.open()
    #expect(unit.renderQuality == 127)
    try unit.setRenderQuality(32)
    #expect(status { try unit.setRenderQuality(128) } == kAudioUnitErr_InvalidPropertyValue)
    #expect(unit.renderQuality == 32)
    let state = unsafe try unit.property(kAudioUnitProperty_ClassInfo, as: CFDictionaryRef?.self)
    defer { unsafe CFRelease(UnsafeRawPointer(state)) }
    let other = try ReportingUnit.open()
    unsafe try other.setProperty(kAudioUnitProperty_ClassInfo, state)
    #expect(other.renderQuality == 32)
  }

  @Test func cpuLoadIsMeasured() throws {
    let unit = try ReportingUnit.open()
    #expect(unit.cpuLoad == 0)
    let player = try UnitPlayer(unit)
    _ = player.play([[Float](repeating: 1, count: 8192)])
    let load = try #require(unit.cpuLoad)
    // 200 additions a sample need time, and less than an hour a second.
    #expect(load > 0 && load < 3600)
  }

  @Test func worksOutOfPlaceOnRequest() throws {
    let unit = try ReportingUnit.open()
    #expect(unit.processesInPlace == true)
    let player = try UnitPlayer(unit)
    let inPlace = player.play([[1, 2, 3], [4, 5, 6]]).output
    try unit.setProcessesInPlace(false)
    #expect(unit.processesInPlace == false)
    let apart = player.play([[1, 2, 3], [4, 5, 6]]).output
    #expect(inPlace == apart)
    let separate = try TestUnits.shape(1, 2)
    #expect(separate.processesInPlace == false)
    #expect(
      status { try separate.setProcessesInPlace(true) } == kAudioUnitErr_InvalidPropertyValue)
  }

  @Test func channelLayoutsFollowTheChannels() throws {
    let unit = try ReportingUnit.open()
    #expect(unit.channelLayoutTag(scope: kAudioUnitScope_Input) == .stereo)
    let tags = unit.supportedChannelLayoutTags(scope: kAudioUnitScope_Output)
    #expect(tags.contains(.stereo) && tags.contains(.surround5_1) && tags.contains(.mono))
    #expect(
      status { try unit.setChannelLayoutTag(.surround5_1, scope: kAudioUnitScope_Output) }
        == kAudioUnitErr_InvalidPropertyValue, "six channels do not fit on two")
    for scope in [kAudioUnitScope_Input, kAudioUnitScope_Output] {
      try unit.setStreamFormat(AudioStreamFormat(sampleRate: 48_000, channelCount: 6), scope: scope)
      #expect(unit.channelLayoutTag(scope: scope) == .surround5_1)
      let hexagonal = ChannelLayoutTag(rawValue: kAudioChannelLayoutTag_AudioUnit_6)
      try unit.setChannelLayoutTag(hexagonal, scope: scope)
      #expect(unit.channelLayoutTag(scope: scope) == hexagonal)
      try unit.setChannelLayoutTag(nil, scope: scope)
      #expect(unit.channelLayoutTag(scope: scope) == .surround5_1)
    }
    // Eleven channels have no name but their number; a layout of descriptions has them one by one.
    try unit.setStreamFormat(
      AudioStreamFormat(sampleRate: 48_000, channelCount: 11), scope: kAudioUnitScope_Output)
    #expect(
      unit.channelLayoutTag(scope: kAudioUnitScope_Output) == .discrete(channelCount: 11))
    #expect(
      status {
        try unit.setProperty(
          kAudioUnitProperty_AudioChannelLayout, scope: kAudioUnitScope_Output,
          (UInt32(0), UInt32(0), UInt32(11)))
      } == kAudioUnitErr_InvalidPropertyValue, "eleven descriptions are missing")
  }

  @Test func aUnitOfFixedChannelsHasTheirLayoutsOnly() throws {
    let unit = try TestUnits.shape(1, 2)
    let known = unit.supportedChannelLayoutTags(scope: kAudioUnitScope_Input)
    #expect(known.allSatisfy { $0.channelCount == 1 })
    let output = unit.supportedChannelLayoutTags(scope: kAudioUnitScope_Output)
    #expect(output.allSatisfy { $0.channelCount == 2 } && output.contains(.stereo))
  }

  @Test func totalsCountAllBuses() {
    let upToEight = ChannelCapability(-8, -8)
    #expect(upToEight.covers(inputs: [2, 6], outputs: [2]))
    #expect(!upToEight.covers(inputs: [2, 7], outputs: [2]))
    #expect(ChannelCapability(-1, -1).covers(inputs: [5, 2], outputs: [5]))
    #expect(!ChannelCapability(-1, -1).covers(inputs: [5], outputs: [2]))
    #expect(ChannelCapability(-1, -2).covers(inputs: [5], outputs: [2]))
    #expect(ChannelCapability(-1, 2).covers(inputs: [7], outputs: [2]))
    #expect(ChannelCapability(0, 2).covers(inputs: [], outputs: [2]))
  }

  @Test func frequencyResponseAnswersAsManyAsItIsAsked() throws {
    let unit = try ReportingUnit.open()
    try unit.setParameter(0, 2)
    #expect(unit.frequencyResponse(at: [100, 999, 1000, 20_000]) == [2, 2, 0.25, 0.25])
    #expect(unit.frequencyResponse(at: [500], scope: kAudioUnitScope_Input) == [2])
    // A frequency below zero ends the list.
    #expect(unit.frequencyResponse(at: [100, -1, 100]) == [2, 0, 0])
    #expect(try TestUnits.gain().frequencyResponse(at: [100]) == nil)
  }

  @Test func parametersAreNamedAndJoined() throws {
    let unit = try ReportingUnit.open()
    #expect(unit.parameterName(1, length: 40) == "operating mode")
    #expect(unit.parameterName(1, length: 8)?.count ?? 9 <= 8)
    #expect(unit.parameterName(1, length: -1) == "operating mode")
    #expect(unit.parameterName(77, length: 8) == nil)
    #expect(unit.dependents(ofParameter: 1).map(\.id) == [0])
    #expect(unit.dependents(ofParameter: 0).isEmpty)
    #expect(unit.history(ofParameter: 2)?.updatesPerSecond == 20)
    #expect(unit.history(ofParameter: 0) == nil)
    #expect(unit.overviewParameters(atMost: 8) == [1, 0])
    #expect(unit.overviewParameters(atMost: 1) == [1])
    #expect(unit.text(ofParameter: 1, value: 2) == "hard")
    #expect(unit.value(ofParameter: 1, text: "MEDIUM") == 1)
    #expect(unit.value(ofParameter: 0, text: "2.5") == 2.5)
    #expect(unit.value(ofParameter: 0, text: "nothing") == nil)
    let flags = try unit.parameters().map(\.flags)
    #expect(flags[1] & kAudioUnitParameterFlag_IsGlobalMeta != 0)
    #expect(flags[2] & kAudioUnitParameterFlag_PlotHistory != 0)
    #expect(
      flags[2] & kAudioUnitParameterFlag_DisplayMask == kAudioUnitParameterFlag_DisplayCubed)
    #expect(flags[3] & kAudioUnitParameterFlag_OmitFromPresets != 0)
    #expect(try unit.parameters()[1].clumpName == "Operation")
  }

  @Test func whatIsLeftOutOfPresetsStays() throws {
    let unit = try ReportingUnit.open()
    try unit.setParameter(3, 1)
    let state = unsafe try unit.property(kAudioUnitProperty_ClassInfo, as: CFDictionaryRef?.self)
    defer { unsafe CFRelease(UnsafeRawPointer(state)) }
    try unit.setParameter(3, 0)
    unsafe try unit.setProperty(kAudioUnitProperty_ClassInfo, state)
    #expect(try unit.parameter(3) == 0)
  }
}
