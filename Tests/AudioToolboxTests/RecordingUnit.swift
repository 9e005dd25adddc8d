// A unit that answers every selector and records its calls.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox
import Synchronization

/// The calls of the last instance, one line each; cleared by `consume`.
enum Calls {
  private static let lines = Mutex<[String]>([])

  static func note(_ line: String) { lines.withLock { $0.append(line) } }

  static func consume() -> [String] {
    lines.withLock { lines in
      defer { lines = [] }
      return lines
    }
  }
}

/// The status of every method, except the ones that tests need to succeed.
let recordedStatus: OSStatus = -12345

private func open(_: UnsafeMutableRawPointer?, _ instance: AudioComponentInstance?) -> OSStatus {
  // A unit may read its description during Open: the record is complete.
  var description = AudioComponentDescription()
  let component = unsafe AudioComponentInstanceGetComponent(instance)
  let status = unsafe AudioComponentGetDescription(component, &description)
  Calls.note("Open \(status) \(description.componentSubType)")
  return description.componentSubType == refusedSubtype ? recordedStatus : noErr
}

/// A component of this subtype refuses to open.
let refusedSubtype: OSType = 0x7265_6675

private func close(_ plugIn: UnsafeMutableRawPointer?) -> OSStatus {
  Calls.note("Close")
  unsafe plugIn?.deallocate()
  return noErr
}

/// Makes an instance, as a plug-in's factory does.
func makeRecordingUnit(
  _: UnsafePointer<AudioComponentDescription>?
) -> UnsafeMutablePointer<AudioComponentPlugInInterface>? {
  let made = UnsafeMutablePointer<AudioComponentPlugInInterface>.allocate(capacity: 1)
  unsafe made.initialize(
    to: AudioComponentPlugInInterface(
      Open: { unsafe open($0, $1) }, Close: { unsafe close($0) }, Lookup: { unsafe lookUp($0) },
      reserved: nil))
  return unsafe made
}

/// Makes an instance that answers no selector.
func makeSilentUnit(
  _: UnsafePointer<AudioComponentDescription>?
) -> UnsafeMutablePointer<AudioComponentPlugInInterface>? {
  let made = UnsafeMutablePointer<AudioComponentPlugInInterface>.allocate(capacity: 1)
  unsafe made.initialize(
    to: AudioComponentPlugInInterface(
      Open: { _, _ in noErr },
      Close: {
        unsafe $0?.deallocate()
        return noErr
      },
      Lookup: { _ in nil }, reserved: nil))
  return unsafe made
}

private func erased<Procedure>(_ procedure: Procedure) -> AudioComponentMethod? {
  unsafe unsafeBitCast(procedure, to: AudioComponentMethod?.self)
}

private func lookUp(_ selector: Int16) -> AudioComponentMethod? {
  switch selector {
  case kAudioUnitInitializeSelect:
    let method: AudioUnitInitializeProc = { _ in record("Initialize") }
    return unsafe erased(method)
  case kAudioUnitUninitializeSelect:
    let method: AudioUnitUninitializeProc = { _ in record("Uninitialize") }
    return unsafe erased(method)
  case kAudioUnitGetPropertyInfoSelect:
    let method: AudioUnitGetPropertyInfoProc = { _, property, scope, element, size, writable in
      unsafe size?.pointee = 28
      unsafe writable?.pointee = true
      Calls.note("GetPropertyInfo \(property) \(scope) \(element)")
      return noErr
    }
    return unsafe erased(method)
  case kAudioUnitGetPropertySelect:
    let method: AudioUnitGetPropertyProc = { _, property, scope, element, data, size in
      unsafe record("GetProperty \(property) \(scope) \(element) \(size?.pointee ?? 0)")
    }
    return unsafe erased(method)
  case kAudioUnitSetPropertySelect:
    let method: AudioUnitSetPropertyProc = { _, property, scope, element, data, size in
      unsafe record("SetProperty \(property) \(scope) \(element) \(data == nil) \(size)")
    }
    return unsafe erased(method)
  case kAudioUnitGetParameterSelect:
    let method: AudioUnitGetParameterProc = { _, parameter, scope, element, _ in
      record("GetParameter \(parameter) \(scope) \(element)")
    }
    return unsafe erased(method)
  case kAudioUnitSetParameterSelect:
    let method: AudioUnitSetParameterProc = { _, parameter, scope, element, value, offset in
      record("SetParameter \(parameter) \(scope) \(element) \(value) \(offset)")
    }
    return unsafe erased(method)
  case kAudioUnitResetSelect:
    let method: AudioUnitResetProc = { _, scope, element in record("Reset \(scope) \(element)") }
    return unsafe erased(method)
  case kAudioUnitScheduleParametersSelect:
    let method: AudioUnitScheduleParametersProc = { _, _, count in record("Schedule \(count)") }
    return unsafe erased(method)
  default:
    return unsafe lookUpRendering(selector) ?? lookUpListeners(selector) ?? lookUpNotes(selector)
  }
}

private func lookUpRendering(_ selector: Int16) -> AudioComponentMethod? {
  switch selector {
  case kAudioUnitRenderSelect:
    let method: AudioUnitRenderProc = { _, _, time, element, frames, list in
      unsafe record("Render \(time?.pointee.mSampleTime ?? -1) \(element) \(frames) \(list != nil)")
    }
    return unsafe erased(method)
  case kAudioUnitProcessSelect:
    let method: AudioUnitProcessProc = { _, _, _, frames, _ in record("Process \(frames)") }
    return unsafe erased(method)
  case kAudioUnitProcessMultipleSelect:
    let method: AudioUnitProcessMultipleProc = { _, _, _, frames, inputs, _, outputs, _ in
      record("ProcessMultiple \(frames) \(inputs) \(outputs)")
    }
    return unsafe erased(method)
  default:
    return nil
  }
}

private func lookUpListeners(_ selector: Int16) -> AudioComponentMethod? {
  switch selector {
  case kAudioUnitAddPropertyListenerSelect:
    let method: AudioUnitAddPropertyListenerProc = { _, property, _, refCon in
      record("AddPropertyListener \(property) \(UInt(bitPattern: refCon))")
    }
    return unsafe erased(method)
  case kAudioUnitRemovePropertyListenerWithUserDataSelect:
    let method: AudioUnitRemovePropertyListenerWithUserDataProc = { _, property, _, refCon in
      record("RemovePropertyListener \(property) \(UInt(bitPattern: refCon))")
    }
    return unsafe erased(method)
  case kAudioUnitAddRenderNotifySelect:
    let method: AudioUnitAddRenderNotifyProc = { _, _, refCon in
      record("AddRenderNotify \(UInt(bitPattern: refCon))")
    }
    return unsafe erased(method)
  case kAudioUnitRemoveRenderNotifySelect:
    let method: AudioUnitRemoveRenderNotifyProc = { _, _, refCon in
      record("RemoveRenderNotify \(UInt(bitPattern: refCon))")
    }
    return unsafe erased(method)
  default:
    return nil
  }
}

private func lookUpNotes(_ selector: Int16) -> AudioComponentMethod? {
  switch selector {
  case kMusicDeviceMIDIEventSelect:
    let method: MusicDeviceMIDIEventProc = { _, status, data1, data2, offset in
      record("MIDIEvent \(status) \(data1) \(data2) \(offset)")
    }
    return unsafe erased(method)
  case kMusicDeviceSysExSelect:
    let method: MusicDeviceSysExProc = { _, _, length in record("SysEx \(length)") }
    return unsafe erased(method)
  case kMusicDeviceMIDIEventListSelect:
    let method: MusicDeviceMIDIEventListProc = { _, offset, events in
      unsafe record("MIDIEventList \(offset) \(events?.pointee.numPackets ?? 0)")
    }
    return unsafe erased(method)
  case kMusicDevicePrepareInstrumentSelect:
    let method: MusicDevicePrepareInstrumentProc = { _, instrument in
      record("PrepareInstrument \(instrument)")
    }
    return unsafe erased(method)
  case kMusicDeviceReleaseInstrumentSelect:
    let method: MusicDeviceReleaseInstrumentProc = { _, instrument in
      record("ReleaseInstrument \(instrument)")
    }
    return unsafe erased(method)
  case kMusicDeviceStartNoteSelect:
    let method: MusicDeviceStartNoteProc = { _, instrument, group, _, offset, parameters in
      unsafe record(
        "StartNote \(instrument) \(group) \(offset) \(parameters?.pointee.mPitch ?? -1)")
    }
    return unsafe erased(method)
  case kMusicDeviceStopNoteSelect:
    let method: MusicDeviceStopNoteProc = { _, group, note, offset in
      record("StopNote \(group) \(note) \(offset)")
    }
    return unsafe erased(method)
  case kAudioOutputUnitStartSelect:
    let method: AudioOutputUnitStartProc = { _ in record("Start") }
    return unsafe erased(method)
  case kAudioOutputUnitStopSelect:
    let method: AudioOutputUnitStopProc = { _ in record("Stop") }
    return unsafe erased(method)
  default:
    return nil
  }
}

private func record(_ line: String) -> OSStatus {
  Calls.note(line)
  return recordedStatus
}
