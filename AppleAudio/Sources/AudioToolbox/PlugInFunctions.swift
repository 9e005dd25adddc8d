// The functions of C of a unit that a program wrote, and its registration as a component.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The instance of a record that a host calls.
private func instance(_ record: UnsafeMutableRawPointer?) -> PlugInInstance? {
  record?.assumingMemoryBound(to: PlugInRecord.self).pointee.instance?.takeUnretainedValue()
}

private let openPlugIn:
  @convention(c) (UnsafeMutableRawPointer?, AudioComponentInstance?) -> OSStatus = {
    record, handle in
    guard let record else { return kAudio_ParamError }
    let status = instance(record)?.open(handle) ?? kAudio_ParamError
    if status != noErr { freeRecord(record) }
    return status
  }
private let closePlugIn: @convention(c) (UnsafeMutableRawPointer?) -> OSStatus = { record in
  guard let record else { return kAudio_ParamError }
  instance(record)?.close()
  freeRecord(record)
  return noErr
}
private func freeRecord(_ record: UnsafeMutableRawPointer) {
  let typed = record.assumingMemoryBound(to: PlugInRecord.self)
  typed.pointee.instance?.release()
  typed.deallocate()
}

private let initializePlugIn: AudioUnitInitializeProc = {
  instance($0)?.initialize() ?? kAudio_ParamError
}
private let uninitializePlugIn: AudioUnitUninitializeProc = {
  instance($0)?.uninitialize()
  return noErr
}
private let getInfo: AudioUnitGetPropertyInfoProc = {
  record, property, scope, element, size, isWritable in
  guard let instance = instance(record) else { return kAudio_ParamError }
  do throws(PlugInFailure) {
    if let bytes = try instance.sizeOfSetting(property, scope, element) {
      size?.pointee = UInt32(bytes)
      isWritable?.pointee = true
      return noErr
    }
    let value = try instance.value(property, scope, element)
    size?.pointee = UInt32(value.size)
    isWritable?.pointee = DarwinBoolean(value.isWritable)
    return noErr
  } catch { return error.status }
}
private let getProperty: AudioUnitGetPropertyProc = {
  record, property, scope, element, data, size in
  guard let instance = instance(record), let size else { return kAudio_ParamError }
  do throws(PlugInFailure) {
    let value = try instance.value(property, scope, element)
    guard let data else {
      size.pointee = UInt32(value.size)
      return noErr
    }
    guard Int(size.pointee) >= value.size else { return kAudioUnitErr_InvalidPropertyValue }
    switch value {
    case .bytes(let bytes, _):
      bytes.withUnsafeBytes {
        if let start = $0.baseAddress { data.copyMemory(from: start, byteCount: $0.count) }
      }
    case .object(let object, _):
      data.storeBytes(
        of: Unmanaged.passRetained(object).toOpaque(), as: UnsafeMutableRawPointer.self)
    }
    size.pointee = UInt32(value.size)
    return noErr
  } catch { return error.status }
}
private let setProperty: AudioUnitSetPropertyProc = {
  record, property, scope, element, data, size in
  guard let instance = instance(record) else { return kAudio_ParamError }
  do throws(PlugInFailure) {
    try instance.set(property, scope, element, data, Int(size))
    return noErr
  } catch { return error.status }
}
private let addListener: AudioUnitAddPropertyListenerProc = { record, property, listener, refCon in
  guard let instance = instance(record), let listener else { return kAudio_ParamError }
  instance.addListener(property, listener, refCon)
  return noErr
}
private let removeListener: AudioUnitRemovePropertyListenerWithUserDataProc = {
  record, property, _, refCon in
  instance(record)?.removeListener(property, refCon)
  return noErr
}
private let addNotify: AudioUnitAddRenderNotifyProc = { record, callback, refCon in
  guard let instance = instance(record), let callback else { return kAudio_ParamError }
  instance.addNotify(callback, refCon)
  return noErr
}
private let removeNotify: AudioUnitRemoveRenderNotifyProc = { record, _, refCon in
  instance(record)?.removeNotify(refCon)
  return noErr
}
private let getParameter: AudioUnitGetParameterProc = { record, number, scope, element, value in
  guard scope == kAudioUnitScope_Global else { return kAudioUnitErr_InvalidScope }
  guard element == 0 else { return kAudioUnitErr_InvalidElement }
  guard let value else { return kAudio_ParamError }
  guard let parameter = instance(record)?.parameter(number) else {
    return kAudioUnitErr_InvalidParameter
  }
  value.pointee = parameter.value
  return noErr
}
private let setParameter: AudioUnitSetParameterProc = {
  record, number, scope, element, value, offset in
  guard scope == kAudioUnitScope_Global else { return kAudioUnitErr_InvalidScope }
  guard element == 0 else { return kAudioUnitErr_InvalidElement }
  return instance(record)?.set(number, value, offset) ?? kAudio_ParamError
}
private let scheduleParameters: AudioUnitScheduleParametersProc = { record, events, count in
  guard let instance = instance(record), let events else { return kAudio_ParamError }
  return instance.scheduleEvents(events, Int(count))
}
private let resetPlugIn: AudioUnitResetProc = { record, _, _ in
  instance(record)?.reset()
  return noErr
}
private let renderPlugIn: AudioUnitRenderProc = { record, flags, time, bus, frames, list in
  guard let record, let time, let list,
    let unmanaged = record.assumingMemoryBound(to: PlugInRecord.self).pointee.instance
  else { return kAudio_ParamError }
  var none = AudioUnitRenderActionFlags()
  return unmanaged._withUnsafeGuaranteedRef { instance in
    if let flags { return instance.render(flags, time, bus, frames, list) }
    return withUnsafeMutablePointer(to: &none) { instance.render($0, time, bus, frames, list) }
  }
}
private let sendMIDI: MusicDeviceMIDIEventProc = { record, status, data1, data2, offset in
  guard let instance = instance(record) else { return kAudio_ParamError }
  let bytes = [UInt8(truncatingIfNeeded: status), UInt8(data1 & 127), UInt8(data2 & 127)]
  let length = status & 0xE0 == 0xC0 ? 2 : 3
  return bytes.withUnsafeBufferPointer {
    $0.baseAddress.map { instance.sendMIDI($0, length, offset) } ?? noErr
  }
}
private let sendSysEx: MusicDeviceSysExProc = { record, data, length in
  guard let instance = instance(record), let data else { return kAudio_ParamError }
  return instance.sendMIDI(data, Int(length), 0)
}

private func method<Function>(_ function: Function) -> AudioComponentMethod {
  unsafeBitCast(function, to: AudioComponentMethod.self)
}
/// The functions of instruments, and of units that receive MIDI beside sound.
private let lookUpWithMIDI: @convention(c) (Int16) -> AudioComponentMethod? = { selector in
  switch selector {
  case kMusicDeviceMIDIEventSelect: method(sendMIDI)
  case kMusicDeviceSysExSelect: method(sendSysEx)
  default: lookUp(selector)
  }
}
private let lookUp: @convention(c) (Int16) -> AudioComponentMethod? = { selector in
  switch selector {
  case kAudioUnitInitializeSelect: method(initializePlugIn)
  case kAudioUnitUninitializeSelect: method(uninitializePlugIn)
  case kAudioUnitGetPropertyInfoSelect: method(getInfo)
  case kAudioUnitGetPropertySelect: method(getProperty)
  case kAudioUnitSetPropertySelect: method(setProperty)
  case kAudioUnitAddPropertyListenerSelect: method(addListener)
  case kAudioUnitRemovePropertyListenerWithUserDataSelect: method(removeListener)
  case kAudioUnitAddRenderNotifySelect: method(addNotify)
  case kAudioUnitRemoveRenderNotifySelect: method(removeNotify)
  case kAudioUnitGetParameterSelect: method(getParameter)
  case kAudioUnitSetParameterSelect: method(setParameter)
  case kAudioUnitScheduleParametersSelect: method(scheduleParameters)
  case kAudioUnitResetSelect: method(resetPlugIn)
  case kAudioUnitRenderSelect: method(renderPlugIn)
  default: nil
  }
}

/// The registered classes, by their descriptions.
private final class RegisteredClasses: @unchecked Sendable {
  static let shared = RegisteredClasses()
  private let lock = NSLock()
  private var classes: [AudioComponentDescription: AUAudioUnit.Type] = [:]

  private func key(_ description: AudioComponentDescription) -> AudioComponentDescription {
    var key = description
    key.componentFlags = 0
    key.componentFlagsMask = 0
    return key
  }
  func add(_ classOfUnit: AUAudioUnit.Type, _ description: AudioComponentDescription) {
    lock.withLock { classes[key(description)] = classOfUnit }
  }
  func find(_ description: AudioComponentDescription) -> AUAudioUnit.Type? {
    lock.withLock { classes[key(description)] }
  }
}

private let makeRegistered: AudioComponentFactoryFunction = { description in
  RegisteredClasses.shared.find(description.pointee).flatMap {
    AuricleMakePlugIn($0, description.pointee)
  }
}

/// Makes the unit of a class for a component's factory function, which returns it to the host.
public func AuricleMakePlugIn(
  _ classOfUnit: AUAudioUnit.Type, _ description: AudioComponentDescription
) -> UnsafeMutablePointer<AudioComponentPlugInInterface>? {
  let hasMIDI = [
    kAudioUnitType_MusicDevice, kAudioUnitType_MusicEffect, kAudioUnitType_MIDIProcessor,
  ].contains(description.componentType)
  let record = UnsafeMutablePointer<PlugInRecord>.allocate(capacity: 1)
  record.initialize(
    to: PlugInRecord(
      interface: AudioComponentPlugInInterface(
        Open: openPlugIn, Close: closePlugIn, Lookup: hasMIDI ? lookUpWithMIDI : lookUp,
        reserved: nil),
      instance: Unmanaged.passRetained(PlugInInstance(classOfUnit, description))))
  return UnsafeMutableRawPointer(record).assumingMemoryBound(to: AudioComponentPlugInInterface.self)
}

extension AUAudioUnit {
  /// Adds a class as a component of this process.
  public class func registerSubclass(
    _ cls: AnyClass, as componentDescription: AudioComponentDescription, name: String,
    version: UInt32
  ) {
    guard let classOfUnit = cls as? AUAudioUnit.Type else {
      auricleRaise("the class derives from AUAudioUnit")
    }
    RegisteredClasses.shared.add(classOfUnit, componentDescription)
    var description = componentDescription
    AudioComponentRegister(&description, name as CFString, version, makeRegistered)
  }
}
