// Scopes and elements of a unit: counts, names, parameters, and the codes for missing ones.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import CAudioToolbox
import TestUnits
import Testing

@Suite struct ElementTests {
  @Test func everyElementHasValuesOfItsOwn() throws {
    let unit = try TestUnits.mixer()
    try unit.setParameter(0, 0.5, scope: kAudioUnitScope_Input, element: 0)
    try unit.setParameter(0, 2, scope: kAudioUnitScope_Input, element: 1)
    try unit.setParameter(0, 3, scope: kAudioUnitScope_Output)
    try unit.setParameter(7, 90, scope: kAudioUnitScope_Group, element: 15)
    #expect(try unit.parameter(0, scope: kAudioUnitScope_Input, element: 0) == 0.5)
    #expect(try unit.parameter(0, scope: kAudioUnitScope_Input, element: 1) == 2)
    #expect(try unit.parameter(0, scope: kAudioUnitScope_Output) == 3)
    #expect(try unit.parameter(7, scope: kAudioUnitScope_Group, element: 15) == 90)
    #expect(try unit.parameter(7, scope: kAudioUnitScope_Group, element: 14) == 100)
    #expect(try unit.parameter(5) == 30)
    // Out of range is brought into it, on every scope.
    try unit.setParameter(0, 99, scope: kAudioUnitScope_Input, element: 1)
    #expect(try unit.parameter(0, scope: kAudioUnitScope_Input, element: 1) == 4)
  }

  @Test func parametersApplyPerBus() throws {
    let unit = try TestUnits.mixer()
    for bus in [UInt32(0), 1] {
      try unsafe unit.setInputCallback(
        element: bus,
        { _, _, _, bus, frames, list in
          guard let data = unsafe list?.samples(0) else { return kAudio_ParamError }
          for frame in 0..<Int(frames) { unsafe data[frame] = bus == 0 ? 1 : 0.25 }
          return 0
        }, refCon: nil)
    }
    try unit.initialize()
    try unit.setParameter(0, 0.5, scope: kAudioUnitScope_Input, element: 0)
    try unit.setParameter(0, 2, scope: kAudioUnitScope_Input, element: 1)
    try unit.setParameter(0, 3, scope: kAudioUnitScope_Output)
    let buffers = AudioBuffers(channelCount: 1, frameCapacity: 16)
    buffers.setFrameCount(16)
    var flags: AudioUnitRenderActionFlags = 0
    var time = AudioTimeStamp(sampleTime: 0)
    #expect(
      unsafe unit.render(flags: &flags, timeStamp: &time, frameCount: 16, buffers: buffers.list)
        == 0)
    #expect(unsafe buffers.channel(0)[7] == (0.5 + 0.5) * 3)
    #expect(try unit.parameter(1000, scope: kAudioUnitScope_Input, element: 1) == 0.25)
    #expect(try unit.parameter(1000, scope: kAudioUnitScope_Output) == 3)
  }

  @Test(
    arguments: [
      (0, kAudioUnitScope_Input, 2, kAudioUnitErr_InvalidElement),
      (0, kAudioUnitScope_Output, 1, kAudioUnitErr_InvalidElement),
      (0, kAudioUnitScope_Global, 0, kAudioUnitErr_InvalidParameter),
      (5, kAudioUnitScope_Input, 0, kAudioUnitErr_InvalidParameter),
      (5, kAudioUnitScope_Global, 1, kAudioUnitErr_InvalidElement),
      (7, kAudioUnitScope_Group, 16, kAudioUnitErr_InvalidElement),
      (7, kAudioUnitScope_Part, 0, kAudioUnitErr_InvalidElement),
      (7, kAudioUnitScope_Note, 0, kAudioUnitErr_InvalidScope),
      (7, kAudioUnitScope_Layer, 0, kAudioUnitErr_InvalidScope),
      (7, AudioUnitScope.max, 0, kAudioUnitErr_InvalidScope),
      (0, kAudioUnitScope_Input, AudioUnitElement.max, kAudioUnitErr_InvalidElement),
    ] as [(AudioUnitParameterID, AudioUnitScope, AudioUnitElement, OSStatus)])
  func refusesParametersThatAreNotThere(
    _ id: AudioUnitParameterID, _ scope: AudioUnitScope, _ element: AudioUnitElement,
    _ code: OSStatus
  ) throws {
    let unit = try TestUnits.mixer()
    #expect(status { _ = try unit.parameter(id, scope: scope, element: element) } == code)
    #expect(status { try unit.setParameter(id, 1, scope: scope, element: element) } == code)
    var event = AudioUnitParameterEvent()
    event.scope = scope
    event.element = element
    event.parameter = id
    event.eventType = kParameterEvent_Immediate
    #expect(status { try unit.scheduleParameters([event]) } == code)
  }

  @Test func reportsTheParametersOfEachScope() throws {
    let unit = try TestUnits.mixer()
    #expect(try unit.parameters(scope: kAudioUnitScope_Input, element: 1).map(\.id) == [0, 1000])
    #expect(try unit.parameters(scope: kAudioUnitScope_Group, element: 3).map(\.name) == ["volume"])
    #expect(try unit.parameters().map(\.id) == [5])
    #expect(
      status { _ = try unit.parameterInfo(5, scope: kAudioUnitScope_Input) }
        == kAudioUnitErr_InvalidParameter)
  }

  @Test func countsOfElementsCanChangeWhereTheyMay() throws {
    let unit = try TestUnits.mixer()
    let id = kAudioUnitProperty_ElementCount
    #expect(unit.busCount(scope: kAudioUnitScope_Input) == 2)
    #expect(try unit.propertyInfo(id, scope: kAudioUnitScope_Input).isWritable)
    #expect(try !unit.propertyInfo(id, scope: kAudioUnitScope_Output).isWritable)
    #expect(try unit.property(id, scope: kAudioUnitScope_Part, as: UInt32.self) == 0)
    try unit.setParameter(0, 0.5, scope: kAudioUnitScope_Input, element: 1)
    try unit.setProperty(id, scope: kAudioUnitScope_Input, UInt32(8))
    #expect(unit.busCount(scope: kAudioUnitScope_Input) == 8)
    #expect(try unit.parameter(0, scope: kAudioUnitScope_Input, element: 7) == 1)
    #expect(try unit.parameter(0, scope: kAudioUnitScope_Input, element: 1) == 0.5)
    #expect(try unit.streamFormat(scope: kAudioUnitScope_Input, element: 7).channelCount == 1)
    try unit.setProperty(id, scope: kAudioUnitScope_Input, UInt32(1))
    #expect(
      status { _ = try unit.streamFormat(scope: kAudioUnitScope_Input, element: 1) }
        == kAudioUnitErr_InvalidElement)
    try unit.setProperty(id, scope: kAudioUnitScope_Input, UInt32(2))
    // An element that went and came back is fresh.
    #expect(try unit.parameter(0, scope: kAudioUnitScope_Input, element: 1) == 1)
    try unit.setProperty(id, scope: kAudioUnitScope_Part, UInt32(4))
    #expect(try unit.property(id, scope: kAudioUnitScope_Part, as: UInt32.self) == 4)
  }

  @Test func refusesCountsWithTheCodesOfTheABI() throws {
    let unit = try TestUnits.mixer()
    let id = kAudioUnitProperty_ElementCount
    let input = kAudioUnitScope_Input
    #expect(
      status { try unit.setProperty(id, scope: input, UInt32(0)) }
        == kAudioUnitErr_InvalidPropertyValue)
    #expect(
      status { try unit.setProperty(id, scope: input, UInt32(9)) }
        == kAudioUnitErr_InvalidPropertyValue)
    #expect(
      status { try unit.setProperty(id, scope: input, UInt64(2)) }
        == kAudioUnitErr_InvalidPropertyValue)
    #expect(
      status { try unit.setProperty(id, scope: kAudioUnitScope_Output, UInt32(2)) }
        == kAudioUnitErr_PropertyNotWritable)
    #expect(
      status { try unit.setProperty(id, scope: kAudioUnitScope_Note, UInt32(2)) }
        == kAudioUnitErr_InvalidScope)
    for bus in [UInt32(0), 1] {
      try unsafe unit.setInputCallback(element: bus, { _, _, _, _, _, _ in 0 }, refCon: nil)
    }
    try unit.initialize()
    #expect(
      status { try unit.setProperty(id, scope: input, UInt32(4)) } == kAudioUnitErr_Initialized)
  }

  @Test func elementsHaveNamesThatAHostMayChange() throws {
    let unit = try TestUnits.mixer()
    let id = kAudioUnitProperty_ElementName
    func name(_ scope: AudioUnitScope, _ element: AudioUnitElement) throws -> String? {
      try unit.stringProperty(id, scope: scope, element: element)
    }
    #expect(try name(kAudioUnitScope_Input, 1) == "Right")
    #expect(try name(kAudioUnitScope_Group, 2) == "Channel 3")
    try unit.setProperty(kAudioUnitProperty_ElementCount, scope: kAudioUnitScope_Input, UInt32(3))
    #expect(try name(kAudioUnitScope_Input, 2) == "Right 3")
    let text = unsafe try #require(unsafe makeCFString("Choir"))
    unsafe try unit.setProperty(
      id, scope: kAudioUnitScope_Input, element: 1, text as CFStringRef?)
    unsafe CFRelease(UnsafeRawPointer(text))
    #expect(try name(kAudioUnitScope_Input, 1) == "Choir")
    #expect(try name(kAudioUnitScope_Input, 0) == "Left")
    #expect(
      status { _ = try name(kAudioUnitScope_Input, 3) } == kAudioUnitErr_InvalidElement)
  }

  @Test func saysAgainWhatIsSoWhileInitialised() throws {
    let unit = try TestUnits.gain()
    _ = try UnitPlayer(unit)
    for scope in [kAudioUnitScope_Input, kAudioUnitScope_Output] {
      try unit.setStreamFormat(AudioStreamFormat(sampleRate: 48_000, channelCount: 2), scope: scope)
      try unit.setProperty(kAudioUnitProperty_SampleRate, scope: scope, Float64(48_000))
      #expect(
        status {
          try unit.setProperty(kAudioUnitProperty_SampleRate, scope: scope, Float64(44_100))
        } == kAudioUnitErr_Initialized)
    }
    #expect(
      status { try unit.setProperty(kAudioUnitProperty_MaximumFramesPerSlice, UInt32(64)) }
        == kAudioUnitErr_Initialized)
  }
}
