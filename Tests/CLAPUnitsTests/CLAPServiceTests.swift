// Requests of CLAP plug-ins to their host: threads, timers, descriptors, tasks, restarts, presets, layouts.
// SPDX-License-Identifier: Apache-2.0

import AudioComponents
import AudioTypes
import AudioUnits
import CAudioToolbox
import Foundation
import TestSupport
import Testing
import UnitPresets
import UnitValidation

@Suite struct CLAPServiceTests {
  /// Parameters of the fixture.
  private enum Value {
    static let (gain, command): (AudioUnitParameterID, AudioUnitParameterID) = (1, 2)
    static let (misuse, ticks, reads):
      (AudioUnitParameterID, AudioUnitParameterID, AudioUnitParameterID) = (
        10, 11, 12
      )
    static let (tasks, starts, context, calls):
      (AudioUnitParameterID, AudioUnitParameterID, AudioUnitParameterID, AudioUnitParameterID) = (
        13, 14, 15, 16
      )
  }

  private let noise = TestSignal.noise(seed: 11, frameCount: 100_000)

  private func host(_ defect: String = "SOUND", channelCount: Int = 2, isOffline: Bool = true)
    throws
    -> CLAPTestHost
  {
    try CLAPTestHost(
      CLAPFixture(defect, of: "services"), channelCount: channelCount, isOffline: isOffline)
  }

  @Test func whatItAsksForIsServedOnOneThread() throws {
    let host = try host()
    try host.unit.initialize()
    #expect(try host.render(noise, frameCount: 48_000) == Array(noise[..<48_000]))
    #expect(try host.unit.parameter(Value.misuse) == 0, "calls on the wrong thread")
    // 46 slices were rendered before the last, each longer than the timer's period; it is due once at first.
    #expect(try host.unit.parameter(Value.ticks) == 47)
    #expect(try host.unit.parameter(Value.reads) == 46)
    #expect(try host.unit.parameter(Value.tasks) == 8)
    #expect(try host.unit.parameter(Value.calls) == 1)
    try host.unit.reset()
    _ = try host.render(noise, frameCount: 100)
    try host.unit.uninitialize()
    try host.unit.initialize()
    _ = try host.render(noise, frameCount: 100)
    #expect(try host.unit.parameter(Value.misuse) == 0)
  }

  @Test func tasksWithinATaskAreRefused() throws {
    let host = try host("NESTED_TASKS")
    try host.unit.initialize()
    #expect(try host.render(noise, frameCount: 4800) == Array(noise[..<4800]))
    #expect(try host.unit.parameter(Value.tasks) == 8)
    #expect(try host.unit.parameter(Value.misuse) == 0)
  }

  @Test func aLiveOneIsServedByTheClock() throws {
    let host = try host(isOffline: false)
    try host.unit.initialize()
    func wait(for id: AudioUnitParameterID, atLeast value: Float) throws {
      let isReached = try OtherPrograms.wait {
        _ = try host.render(noise, frameCount: 64)
        return try host.unit.parameter(id) >= value
      }
      #expect(isReached)
    }
    try wait(for: Value.ticks, atLeast: 2)
    try wait(for: Value.reads, atLeast: 2)
    try host.unit.setParameter(Value.command, 1)
    try wait(for: Value.starts, atLeast: 2)
    #expect(host.unit.latency == 64.0 / 48_000)
    #expect(try host.unit.parameter(Value.misuse) == 0)
  }

  @Test func aRestartIsDoneBetweenSlices() throws {
    let host = try host()
    try host.unit.initialize()
    #expect(host.unit.latency == 0)
    _ = try host.render(noise, frameCount: 2048)
    try host.unit.setParameter(Value.command, 1)
    _ = try host.render(noise, frameCount: 1024)
    _ = try host.render(noise, frameCount: 1024)
    #expect(try host.unit.parameter(Value.starts) == 2)
    #expect(host.unit.latency == 64.0 / 48_000)
    #expect(try host.unit.parameter(Value.misuse) == 0)
  }

  @Test func aRestartInTheFirstSliceWaitsForTheReset() throws {
    let host = try host()
    try host.unit.initialize()
    try host.unit.setParameter(Value.command, 1)
    #expect(try host.render(noise, frameCount: 4096) == Array(noise[..<4096]))
    #expect(try host.unit.parameter(Value.starts) == 1)
    try host.unit.reset()
    _ = try host.render(noise, frameCount: 64)
    #expect(try host.unit.parameter(Value.starts) == 2)
    #expect(try host.unit.parameter(Value.misuse) == 0)
  }

  @Test func aRestartBeforeTheActivationIsThatActivation() throws {
    let host = try host()
    try host.unit.setParameter(Value.command, 1)
    try host.unit.initialize()
    #expect(try host.render(noise, frameCount: 64) == Array(noise[..<64]))
    try host.unit.reset()
    #expect(try host.render(noise, frameCount: 64) == Array(noise[64..<128]))
    #expect(try host.unit.parameter(Value.starts) == 1)
    #expect(host.unit.latency == 0)
    #expect(try host.unit.parameter(Value.misuse) == 0)
  }

  @Test func aValueThatItChangesIsRead() throws {
    let host = try host()
    try host.unit.initialize()
    try host.unit.setParameter(Value.command, 2)
    _ = try host.render(noise, frameCount: 64)
    #expect(try host.unit.parameter(Value.gain) == 2.5)
    #expect(try host.render(noise, frameCount: 64) == noise[64..<128].map { $0 * 2.5 })
  }

  @Test(arguments: [2, 4]) func aStateThatItChangesIsReported(command: Float) throws {
    let host = try host()
    let reports = ReportCount()
    unsafe try host.unit.addPropertyListener(
      kAudioUnitProperty_ClassInfo,
      { context, _, _, _, _ in
        guard let context = unsafe context else { return }
        unsafe Unmanaged<ReportCount>.fromOpaque(context).takeUnretainedValue().value += 1
      }, refCon: Unmanaged.passUnretained(reports).toOpaque())
    try host.unit.initialize()
    _ = try host.render(noise, frameCount: 128, slice: 64)
    let before = reports.value
    try host.unit.setParameter(Value.command, command)
    _ = try host.render(noise, frameCount: 128, slice: 64)
    #expect(reports.value == before + 1)
  }

  @Test func aValueThatIsNoDefaultIsThatOfTheUnit() throws {
    let host = try host("OTHER_DEFAULT")
    #expect(try host.unit.parameter(Value.gain) == 2)
    try host.unit.initialize()
    #expect(try host.render(noise, frameCount: 64) == noise[..<64].map { $0 * 2 })
  }

  @Test func textsAreThePlugInsInBothDirections() throws {
    let host = try host()
    try host.unit.initialize()
    #expect(host.unit.text(ofParameter: Value.gain, value: 0.25) == "0.250 x")
    #expect(host.unit.value(ofParameter: Value.gain, text: "1.75 x") == 1.75)
  }

  @Test func aRampIsFollowedInOneSlice() throws {
    let host = try host()
    try host.unit.initialize()
    var event = AudioUnitParameterEvent()
    event.parameter = Value.gain
    event.eventType = kParameterEvent_Ramped
    unsafe event.eventValues.ramp = .init(
      startBufferOffset: 0, durationInFrames: 100, startValue: 1, endValue: 2)
    try host.unit.scheduleParameters([event])
    let output = try host.render(noise, frameCount: 200, slice: 200)
    for frame in 0..<100 {
      let wanted = noise[frame] * (1 + Float(frame) / 100)
      #expect(abs(output[frame] - wanted) < 1e-6, "frame \(frame)")
    }
    #expect(output[100...].elementsEqual(noise[100..<200].map { $0 * 2 }))
  }

  // Presets and states.

  private func presetFixture(_ defect: String = "SOUND") throws -> CLAPFixture {
    let fixture = try CLAPFixture(defect, of: "services")
    try FileManager.default.createDirectory(
      atPath: fixture.folder("maker/presets"), withIntermediateDirectories: false)
    try Data("1.25".utf8).write(to: URL(fileURLWithPath: fixture.folder("maker/presets/a.gain")))
    try Data("7".utf8).write(to: URL(fileURLWithPath: fixture.folder("maker/presets/a.other")))
    return fixture
  }

  @Test func presetsOfTheFileAndItsFoldersAreListedAndLoaded() throws {
    let host = try CLAPTestHost(presetFixture())
    #expect(host.unit.factoryPresets.map(\.name) == ["Soft", "Loud", "a.gain"])
    try host.unit.selectPreset(number: 1)
    #expect(try host.unit.parameter(Value.gain) == 3, "before the unit is initialized")
    try host.unit.initialize()
    #expect(try host.render(noise, frameCount: 64) == noise[..<64].map { $0 * 3 })
    try host.unit.selectPreset(number: 2)
    #expect(try host.render(noise, frameCount: 64) == noise[64..<128].map { $0 * 1.25 })
    #expect(try host.unit.parameter(Value.misuse) == 0)
  }

  @Test func aValueThatIsSetAfterAPresetStays() throws {
    let host = try CLAPTestHost(presetFixture())
    try host.unit.selectPreset(number: 1)
    try host.unit.setParameter(Value.gain, 2)
    try host.unit.initialize()
    #expect(try host.render(noise, frameCount: 64) == noise[..<64].map { $0 * 2 })
  }

  @Test func aPresetOfANewFileIsFound() throws {
    let fixture = try presetFixture()
    let cache = try TemporaryFolder("auricle-clap-cache")
    func names() throws -> [String] {
      let catalog = fixture.catalog(cacheFolder: cache.path)
      return try #require(catalog.discover().components.first).instantiate().factoryPresets.map(
        \.name)
    }
    #expect(try names().count == 3)
    try Data("2".utf8).write(to: URL(fileURLWithPath: fixture.folder("maker/presets/b.gain")))
    #expect(try names() == ["Soft", "Loud", "a.gain", "b.gain"])
  }

  @Test func aFileThatItDependsOnMakesItRead() throws {
    let fixture = try CLAPFixture(of: "services")
    try FileManager.default.createDirectory(
      atPath: fixture.folder("maker/watched/deep"), withIntermediateDirectories: true)
    let before = fixture.catalog().bundles.map(\.fingerprint)
    try Data().write(to: URL(fileURLWithPath: fixture.folder("maker/watched/deep/one.txt")))
    #expect(fixture.catalog().bundles.map(\.fingerprint) != before)
  }

  @Test func aStateHasValuesThatNoSliceBroughtYet() throws {
    let fixture = try CLAPFixture(of: "services")
    let host = try CLAPTestHost(fixture)
    try host.unit.initialize()
    try host.unit.setParameter(Value.gain, 3)
    let preset = try UnitPreset(of: host.unit)
    _ = try host.render(noise, frameCount: 64)
    #expect(try host.unit.parameter(Value.context) == 1, "saved for a preset")
    let other = try CLAPTestHost(fixture)
    try preset.apply(to: other.unit)
    try other.unit.initialize()
    #expect(try other.render(noise, frameCount: 64) == noise[..<64].map { $0 * 3 })
    #expect(try other.unit.parameter(Value.context) == 11, "loaded for a preset")
    #expect(try other.unit.parameter(Value.misuse) == 0)
  }

  // Ports.

  @Test(arguments: [1, 2]) func aLayoutIsThatOfTheHost(channelCount: Int) throws {
    let host = try host("LAYOUTS", channelCount: channelCount)
    try host.unit.initialize()
    try host.unit.setParameter(Value.gain, 2)
    #expect(try host.render(noise, frameCount: 64) == noise[..<64].map { $0 * 2 })
    #expect(try host.unit.parameter(Value.misuse) == 0)
  }

  @Test func aMapOfChannelsIsALayout() throws {
    let unit = try CLAPFixture("SURROUND", of: "services").component().instantiate()
    #expect(
      unit.supportedChannelLayoutTags(scope: kAudioUnitScope_Output, element: 0).first
        == ChannelLayoutTag.surround5_1)
  }

  @Test func namesOfKeysAndVoicesAreFacts() throws {
    let fixture = try CLAPFixture(of: "services")
    let facts = try #require(fixture.catalog().metadata(of: fixture.component())).facts
    #expect(facts.keyNames == [KeyName(key: 36, channel: 10, name: "Kick")])
    #expect(facts.voices == 8)
    #expect(facts.extensions.contains("clap.state-context"))
  }

  // Rules.

  @Test func aSoundOneHasNoFaults() throws { #expect(try faults("SOUND") == []) }

  @Test(arguments: [
    ("CALLS_FROM_AUDIO", "clap.threads"), ("CHANGES_LATENCY", "clap.times"),
    ("NESTED_TASKS", "clap.times"), ("COMPLAINS", "clap.complaints"),
    ("IGNORES_FLUSH", "clap.flush"),
    ("FOREIGN_EVENTS", "clap.namespace"), ("NEEDS_COOKIE", "clap.cookies"),
    ("LOADS_NOTHING", "clap.state-empty"), ("ONE_PIECE", "clap.state-pieces"),
    ("OTHER_STATE", "clap.state-same"), ("WRONG_IN_PLACE", "clap.in-place"),
    ("NO_PAIR", "clap.in-place-pair"), ("WRONG_TEXT", "clap.texts"), ("EXTRA_ID", "clap.factory"),
    ("EXTRA_FACTORY", "clap.factory"), ("BAD_STATUS", "clap.status"),
    ("NO_CATEGORY", "clap.features"), ("NO_PRESET", "clap.presets"),
    ("MANY_VOICES", "clap.voices"), ("EMPTY_RANGE", "clap.range"),
    ("OTHER_DEFAULT", "clap.default"), ("TWO_MAINS", "clap.ports"),
  ]) func aDefectBreaksARule(defect: String, rule: String) throws {
    let found = try faults(defect)
    #expect(found.contains { $0.check == rule }, "\(found)")
  }

  private func faults(_ defect: String) throws -> [UnitFault] {
    let fixture = try CLAPFixture(defect, of: "services")
    let catalog = try #require(fixture.catalog() as? any CheckedCatalog)
    return catalog.faults(of: try fixture.component())
  }

  @Test(arguments: [
    ("TWO_PORTS", ": it has two audio inputs of the same id")
  ]) func aRepeatedNameIsASentence(defect: String, sentence: String) throws {
    let problems = try CLAPFixture(defect, of: "services").catalog().discover().problems
    #expect(problems.map(\.message).contains { $0.contains(sentence) }, "\(problems)")
  }

  @Test func anEmptyRangeIsReportedAndUsed() throws {
    let fixture = try CLAPFixture("EMPTY_RANGE", of: "services")
    #expect(
      fixture.catalog().unusableUnits().map(\.reason) == [
        "its parameter 1 \"Gain\" has an empty range, 4.0 to 4.0"
      ])
    #expect(try fixture.component().instantiate().parameters().first?.minimum == 4)
  }
}

/// Counts reports of the thread that renders, which is the test's own.
private final class ReportCount {
  var value = 0
}
