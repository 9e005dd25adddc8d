// MIDI of units on the helper for C: messages reach the slice that begins where they are due.
// SPDX-License-Identifier: Apache-2.0

import AudioComponents
import AudioTypes
import AudioUnits
import CAudioToolbox
import Foundation
import NativeUnits
import TestSupport
import Testing

@Suite("MIDI of units on the helper for C")
struct HelpedMIDITests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder("components") }

  /// An instance of the instrument, or of the music effect of the same source.
  private func open(_ type: String = "aumu") throws -> AudioUnit {
    let flags = [Places.inPackage("SDK/CUnit/AuricleUnit.c")] + (type == "aumf" ? ["-DEFFECT"] : [])
    let binary = try ComponentFixture.binary("HelpedOrgan", flags: flags)
    let info = ComponentFixture.info("HelpedOrgan").replacing("aufx", with: type)
    try ComponentFixture.makeBundle("HelpedOrgan", info: info, binary: binary, in: folder)
    let found = NativeComponentSource(folders: [(folder.path, .native)]).discover()
    let unit = try #require(found.components.first, "\(found.problems)").instantiate()
    try unit.setMaximumFramesPerSlice(256)
    if type == "aumf" {
      unsafe try unit.setInputCallback(
        { _, flags, _, _, _, _ in
          unsafe flags?.pointee |= kAudioUnitRenderAction_OutputIsSilence
          return 0
        }, refCon: nil)
    }
    return unit
  }

  private func method<Procedure>(
    _ unit: AudioUnit, _ selector: Int16, _ type: Procedure.Type
  ) throws -> Procedure {
    let lookUp = unsafe try #require(unsafe unit.instance.pointee.plugIn.pointee.Lookup)
    return unsafe unsafeBitCast(try #require(unsafe lookUp(selector)), to: type)
  }

  private func plugIn(_ unit: AudioUnit) -> UnsafeMutableRawPointer {
    unsafe UnsafeMutableRawPointer(unit.instance.pointee.plugIn)
  }

  private func send(
    _ unit: AudioUnit, _ status: UInt32, _ data1: UInt32, _ data2: UInt32, at frame: UInt32 = 0
  ) throws -> OSStatus {
    unsafe try method(unit, kMusicDeviceMIDIEventSelect, MusicDeviceMIDIEventProc.self)(
      plugIn(unit), status, data1, data2, frame)
  }

  /// Renders 256 frames: frame, bytes and number of the messages in them, and the parameter at each frame.
  private func render(_ unit: AudioUnit, at time: Double) -> (messages: [[Int]], level: [Float]) {
    let buffers = AudioBuffers(channelCount: 2, frameCapacity: 256)
    buffers.setFrameCount(256)
    var flags = AudioUnitRenderActionFlags()
    var stamp = AudioTimeStamp(sampleTime: time)
    let status = unsafe unit.render(
      flags: &flags, timeStamp: &stamp, frameCount: 256, buffers: buffers.list)
    #expect(status == 0)
    var messages: [[Int]] = []
    var levels: [Float] = []
    for frame in 0..<256 {
      let (word, count) = unsafe (Int(buffers.channel(0)[frame]), buffers.channel(1)[frame])
      if count >= 1 { messages.append([frame, word, Int(count)]) }
      levels.append((count - Float(Int(count))) * 2)
    }
    return (messages, levels)
  }

  @Test func messagesComeAtTheirFramesInTheirOrder() throws {
    let unit = try open()
    #expect(try send(unit, 0x90, 60, 100) == kAudioUnitErr_Uninitialized)
    try unit.initialize()
    #expect(try send(unit, 0x90, 60, 100, at: 200) == 0)
    #expect(try send(unit, 0x93, 61, 0, at: 10) == 0)
    #expect(try send(unit, 0xB0, 7, 99, at: 200) == 0)
    #expect(try send(unit, 0xF8, 0, 0, at: 3) == 0)
    #expect(try send(unit, 0x80, 62, 1, at: 300) == 0)
    #expect(try send(unit, 0x40, 62, 1) == kAudio_ParamError)
    #expect(try send(unit, 0x190, 62, 1) == kAudio_ParamError)
    // Without velocity it is a note-off; the last of two at one frame is the one that can be seen.
    #expect(render(unit, at: 0).messages == [[10, 0x833D40, 1], [200, 0xB00763, 2]])
    #expect(render(unit, at: 256).messages == [[44, 0x803E01, 1]])
    #expect(render(unit, at: 512).messages.isEmpty)
  }

  @Test func scheduledChangesAndMessagesCutOneCycle() throws {
    let unit = try open()
    try unit.initialize()
    var change = AudioUnitParameterEvent()
    change.parameter = 1
    change.eventType = kParameterEvent_Immediate
    unsafe change.eventValues.immediate.bufferOffset = 100
    unsafe change.eventValues.immediate.value = 0.5
    try unit.scheduleParameters([change])
    #expect(try send(unit, 0x90, 60, 100, at: 50) == 0)
    #expect(try send(unit, 0x80, 60, 64, at: 150) == 0)
    let (messages, levels) = render(unit, at: 0)
    #expect(messages.map(\.first) == [50, 150])
    #expect(levels == (0..<256).map { $0 < 100 ? 0 : 0.5 })
  }

  @Test func notesStartAndStopByTheirNumbers() throws {
    let unit = try open()
    try unit.initialize()
    let start = unsafe try method(
      unit, kMusicDeviceStartNoteSelect, MusicDeviceStartNoteProc.self)
    let stop = unsafe try method(unit, kMusicDeviceStopNoteSelect, MusicDeviceStopNoteProc.self)
    var parameters = MusicDeviceNoteParams()
    parameters.argCount = 2
    parameters.mPitch = 60.4
    parameters.mVelocity = 99.6
    var (first, second) = (NoteInstanceID(0), NoteInstanceID(0))
    #expect(unsafe start(plugIn(unit), 0, 2, &first, 10, &parameters) == 0)
    #expect(unsafe start(plugIn(unit), 0, 2, &second, 20, &parameters) == 0)
    #expect(first != second)
    #expect(unsafe stop(plugIn(unit), 2, first, 30) == 0)
    #expect(
      render(unit, at: 0).messages == [[10, 0x923C64, 1], [20, 0x923C64, 1], [30, 0x823C00, 1]])
    #expect(
      unsafe start(plugIn(unit), 0, 16, &first, 0, &parameters) == kAudioUnitErr_InvalidElement)
    parameters.mPitch = .nan
    #expect(unsafe start(plugIn(unit), 0, 0, &first, 0, &parameters) == kAudio_ParamError)
    #expect(try unit.property(kMusicDeviceProperty_InstrumentCount, as: UInt32.self) == 0)
  }

  @Test func aResetForgetsWhatWaitsAndAFullRingIsReported() throws {
    let unit = try open()
    try unit.initialize()
    #expect(try send(unit, 0x90, 60, 100, at: 5) == 0)
    #expect(try send(unit, 0x90, 60, 100, at: 500) == 0)
    _ = render(unit, at: 0)
    try unit.reset()
    #expect(render(unit, at: 256).messages.isEmpty && render(unit, at: 512).messages.isEmpty)
    let full = try (0..<2000).first { _ in try send(unit, 0x90, 60, 100) != 0 }
    #expect(full == 1024)
    #expect(render(unit, at: 768).messages == [[0, 0x903C64, 1024]])
    #expect(try send(unit, 0x90, 60, 100) == 0)
  }

  @Test func aMusicEffectReceivesMIDIAndWakesFromSilence() throws {
    let unit = try open("aumf")
    try unit.initialize()
    try unit.setParameter(1, 0.5)
    for cycle in 0..<3 { _ = render(unit, at: Double(cycle * 256)) }
    // Silent input for longer than it rests: nothing is processed.
    #expect(render(unit, at: 768).level.allSatisfy { $0 == 0 })
    #expect(try send(unit, 0x90, 60, 100, at: 7) == 0)
    let (messages, level) = render(unit, at: 1024)
    #expect(messages == [[7, 0x903C64, 1]] && level.allSatisfy { $0 == 0.5 })
    let lookUp = unsafe try #require(unsafe unit.instance.pointee.plugIn.pointee.Lookup)
    #expect(unsafe lookUp(kMusicDeviceStartNoteSelect) == nil)
  }

  @Test func manyThreadsSendAndNothingIsLost() throws {
    let unit = try open()
    try unit.initialize()
    let send = unsafe try method(unit, kMusicDeviceMIDIEventSelect, MusicDeviceMIDIEventProc.self)
    let address = unsafe UInt(bitPattern: plugIn(unit))
    let (threads, count) = (4, 2000)
    var (delivered, cycle) = (0, 0)
    func spatialize() {
      delivered += render(unit, at: Double(cycle * 256)).messages.reduce(0) { $0 + $1[2] }
      cycle += 1
    }
    withSenders(threads) { thread in
      let plugIn = unsafe UnsafeMutableRawPointer(bitPattern: address)
      for index in 0..<count {
        while unsafe send(plugIn, UInt32(0x90 + thread), UInt32(index % 128), 1, 0) != 0 {}
      }
    } whileSending: {
      spatialize()
    }
    for _ in 0..<2 { spatialize() }
    #expect(delivered == threads * count)
  }
}
