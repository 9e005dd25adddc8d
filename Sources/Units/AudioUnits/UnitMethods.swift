// The functions a unit answers, found once through its Lookup.
// SPDX-License-Identifier: Apache-2.0

internal import CAudioToolbox

/// One function pointer a selector; nil where the unit does not answer it.
@unsafe
struct UnitMethods {
  let initialize: AudioUnitInitializeProc?
  let uninitialize: AudioUnitUninitializeProc?
  let getPropertyInfo: AudioUnitGetPropertyInfoProc?
  let getProperty: AudioUnitGetPropertyProc?
  let setProperty: AudioUnitSetPropertyProc?
  let addPropertyListener: AudioUnitAddPropertyListenerProc?
  let removePropertyListener: AudioUnitRemovePropertyListenerWithUserDataProc?
  let getParameter: AudioUnitGetParameterProc?
  let setParameter: AudioUnitSetParameterProc?
  let scheduleParameters: AudioUnitScheduleParametersProc?
  let reset: AudioUnitResetProc?
  let render: AudioUnitRenderProc?
  let process: AudioUnitProcessProc?
  let processMultiple: AudioUnitProcessMultipleProc?
  let addRenderNotify: AudioUnitAddRenderNotifyProc?
  let removeRenderNotify: AudioUnitRemoveRenderNotifyProc?
  let midiEvent: MusicDeviceMIDIEventProc?
  let systemExclusive: MusicDeviceSysExProc?

  /// Finds the functions of a unit; there are none for nil.
  init(_ plugIn: UnsafeMutablePointer<AudioComponentPlugInInterface>?) {
    func find<Procedure>(_ selector: Int, as type: Procedure.Type) -> Procedure? {
      guard let method = unsafe plugIn?.pointee.Lookup?(Int16(selector)) else { return nil }
      return unsafe unsafeBitCast(method, to: type)
    }
    unsafe initialize = find(1, as: AudioUnitInitializeProc.self)
    unsafe uninitialize = find(2, as: AudioUnitUninitializeProc.self)
    unsafe getPropertyInfo = find(3, as: AudioUnitGetPropertyInfoProc.self)
    unsafe getProperty = find(4, as: AudioUnitGetPropertyProc.self)
    unsafe setProperty = find(5, as: AudioUnitSetPropertyProc.self)
    unsafe getParameter = find(6, as: AudioUnitGetParameterProc.self)
    unsafe setParameter = find(7, as: AudioUnitSetParameterProc.self)
    unsafe reset = find(9, as: AudioUnitResetProc.self)
    unsafe addPropertyListener = find(10, as: AudioUnitAddPropertyListenerProc.self)
    unsafe render = find(14, as: AudioUnitRenderProc.self)
    unsafe addRenderNotify = find(15, as: AudioUnitAddRenderNotifyProc.self)
    unsafe removeRenderNotify = find(16, as: AudioUnitRemoveRenderNotifyProc.self)
    unsafe scheduleParameters = find(17, as: AudioUnitScheduleParametersProc.self)
    unsafe removePropertyListener = find(
      18, as: AudioUnitRemovePropertyListenerWithUserDataProc.self)
    unsafe process = find(20, as: AudioUnitProcessProc.self)
    unsafe processMultiple = find(21, as: AudioUnitProcessMultipleProc.self)
    unsafe midiEvent = find(Int(kMusicDeviceMIDIEventSelect), as: MusicDeviceMIDIEventProc.self)
    unsafe systemExclusive = find(Int(kMusicDeviceSysExSelect), as: MusicDeviceSysExProc.self)
  }

  /// Puts the selectors that other units and the C library use into the instance's record.
  func store(in record: UnsafeMutablePointer<ComponentInstanceRecord>) {
    unsafe record.pointee.render = render
    unsafe record.pointee.getProperty = getProperty
    unsafe record.pointee.setProperty = setProperty
    unsafe record.pointee.getPropertyInfo = getPropertyInfo
    unsafe record.pointee.getParameter = getParameter
    unsafe record.pointee.setParameter = setParameter
    unsafe record.pointee.reset = reset
    unsafe record.pointee.process = process
    unsafe record.pointee.scheduleParameters = scheduleParameters
  }
}
