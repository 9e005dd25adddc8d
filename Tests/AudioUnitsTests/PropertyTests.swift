// Properties: sizes, errors, strings, formats, times.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import CAudioToolbox
import Testing

@Suite struct PropertyTests {
  @Test func valuesGoThroughUnchanged() throws {
    let fake = FakeUnit()
    fake.writable = [500]
    let unit = try fake.open()
    try unit.setProperty(500, scope: 2, element: 3, Double(2.5))
    #expect(fake.calls.last == "set 500 scope 2 element 3 size 8")
    #expect(try unit.property(500, as: Double.self) == 2.5)
    let info = try unit.propertyInfo(500)
    #expect(info.size == 8 && info.isWritable)
    #expect(unit.hasProperty(500) && !unit.hasProperty(501))
    try unit.removeProperty(500)
    #expect(fake.calls.last == "set 500 scope 0 element 0 size 0")
  }

  @Test func errorsNameUnitPropertyAndPlace() throws {
    let unit = try FakeUnit().open()
    let error = #expect(throws: AuricleError.self) {
      _ = try unit.property(kAudioUnitProperty_TailTime, scope: 1, element: 4, as: Double.self)
    }
    #expect(error?.status == kAudioUnitErr_InvalidProperty)
    #expect(
      error?.message
        == "Test: Fake: cannot get the tail time of input 4: kAudioUnitErr_InvalidProperty "
        + "(-10879): the unit has no such property.")
  }

  @Test func aValueOfTheWrongSizeIsAnError() throws {
    let fake = FakeUnit()
    fake.set(600, UInt32(7))
    fake.set(601, UInt32(7))
    fake.claimedSize[601] = 400
    let unit = try fake.open()
    for id in [UInt32(600), 601] {
      let error = #expect(throws: AuricleError.self) {
        _ = try unit.property(id, as: Double.self)
      }
      #expect(error?.status == kAudioUnitErr_InvalidPropertyValue)
      #expect(error?.message.contains("bytes where 8 are due") == true)
    }
  }

  @Test func arraysHaveAsManyValuesAsTheUnitSays() throws {
    let fake = FakeUnit()
    fake.bytes[700] = [1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0]
    fake.bytes[701] = []
    fake.bytes[702] = [1, 0, 0, 0]
    fake.claimedSize[702] = .max
    let unit = try fake.open()
    #expect(try unit.propertyArray(700, of: UInt32.self) == [1, 2, 3])
    #expect(try unit.propertyArray(700, of: UInt32.self, atMost: 2) == [1, 2])
    #expect(try unit.propertyArray(701, of: UInt32.self) == [])
    let error = #expect(throws: AuricleError.self) {
      _ = try unit.propertyArray(702, of: UInt32.self)
    }
    #expect(error?.message.contains("claims") == true, "4 GB are not allocated for a liar")
  }

  @Test func stringsAreCopiedBothWays() throws {
    let fake = FakeUnit()
    fake.failureReason = "Grüße"
    fake.writable = [25]
    let unit = try fake.open()
    #expect(try unit.stringProperty(kAuricleProperty_FailureReason) == "Grüße")
    #expect(unit.failureReason == "Grüße")
    try unit.setStringProperty(25, "abc")
    #expect(fake.bytes[25]?.count == 8)
  }

  @Test func formatsAreReadAndSet() throws {
    let fake = FakeUnit()
    let unit = try fake.open()
    let mono = AudioStreamFormat(sampleRate: 96_000, channelCount: 1)
    try unit.setStreamFormat(mono, scope: kAudioUnitScope_Output)
    #expect(try unit.streamFormat(scope: kAudioUnitScope_Output) == mono)
    #expect(try unit.streamFormat(scope: kAudioUnitScope_Input).channelCount == 2)
    let error = #expect(throws: AuricleError.self) {
      try unit.setStreamFormat(
        AudioStreamFormat(sampleRate: 48_000, channelCount: 6), scope: kAudioUnitScope_Input)
    }
    #expect(error?.status == kAudioUnitErr_FormatNotSupported)
    #expect(error?.message.contains("input 0 cannot be set to 6 ch, 48000 Hz") == true)
    try unit.initialize()
    let late = #expect(throws: AuricleError.self) {
      try unit.setStreamFormat(mono, scope: kAudioUnitScope_Input)
    }
    #expect(late?.status == kAudioUnitErr_Initialized)
  }

  @Test func sliceSizesAreChecked() throws {
    let unit = try FakeUnit().open()
    #expect(unit.maximumFramesPerSlice == 1156)
    try unit.setMaximumFramesPerSlice(4096)
    #expect(unit.maximumFramesPerSlice == 4096)
    for count in [0, -1, Int.max] {
      #expect(throws: AuricleError.self) { try unit.setMaximumFramesPerSlice(count) }
    }
  }

  @Test func busesAreCountedOrFoundByTheirFormat() throws {
    let fake = FakeUnit()
    let unit = try fake.open()
    #expect(unit.busCount(scope: kAudioUnitScope_Input) == 1)
    #expect(unit.busCount(scope: kAudioUnitScope_Group) == 0)
    fake.set(kAudioUnitProperty_ElementCount, UInt32(8))
    #expect(unit.busCount(scope: kAudioUnitScope_Input) == 8)
  }

  @Test func timesAreReadAnewAndCleaned() throws {
    let fake = FakeUnit()
    let unit = try fake.open()
    #expect(unit.latency == 0 && unit.tailTime == nil)
    for (supplied, latency, tail) in [
      (0.25, 0.25, 0.25), (-1, 0, 0), (.infinity, 0, .infinity),
    ] as [(Double, Double, Double)] {
      fake.set(kAudioUnitProperty_Latency, supplied)
      fake.set(kAudioUnitProperty_TailTime, supplied)
      #expect(unit.latency == latency)
      #expect(unit.tailTime == tail)
    }
    fake.set(kAudioUnitProperty_TailTime, Double.nan)
    #expect(unit.tailTime == nil)
  }

  @Test func latencyIsKnownUnlessTheUnitSaysOtherwise() throws {
    let fake = FakeUnit()
    let unit = try fake.open()
    #expect(unit.isLatencyKnown)
    fake.set(kAuricleProperty_LatencyIsKnown, UInt32(0))
    #expect(!unit.isLatencyKnown)
    fake.set(kAuricleProperty_LatencyIsKnown, UInt32(1))
    #expect(unit.isLatencyKnown)
  }

  @Test func bypassIsANumber() throws {
    let fake = FakeUnit()
    fake.writable = [kAudioUnitProperty_BypassEffect, kAudioUnitProperty_OfflineRender]
    let unit = try fake.open()
    #expect(!unit.isBypassed)
    try unit.setBypassed(true)
    #expect(unit.isBypassed)
    unit.setRendersOffline(true)
    #expect(fake.bytes[kAudioUnitProperty_OfflineRender] == [1, 0, 0, 0])
  }
}
