// MIDI through the C interface: the units that accept it, and the frame of its effect.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import CAudioToolbox
import TestSupport
import TestUnits
import Testing

@Suite struct MIDITests {
  @Test(
    arguments: [
      (kAudioUnitType_MusicDevice, [0x101, 0x102, 0x103, 0x104, 0x105, 0x106, 0x107]),
      (kAudioUnitType_MusicEffect, [0x101, 0x102, 0x107]),
      (kAudioUnitType_MIDIProcessor, [0x101, 0x102, 0x107]),
      (kAudioUnitType_Effect, []), (kAudioUnitType_Generator, []), (kAudioUnitType_Mixer, []),
    ] as [(OSType, [Int16])])
  func answersTheSelectorsOfItsType(_ type: OSType, _ selectors: [Int16]) throws {
    let unit = try TestUnits.midi(type: type)
    #expect((0x100...0x110).filter { unit.implements($0) } == selectors)
  }

  @Test func messagesSoundAtTheirFrames() throws {
    let host = try MIDIHost()
    #expect(try host.event(0x93, 60, 100, 200) == 0)
    #expect(try host.event(0xC3, 5, 77, 10) == 0)
    #expect(try host.event(0xB3, 7, 1, 10) == 0)
    #expect(try host.event(0xF8, 0, 0, 0) == 0)
    #expect(
      try host.render() == [
        [0, 0xF8_0000, 1], [10, 0xB30701, 5], [200, 0x933C64, 3],
      ])
    // A frame beyond the cycle is one of the next, or of the one after that.
    #expect(try host.event(0x83, 60, 0, 300) == 0)
    #expect(try host.event(0x83, 61, 0, 299 | kMusicDeviceSampleFrameMask_IsScheduled) == 0)
    #expect(try host.event(0x83, 62, 0, 600) == 0)
    #expect(try host.render().isEmpty)
    #expect(try host.render() == [[43, 0x833D00, 3], [44, 0x833C00, 3]])
    #expect(try host.render() == [[88, 0x833E00, 3]])
  }

  @Test func messagesKeepTheirFramesWhereAParameterCutsTheSlice() throws {
    let host = try MIDIHost()
    var change = AudioUnitParameterEvent()
    change.parameter = 8
    change.eventType = kParameterEvent_Immediate
    unsafe change.eventValues.immediate.bufferOffset = 100
    unsafe change.eventValues.immediate.value = 1
    try host.unit.scheduleParameters([change])
    for frame in [UInt32(99), 100, 101, 255] { #expect(try host.event(0x90, 1, frame, frame) == 0) }
    #expect(try host.render().map { $0[0] } == [99, 100, 101, 255])
    #expect(try host.unit.parameter(7) == 100)
  }

  @Test func refusesWhatIsNoMessage() throws {
    let host = try MIDIHost()
    #expect(try host.event(0x40, 1, 1, 0) == kAudio_ParamError)
    #expect(try host.event(0xF0, 1, 1, 0) == kAudio_ParamError)
    #expect(try host.event(0x190, 1, 1, 0) == kAudio_ParamError)
    #expect(try host.sysEx([1, 2, 3]) == kAudio_ParamError)
    #expect(try host.sysEx([]) == 0)
    #expect(try host.list([[0x4090_0000]], offset: 0) == kAudio_ParamError)
    let idle = try TestUnits.midi(type: kAudioUnitType_MusicDevice)
    let send = unsafe try host.method(kMusicDeviceMIDIEventSelect, MusicDeviceMIDIEventProc.self)
    #expect(
      unsafe send(UnsafeMutableRawPointer(idle.instance.pointee.plugIn), 0x90, 1, 1, 0)
        == kAudioUnitErr_Uninitialized)
    #expect(try host.render().isEmpty)
  }

  @Test func aSystemExclusiveMessageComesWhole() throws {
    let host = try MIDIHost()
    let long = [0xF0] + [UInt8](repeating: 0x21, count: 40_000) + [0xF7]
    #expect(try host.sysEx(long) == 0)
    #expect(try host.render() == [[0, 0xF02121, 40_002]])
    #expect(try host.sysEx([0xF0] + [UInt8](repeating: 1, count: 1 << 20)) == kAudio_MemFullError)
  }

  @Test func universalPacketsBecomeMessages() throws {
    let host = try MIDIHost()
    // MIDI 1.0 voice and system messages; MIDI 2.0 notes, bend, program with bank.
    #expect(try host.list([[0x2090_3C64, 0x10F8_0000], [0x0020_0000]], offset: 20) == 0)
    #expect(try host.render() == [[20, 0xF80000, 4]])
    #expect(try host.list([[0x4093_3C00, 0xC800_0000]], offset: 5) == 0)
    #expect(try host.list([[0x4093_3D00, 0x0001_0000]], offset: 6) == 0)
    #expect(try host.list([[0x40E3_0000, 0x8000_0000]], offset: 7) == 0)
    #expect(try host.list([[0x40C3_0001, 0x0500_0102]], offset: 8) == 0)
    #expect(try host.list([[0x4023_0102, 0xFFFF_FFFF]], offset: 9) == 0)
    #expect(
      try host.render() == [
        [5, 0x933C64, 3], [6, 0x933D01, 3], [7, 0xE30040, 3], [8, 0xC30500, 8], [9, 0xB3267F, 12],
      ])
    // A system exclusive message in three parts, in two lists.
    #expect(
      try host.list([[0x3016_0102, 0x0304_0506], [0x3026_0708, 0x090A_0B0C]], offset: 0) == 0)
    #expect(try host.render().isEmpty)
    #expect(try host.list([[0x3031_0D00, 0]], offset: 30) == 0)
    #expect(try host.render() == [[30, 0xF00102, 15]])
  }

  @Test func notesStartAndStopByTheirNumbers() throws {
    let host = try MIDIHost()
    let start = unsafe try host.method(kMusicDeviceStartNoteSelect, MusicDeviceStartNoteProc.self)
    let stop = unsafe try host.method(kMusicDeviceStopNoteSelect, MusicDeviceStopNoteProc.self)
    var note = MusicDeviceStdNoteParams(argCount: 2, mPitch: 60.4, mVelocity: 99.6)
    var first: NoteInstanceID = 0
    var second: NoteInstanceID = 0
    func play(_ id: inout NoteInstanceID, _ group: UInt32, _ frame: UInt32) -> OSStatus {
      unsafe withUnsafePointer(to: &note) {
        unsafe start(
          host.plugIn, kMusicNoteEvent_Unused, group, &id, frame,
          UnsafeRawPointer($0).assumingMemoryBound(to: MusicDeviceNoteParams.self))
      }
    }
    #expect(play(&first, 2, 10) == 0)
    #expect(play(&second, 2, 20) == 0)
    #expect(first != second)
    #expect(unsafe stop(host.plugIn, 2, first, 30) == 0)
    #expect(try host.render() == [[10, 0x923C64, 3], [20, 0x923C64, 3], [30, 0x823C00, 3]])
    #expect(play(&first, 8, 0) == kAudioUnitErr_InvalidElement)
    #expect(unsafe stop(host.plugIn, 8, first, 0) == kAudioUnitErr_InvalidElement)
    note.argCount = 1
    #expect(play(&first, 0, 0) == kAudio_ParamError)
    note = MusicDeviceStdNoteParams(argCount: 2, mPitch: .nan, mVelocity: 1)
    #expect(play(&first, 0, 0) == kAudio_ParamError)
    #expect(try host.render().isEmpty)
  }

  @Test func aResetForgetsWhatWaits() throws {
    let host = try MIDIHost()
    #expect(try host.event(0x90, 60, 100, 5) == 0)
    #expect(try host.event(0x90, 60, 100, 500) == 0)
    try host.unit.reset()
    #expect(try host.render().isEmpty)
    #expect(try host.render().isEmpty)
  }

  @Test func manyThreadsSendAndNothingIsLost() throws {
    let host = try MIDIHost(kAudioUnitType_MusicEffect)
    let send = unsafe try host.method(kMusicDeviceMIDIEventSelect, MusicDeviceMIDIEventProc.self)
    let address = unsafe UInt(bitPattern: host.plugIn)
    let threads = 4
    let count = 500
    var delivered = 0
    withSenders(threads) { thread in
      for index in 0..<count {
        let plugIn = unsafe UnsafeMutableRawPointer(bitPattern: address)
        while unsafe send(plugIn, UInt32(0x90 + thread), UInt32(index % 128), 1, 0) != 0 {}
      }
    } whileSending: {
      delivered += (try? host.render(64).reduce(0) { $0 + $1[2] / 3 }) ?? 0
    }
    for _ in 0..<4 { delivered += try host.render(64).reduce(0) { $0 + $1[2] / 3 } }
    #expect(delivered == threads * count)
  }
}
