// A program-made unit as a component of version 2: its state, and the functions for calls from C.
// SPDX-License-Identifier: Apache-2.0

import CSwiftConstruction
import Foundation

/// The memory that a host calls a component's unit by.
struct PlugInRecord {
  var interface: AudioComponentPlugInInterface
  var instance: Unmanaged<PlugInInstance>?
}

/// A unit of a class, as a host of version 2 uses it.
final class PlugInInstance: @unchecked Sendable {
  let classOfUnit: AUAudioUnit.Type
  let description: AudioComponentDescription
  private(set) var unit: AUAudioUnit?
  private var handle: AudioUnit?
  private let lock = NSRecursiveLock()
  private var listeners:
    [(
      property: AudioUnitPropertyID, proc: AudioUnitPropertyListenerProc,
      refCon: UnsafeMutableRawPointer?
    )] = []
  private var notifies: [(proc: AURenderCallback, refCon: UnsafeMutableRawPointer)] = []
  private var callbacks: [Int: AURenderCallbackStruct] = [:]
  private var connections: [Int: AudioUnitConnection] = [:]
  private var host = HostCallbackInfo()
  private var lastError = noErr
  let midiOutput = MIDIOutputPackets()
  private var render: AURenderBlock?
  private var schedule: AUScheduleParameterBlock?
  private var scheduleMIDI: AUScheduleMIDIEventBlock?
  private var pull: AURenderPullInputBlock?
  private var memory: [UnsafeMutablePointer<Float>] = []
  private var channelBytes = 0
  private var byNumber: [AudioUnitParameterID: AUParameter] = [:]
  private var numbers: [AudioUnitParameterID] = []
  private var initialValues: [AudioUnitParameterID: AUValue] = [:]

  /// Open units, by the host's handles.
  private static let table = Table()
  private final class Table: @unchecked Sendable {
    let lock = NSLock()
    var units: [AudioUnit: AUAudioUnit] = [:]
  }
  /// The object behind a unit that a program wrote; nil for others.
  static func object(_ unit: AudioUnit) -> AUAudioUnit? {
    table.lock.withLock { table.units[unit] }
  }

  init(_ classOfUnit: AUAudioUnit.Type, _ description: AudioComponentDescription) {
    self.classOfUnit = classOfUnit
    self.description = description
  }
  deinit {
    for samples in memory { samples.deallocate() }
  }

  // MARK: Life

  func open(_ handle: AudioUnit?) -> OSStatus {
    var error: UnsafeMutableRawPointer?
    let arguments = AuricleInitialArguments(
      componentType: description.componentType, componentSubType: description.componentSubType,
      componentManufacturer: description.componentManufacturer,
      componentFlags: description.componentFlags,
      componentFlagsMask: description.componentFlagsMask)
    let made = AuricleMakeAudioUnit(
      unsafeBitCast(AUAudioUnit.self as AnyObject.Type, to: UnsafeRawPointer.self),
      unsafeBitCast(classOfUnit as AnyObject.Type, to: UnsafeRawPointer.self), arguments, 0, &error)
    guard let made else { return kAudioUnitErr_FailedInitialization }
    let unit = Unmanaged<AUAudioUnit>.fromOpaque(made).takeRetainedValue()
    self.unit = unit
    self.handle = handle
    for parameter in unit.parameterTree?.allParameters ?? [] {
      let number = AudioUnitParameterID(truncatingIfNeeded: parameter.address)
      if byNumber.updateValue(parameter, forKey: number) == nil { numbers.append(number) }
      initialValues[number] = parameter.value
    }
    if let handle {
      PlugInInstance.table.lock.withLock { PlugInInstance.table.units[handle] = unit }
    }
    return noErr
  }
  func close() {
    if let handle {
      _ = PlugInInstance.table.lock.withLock {
        PlugInInstance.table.units.removeValue(forKey: handle)
      }
    }
    uninitialize()
    unit = nil
  }
  func initialize() -> OSStatus {
    guard let unit else { return kAudioUnitErr_FailedInitialization }
    if unit.renderResourcesAllocated { return noErr }
    unit.musicalContextBlock = musicalContext
    unit.transportStateBlock = transportState
    do { try unit.allocateRenderResources() } catch let error as NSError {
      return OSStatus(clamping: error.code)
    }
    pull = { [unowned self] flags, time, frames, bus, list in
      pullInput(flags, time, frames, bus, list)
    }
    render = unit.renderBlock
    schedule = unit.scheduleParameterBlock
    scheduleMIDI = unit.scheduleMIDIEventBlock
    let channels = unit.outputBusses.map { Int($0.format.channelCount) }.max() ?? 0
    for samples in memory { samples.deallocate() }
    channelBytes = Int(unit.maximumFramesToRender) * 4
    memory = (0..<channels).map { _ in
      let samples = UnsafeMutablePointer<Float>.allocate(capacity: Int(unit.maximumFramesToRender))
      samples.initialize(repeating: 0, count: Int(unit.maximumFramesToRender))
      return samples
    }
    return noErr
  }
  func uninitialize() {
    render = nil
    schedule = nil
    scheduleMIDI = nil
    pull = nil
    unit?.deallocateRenderResources()
  }
  func reset() { unit?.reset() }

  // MARK: Listeners

  func addListener(
    _ property: AudioUnitPropertyID, _ proc: @escaping AudioUnitPropertyListenerProc,
    _ refCon: UnsafeMutableRawPointer?
  ) {
    lock.withLock { listeners.append((property, proc, refCon)) }
  }
  func removeListener(_ property: AudioUnitPropertyID, _ refCon: UnsafeMutableRawPointer?) {
    lock.withLock { listeners.removeAll { $0.property == property && $0.refCon == refCon } }
  }
  func changed(
    _ property: AudioUnitPropertyID, _ scope: AudioUnitScope, _ element: AudioUnitElement
  ) {
    guard let handle else { return }
    for entry in lock.withLock({ listeners }) where entry.property == property {
      if let refCon = entry.refCon ?? UnsafeMutableRawPointer(bitPattern: 8) {
        entry.proc(refCon, handle, property, scope, element)
      }
    }
  }
  func addNotify(_ proc: @escaping AURenderCallback, _ refCon: UnsafeMutableRawPointer?) {
    lock.withLock { notifies.append((proc, refCon ?? Unmanaged.passUnretained(self).toOpaque())) }
  }
  func removeNotify(_ refCon: UnsafeMutableRawPointer?) {
    lock.withLock { notifies.removeAll { $0.refCon == refCon } }
  }

  // MARK: Parameters

  var parameterNumbers: [AudioUnitParameterID] { numbers }
  func parameter(_ number: AudioUnitParameterID) -> AUParameter? { byNumber[number] }
  /// The value that a parameter had when the unit was opened.
  func initialValue(_ parameter: AUParameter) -> AUValue {
    initialValues[AudioUnitParameterID(truncatingIfNeeded: parameter.address)] ?? parameter.minValue
  }
  func set(_ number: AudioUnitParameterID, _ value: AUValue, _ offset: UInt32) -> OSStatus {
    guard let parameter = byNumber[number] else { return kAudioUnitErr_InvalidParameter }
    if offset > 0, let schedule {
      schedule(AUEventSampleTimeImmediate + Int64(offset), 0, parameter.address, value)
    }
    parameter.value = value
    return noErr
  }
  func scheduleEvents(_ events: UnsafePointer<AudioUnitParameterEvent>, _ count: Int) -> OSStatus {
    for index in 0..<count {
      let event = events[index]
      guard let parameter = byNumber[event.parameter] else { return kAudioUnitErr_InvalidParameter }
      if event.eventType == .parameterEvent_Ramped {
        let ramp = event.eventValues.ramp
        schedule?(
          AUEventSampleTimeImmediate + Int64(max(ramp.startBufferOffset, 0)), ramp.durationInFrames,
          parameter.address, ramp.endValue)
        parameter.store(ramp.endValue)
      } else {
        let value = event.eventValues.immediate
        schedule?(
          AUEventSampleTimeImmediate + Int64(value.bufferOffset), 0, parameter.address, value.value)
        parameter.store(value.value)
      }
    }
    return noErr
  }
  func sendMIDI(_ bytes: UnsafePointer<UInt8>, _ count: Int, _ offset: UInt32) -> OSStatus {
    guard let scheduleMIDI else { return unit == nil ? kAudioUnitErr_Uninitialized : noErr }
    scheduleMIDI(AUEventSampleTimeImmediate + Int64(min(offset, 4_095)), 0, count, bytes)
    return noErr
  }

  // MARK: Rendering

  func setCallback(_ bus: Int, _ callback: AURenderCallbackStruct) {
    callbacks[bus] = callback.inputProc == nil ? nil : callback
    connections[bus] = nil
  }
  func setConnection(_ connection: AudioUnitConnection) {
    let bus = Int(connection.destInputNumber)
    connections[bus] = connection.sourceAudioUnit == nil ? nil : connection
    callbacks[bus] = nil
  }
  func setHost(_ host: HostCallbackInfo) { self.host = host }
  var lastRenderError: OSStatus {
    defer { lastError = noErr }
    return lastError
  }

  private func pullInput(
    _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>,
    _ time: UnsafePointer<AudioTimeStamp>, _ frames: UInt32,
    _ bus: Int, _ list: UnsafeMutablePointer<AudioBufferList>
  ) -> OSStatus {
    if let callback = callbacks[bus], let proc = callback.inputProc {
      return proc(
        callback.inputProcRefCon ?? UnsafeMutableRawPointer(list), flags, time, UInt32(bus), frames,
        list)
    }
    if let connection = connections[bus], let source = connection.sourceAudioUnit {
      return AudioUnitRender(source, flags, time, connection.sourceOutputNumber, frames, list)
    }
    return kAudioUnitErr_NoConnection
  }
  func render(
    _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>,
    _ time: UnsafePointer<AudioTimeStamp>, _ bus: UInt32,
    _ frames: UInt32, _ list: UnsafeMutablePointer<AudioBufferList>
  ) -> OSStatus {
    guard let render else { return kAudioUnitErr_Uninitialized }
    midiOutput.cycleStart = AUEventSampleTime(time.pointee.mSampleTime)
    guard Int(bus) < unit?.outputBusses.count ?? 0 else { return kAudioUnitErr_InvalidElement }
    let buffers = UnsafeMutableAudioBufferListPointer(list)
    for index in 0..<buffers.count
    where buffers[index].mData == nil && index < memory.count && Int(frames) * 4 <= channelBytes {
      buffers[index].mData = UnsafeMutableRawPointer(memory[index])
      buffers[index].mDataByteSize = frames * 4
    }
    let notifies = notifies
    for notify in notifies {
      var before: AudioUnitRenderActionFlags = [.unitRenderAction_PreRender]
      _ = notify.proc(notify.refCon, &before, time, bus, frames, list)
    }
    let status = render(flags, time, frames, Int(bus), list, pull)
    if status != noErr { lastError = status }
    for notify in notifies {
      var after: AudioUnitRenderActionFlags =
        status == noErr
        ? [.unitRenderAction_PostRender]
        : [.unitRenderAction_PostRender, .unitRenderAction_PostRenderError]
      _ = notify.proc(notify.refCon, &after, time, bus, frames, list)
    }
    return status
  }

  // MARK: The host's song

  private var musicalContext: AUHostMusicalContextBlock {
    { [unowned self] tempo, numerator, denominator, beat, offset, downbeat in
      var has = false
      if let proc = host.beatAndTempoProc { has = proc(host.hostUserData, beat, tempo) == noErr }
      if let proc = host.musicalTimeLocationProc {
        var (frames, over, under): (UInt32, Float, UInt32) = (0, 0, 0)
        if proc(host.hostUserData, &frames, &over, &under, downbeat) == noErr {
          has = true
          offset?.pointee = Int(frames)
          numerator?.pointee = Double(over)
          denominator?.pointee = Int(under)
        }
      }
      return has
    }
  }
  private var transportState: AUHostTransportStateBlock {
    { [unowned self] flags, sample, start, end in
      var (playing, recording, changed, cycling):
        (DarwinBoolean, DarwinBoolean, DarwinBoolean, DarwinBoolean) = (false, false, false, false)
      let status: OSStatus
      if let proc = host.transportStateProc2 {
        status = proc(
          host.hostUserData, &playing, &recording, &changed, sample, &cycling, start, end)
      } else if let proc = host.transportStateProc {
        status = proc(host.hostUserData, &playing, &changed, sample, &cycling, start, end)
      } else {
        return false
      }
      guard status == noErr else { return false }
      var state: AUHostTransportStateFlags = []
      if changed.boolValue { state.insert(.changed) }
      if playing.boolValue { state.insert(.moving) }
      if recording.boolValue { state.insert(.recording) }
      if cycling.boolValue { state.insert(.cycling) }
      flags?.pointee = state
      return true
    }
  }
}
