// From Open to Close: order of calls, failures, missing selectors.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import CAudioToolbox
import Testing

@Suite struct LifeCycleTests {
  @Test func opensOnceAndClosesOnce() throws {
    let fake = FakeUnit()
    do {
      let unit = try fake.open()
      #expect(unit.name == "Test: Fake")
      #expect(unit.description.componentType == kAudioUnitType_Effect)
      #expect(!unit.isInitialized)
      unsafe #expect(unit.instance.pointee.magic == kAuricleInstanceMagic)
      unsafe #expect(unit.instance.pointee.render != nil)
      unsafe #expect(AudioUnit.of(handle: unit.instance) === unit)
    }
    #expect(fake.calls == ["Open", FakeUnit.versionQuery, "Close"])
  }

  @Test func aFailedOpenIsNotClosed() {
    let fake = FakeUnit()
    fake.openStatus = -66750
    let error = #expect(throws: AuricleError.self) { _ = try fake.open() }
    #expect(error?.category == .unavailable && error?.status == -66750)
    #expect(error?.message.contains("Test: Fake: the unit cannot be opened") == true)
    #expect(error?.message.contains("kAudioComponentErr_TooManyInstances") == true)
    #expect(fake.calls == ["Open"])
  }

  @Test func aPlugInWithoutOpenOrLookupIsRefused() {
    for missing in 0..<2 {
      let interface = UnsafeMutablePointer<AudioComponentPlugInInterface>.allocate(capacity: 1)
      defer { unsafe interface.deallocate() }
      unsafe interface.initialize(to: AudioComponentPlugInInterface())
      if missing == 1 { unsafe interface.pointee.Open = { _, _ in 0 } }
      let error = #expect(throws: AuricleError.self) {
        _ = unsafe try AudioUnit(opening: interface, component: FakeComponent.record(1, "A: B"))
      }
      #expect(error?.category == .unavailable && error?.status == kAudio_UnimplementedError)
    }
  }

  @Test func initializesAndUninitializesOnce() throws {
    let fake = FakeUnit()
    let unit = try fake.open()
    try unit.uninitialize()
    try unit.initialize()
    try unit.initialize()
    #expect(unit.isInitialized)
    try unit.uninitialize()
    try unit.uninitialize()
    #expect(!unit.isInitialized)
    #expect(fake.calls == ["Open", FakeUnit.versionQuery, "Initialize", "Uninitialize"])
  }

  @Test func anInstrumentIsAskedForItsParametersOnce() throws {
    let fake = FakeUnit()
    fake.set(kAudioUnitProperty_ParameterList, UInt32(0))
    let unit = try fake.open(type: kAudioUnitType_MusicDevice)
    for _ in 0..<2 {
      try unit.initialize()
      try unit.uninitialize()
    }
    let asked = "get \(kAudioUnitProperty_ParameterInfo) scope 0 element 0"
    #expect(fake.calls.filter { $0 == asked }.count == 1)
    let first = try #require(fake.calls.firstIndex(of: asked))
    #expect(try #require(fake.calls.firstIndex(of: "Initialize")) > first)
  }

  @Test func closingAnInitializedUnitUninitializesItFirst() throws {
    let fake = FakeUnit()
    do {
      let unit = try fake.open()
      try unit.initialize()
    }
    #expect(fake.calls == ["Open", FakeUnit.versionQuery, "Initialize", "Uninitialize", "Close"])
  }

  @Test func aFailedInitializeReportsTheStatus() throws {
    let fake = FakeUnit()
    fake.initializeStatus = kAudioUnitErr_FailedInitialization
    let unit = try fake.open()
    let error = #expect(throws: AuricleError.self) { try unit.initialize() }
    #expect(error?.status == kAudioUnitErr_FailedInitialization && error?.category == .software)
    #expect(error?.message.contains("kAudioUnitErr_FailedInitialization (-10875)") == true)
    #expect(!unit.isInitialized)
  }

  @Test func aFailedInitializeReportsTheUnitsOwnReason() throws {
    let fake = FakeUnit()
    fake.initializeStatus = -1
    fake.failureReason = "The plug-in needs the feature urn:x."
    let unit = try fake.open()
    let error = #expect(throws: AuricleError.self) { try unit.initialize() }
    #expect(
      error?.message
        == "Test: Fake: the unit cannot be initialized: The plug-in needs the feature urn:x.")
  }

  @Test func resetGoesToItsScopeAndElement() throws {
    let fake = FakeUnit()
    let unit = try fake.open()
    try unit.reset()
    try unit.reset(scope: kAudioUnitScope_Input, element: 2)
    #expect(fake.calls == ["Open", FakeUnit.versionQuery, "Reset 0 0", "Reset 1 2"])
  }

  @Test func missingSelectorsAreUnimplemented() throws {
    let fake = FakeUnit(isAnswering: false)
    let unit = try fake.open()
    #expect(!unit.implements(1))
    let calls: [() throws -> Void] = [
      { try unit.initialize() }, { try unit.reset() },
      { _ = try unit.property(8, as: UInt32.self) }, { _ = try unit.propertyInfo(8) },
      { try unit.setProperty(8, UInt32(1)) }, { try unit.removeProperty(8) },
      { _ = try unit.parameter(0) }, { try unit.setParameter(0, 1) },
      { try unit.scheduleParameters([AudioUnitParameterEvent()]) },
      { unsafe try unit.addPropertyListener(1, { _, _, _, _, _ in }, refCon: nil) },
      { unsafe try unit.addRenderNotification({ _, _, _, _, _, _ in 0 }, refCon: nil) },
    ]
    for call in calls {
      let error = #expect(throws: AuricleError.self) { try call() }
      #expect(error?.status == kAudio_UnimplementedError)
      #expect(error?.message.hasPrefix("Test: Fake: ") == true)
    }
    let buffers = AudioBuffers(channelCount: 1, frameCapacity: 8)
    var flags: AudioUnitRenderActionFlags = 0
    var time = AudioTimeStamp(sampleTime: 0)
    let status = unsafe unit.render(
      flags: &flags, timeStamp: &time, frameCount: 8, buffers: buffers.list)
    #expect(status == kAudio_UnimplementedError)
    #expect(unit.latency == 0 && unit.tailTime == nil && unit.factoryPresets.isEmpty)
  }

  @Test func answeredSelectorsAreKnown() throws {
    let unit = try FakeUnit().open()
    #expect(unit.implements(1) && unit.implements(14) && !unit.implements(20))
  }
}
