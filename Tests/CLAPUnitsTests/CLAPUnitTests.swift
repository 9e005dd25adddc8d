// CLAP plug-ins as units: files and their defects, parameters, threads, notes, state.
// SPDX-License-Identifier: Apache-2.0

import AudioComponents
import AudioTypes
import AudioUnits
import CAudioToolbox
import CLAPUnits
import Foundation
import TestSupport
import Testing
import UnitPresets

@Suite struct CLAPUnitTests {
  private let noise = TestSignal.noise(seed: 7, frameCount: 5000)

  @Test func aFileIsFoundInDepthAndDescribed() throws {
    let component = try CLAPFixture().component()
    #expect(component.location.identifier == "clap:org.auricle.test.gain")
    #expect(component.name == "Auricle's tests: Gain")
    #expect(component.triple.hasPrefix("aumf:"), "it has audio in and out, and notes in")
    #expect(component.versionText == "2.5.1")
    #expect(component.tags == ["audio-effect", "utility"])
    #expect(component.summary == "Multiplies.")
  }

  @Test(arguments: [
    ("NO_ENTRY", "its file has no symbol clap_entry"),
    ("OLD_VERSION", "it is made for CLAP 0.2.0, from before version 1"),
    ("REFUSES_TO_START", "its clap_entry refused to start"),
    ("NO_FACTORY", "it holds no plug-in: its clap_entry has no plug-in factory"),
    ("NO_PLUGIN", "it holds no plug-in: its factory counts none"),
    ("MANY_PLUGINS", "its factory declares 4294967295 plug-ins, not 0 to 4096"),
    ("ID_TWICE", ": its id is in the file more than once: the first is used"),
    ("REFUSES_TO_INITIALISE", "\"org.auricle.test.gain\": it refused to be initialised"),
    ("MANY_INPUTS", ": it declares 4294967295 audio inputs, not 0 to 256"),
    ("MANY_NOTE_PORTS", ": it declares 4294967295 ports for notes, not 0 to 256"),
    ("MANY_PARAMETERS", ": it declares 4294967295 parameters, not 0 to 16384"),
    ("PARAMETER_TWICE", "\"org.auricle.test.gain\": it has two parameters of the id 7"),
  ]) func aDefectIsASentence(defect: String, sentence: String) throws {
    let problems = try CLAPFixture(defect).catalog().discover().problems.map(\.message)
    #expect(problems.count == 1 && problems.first?.contains(sentence) == true, "\(problems)")
  }

  @Test func anInvertedRangeIsReportedAndUsed() throws {
    let fixture = try CLAPFixture("BAD_RANGES")
    #expect(
      fixture.catalog().unusableUnits().map(\.reason) == [
        "its parameter 7 \"Gain\" has an inverted range, 4.0 to 0.0"
      ])
    let parameters = try fixture.component().instantiate().parameters()
    #expect(parameters.first?.minimum == 0 && parameters.first?.maximum == 4)
  }

  @Test func aLoopOfLinksEnds() throws {
    let fixture = try CLAPFixture()
    try FileManager.default.createSymbolicLink(
      atPath: fixture.folder("maker/again"), withDestinationPath: fixture.folder.path)
    #expect(fixture.catalog().discover().components.count == 1)
  }

  @Test func parametersHaveTheirTexts() throws {
    let parameters = try CLAPFixture().component().instantiate().parameters()
    #expect(parameters.map(\.id) == [7, 4_000_000_000, 9])
    #expect(parameters[0].unit == kAudioUnitParameterUnit_Decibels)
    #expect(parameters[0].clumpName == "Level")
    #expect(parameters[1].valuePoints.map(\.name) == ["straight", "other", "inverted"])
    #expect(!parameters[2].isWritable)
  }

  @Test(arguments: [1, 17, 64, 1024]) func aChangeArrives(slice: Int) throws {
    let host = try CLAPTestHost(CLAPFixture())
    try host.unit.initialize()
    #expect(try host.render(noise, frameCount: 1000, slice: slice) == Array(noise[..<1000]))
    try host.unit.setParameter(7, 2.5)
    try host.unit.setParameter(4_000_000_000, 2)
    let expected = noise[1000..<1500].map { -$0 * 2.5 }
    #expect(try host.render(noise, frameCount: 500, slice: slice) == expected)
  }

  @Test func threadsAndOrderAreTheStandards() throws {
    let host = try CLAPTestHost(CLAPFixture())
    try host.unit.initialize()
    _ = try host.render(noise, frameCount: 1000, slice: 100)
    try host.unit.reset()
    _ = try host.render(noise, frameCount: 100)
    #expect(try host.unit.parameter(9) == 0, "calls on the wrong thread or out of order")
    try host.unit.uninitialize()
    try host.unit.initialize()
    _ = try host.render(noise, frameCount: 100)
    #expect(try host.unit.parameter(9) == 0)
  }

  @Test func latencyAndTailAreThePlugIns() throws {
    let host = try CLAPTestHost(CLAPFixture())
    #expect(host.unit.latency == 0)
    try host.unit.initialize()
    #expect(host.unit.latency == 32.0 / 48_000)
    #expect(host.unit.tailTime == .infinity)
  }

  @Test func aLatencyThatAValueChangesIsKnownBeforeTheFirstSlice() throws {
    let host = try CLAPTestHost(CLAPFixture())
    try host.unit.setParameter(7, 4)
    try host.unit.initialize()
    #expect(host.unit.latency == 100.0 / 48_000)
    #expect(try host.render(noise, frameCount: 100) == noise[..<100].map { $0 * 4 })
    #expect(try host.unit.parameter(9) == 0, "calls on the wrong thread or out of order")
  }

  @Test func oneThatFailsIsSilent() throws {
    let host = try CLAPTestHost(CLAPFixture("FAILS"))
    try host.unit.initialize()
    #expect(try host.render(noise, frameCount: 100).allSatisfy { $0 == 0 })
  }

  @Test func oneThatRefusesSaysSo() throws {
    let host = try CLAPTestHost(CLAPFixture("REFUSES_TO_ACTIVATE"))
    #expect(throws: AuricleError.self) { try host.unit.initialize() }
    #expect(host.unit.failureReason?.contains("it refused to be activated at 48000.0 Hz") == true)
  }

  @Test func aStateIsBytesOfThePlugIn() throws {
    let fixture = try CLAPFixture()
    let host = try CLAPTestHost(fixture)
    try host.unit.initialize()
    try host.unit.setParameter(7, 3)
    _ = try host.render(noise, frameCount: 100)
    let preset = try UnitPreset(of: host.unit)
    let other = try CLAPTestHost(fixture)
    try preset.apply(to: other.unit)
    try other.unit.initialize()
    #expect(try other.unit.parameter(7) == 3)
    #expect(try other.render(noise, frameCount: 100) == noise[..<100].map { $0 * 3 })
  }

  @Test func aStateThatIsRefusedIsASentence() throws {
    let host = try CLAPTestHost(CLAPFixture())
    try host.unit.initialize()
    try host.unit.setParameter(7, 3)
    _ = try host.render(noise, frameCount: 100)
    let other = try CLAPTestHost(CLAPFixture("REFUSES_STATES"))
    try UnitPreset(of: host.unit).apply(to: other.unit)
    #expect(throws: AuricleError.self) { try other.unit.initialize() }
    #expect(other.unit.failureReason?.contains("it refused the state of its preset") == true)
  }

  @Test func notesComeAndGo() throws {
    let host = try CLAPTestHost(CLAPFixture())
    try host.unit.initialize()
    try host.unit.sendMIDI(status: 0x90, 60, 100, atFrame: 10)
    let output = try host.render([], frameCount: 100)
    #expect(output[..<10].allSatisfy { $0 == 0 } && output[10...].allSatisfy { $0 == 60 })
  }

  @Test func aNoteEffectIsAMIDIProcessor() throws {
    #expect(try CLAPFixture("NOTE_EFFECT").component().triple.hasPrefix("aumi:"))
  }
}

/// A folder with the fixture plug-in, compiled with a defect or without, in a folder in it.
struct CLAPFixture {
  let folder: TemporaryFolder

  init(_ defect: String = "SOUND", of source: String = "gain") throws {
    folder = try TemporaryFolder("auricle-clap-fixture")
    try FileManager.default.createDirectory(
      atPath: folder("maker"), withIntermediateDirectories: false)
    let result = try runProcess(
      "cc",
      [
        "-shared", "-fPIC", "-O1", "-w", "-pthread", "-D\(defect)", "-o",
        folder("maker/\(source).clap"),
        Places.inPackage("Tests/CLAPUnitsTests/Fixtures/\(source).c"),
      ])
    guard result.exitCode == 0 else {
      throw AuricleError(.software, "cc: \(result.standardError)")
    }
  }

  /// Reads the folder in this process.
  func catalog(cacheFolder: String = "") -> any ComponentCatalog {
    CLAPFormat().catalog(
      CatalogRequest(searchPath: folder.path, cacheFolder: cacheFolder, runsCode: true))
  }

  func component() throws -> AudioComponent {
    let discovery = catalog().discover()
    guard let component = discovery.components.first else {
      throw AuricleError(.unavailable, "not listed: \(discovery.problems)")
    }
    return component
  }
}

/// Renders one unit from an array.
final class CLAPTestHost {
  let unit: AudioUnit
  private let fixture: CLAPFixture
  private let channelCount: Int
  private var input: [Float] = []
  private var time = 0

  init(_ fixture: CLAPFixture, channelCount: Int = 2, isOffline: Bool = true) throws {
    self.fixture = fixture
    self.channelCount = channelCount
    unit = try fixture.component().instantiate()
    unit.setRendersOffline(isOffline)
    for scope in [kAudioUnitScope_Input, kAudioUnitScope_Output] {
      try unit.setStreamFormat(
        AudioStreamFormat(sampleRate: 48_000, channelCount: channelCount), scope: scope, element: 0)
    }
    try unit.setMaximumFramesPerSlice(1024)
  }

  /// Renders the first channel, with the same signal for both channels of the input.
  func render(_ input: [Float], frameCount: Int, slice: Int = 1024) throws -> [Float] {
    self.input = input
    unsafe try unit.setInputCallback(
      element: 0, Self.feed, refCon: Unmanaged.passUnretained(self).toOpaque())
    let buffers = AudioBuffers(channelCount: channelCount, frameCapacity: 1024)
    var output: [Float] = []
    while output.count < frameCount {
      let frames = min(slice, frameCount - output.count)
      buffers.setFrameCount(frames)
      var flags: AudioUnitRenderActionFlags = 0
      var stamp = AudioTimeStamp(sampleTime: Double(time))
      let status = unsafe unit.render(
        flags: &flags, timeStamp: &stamp, outputElement: 0, frameCount: UInt32(frames),
        buffers: buffers.list)
      guard status == 0 else { throw AuricleError(.software, status: status, "render") }
      unsafe output.append(
        contentsOf: UnsafeBufferPointer(start: buffers.channel(0), count: frames))
      time += frames
    }
    return output
  }

  private static let feed: AURenderCallback = { reference, _, stamp, _, count, list in
    guard let reference = unsafe reference, let stamp = unsafe stamp, let list = unsafe list else {
      return -50
    }
    let host = unsafe Unmanaged<CLAPTestHost>.fromOpaque(reference).takeUnretainedValue()
    let buffers = unsafe UnsafeMutableRawPointer(list).advanced(by: 8)
      .assumingMemoryBound(to: AudioBuffer.self)
    let start = unsafe Int(stamp.pointee.mSampleTime)
    for channel in unsafe 0..<Int(list.pointee.mNumberBuffers) {
      guard let data = unsafe buffers[channel].mData?.assumingMemoryBound(to: Float.self) else {
        return -50
      }
      for frame in 0..<Int(count) {
        let place = start + frame
        unsafe data[frame] = place < host.input.count ? host.input[place] : 0
      }
    }
    return 0
  }
}
