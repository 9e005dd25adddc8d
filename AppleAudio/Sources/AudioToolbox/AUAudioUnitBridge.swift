// A unit of version 2 as the busses, parameters, presets and blocks of version 3.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// The observers of a unit's cycles. The list is replaced as a whole, and old lists live as long as the unit.
final class RenderObserverList: @unchecked Sendable {
  private final class List {
    let entries: [(token: Int, call: AURenderObserver)]
    init(_ entries: [(token: Int, call: AURenderObserver)]) { self.entries = entries }
  }
  private let lock = NSLock()
  private var lists = [List([])]
  /// The address of the present list.
  private let present: Atomic<UInt>
  private var last = 0

  init() { present = Atomic(RenderObserverList.address(lists[0])) }
  private static func address(_ list: List) -> UInt {
    UInt(bitPattern: Unmanaged.passUnretained(list).toOpaque())
  }
  private var list: Unmanaged<List>? {
    UnsafeRawPointer(bitPattern: present.load(ordering: .acquiring)).map(Unmanaged.fromOpaque)
  }
  func add(_ observer: @escaping AURenderObserver) -> Int {
    lock.withLock {
      last += 1
      publish(lists[lists.count - 1].entries + [(last, observer)])
      return last
    }
  }
  func remove(_ token: Int) {
    lock.withLock { publish(lists[lists.count - 1].entries.filter { $0.token != token }) }
  }
  private func publish(_ entries: [(token: Int, call: AURenderObserver)]) {
    lists.append(List(entries))
    present.store(RenderObserverList.address(lists[lists.count - 1]), ordering: .releasing)
  }
  /// Calls the observers. Render thread.
  func call(
    _ flags: AudioUnitRenderActionFlags, _ time: UnsafePointer<AudioTimeStamp>, _ frames: UInt32,
    _ bus: Int
  ) {
    list?._withUnsafeGuaranteedRef { list in
      for entry in list.entries { entry.call(flags, time, frames, bus) }
    }
  }
}

/// The face of a unit of version 2.
final class AUAudioUnitBridge: @unchecked Sendable {
  let unit: AudioUnit
  let inputs: AUAudioUnitBusArray
  let outputs: AUAudioUnitBusArray
  private let pull = UnsafeMutablePointer<AURenderPullInputBlock?>.allocate(capacity: 1)
  private var observing: RenderObserverList?
  private var hostBlocks: (AUHostMusicalContextBlock?, AUHostTransportStateBlock?) = (nil, nil)
  private var isPrepared = false
  /// Receivers of the unit's MIDI, the last one in use.
  private var receivers: [MIDIOutputReceiver] = []

  init(_ unit: AudioUnit, _ owner: AUAudioUnit) {
    self.unit = unit
    pull.initialize(to: nil)
    inputs = AUAudioUnitBusArray(audioUnit: owner, busType: .input)
    outputs = AUAudioUnitBusArray(audioUnit: owner, busType: .output)
    for (list, scope) in [(inputs, kAudioUnitScope_Input), (outputs, kAudioUnitScope_Output)] {
      fill(list, scope)
      list.didSetCount = { [weak self] count in
        var number = UInt32(clamping: count)
        try auricleCheck(
          AudioUnitSetProperty(unit, kAudioUnitProperty_ElementCount, scope, 0, &number, 4))
        self?.fill(list, scope)
      }
    }
  }
  deinit {
    if let observing {
      AudioUnitRemoveRenderNotify(
        unit, notifyObservers, Unmanaged.passUnretained(observing).toOpaque())
    }
    pull.deinitialize(count: 1)
    pull.deallocate()
  }

  private func fill(_ list: AUAudioUnitBusArray, _ scope: AudioUnitScope) {
    let count = number(kAudioUnitProperty_ElementCount, scope) ?? 0
    list.replaceBusses(
      (0..<count).compactMap { element in
        let bus = try? AUAudioUnitBus(format: format(scope, element))
        // A side chain is read once a program enables it.
        bus?.isEnabled = element == 0 || scope != kAudioUnitScope_Input || !hasSideChains
        bus?.didSetFormat = { [unit] format in
          var raw = format.raw
          try auricleCheck(
            AudioUnitSetProperty(
              unit, kAudioUnitProperty_StreamFormat, scope, element, &raw,
              UInt32(MemoryLayout.size(ofValue: raw))))
        }
        return bus
      })
  }
  /// Whether inputs behind the first are side chains: those of effects are.
  private var hasSideChains: Bool {
    var description = AudioComponentDescription()
    if let component = AudioComponentInstanceGetComponent(unit) {
      AudioComponentGetDescription(component, &description)
    }
    return [kAudioUnitType_Effect, kAudioUnitType_MusicEffect].contains(description.componentType)
  }
  private func format(_ scope: AudioUnitScope, _ element: UInt32) -> AVAudioFormat {
    var raw = AudioStreamBasicDescription()
    var size = UInt32(MemoryLayout.size(ofValue: raw))
    guard
      AudioUnitGetProperty(unit, kAudioUnitProperty_StreamFormat, scope, element, &raw, &size)
        == noErr,
      raw.mChannelsPerFrame > 0
    else { return .auricleStandard(44_100, 2) }
    return .auricleMake(raw)
  }

  func number(_ property: AudioUnitPropertyID, _ scope: AudioUnitScope = kAudioUnitScope_Global)
    -> UInt32?
  {
    var (value, size): (UInt32, UInt32) = (0, 4)
    return AudioUnitGetProperty(unit, property, scope, 0, &value, &size) == noErr ? value : nil
  }
  func set(_ property: AudioUnitPropertyID, _ value: UInt32) {
    var value = value
    AudioUnitSetProperty(unit, property, kAudioUnitScope_Global, 0, &value, 4)
  }
  func seconds(_ property: AudioUnitPropertyID) -> Double? {
    var (value, size): (Double, UInt32) = (0, 8)
    return AudioUnitGetProperty(unit, property, kAudioUnitScope_Global, 0, &value, &size) == noErr
      ? value : nil
  }
  /// An object that a property returns, which is released with the result.
  func object(_ property: AudioUnitPropertyID, _ element: UInt32 = 0) -> AnyObject? {
    var reference: Unmanaged<AnyObject>?
    var size = UInt32(MemoryLayout<UnsafeRawPointer>.size)
    guard
      AudioUnitGetProperty(unit, property, kAudioUnitScope_Global, element, &reference, &size)
        == noErr
    else { return nil }
    return reference?.takeRetainedValue()
  }

  var channelCapabilities: [NSNumber]? {
    var size: UInt32 = 0
    let property = kAudioUnitProperty_SupportedNumChannels
    guard AudioUnitGetPropertyInfo(unit, property, kAudioUnitScope_Global, 0, &size, nil) == noErr,
      size >= 4
    else { return nil }
    var pairs = [AUChannelInfo](
      repeating: AUChannelInfo(), count: Int(size) / MemoryLayout<AUChannelInfo>.size)
    guard AudioUnitGetProperty(unit, property, kAudioUnitScope_Global, 0, &pairs, &size) == noErr
    else { return nil }
    return pairs.flatMap { [NSNumber(value: $0.inChannels), NSNumber(value: $0.outChannels)] }
  }

  // MARK: Rendering

  func prepare() throws {
    for index in 0..<inputs.count {
      var callback = AURenderCallbackStruct(
        inputProc: inputs[index].isEnabled ? pullInput : nil,
        inputProcRefCon: UnsafeMutableRawPointer(pull))
      AudioUnitSetProperty(
        unit, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, UInt32(index), &callback,
        UInt32(MemoryLayout.size(ofValue: callback)))
    }
    try auricleCheck(AudioUnitInitialize(unit))
    isPrepared = true
  }
  func release() {
    AudioUnitUninitialize(unit)
    isPrepared = false
  }
  var renderBlock: AUInternalRenderBlock {
    let (unit, pull) = (unit, pull)
    return { flags, time, frames, bus, list, _, input in
      pull.pointee = input
      return AudioUnitRender(unit, flags, time, UInt32(bus), frames, list)
    }
  }
  func observe(_ observers: RenderObserverList) {
    guard observing == nil else { return }
    observing = observers
    AudioUnitAddRenderNotify(unit, notifyObservers, Unmanaged.passUnretained(observers).toOpaque())
  }
  var scheduleParameter: AUScheduleParameterBlock {
    let unit = unit
    return { time, ramp, address, value in
      let offset =
        time >= AUEventSampleTimeImmediate && time < AUEventSampleTimeImmediate + 4096
        ? UInt32(time - AUEventSampleTimeImmediate) : 0
      let (id, scope, element) = (
        UInt32(truncatingIfNeeded: address), UInt32(address >> 56),
        UInt32(address >> 32 & 0xFF_FFFF)
      )
      guard ramp > 0 else {
        AudioUnitSetParameter(unit, id, scope, element, value, offset)
        return
      }
      var event = AudioUnitParameterEvent()
      event.scope = scope
      event.element = element
      event.parameter = id
      event.eventType = .parameterEvent_Ramped
      event.eventValues.ramp.startBufferOffset = Int32(offset)
      event.eventValues.ramp.durationInFrames = ramp
      var present: AUValue = 0
      AudioUnitGetParameter(unit, id, scope, element, &present)
      event.eventValues.ramp.startValue = present
      event.eventValues.ramp.endValue = value
      if AudioUnitScheduleParameters(unit, &event, 1) != noErr {
        AudioUnitSetParameter(unit, id, scope, element, value, offset)
      }
    }
  }
  var scheduleMIDI: AUScheduleMIDIEventBlock {
    let unit = unit
    return { time, _, length, bytes in
      let offset =
        time >= AUEventSampleTimeImmediate && time < AUEventSampleTimeImmediate + 4096
        ? UInt32(time - AUEventSampleTimeImmediate) : 0
      guard length > 0 else { return }
      if bytes[0] == 0xF0 {
        MusicDeviceSysEx(unit, bytes, UInt32(length))
      } else {
        MusicDeviceMIDIEvent(
          unit, UInt32(bytes[0]), length > 1 ? UInt32(bytes[1]) : 0,
          length > 2 ? UInt32(bytes[2]) : 0, offset)
      }
    }
  }

  // MARK: Host

  /// Has the unit's MIDI go to a block.
  func setMIDIOutput(_ block: AUMIDIOutputEventBlock?) {
    let receiver = MIDIOutputReceiver(block ?? { _, _, _, _ in noErr })
    // The render thread may still be in the last one.
    if receiver.attach(to: unit) == noErr { receivers.append(receiver) }
  }

  func setHostBlocks(_ context: AUHostMusicalContextBlock?, _ transport: AUHostTransportStateBlock?)
  {
    hostBlocks = (context, transport)
    var callbacks = HostCallbackInfo(
      hostUserData: Unmanaged.passUnretained(self).toOpaque(), beatAndTempoProc: hostBeat,
      musicalTimeLocationProc: hostPlace, transportStateProc: nil,
      transportStateProc2: hostTransport)
    AudioUnitSetProperty(
      unit, kAudioUnitProperty_HostCallbacks, kAudioUnitScope_Global, 0, &callbacks,
      UInt32(MemoryLayout.size(ofValue: callbacks)))
  }
  fileprivate static func blocks(_ data: UnsafeMutableRawPointer?) -> (
    AUHostMusicalContextBlock?, AUHostTransportStateBlock?
  ) {
    data.map { Unmanaged<AUAudioUnitBridge>.fromOpaque($0).takeUnretainedValue().hostBlocks } ?? (
      nil, nil
    )
  }

  // MARK: Presets

  var factoryPresets: [AUAudioUnitPreset]? {
    guard let array = object(kAudioUnitProperty_FactoryPresets) else { return nil }
    let reference = OpaquePointer(Unmanaged.passUnretained(array).toOpaque())
    return (0..<CFArrayGetCount(reference)).compactMap { index in
      CFArrayGetValueAtIndex(reference, index).map {
        AUAudioUnitBridge.preset($0.loadUnaligned(as: AUPreset.self))
      }
    }
  }
  private static func preset(_ raw: AUPreset) -> AUAudioUnitPreset {
    let preset = AUAudioUnitPreset()
    preset.number = Int(raw.presetNumber)
    preset.name = raw.presetName.map { String(describing: $0.takeUnretainedValue()) } ?? ""
    return preset
  }
  var presentPreset: AUAudioUnitPreset? {
    var raw = AUPreset()
    var size = UInt32(MemoryLayout.size(ofValue: raw))
    let status = AudioUnitGetProperty(
      unit, kAudioUnitProperty_PresentPreset, kAudioUnitScope_Global, 0, &raw, &size)
    guard status == noErr else { return nil }
    defer { raw.presetName?.release() }
    return AUAudioUnitBridge.preset(raw)
  }
  func select(_ preset: AUAudioUnitPreset) {
    let name = preset.name as CFString
    withExtendedLifetime(name) {
      var raw = AUPreset()
      raw.presetNumber = Int32(clamping: preset.number)
      raw.presetName = .passUnretained(name)
      AudioUnitSetProperty(
        unit, kAudioUnitProperty_PresentPreset, kAudioUnitScope_Global, 0, &raw,
        UInt32(MemoryLayout.size(ofValue: raw)))
    }
  }
  var state: [String: Any]? {
    get {
      object(kAudioUnitProperty_ClassInfo) as? [String: Any]
        ?? (object(kAudioUnitProperty_ClassInfo) as? NSDictionary).flatMap { $0 as? [String: Any] }
    }
    set {
      guard let newValue else { return }
      let dictionary = NSDictionary(dictionary: newValue)
      withExtendedLifetime(dictionary) {
        var reference = Unmanaged.passUnretained(dictionary)
        AudioUnitSetProperty(
          unit, kAudioUnitProperty_ClassInfo, kAudioUnitScope_Global, 0, &reference, 8)
      }
    }
  }
}

// MARK: Functions that C calls

private func pullInput(
  _ refCon: UnsafeMutableRawPointer, _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>,
  _ time: UnsafePointer<AudioTimeStamp>, _ bus: UInt32, _ frames: UInt32,
  _ list: UnsafeMutablePointer<AudioBufferList>?
) -> OSStatus {
  guard let list, let pull = refCon.assumingMemoryBound(to: AURenderPullInputBlock?.self).pointee
  else {
    return kAudioUnitErr_NoConnection
  }
  return pull(flags, time, frames, Int(bus), list)
}

private func notifyObservers(
  _ refCon: UnsafeMutableRawPointer, _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>,
  _ time: UnsafePointer<AudioTimeStamp>, _ bus: UInt32, _ frames: UInt32,
  _ list: UnsafeMutablePointer<AudioBufferList>?
) -> OSStatus {
  Unmanaged<RenderObserverList>.fromOpaque(refCon)._withUnsafeGuaranteedRef {
    $0.call(flags.pointee, time, frames, Int(bus))
  }
  return noErr
}

private func hostBeat(
  _ data: UnsafeMutableRawPointer?, _ beat: UnsafeMutablePointer<Double>?,
  _ tempo: UnsafeMutablePointer<Double>?
) -> OSStatus {
  let has = AUAudioUnitBridge.blocks(data).0?(tempo, nil, nil, beat, nil, nil) ?? false
  return has ? noErr : kAudioUnitErr_CannotDoInCurrentContext
}

private func hostPlace(
  _ data: UnsafeMutableRawPointer?, _ offset: UnsafeMutablePointer<UInt32>?,
  _ numerator: UnsafeMutablePointer<Float>?,
  _ denominator: UnsafeMutablePointer<UInt32>?, _ downbeat: UnsafeMutablePointer<Double>?
) -> OSStatus {
  var (over, under, frames): (Double, Int, Int) = (0, 0, 0)
  guard AUAudioUnitBridge.blocks(data).0?(nil, &over, &under, nil, &frames, downbeat) ?? false
  else {
    return kAudioUnitErr_CannotDoInCurrentContext
  }
  offset?.pointee = UInt32(clamping: frames)
  numerator?.pointee = Float(over)
  denominator?.pointee = UInt32(clamping: under)
  return noErr
}

private func hostTransport(
  _ data: UnsafeMutableRawPointer?, _ playing: UnsafeMutablePointer<DarwinBoolean>?,
  _ recording: UnsafeMutablePointer<DarwinBoolean>?,
  _ changed: UnsafeMutablePointer<DarwinBoolean>?,
  _ sample: UnsafeMutablePointer<Double>?, _ cycling: UnsafeMutablePointer<DarwinBoolean>?,
  _ start: UnsafeMutablePointer<Double>?, _ end: UnsafeMutablePointer<Double>?
) -> OSStatus {
  var flags = AUHostTransportStateFlags()
  guard AUAudioUnitBridge.blocks(data).1?(&flags, sample, start, end) ?? false else {
    return kAudioUnitErr_CannotDoInCurrentContext
  }
  playing?.pointee = DarwinBoolean(flags.contains(.moving))
  recording?.pointee = DarwinBoolean(flags.contains(.recording))
  changed?.pointee = DarwinBoolean(flags.contains(.changed))
  cycling?.pointee = DarwinBoolean(flags.contains(.cycling))
  return noErr
}
