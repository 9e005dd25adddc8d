// Controllers that move parameters: mappings that are added, learnt, removed and refused.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import CAudioToolbox
import TestUnits
import Testing

@Suite struct MIDIMappingTests {
  private func mapping(
    _ parameter: UInt32, status: UInt8, data1: UInt8, flags: UInt32 = 0,
    range: (Float, Float) = (0, 0)
  ) -> AUParameterMIDIMapping {
    var mapping = AUParameterMIDIMapping()
    mapping.mParameterID = parameter
    mapping.mStatus = status
    mapping.mData1 = data1
    mapping.mFlags = flags
    mapping.mSubRangeMin = range.0
    mapping.mSubRangeMax = range.1
    return mapping
  }

  /// Sends a message and renders a slice.
  private func send(
    _ status: UInt32, _ data1: UInt32, _ data2: UInt32, to unit: AudioUnit, _ player: UnitPlayer
  ) throws {
    let plugIn = unsafe unit.instance.pointee.plugIn
    let lookUp = unsafe try #require(unsafe plugIn?.pointee.Lookup)
    let method = unsafe try #require(unsafe lookUp(kMusicDeviceMIDIEventSelect))
    let call = unsafe unsafeBitCast(method, to: MusicDeviceMIDIEventProc.self)
    #expect(unsafe call(plugIn, status, data1, data2, 0) == 0)
    _ = player.play([[Float](repeating: 1, count: 64)])
  }

  @Test func controllersMoveParameters() throws {
    let unit = try ReportingUnit.open()
    let player = try UnitPlayer(unit)
    try unit.addMIDIMapping(mapping(0, status: 0xB2, data1: 7))
    try unit.addMIDIMapping(
      mapping(
        1, status: 0xB0, data1: 20,
        flags: kAUParameterMIDIMapping_AnyChannelFlag | kAUParameterMIDIMapping_SubRange,
        range: (1, 2)))
    #expect(unit.midiMappings.count == 2)
    try send(0xB2, 7, 127, to: unit, player)
    #expect(try unit.parameter(0) == 4)
    try send(0xB3, 7, 0, to: unit, player)
    #expect(try unit.parameter(0) == 4, "another channel")
    try send(0xB5, 20, 0, to: unit, player)
    #expect(try unit.parameter(1) == 1, "any channel, the lower end of a part")
    try unit.removeMIDIMapping(mapping(0, status: 0xB2, data1: 7))
    try send(0xB2, 7, 0, to: unit, player)
    #expect(try unit.parameter(0) == 4, "taken away")
  }

  @Test func aToggleGoesBackAndForth() throws {
    let unit = try ReportingUnit.open()
    let player = try UnitPlayer(unit)
    try unit.addMIDIMapping(
      mapping(3, status: 0x90, data1: 60, flags: kAUParameterMIDIMapping_Toggle))
    for expected in [Float(1), 0, 1] {
      try send(0x90, 60, 100, to: unit, player)
      #expect(try unit.parameter(3) == expected)
    }
  }

  @Test func aWaitingMappingLearnsTheNextController() throws {
    let unit = try ReportingUnit.open()
    let player = try UnitPlayer(unit)
    try unit.setHotMIDIMapping(mapping(0, status: 0, data1: 0))
    #expect(unit.midiMappings.isEmpty)
    try send(0xB1, 33, 64, to: unit, player)
    let learnt = try #require(unit.midiMappings.first)
    #expect(learnt.mStatus == 0xB1 && learnt.mData1 == 33 && learnt.mParameterID == 0)
    try send(0xB1, 33, 0, to: unit, player)
    #expect(try unit.parameter(0) == 0)
  }

  @Test func mappingsOfNothingAreRefused() throws {
    let unit = try ReportingUnit.open()
    for (bad, code) in [
      (mapping(99, status: 0xB0, data1: 7), kAudioUnitErr_InvalidParameter),
      (mapping(2, status: 0xB0, data1: 7), kAudioUnitErr_InvalidParameter),
      (mapping(0, status: 0x20, data1: 7), kAudioUnitErr_InvalidPropertyValue),
    ] {
      let error = #expect(throws: AuricleError.self) { try unit.addMIDIMapping(bad) }
      #expect(error?.status == code)
    }
    let effect = try ReportingUnit.open(kAudioUnitType_Effect)
    let error = #expect(throws: AuricleError.self) {
      try effect.addMIDIMapping(mapping(0, status: 0xB0, data1: 7))
    }
    #expect(error?.status == kAudioUnitErr_InvalidProperty)
  }
}
