// Notes, on an instrument of the SDK and on one that is an LV2 plug-in; the MIDI properties of such units.
// SPDX-License-Identifier: Apache-2.0

import AudioToolbox
import AudioTypes
import AudioUnits
import CAudioToolbox
import Testing

@Suite("Contract: notes")
struct NoteConformanceTests {
  /// Starts a note of a velocity.
  private func start(
    _ test: UnitUnderTest, pitch: Float, velocity: Float, at frame: UInt32, group: UInt32 = 0
  ) -> (status: OSStatus, id: NoteInstanceID) {
    var note: NoteInstanceID = 0
    var parameters = MusicDeviceStdNoteParams(
      argCount: 2, mPitch: pitch, mVelocity: velocity)
    let status = unsafe withUnsafePointer(to: &parameters) {
      unsafe MusicDeviceStartNote(
        test.handle, kMusicNoteEvent_UseGroupInstrument, group, &note, frame,
        UnsafeRawPointer($0).assumingMemoryBound(to: MusicDeviceNoteParams.self))
    }
    return (status, note)
  }

  @Test("an LV2 instrument plays notes from their frame on, and only the stopped one ends")
  func playsNotes() throws {
    let test = try UnitUnderTest(.lv2Instrument)
    same(start(test, pitch: 60, velocity: 100, at: 0).status, kAudioUnitErr_Uninitialized)
    try test.start()
    let first = start(test, pitch: 60, velocity: 127, at: 10)
    let second = start(test, pitch: 64, velocity: 63.5, at: 20)
    same(first.status, 0)
    same(second.status, 0)
    #expect(first.id != second.id)
    same(unsafe MusicDeviceStopNote(test.handle, 0, first.id, 30), 0)
    same(test.render(64), 0)
    let half = Float(64) / 127
    let expected = (0..<64).map { frame -> Float in
      frame < 10 ? 0 : frame < 20 ? 1 : frame < 30 ? 1 + half : half
    }
    same(test.output(0, 64), expected)
    same(test.output(1, 64), expected)
    // An offset beyond this slice is for a later one.
    same(unsafe MusicDeviceStopNote(test.handle, 0, second.id, 70), 0)
    same(test.render(64, at: 64), 0)
    same(test.output(0, 64), [Float](repeating: half, count: 64))
    same(test.render(64, at: 128), 0)
    same(test.output(0, 64), (0..<64).map { $0 < 6 ? half : 0 })
  }

  @Test(
    "universal packets of both protocols play alike",
    arguments: [Subject.lv2Instrument, .lv2MusicEffect])
  func eventLists(_ subject: Subject) throws {
    for (version, words) in [
      (kMIDIProtocol_1_0, [0x2090_3C7F] as [UInt32]),
      (kMIDIProtocol_2_0, [0x4090_3C00, 0xFFFF_0000]),
    ] {
      let test = try UnitUnderTest(subject)
      test.source = { _, _ in 0 }
      try test.start()
      var list = MIDIEventList()
      list.protocol = MIDIProtocolID(version)
      list.numPackets = 1
      list.packet.wordCount = UInt32(words.count)
      list.packet.words.0 = words[0]
      if words.count > 1 { list.packet.words.1 = words[1] }
      same(unsafe MusicDeviceMIDIEventList(test.handle, 5, &list), 0)
      same(test.render(16), 0)
      same(test.output(0, 16), (0..<16).map { $0 < 5 ? 0 : 1 }, "protocol \(version)")
    }
  }

  @Test(
    "notes that cannot be are refused", arguments: [Subject.instrument, .lv2Instrument])
  func badNotes(_ subject: Subject) throws {
    let test = try UnitUnderTest(subject)
    same(unsafe AudioUnitInitialize(test.handle), 0)
    same(start(test, pitch: 60, velocity: 1, at: 0, group: 16).status, kAudioUnitErr_InvalidElement)
    for (pitch, velocity) in [(-1, 1), (128, 1), (60, -1), (60, 200)] as [(Float, Float)] {
      same(start(test, pitch: pitch, velocity: velocity, at: 0).status, kAudio_ParamError)
    }
    same(start(test, pitch: .nan, velocity: 1, at: 0).status, kAudio_ParamError)
    same(unsafe MusicDeviceStartNote(test.handle, 0, 0, nil, 0, nil), kAudio_ParamError)
    same(unsafe MusicDeviceSysEx(test.handle, nil, 4), kAudio_ParamError)
    same(unsafe MusicDeviceMIDIEvent(test.handle, 0x1FF, 0, 0, 0), kAudio_ParamError)
    same(unsafe MusicDeviceMIDIEventList(test.handle, 0, nil), kAudio_ParamError)
  }

  @Test(
    "the MIDI properties of a unit and its host", arguments: [Subject.instrument, .lv2Instrument])
  func protocols(_ subject: Subject) throws {
    let test = try UnitUnderTest(subject)
    same(test.get(kAudioUnitProperty_AudioUnitMIDIProtocol, Int32.self).value, 1)
    same(test.get(kAudioUnitProperty_SupportsMPE, UInt32.self).value, 0)
    same(test.set(kAudioUnitProperty_HostMIDIProtocol, Int32(2)), 0)
    same(
      test.set(kAudioUnitProperty_HostMIDIProtocol, Int32(3)), kAudioUnitErr_InvalidPropertyValue)
    same(test.get(kMusicDeviceProperty_InstrumentCount, UInt32.self).value, 0)
    same(test.get(kMusicDeviceProperty_SupportsStartStopNote, UInt32.self).value, 1)
  }

  @Test("an output unit reports that no other program is connected")
  func remotes() throws {
    let test = try UnitUnderTest(.output)
    same(test.get(kAudioUnitProperty_IsInterAppConnected, UInt32.self).value, 0)
    same(test.get(kAudioOutputUnitProperty_HostTransportState, UInt32.self).value, 0)
    same(
      test.read(kAudioUnitProperty_PeerURL, 0, 0, room: 8).status, kAudioUnitErr_PropertyNotInUse)
    for command in 1...3 as ClosedRange<UInt32> {
      same(
        test.set(kAudioOutputUnitProperty_RemoteControlToHost, command),
        kAudioUnitErr_NoConnection)
    }
    same(
      test.set(kAudioOutputUnitProperty_RemoteControlToHost, UInt32(4)),
      kAudioUnitErr_InvalidPropertyValue)
    let callbacks = unsafe AudioOutputUnitMIDICallbacks(
      userData: UnsafeMutableRawPointer(bitPattern: 0x40), MIDIEventProc: nil, MIDISysExProc: nil)
    same(unsafe test.set(kAudioOutputUnitProperty_MIDICallbacks, callbacks), 0)
    let kept = test.read(kAudioOutputUnitProperty_MIDICallbacks, 0, 0, room: 24)
    same(kept.bytes.first, 0x40)
  }

  @Test("an output unit runs from Start to Stop, and stops with Uninitialize")
  func startAndStop() throws {
    let test = try UnitUnderTest(.output)
    let seen = Seen()
    let listen: AudioUnitPropertyListenerProc = { reference, _, id, _, _ in
      guard let reference = unsafe reference else { return }
      unsafe Unmanaged<Seen>.fromOpaque(reference).takeUnretainedValue().add(id)
    }
    let id = kAudioOutputUnitProperty_IsRunning
    same(
      unsafe AudioUnitAddPropertyListener(
        test.handle, id, listen, Unmanaged.passUnretained(seen).toOpaque()), 0)
    same(unsafe AudioOutputUnitStart(test.handle), kAudioUnitErr_Uninitialized)
    try test.start()
    for call in 0..<2 {
      same(unsafe AudioOutputUnitStart(test.handle), 0, "start \(call)")
      same(test.get(id, UInt32.self).value, 1)
    }
    same(test.render(64), 0)
    same(unsafe AudioUnitUninitialize(test.handle), 0)
    same(test.get(id, UInt32.self).value, 0)
    same(unsafe AudioOutputUnitStop(test.handle), 0)
    same(seen.all, [id, id])
  }
}
