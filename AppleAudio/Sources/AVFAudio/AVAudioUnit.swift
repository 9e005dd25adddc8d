// Nodes of units: effects, generators, instruments.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A node of a unit.
open class AVAudioUnit: AVAudioNode, @unchecked Sendable {
  /// The unit, for the functions of C.
  public let audioUnit: AudioUnit
  /// Where the unit's MIDI goes; nil before the first connection.
  private(set) var presentRoute: MIDIRoute?

  /// Opens a component; one that is unknown ends the program.
  init(description: AudioComponentDescription) {
    guard let unit = AVAudioUnit.open(description).unit else {
      auricleRaise("error == noErr: the audio component exists")
    }
    audioUnit = unit
    super.init(inputs: 0, outputs: 0)
    findBusses()
    // A program may change the number of busses by the functions of C.
    AudioUnitAddPropertyListener(
      audioUnit, kAudioUnitProperty_ElementCount, elementsChanged,
      Unmanaged.passUnretained(self).toOpaque())
  }
  deinit {
    AudioUnitUninitialize(audioUnit)
    AudioComponentInstanceDispose(audioUnit)
  }
  private static func open(_ description: AudioComponentDescription) -> (
    unit: AudioUnit?, status: OSStatus
  ) {
    var description = description
    guard let component = AudioComponentFindNext(nil, &description) else { return (nil, -3000) }
    var unit: AudioUnit?
    let status = AudioComponentInstanceNew(component, &unit)
    return (status == noErr ? unit : nil, status)
  }

  /// Opens a component as the kind of node that it is, and calls a handler on a queue of the library.
  open class func instantiate(
    with audioComponentDescription: AudioComponentDescription,
    options: AudioComponentInstantiationOptions = [],
    completionHandler: @escaping (AVAudioUnit?, (any Error)?) -> Void
  ) {
    nonisolated(unsafe) let handler = completionHandler
    DispatchQueue.global().async {
      do { handler(try make(audioComponentDescription), nil) } catch { handler(nil, error) }
    }
  }
  /// Opens a component as the kind of node that it is.
  open class func instantiate(
    with audioComponentDescription: AudioComponentDescription,
    options: AudioComponentInstantiationOptions = []
  ) async throws -> AVAudioUnit {
    try make(audioComponentDescription)
  }
  private static func make(_ description: AudioComponentDescription) throws -> AVAudioUnit {
    let (unit, status) = open(description)
    guard let unit else { throw auricleError(status == noErr ? -3000 : status) }
    var found = AudioComponentDescription()
    if let component = AudioComponentInstanceGetComponent(unit) {
      AudioComponentGetDescription(component, &found)
    }
    AudioComponentInstanceDispose(unit)
    switch found.componentType {
    case kAudioUnitType_Effect, kAudioUnitType_MusicEffect, kAudioUnitType_Panner:
      return AVAudioUnitEffect(audioComponentDescription: found)
    case kAudioUnitType_FormatConverter:
      return AVAudioUnitTimeEffect(audioComponentDescription: found)
    case kAudioUnitType_Generator: return AVAudioUnitGenerator(audioComponentDescription: found)
    case kAudioUnitType_MusicDevice:
      return AVAudioUnitMIDIInstrument(audioComponentDescription: found)
    default: return AVAudioUnit(description: found)
    }
  }

  /// Has as many busses as the unit has elements; those with connections stay.
  fileprivate func findBusses() {
    for (scope, isInput) in [(kAudioUnitScope_Input, true), (kAudioUnitScope_Output, false)] {
      var (count, size): (UInt32, UInt32) = (0, 4)
      AudioUnitGetProperty(audioUnit, kAudioUnitProperty_ElementCount, scope, 0, &count, &size)
      for element in UInt32(
        isInput ? inputFormats.count : outputFormats.count)..<Swift.max(
          count, UInt32(isInput ? inputFormats.count : outputFormats.count))
      {
        var raw = AudioStreamBasicDescription()
        size = UInt32(MemoryLayout.size(ofValue: raw))
        let status = AudioUnitGetProperty(
          audioUnit, kAudioUnitProperty_StreamFormat, scope, element, &raw, &size)
        let isKnown = status == noErr && raw.mChannelsPerFrame > 0
        let format = AVAudioFormat.auricleStandard(
          isKnown ? raw.mSampleRate : 44_100, isKnown ? raw.mChannelsPerFrame : 2)
        if isInput {
          inputLinks.append(nil)
          inputFormats.append(format)
        } else {
          outputs.append(OutputState())
          outputFormats.append(format)
        }
      }
      dropBusses(count, isInput)
    }
  }
  private func dropBusses(_ count: UInt32, _ isInput: Bool) {
    if isInput {
      while inputLinks.count > count, inputLinks.last.map({ $0 == nil }) ?? false {
        inputLinks.removeLast()
        inputFormats.removeLast()
      }
    } else {
      while outputs.count > count, let last = outputs.last, last.links.isEmpty, last.tap == nil {
        outputs.removeLast()
        outputFormats.removeLast()
      }
    }
  }

  // MARK: Identity

  private var component: AudioComponent? { AudioComponentInstanceGetComponent(audioUnit) }
  /// The component's description.
  open var audioComponentDescription: AudioComponentDescription {
    var description = AudioComponentDescription()
    if let component { AudioComponentGetDescription(component, &description) }
    return description
  }
  /// The unit's name, as a Mac has it where it has the unit.
  open var name: String { component.map(auricleName)?.unit ?? "" }
  /// The maker's name.
  open var manufacturerName: String { component.map(auricleName)?.maker ?? "" }
  /// The version, 0xMMMMmmbb.
  open var version: Int {
    var version: UInt32 = 0
    if let component { AudioComponentGetVersion(component, &version) }
    return Int(version)
  }
  override func makeFace() -> AUAudioUnit? { AUAudioUnit.auricleFace(audioUnit) }
  /// Loads a preset of a file.
  open func loadPreset(at url: URL) throws {
    let list = try PropertyListSerialization.propertyList(from: Data(contentsOf: url), format: nil)
    guard let state = list as? [String: Any] else { throw auricleError(kAudioUnitErr_InvalidFile) }
    let dictionary = NSDictionary(dictionary: state)
    try withExtendedLifetime(dictionary) {
      var reference = Unmanaged.passUnretained(dictionary)
      try auricleCheck(
        AudioUnitSetProperty(
          audioUnit, kAudioUnitProperty_ClassInfo, kAudioUnitScope_Global, 0, &reference, 8))
    }
  }
  override open func reset() { AudioUnitReset(audioUnit, kAudioUnitScope_Global, 0) }
  override open var latency: TimeInterval {
    var (seconds, size): (Double, UInt32) = (0, 8)
    AudioUnitGetProperty(
      audioUnit, kAudioUnitProperty_Latency, kAudioUnitScope_Global, 0, &seconds, &size)
    return seconds
  }

  func number(_ property: AudioUnitPropertyID) -> UInt32 {
    var (value, size): (UInt32, UInt32) = (0, 4)
    AudioUnitGetProperty(audioUnit, property, kAudioUnitScope_Global, 0, &value, &size)
    return value
  }
  func set(_ property: AudioUnitPropertyID, _ value: UInt32) {
    var value = value
    AudioUnitSetProperty(audioUnit, property, kAudioUnitScope_Global, 0, &value, 4)
  }
  func parameter(_ id: Int, _ scope: AudioUnitScope = kAudioUnitScope_Global, _ element: Int = 0)
    -> Float
  {
    var value: Float = 0
    AudioUnitGetParameter(audioUnit, UInt32(id), scope, UInt32(element), &value)
    return value
  }
  func set(
    _ id: Int, _ value: Float, in range: ClosedRange<Float>,
    _ scope: AudioUnitScope = kAudioUnitScope_Global, _ element: Int = 0
  ) {
    let limited = Swift.min(Swift.max(value, range.lowerBound), range.upperBound)
    AudioUnitSetParameter(audioUnit, UInt32(id), scope, UInt32(element), limited, 0)
  }
  func loadFactory(_ number: Int) {
    var preset = AUPreset()
    preset.presetNumber = Int32(number)
    AudioUnitSetProperty(
      audioUnit, kAudioUnitProperty_PresentPreset, kAudioUnitScope_Global, 0, &preset,
      UInt32(MemoryLayout.size(ofValue: preset)))
  }

  // MARK: Rendering

  override func setInput(_ bus: Int, _ format: AVAudioFormat) {
    super.setInput(bus, format)
    // The output has the rate and channels of the input, until it is connected.
    if bus == 0, outputs.count == 1, outputs[0].links.isEmpty { outputFormats[0] = format }
  }
  private func setFormat(_ format: AVAudioFormat, _ scope: AudioUnitScope, _ bus: Int) throws {
    var raw = AVAudioFormat.auricleStandard(format.sampleRate, format.channelCount).raw
    var (present, size) = (
      AudioStreamBasicDescription(), UInt32(MemoryLayout<AudioStreamBasicDescription>.size)
    )
    AudioUnitGetProperty(
      audioUnit, kAudioUnitProperty_StreamFormat, scope, UInt32(bus), &present, &size)
    guard present != raw else { return }
    try auricleCheck(
      AudioUnitSetProperty(
        audioUnit, kAudioUnitProperty_StreamFormat, scope, UInt32(bus), &raw, size))
  }
  /// Where the unit's MIDI goes, made at the first connection; nil for a unit that sends none.
  func makeRoute() -> MIDIRoute? {
    if let presentRoute { return presentRoute }
    let route = MIDIRoute()
    guard route.receive(from: audioUnit) else { return nil }
    locked { presentRoute = route }
    return route
  }
  override func prepare(_ maximumFrames: Int) throws {
    guard !isPrepared else { return }
    AudioUnitUninitialize(audioUnit)
    var frames = UInt32(Swift.max(maximumFrames, 512))
    AudioUnitSetProperty(
      audioUnit, kAudioUnitProperty_MaximumFramesPerSlice, kAudioUnitScope_Global, 0, &frames, 4)
    let outputFormats = outputsAtOneRate
    // Each side alone may be refused for as long as the other differs.
    for _ in 0..<2 {
      for bus in inputFormats.indices where inputLinks[bus] != nil || bus == 0 {
        try? setFormat(inputFormats[bus], kAudioUnitScope_Input, bus)
      }
      for bus in outputFormats.indices {
        try? setFormat(outputFormats[bus], kAudioUnitScope_Output, bus)
      }
    }
    for bus in outputFormats.indices where !outputs[bus].links.isEmpty {
      try setFormat(outputFormats[bus], kAudioUnitScope_Output, bus)
    }
    for bus in inputFormats.indices { feed(bus) }
    try auricleCheck(AudioUnitInitialize(audioUnit))
    try super.prepare(maximumFrames)
  }
  /// The formats of the outputs: one without connections has the rate of the first that has some.
  private var outputsAtOneRate: [AVAudioFormat] {
    guard let first = outputs.firstIndex(where: { !$0.links.isEmpty }) else { return outputFormats }
    let rate = outputFormats[first].sampleRate
    return outputFormats.indices.map { bus in
      let format = outputFormats[bus]
      return outputs[bus].links.isEmpty && format.sampleRate != rate
        ? .auricleStandard(rate, format.channelCount) : format
    }
  }
  /// Feeds an input bus. One behind the first is fed only while it is connected: a unit measures a side chain that is
  /// fed, even silence.
  private func feed(_ bus: Int) {
    let isFed = bus == 0 || inputLinks[bus] != nil
    var callback = AURenderCallbackStruct(
      inputProc: isFed ? provideUnit : nil,
      inputProcRefCon: Unmanaged.passUnretained(self).toOpaque())
    AudioUnitSetProperty(
      audioUnit, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, UInt32(bus),
      &callback, UInt32(MemoryLayout.size(ofValue: callback)))
  }
  override func inputChanged(_ bus: Int) { if isPrepared, bus > 0 { feed(bus) } }
  override func render(
    _ bus: Int, _ time: UnsafePointer<AudioTimeStamp>, _ frames: Int,
    _ list: UnsafeMutableAudioBufferListPointer
  ) -> OSStatus {
    presentRoute?.cycleStart = AUEventSampleTime(time.pointee.mSampleTime)
    cycle?.playSequences(audioUnit, at: outputFormats[bus].sampleRate, time, frames)
    var flags = AudioUnitRenderActionFlags()
    return AudioUnitRender(
      audioUnit, &flags, time, UInt32(bus), UInt32(frames), list.unsafeMutablePointer)
  }
  /// Fills a list for an input bus of the unit. Render thread.
  fileprivate func provide(
    _ bus: Int, _ time: UnsafePointer<AudioTimeStamp>, _ frames: Int,
    _ list: UnsafeMutableAudioBufferListPointer
  ) -> OSStatus {
    guard bus < inputLinks.count, let link = inputLinks[bus] else {
      clear(list, frames)
      return noErr
    }
    if link.scratch.channels == list.count { return link.pull(time, frames, list) }
    guard frames <= link.scratch.capacity else { return kAudioUnitErr_TooManyFramesToProcess }
    let source = link.scratch.point(0, frames)
    let status = link.pull(time, frames, source)
    copyFrames(source, to: list, frames)
    return status
  }
}

private func provideUnit(
  _ refCon: UnsafeMutableRawPointer, _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>,
  _ time: UnsafePointer<AudioTimeStamp>, _ bus: UInt32, _ frames: UInt32,
  _ list: UnsafeMutablePointer<AudioBufferList>?
) -> OSStatus {
  guard let list else { return kAudio_ParamError }
  return Unmanaged<AVAudioUnit>.fromOpaque(refCon)._withUnsafeGuaranteedRef {
    $0.provide(Int(bus), time, Int(frames), UnsafeMutableAudioBufferListPointer(list))
  }
}

private func elementsChanged(
  _ refCon: UnsafeMutableRawPointer, _ unit: AudioUnit, _ property: AudioUnitPropertyID,
  _ scope: AudioUnitScope, _ element: AudioUnitElement
) {
  let node = Unmanaged<AVAudioUnit>.fromOpaque(refCon).takeUnretainedValue()
  node.locked { node.findBusses() }
}

/// The description of a unit of the library.
func auricleUnit(_ type: OSType, _ subtype: OSType) -> AudioComponentDescription {
  AudioComponentDescription(
    componentType: type, componentSubType: subtype,
    componentManufacturer: kAudioUnitManufacturer_Apple, componentFlags: 0,
    componentFlagsMask: 0)
}

/// A node that changes sound as it passes.
open class AVAudioUnitEffect: AVAudioUnit, @unchecked Sendable {
  /// A node of an effect's component; one that is unknown ends the program.
  public init(audioComponentDescription: AudioComponentDescription) {
    super.init(description: audioComponentDescription)
  }
  /// Whether sound passes unchanged.
  open var bypass: Bool {
    get { number(kAudioUnitProperty_BypassEffect) != 0 }
    set { set(kAudioUnitProperty_BypassEffect, newValue ? 1 : 0) }
  }
}

/// A node that changes the speed of sound.
open class AVAudioUnitTimeEffect: AVAudioUnit, @unchecked Sendable {
  /// A node of a component that changes time; one that is unknown ends the program.
  public init(audioComponentDescription: AudioComponentDescription) {
    super.init(description: audioComponentDescription)
  }
  /// Whether sound passes unchanged.
  open var bypass: Bool {
    get { number(kAudioUnitProperty_BypassEffect) != 0 }
    set { set(kAudioUnitProperty_BypassEffect, newValue ? 1 : 0) }
  }
  fileprivate override func provide(
    _ bus: Int, _ time: UnsafePointer<AudioTimeStamp>, _ frames: Int,
    _ list: UnsafeMutableAudioBufferListPointer
  ) -> OSStatus {
    cycle?.stretches += 1
    defer { cycle?.stretches -= 1 }
    return super.provide(bus, time, frames, list)
  }
}

/// A node that makes sound.
open class AVAudioUnitGenerator: AVAudioUnit, AVAudioMixing, @unchecked Sendable {
  /// A node of a generator's component; one that is unknown ends the program.
  public init(audioComponentDescription: AudioComponentDescription) {
    super.init(description: audioComponentDescription)
  }
  /// Whether the generator is passed over.
  open var bypass: Bool {
    get { number(kAudioUnitProperty_BypassEffect) != 0 }
    set { set(kAudioUnitProperty_BypassEffect, newValue ? 1 : 0) }
  }
}
