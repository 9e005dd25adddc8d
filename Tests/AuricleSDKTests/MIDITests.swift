// MIDI through the C interface: which units take it, at which frame it is heard, what goes out.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import CAudioToolbox
import TestUnits
import Testing

/// A unit that shows its MIDI, with the functions of its selectors.
@safe private final class MIDIHost {
  let unit: AudioUnit
  private var time = 0.0

  init(_ type: OSType = kAudioUnitType_MusicDevice) throws {
    unit = try TestUnits.midi(type: type)
    if type != kAudioUnitType_MusicDevice {
      try unsafe unit.setInputCallback(element: 0, { _, _, _, _, _, _ in 0 }, refCon: nil)
    }
    try unit.initialize()
  }

  func method<Procedure>(_ selector: Int16, _ type: Procedure.Type) throws -> Procedure {
    let plugIn = unsafe unit.instance.pointee.plugIn
    let lookUp = unsafe try #require(unsafe plugIn?.pointee.Lookup)
    let found = unsafe try #require(unsafe lookUp(selector))
    return unsafe unsafeBitCast(found, to: type)
  }

  var plugIn: UnsafeMutableRawPointer {
    unsafe UnsafeMutableRawPointer(unit.instance.pointee.plugIn)
  }

  func event(_ status: UInt32, _ data1: UInt32, _ data2: UInt32, _ offset: UInt32) throws
    -> OSStatus
  {
    unsafe try method(kMusicDeviceMIDIEventSelect, MusicDeviceMIDIEventProc.self)(
      plugIn, status, data1, data2, offset)
  }

  func sysEx(_ bytes: [UInt8]) throws -> OSStatus {
    unsafe try method(kMusicDeviceSysExSelect, MusicDeviceSysExProc.self)(
      plugIn, bytes, UInt32(bytes.count))
  }

  /// Sends universal packets, each in a packet of the list of its own.
  func list(_ packets: [[UInt32]], offset: UInt32) throws -> OSStatus {
    var words: [UInt32] = [1, UInt32(packets.count)]
    for packet in packets { words += [0, 0, UInt32(packet.count)] + packet }
    return unsafe try words.withUnsafeBytes { (bytes) in
      unsafe try method(kMusicDeviceMIDIEventListSelect, MusicDeviceMIDIEventListProc.self)(
        plugIn, offset, bytes.baseAddress?.assumingMemoryBound(to: MIDIEventList.self))
    }
  }

  /// Renders and tells what came in: frame, word, bytes.
  func render(_ frames: Int = 256) throws -> [[Int]] {
    let buffers = AudioBuffers(channelCount: 2, frameCapacity: frames)
    buffers.setFrameCount(frames)
    var flags: AudioUnitRenderActionFlags = 0
    var stamp = AudioTimeStamp(sampleTime: time)
    let status = unsafe unit.render(
      flags: &flags, timeStamp: &stamp, frameCount: UInt32(frames), buffers: buffers.list)
    #expect(status == 0)
    time += Double(frames)
    return (0..<frames).compactMap { frame in
      let word = unsafe Int(buffers.channel(0)[frame])
      let count = unsafe Int(buffers.channel(1)[frame])
      return count == 0 ? nil : [frame, word, count]
    }
  }
}

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

  @Test func messagesAreHeardAtTheirFrames() throws {
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
    var heard = 0
    withSenders(threads) { thread in
      for index in 0..<count {
        let plugIn = unsafe UnsafeMutableRawPointer(bitPattern: address)
        while unsafe send(plugIn, UInt32(0x90 + thread), UInt32(index % 128), 1, 0) != 0 {}
      }
    } whileSending: {
      for _ in 0..<50 { heard += (try? host.render(64).reduce(0) { $0 + $1[2] / 3 }) ?? 0 }
    }
    for _ in 0..<4 { heard += try host.render(64).reduce(0) { $0 + $1[2] / 3 } }
    #expect(heard == threads * count)
  }

  @Test func whatAUnitSendsReachesTheHost() throws {
    let host = try MIDIHost()
    let names = unsafe try #require(
      unsafe try host.unit.property(
        kAudioUnitProperty_MIDIOutputCallbackInfo, as: CFArrayRef?.self))
    defer { unsafe CFRelease(UnsafeRawPointer(names)) }
    #expect(unsafe CFArrayGetCount(names) == 2)
    let heard = HeardMIDI()
    var callback = unsafe AUMIDIOutputCallbackStruct()
    unsafe callback.userData = Unmanaged.passUnretained(heard).toOpaque()
    unsafe callback.midiOutputCallback = { userData, time, output, packets in
      guard let userData = unsafe userData, let packets = unsafe packets else { return -1 }
      unsafe Unmanaged<HeardMIDI>.fromOpaque(userData).takeUnretainedValue()
        .take(Int(output), packets)
      return 0
    }
    unsafe try host.unit.setProperty(kAudioUnitProperty_MIDIOutputCallback, callback)
    #expect(try host.event(0x90, 60, 100, 77) == 0)
    #expect(try host.event(0xB0, 7, 100, 12) == 0)
    #expect(try host.sysEx([0xF0, 1, 2, 0xF7]) == 0)
    _ = try host.render()
    #expect(
      heard.messages == [
        [0, 0, 0xF0, 1, 2, 0xF7], [0, 12, 0xB0, 7, 100], [0, 77, 0x90, 60, 100],
        [1, 77, 0x90, 60, 100],
      ])
    // Nobody listens any more.
    unsafe try host.unit.setProperty(
      kAudioUnitProperty_MIDIOutputCallback, AUMIDIOutputCallbackStruct())
    #expect(try host.event(0x90, 60, 100, 77) == 0)
    _ = try host.render()
    #expect(heard.messages.count == 4)
    #expect(throws: AuricleError.self) {
      try TestUnits.gain().propertyInfo(kAudioUnitProperty_MIDIOutputCallback)
    }
  }

  @Test func aUnitHearsOfTheSongOfItsHost() throws {
    let host = try MIDIHost()
    _ = try host.render()
    #expect(try (0..<7).map { try host.unit.parameter($0) } == [-1, -1, -1, -1, -1, -1, -1])
    var info = unsafe HostCallbackInfo()
    unsafe info.beatAndTempoProc = { _, beat, tempo in
      unsafe beat?.pointee = 12.5
      unsafe tempo?.pointee = 97
      return 0
    }
    unsafe info.musicalTimeLocationProc = { _, delta, numerator, denominator, beat in
      unsafe numerator?.pointee = 7
      unsafe denominator?.pointee = 8
      unsafe beat?.pointee = 10.5
      return 0
    }
    unsafe info.transportStateProc = { _, playing, changed, frame, cycling, start, end in
      unsafe playing?.pointee = true
      unsafe frame?.pointee = 4096
      return 0
    }
    // A host of old brings the structure without its last pointer.
    let size = unsafe UInt32(MemoryLayout<HostCallbackInfo>.size)
    let record = unsafe host.unit.instance.pointee
    let set = unsafe try #require(unsafe record.setProperty)
    let id = kAudioUnitProperty_HostCallbacks
    #expect(unsafe set(record.plugIn, id, 0, 0, &info, size - 8) == 0)
    _ = try host.render()
    #expect(try (0..<7).map { try host.unit.parameter($0) } == [12.5, 97, 7, 10.5, 1, -1, 4096])
    unsafe info.transportStateProc2 = {
      _, playing, recording, changed, frame, cycling, start, end in
      unsafe playing?.pointee = false
      unsafe recording?.pointee = true
      unsafe frame?.pointee = 100
      return 0
    }
    #expect(unsafe set(record.plugIn, id, 0, 0, &info, size) == 0)
    _ = try host.render()
    #expect(try (0..<7).map { try host.unit.parameter($0) } == [12.5, 97, 7, 10.5, 0, 1, 100])
    #expect(
      unsafe set(record.plugIn, id, 0, 0, &info, 8) == kAudioUnitErr_InvalidPropertyValue)
    #expect(unsafe set(record.plugIn, id, 0, 0, nil, 0) == 0)
    _ = try host.render()
    #expect(try host.unit.parameter(0) == -1)
  }
}

/// Messages a host was given: output, frame, bytes.
private final class HeardMIDI {
  var messages: [[Int]] = []

  func take(_ output: Int, _ packets: UnsafePointer<MIDIPacketList>) {
    let raw = unsafe UnsafeRawPointer(packets)
    var place = 4
    for _ in 0..<(unsafe raw.loadUnaligned(as: UInt32.self)) {
      let frame = unsafe Int(raw.loadUnaligned(fromByteOffset: place, as: UInt64.self))
      let count = unsafe Int(raw.loadUnaligned(fromByteOffset: place + 8, as: UInt16.self))
      let bytes = (0..<count).map {
        unsafe Int((raw + place + 10 + $0).load(as: UInt8.self))
      }
      messages.append([output, frame] + bytes)
      place += 10 + count
    }
  }
}
