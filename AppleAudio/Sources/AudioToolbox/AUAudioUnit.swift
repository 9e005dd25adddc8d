// Units of version 3: the ones that a program implements, and every component of version 2 with the same interface.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Fills pointers with tempo and place; false without data.
public typealias AUHostMusicalContextBlock = (
  UnsafeMutablePointer<Double>?, UnsafeMutablePointer<Double>?, UnsafeMutablePointer<Int>?,
  UnsafeMutablePointer<Double>?, UnsafeMutablePointer<Int>?, UnsafeMutablePointer<Double>?
) -> Bool
/// Fills pointers with the state of the transport; false without data.
public typealias AUHostTransportStateBlock = (
  UnsafeMutablePointer<AUHostTransportStateFlags>?, UnsafeMutablePointer<Double>?,
  UnsafeMutablePointer<Double>?,
  UnsafeMutablePointer<Double>?
) -> Bool
/// Schedules a parameter's value: time, frames of a ramp, address, value.
public typealias AUScheduleParameterBlock = (
  AUEventSampleTime, AUAudioFrameCount, AUParameterAddress, AUValue
) -> Void
/// Schedules bytes of MIDI: time, cable, length, bytes.
public typealias AUScheduleMIDIEventBlock = (AUEventSampleTime, UInt8, Int, UnsafePointer<UInt8>) ->
  Void
/// Receives bytes of MIDI that a unit sends: time, cable, length, bytes.
public typealias AUMIDIOutputEventBlock = (AUEventSampleTime, UInt8, Int, UnsafePointer<UInt8>) ->
  OSStatus
/// Called before and after each cycle: flags, time, frames, bus.
public typealias AURenderObserver = (
  AudioUnitRenderActionFlags, UnsafePointer<AudioTimeStamp>, AUAudioFrameCount, Int
) -> Void

/// A preset of a unit: factory presets have numbers from 0, a user's negative ones.
open class AUAudioUnitPreset: NSObject {
  /// The number.
  open var number = 0
  /// The name.
  open var name = ""
  /// A preset with number 0.
  public override init() {}
}

/// A unit with busses, parameters and a render block.
open class AUAudioUnit: NSObject {
  /// The unit's description.
  public let componentDescription: AudioComponentDescription
  /// The unit of version 2 behind it; nil for one that a program wrote.
  package let auricleUnit: AudioUnit?
  private let ownsUnit: Bool
  private var bridge: AUAudioUnitBridge?
  private var allocated = false
  private var tree: AUParameterTree?
  private var preset: AUAudioUnitPreset?
  let events = RenderEventRing()
  let observers = RenderObserverList()

  /// Makes a unit of a description. For a class of a program it is the work of super.init; of AUAudioUnit itself it opens a
  /// component.
  public init(
    componentDescription: AudioComponentDescription,
    options: AudioComponentInstantiationOptions = []
  ) throws {
    self.componentDescription = componentDescription
    var unit: AudioUnit?
    if type(of: self) == AUAudioUnit.self {
      var wanted = componentDescription
      guard let component = AudioComponentFindNext(nil, &wanted) else { throw auricleError(-3000) }
      try auricleCheck(AudioComponentInstanceNew(component, &unit))
    }
    auricleUnit = unit
    ownsUnit = true
    super.init()
    if let unit { bridge = AUAudioUnitBridge(unit, self) }
  }
  /// Makes the object of a unit that other code opened, and disposes of.
  package init(auricleUnit unit: AudioUnit) {
    var description = AudioComponentDescription()
    if let component = AudioComponentInstanceGetComponent(unit) {
      AudioComponentGetDescription(component, &description)
    }
    componentDescription = description
    auricleUnit = unit
    ownsUnit = false
    super.init()
    bridge = AUAudioUnitBridge(unit, self)
  }
  deinit {
    if ownsUnit, let unit = auricleUnit { AudioComponentInstanceDispose(unit) }
  }

  /// Opens a component and calls a handler on a queue of the library.
  open class func instantiate(
    with componentDescription: AudioComponentDescription,
    options: AudioComponentInstantiationOptions = [],
    completionHandler: @escaping (AUAudioUnit?, (any Error)?) -> Void
  ) {
    nonisolated(unsafe) let handler = completionHandler
    DispatchQueue.global().async {
      do {
        handler(try AUAudioUnit(componentDescription: componentDescription, options: options), nil)
      } catch {
        handler(nil, error)
      }
    }
  }
  /// Opens a component.
  open class func instantiate(
    with componentDescription: AudioComponentDescription,
    options: AudioComponentInstantiationOptions = []
  ) async throws -> AUAudioUnit {
    try AUAudioUnit(componentDescription: componentDescription, options: options)
  }

  // MARK: Identity

  /// The component; nil for a class that is not registered.
  open var component: AudioComponent? {
    if let unit = auricleUnit { return AudioComponentInstanceGetComponent(unit) }
    var wanted = componentDescription
    return AudioComponentFindNext(nil, &wanted)
  }
  /// The name of maker and unit.
  open var componentName: String? {
    var name: Unmanaged<CFString>?
    guard let component, AudioComponentCopyName(component, &name) == noErr else { return nil }
    return name.map { String(describing: $0.takeRetainedValue()) }
  }
  /// The unit's name, as a Mac has it where it has the unit.
  open var audioUnitName: String? { component.map { auricleName($0).unit } }
  /// The maker's name.
  open var manufacturerName: String? {
    component.map { auricleName($0).maker }.flatMap { $0.isEmpty ? nil : $0 }
  }
  /// A short name.
  open var audioUnitShortName: String? { nil }
  /// The version, 0xMMMMmmbb.
  open var componentVersion: UInt32 {
    var version: UInt32 = 0
    if let component { AudioComponentGetVersion(component, &version) }
    return version
  }
  /// Whether the unit receives MIDI: instruments and music effects.
  open var isMusicDeviceOrEffect: Bool {
    [kAudioUnitType_MusicDevice, kAudioUnitType_MusicEffect].contains(
      componentDescription.componentType)
  }
  /// Whether notes of one channel have pitches and pressures of their own.
  open var supportsMPE: Bool {
    bridge?.number(kAudioUnitProperty_SupportsMPE).map { $0 != 0 } ?? false
  }
  /// Whether the unit has a view; there is no view of a unit here, unless a class of a program says so.
  open var providesUserInterface: Bool { false }
  /// The number of inputs of MIDI.
  open var virtualMIDICableCount: Int { isMusicDeviceOrEffect ? 1 : 0 }
  /// The names of outputs of MIDI.
  open var midiOutputNames: [String] { [] }

  // MARK: Busses and parameters

  /// The busses in; a class of a program overrides it where it has some.
  open var inputBusses: AUAudioUnitBusArray { bridge?.inputs ?? noBusses }
  private lazy var noBusses = AUAudioUnitBusArray(audioUnit: self, busType: .input)
  /// The busses out; a class of a program overrides it.
  open var outputBusses: AUAudioUnitBusArray {
    bridge?.outputs ?? { auricleRaise("outputBusses is overridden") }()
  }
  /// The parameters.
  open var parameterTree: AUParameterTree? {
    get {
      if tree == nil, let bridge { tree = bridge.makeTree() }
      return tree
    }
    set { tree = newValue }
  }
  /// Whether a bus may have a format.
  open func shouldChange(to format: AVAudioFormat, for bus: AUAudioUnitBus) -> Bool { true }
  /// The parameters of most use.
  open func parametersForOverview(withCount count: Int) -> [NSNumber] {
    (parameterTree?.allParameters.prefix(count) ?? []).map { NSNumber(value: $0.address) }
  }
  /// Pairs of channels in and out that are possible; -1 and -2 as in version 2. nil for any.
  open var channelCapabilities: [NSNumber]? { bridge?.channelCapabilities }

  // MARK: Rendering

  private var frames: AUAudioFrameCount = 512
  /// The greatest number of frames of a cycle.
  open var maximumFramesToRender: AUAudioFrameCount {
    get { bridge?.number(kAudioUnitProperty_MaximumFramesPerSlice) ?? frames }
    set {
      frames = newValue
      bridge?.set(kAudioUnitProperty_MaximumFramesPerSlice, newValue)
    }
  }
  /// Whether the unit is ready to render.
  open var renderResourcesAllocated: Bool { allocated }
  /// Makes the unit ready to render; a class of a program calls super first.
  open func allocateRenderResources() throws {
    guard !allocated else { return }
    try bridge?.prepare()
    allocated = true
  }
  /// Ends being ready to render.
  open func deallocateRenderResources() {
    guard allocated else { return }
    bridge?.release()
    allocated = false
  }
  /// Forgets the sound so far.
  open func reset() {
    if let unit = auricleUnit { AudioUnitReset(unit, kAudioUnitScope_Global, 0) }
  }
  /// Seconds by which sound is late.
  open var latency: TimeInterval { bridge?.seconds(kAudioUnitProperty_Latency) ?? 0 }
  /// Seconds that the unit sounds on.
  open var tailTime: TimeInterval { bridge?.seconds(kAudioUnitProperty_TailTime) ?? 0 }
  private var bypass = false
  /// Whether sound passes unchanged.
  open var shouldBypassEffect: Bool {
    get { bridge?.number(kAudioUnitProperty_BypassEffect).map { $0 != 0 } ?? bypass }
    set {
      bypass = newValue
      bridge?.set(kAudioUnitProperty_BypassEffect, newValue ? 1 : 0)
    }
  }
  /// Whether output may be written into the buffers of the input.
  open var canProcessInPlace: Bool {
    bridge?.number(kAudioUnitProperty_InPlaceProcessing).map { $0 != 0 } ?? false
  }
  private var offline = false
  /// Whether time does not count.
  open var isRenderingOffline: Bool {
    get { bridge?.number(kAudioUnitProperty_OfflineRender).map { $0 != 0 } ?? offline }
    set {
      offline = newValue
      bridge?.set(kAudioUnitProperty_OfflineRender, newValue ? 1 : 0)
    }
  }
  private var quality = 127
  /// The quality of rendering, 0 to 127.
  open var renderQuality: Int {
    get { bridge?.number(kAudioUnitProperty_RenderQuality).map(Int.init) ?? quality }
    set {
      quality = newValue
      bridge?.set(kAudioUnitProperty_RenderQuality, UInt32(clamping: newValue))
    }
  }

  /// The render block of a program's class; read once, at the allocation.
  open var internalRenderBlock: AUInternalRenderBlock {
    bridge?.renderBlock ?? { auricleRaise("internalRenderBlock is overridden") }()
  }
  /// The render block for hosts.
  open var renderBlock: AURenderBlock {
    let (inner, events, observers) = (internalRenderBlock, events, observers)
    let maximum = maximumFramesToRender
    let isChecked = bridge == nil && RealtimeCheck.isOn
    return { flags, time, frames, bus, list, pull in
      guard frames <= maximum else { return kAudioUnitErr_TooManyFramesToProcess }
      let list_ = list
      observers.call([.unitRenderAction_PreRender], time, frames, bus)
      let head = events.collect(from: AUEventSampleTime(time.pointee.mSampleTime), frames: frames)
      if isChecked { RealtimeCheck.enter() }
      let status = inner(flags, time, frames, bus, list_, head, pull)
      if isChecked { RealtimeCheck.leave() }
      observers.call([.unitRenderAction_PostRender], time, frames, bus)
      return status
    }
  }
  /// Schedules a parameter's value, from any thread.
  open var scheduleParameterBlock: AUScheduleParameterBlock {
    if let bridge { return bridge.scheduleParameter }
    let events = events
    return { time, ramp, address, value in _ = events.addParameter(time, ramp, address, value) }
  }
  /// Schedules MIDI, from any thread; nil for units that receive none.
  open var scheduleMIDIEventBlock: AUScheduleMIDIEventBlock? {
    guard isMusicDeviceOrEffect || bridge == nil && virtualMIDICableCount > 0 else { return nil }
    if let bridge { return bridge.scheduleMIDI }
    let events = events
    return { time, cable, length, bytes in _ = events.addMIDI(time, cable, length, bytes) }
  }
  /// Receives the MIDI that the unit sends; set by a host.
  open var midiOutputEventBlock: AUMIDIOutputEventBlock? {
    didSet { bridge?.setMIDIOutput(midiOutputEventBlock) }
  }
  /// The host's tempo and place; read at the allocation, called in render.
  open var musicalContextBlock: AUHostMusicalContextBlock? {
    didSet { bridge?.setHostBlocks(musicalContextBlock, transportStateBlock) }
  }
  /// The host's transport; read at the allocation, called in render.
  open var transportStateBlock: AUHostTransportStateBlock? {
    didSet { bridge?.setHostBlocks(musicalContextBlock, transportStateBlock) }
  }
  /// A name that the host has for the unit's place.
  open var contextName: String?
  /// Adds an observer that is called on the render thread.
  open func token(byAddingRenderObserver observer: @escaping AURenderObserver) -> Int {
    let token = observers.add(observer)
    bridge?.observe(observers)
    return token
  }
  /// Removes an observer.
  open func removeRenderObserver(_ token: Int) { observers.remove(token) }

  // MARK: Presets and state

  /// The presets that come with the unit.
  open var factoryPresets: [AUAudioUnitPreset]? { bridge?.factoryPresets }
  /// The present preset; setting one loads it.
  open var currentPreset: AUAudioUnitPreset? {
    get { preset ?? bridge?.presentPreset }
    set {
      preset = newValue
      guard let newValue else { return }
      if newValue.number >= 0 {
        bridge?.select(newValue)
      } else if let state = try? presetState(for: newValue) {
        fullState = state
      }
    }
  }
  /// The state as a dictionary of version 2's keys.
  open var fullState: [String: Any]? {
    get { bridge?.state ?? ownState }
    set {
      if let bridge { bridge.state = newValue } else { readOwnState(newValue) }
    }
  }
  /// The state as a document keeps it.
  open var fullStateForDocument: [String: Any]? {
    get { fullState }
    set { fullState = newValue }
  }
}

/// The names of a component's maker and unit, the unit's as on a Mac where a Mac has the unit.
package func auricleName(_ component: AudioComponent) -> (maker: String, unit: String) {
  var name: Unmanaged<CFString>?
  guard AudioComponentCopyName(component, &name) == noErr, let name else { return ("", "") }
  let text = String(describing: name.takeRetainedValue())
  guard let colon = text.firstIndex(of: ":") else { return ("", text) }
  var unit = text[text.index(after: colon)...].trimmingCharacters(in: .whitespaces)
  var description = AudioComponentDescription()
  AudioComponentGetDescription(component, &description)
  // The library adds the Mac's name, which is one word with a capital, in parentheses.
  if description.componentManufacturer == kAudioUnitManufacturer_Apple, unit.hasSuffix(")"),
    let start = unit.lastIndex(of: "(")
  {
    let inner = unit[unit.index(after: start)...].dropLast()
    if inner.first?.isUppercase ?? false, !inner.contains(" ") { unit = String(inner) }
  }
  return (String(text[..<colon]), unit)
}
