// The functions of a unit reach its methods with unchanged arguments.
// SPDX-License-Identifier: Apache-2.0

import AudioToolbox
import AudioTypes
import CAudioToolbox
import Testing

/// The suites of this module that share the recorded calls: one at a time.
@Suite(.serialized) struct ToolboxTests {
  @Test("Set-up: initializing, properties, listeners")
  func settingUp() throws {
    let unit = try unsafe openUnit("setu", factory: { unsafe makeRecordingUnit($0) })
    defer { _ = unsafe AudioComponentInstanceDispose(unit) }
    _ = Calls.consume()
    var value: UInt32 = 0
    var size: UInt32 = 4
    let refCon = unsafe UnsafeMutableRawPointer(bitPattern: 77)
    same(unsafe AudioUnitInitialize(unit), recordedStatus)
    same(unsafe AudioUnitUninitialize(unit), recordedStatus)
    same(unsafe AudioUnitGetProperty(unit, 12, 1, 2, &value, &size), recordedStatus)
    same(unsafe AudioUnitSetProperty(unit, 14, 0, 3, &value, 4), recordedStatus)
    same(unsafe AudioUnitSetProperty(unit, 19, 1, 0, nil, 0), recordedStatus)
    same(
      unsafe AudioUnitAddPropertyListener(unit, 12, { _, _, _, _, _ in }, refCon), recordedStatus)
    same(
      unsafe AudioUnitRemovePropertyListenerWithUserData(unit, 12, { _, _, _, _, _ in }, refCon),
      recordedStatus)
    same(
      unsafe AudioUnitAddRenderNotify(unit, { _, _, _, _, _, _ in noErr }, refCon), recordedStatus)
    same(
      unsafe AudioUnitRemoveRenderNotify(unit, { _, _, _, _, _, _ in noErr }, refCon),
      recordedStatus)
    #expect(
      Calls.consume() == [
        "Initialize", "Uninitialize", "GetProperty 12 1 2 4", "SetProperty 14 0 3 false 4",
        "SetProperty 19 1 0 true 0", "AddPropertyListener 12 77", "RemovePropertyListener 12 77",
        "AddRenderNotify 77", "RemoveRenderNotify 77",
      ])
  }

  @Test("A property's size and access; without memory the size alone")
  func propertySizes() throws {
    let unit = try unsafe openUnit("psiz", factory: { unsafe makeRecordingUnit($0) })
    defer { _ = unsafe AudioComponentInstanceDispose(unit) }
    _ = Calls.consume()
    var size: UInt32 = 0
    var isWritable = false
    same(unsafe AudioUnitGetPropertyInfo(unit, 3, 1, 0, &size, &isWritable), noErr)
    #expect(size == 28 && isWritable)
    same(unsafe AudioUnitGetPropertyInfo(unit, 3, 1, 0, nil, nil), noErr)
    size = 0
    same(unsafe AudioUnitGetProperty(unit, 3, 1, 0, nil, &size), noErr)
    #expect(size == 28)
    #expect(Calls.consume() == Array(repeating: "GetPropertyInfo 3 1 0", count: 3))
    // No room is an error, and so is one of memory and size alone; the unit is not bothered.
    var value: UInt32 = 0
    size = 0
    same(unsafe AudioUnitGetProperty(unit, 3, 1, 0, &value, &size), kAudio_ParamError)
    same(unsafe AudioUnitGetProperty(unit, 3, 1, 0, &value, nil), kAudio_ParamError)
    same(unsafe AudioUnitSetProperty(unit, 3, 1, 0, nil, 4), kAudio_ParamError)
    same(unsafe AudioUnitSetProperty(unit, 3, 1, 0, &value, 0), kAudio_ParamError)
    #expect(Calls.consume().isEmpty)
  }

  @Test("Parameters and rendering")
  func rendering() throws {
    let unit = try unsafe openUnit("rend", factory: { unsafe makeRecordingUnit($0) })
    defer { _ = unsafe AudioComponentInstanceDispose(unit) }
    _ = Calls.consume()
    var value: Float = 0
    var flags: AudioUnitRenderActionFlags = 0
    var time = AudioTimeStamp(sampleTime: 512)
    var event = AudioUnitParameterEvent()
    let buffers = AudioBuffers(channelCount: 2, frameCapacity: 64)
    let list = unsafe buffers.list
    var inputs: [UnsafePointer<AudioBufferList>?] = unsafe [UnsafePointer(list)]
    var outputs: [UnsafeMutablePointer<AudioBufferList>?] = unsafe [list, list]
    same(unsafe AudioUnitGetParameter(unit, 5, 1, 2, &value), recordedStatus)
    same(unsafe AudioUnitSetParameter(unit, 5, 1, 2, 0.5, 9), recordedStatus)
    same(unsafe AudioUnitScheduleParameters(unit, &event, 1), recordedStatus)
    same(unsafe AudioUnitRender(unit, &flags, &time, 3, 64, list), recordedStatus)
    same(unsafe AudioUnitRender(unit, nil, &time, 0, 32, list), recordedStatus)
    same(unsafe AudioUnitProcess(unit, &flags, &time, 16, list), recordedStatus)
    same(
      unsafe AudioUnitProcessMultiple(unit, &flags, &time, 8, 1, &inputs, 2, &outputs),
      recordedStatus)
    same(unsafe AudioUnitReset(unit, 1, 4), recordedStatus)
    same(unsafe AudioOutputUnitStart(unit), recordedStatus)
    same(unsafe AudioOutputUnitStop(unit), recordedStatus)
    #expect(
      Calls.consume() == [
        "GetParameter 5 1 2", "SetParameter 5 1 2 0.5 9", "Schedule 1", "Render 512.0 3 64 true",
        "Render 512.0 0 32 true", "Process 16", "ProcessMultiple 8 1 2", "Reset 1 4", "Start",
        "Stop",
      ])
    same(unsafe AudioUnitRender(unit, &flags, nil, 0, 64, list), kAudio_ParamError)
    same(unsafe AudioUnitRender(unit, &flags, &time, 0, 64, nil), kAudio_ParamError)
    same(unsafe AudioUnitGetParameter(unit, 5, 1, 2, nil), kAudio_ParamError)
    #expect(Calls.consume().isEmpty)
  }

  @Test("MIDI and notes")
  func notes() throws {
    let unit = try unsafe openUnit("note", factory: { unsafe makeRecordingUnit($0) })
    defer { _ = unsafe AudioComponentInstanceDispose(unit) }
    _ = Calls.consume()
    var bytes: [UInt8] = [0xF0, 1, 0xF7]
    var events = MIDIEventList()
    events.numPackets = 2
    var note: NoteInstanceID = 0
    var parameters = MusicDeviceNoteParams()
    parameters.argCount = 2
    parameters.mPitch = 60.5
    same(unsafe MusicDeviceMIDIEvent(unit, 0x90, 60, 100, 7), recordedStatus)
    same(unsafe MusicDeviceSysEx(unit, &bytes, 3), recordedStatus)
    same(unsafe MusicDeviceMIDIEventList(unit, 11, &events), recordedStatus)
    same(unsafe MusicDevicePrepareInstrument(unit, 4), recordedStatus)
    same(unsafe MusicDeviceReleaseInstrument(unit, 4), recordedStatus)
    same(unsafe MusicDeviceStartNote(unit, 1, 2, &note, 3, &parameters), recordedStatus)
    same(unsafe MusicDeviceStopNote(unit, 2, 9, 3), recordedStatus)
    #expect(
      Calls.consume() == [
        "MIDIEvent 144 60 100 7", "SysEx 3", "MIDIEventList 11 2", "PrepareInstrument 4",
        "ReleaseInstrument 4", "StartNote 1 2 3 60.5", "StopNote 2 9 3",
      ])
  }

  @Test("A unit that answers no selector: every function says so")
  func unimplemented() throws {
    let unit = try unsafe openUnit("none", factory: { unsafe makeSilentUnit($0) })
    defer { same(unsafe AudioComponentInstanceDispose(unit), noErr) }
    var reported: UInt32 = 4
    var size: UInt32 = 4
    var value: UInt32 = 0
    var float: Float = 0
    var time = AudioTimeStamp(sampleTime: 0)
    let buffers = AudioBuffers(channelCount: 1, frameCapacity: 8)
    let statuses = unsafe [
      AudioUnitInitialize(unit), AudioUnitUninitialize(unit),
      AudioUnitGetPropertyInfo(unit, 0, 0, 0, &reported, nil),
      AudioUnitGetProperty(unit, 0, 0, 0, &value, &size),
      AudioUnitSetProperty(unit, 0, 0, 0, &value, 4),
      AudioUnitGetParameter(unit, 0, 0, 0, &float), AudioUnitSetParameter(unit, 0, 0, 0, 0, 0),
      AudioUnitScheduleParameters(unit, nil, 0), AudioUnitReset(unit, 0, 0),
      AudioUnitRender(unit, nil, &time, 0, 8, buffers.list),
      AudioUnitProcess(unit, nil, &time, 8, buffers.list),
      AudioUnitProcessMultiple(unit, nil, &time, 8, 0, nil, 0, nil),
      MusicDeviceMIDIEvent(unit, 0, 0, 0, 0), MusicDeviceSysEx(unit, nil, 0),
      MusicDevicePrepareInstrument(unit, 0), MusicDeviceReleaseInstrument(unit, 0),
      MusicDeviceStopNote(unit, 0, 0, 0), AudioOutputUnitStart(unit), AudioOutputUnitStop(unit),
    ]
    #expect(statuses.allSatisfy { $0 == kAudio_UnimplementedError }, "\(statuses)")
    same(reported, 0)
  }

  @Test("The host clock moves on, and a tick is a nanosecond")
  func clock() {
    var info = mach_timebase_info_data_t()
    same(unsafe mach_timebase_info(&info), 0)
    #expect(info.numer == 1 && info.denom == 1)
    #expect(mach_timebase_info(nil) != 0)
    let first = mach_absolute_time()
    let second = mach_absolute_time()
    #expect(first > 0 && second >= first)
  }
}
