// Parameters of version 3: trees, observers, providers, texts, and the values of bridged units.
// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: NeverForceUnwrap, NeverUseImplicitlyUnwrappedOptionals

import AVFoundation
import Synchronization
import Testing

/// Values in the order in which observers received them.
private final class Seen: Sendable {
  private let values = Mutex<[Float]>([])
  private let stream = AsyncStream.makeStream(of: Float.self)
  func add(_ value: Float) {
    values.withLock { $0.append(value) }
    stream.continuation.yield(value)
  }
  var all: [Float] { values.withLock { $0 } }
  func wait(_ count: Int) async -> [Float] {
    var found: [Float] = []
    for await value in stream.stream {
      found.append(value)
      if found.count == count { break }
    }
    return found
  }
}

struct ParameterTests {
  private func parameter(
    _ name: String, _ address: AUParameterAddress, strings: [String]? = nil
  ) -> AUParameter {
    AUParameterTree.createParameter(
      withIdentifier: name, name: "Name of \(name)", address: address, min: 0, max: 10,
      unit: .generic, unitName: nil, flags: [.flag_IsReadable, .flag_IsWritable],
      valueStrings: strings, dependentParameters: nil)
  }

  @Test("A value is back at once, also one out of range")
  func values() {
    let parameter = parameter("a", 1)
    for value: AUValue in [3, -5, 100] {
      parameter.value = value
      #expect(parameter.value == value)
    }
    #expect(parameter.minValue == 0 && parameter.maxValue == 10)
  }

  @Test("Observers are called in the order of the changes")
  func order() async {
    let parameter = parameter("a", 1)
    let tree = AUParameterTree.createTree(withChildren: [parameter])
    let seen = Seen()
    let token = tree.token(byAddingParameterObserver: { _, value in seen.add(value) })
    for value in 0..<50 { parameter.value = AUValue(value) }
    #expect(await seen.wait(50) == (0..<50).map { AUValue($0) })
    tree.removeParameterObserver(token)
  }

  @Test("An observer of a parameter, of its group and of the tree are each called once")
  func levels() async {
    let (a, b) = (parameter("a", 1), parameter("b", 2))
    let group = AUParameterTree.createGroup(withIdentifier: "g", name: "G", children: [a])
    let tree = AUParameterTree.createTree(withChildren: [group, b])
    let seen = Seen()
    let tokens = [
      a.token(byAddingParameterObserver: { _, _ in seen.add(1) }),
      group.token(byAddingParameterObserver: { _, _ in seen.add(2) }),
      tree.token(byAddingParameterObserver: { address, _ in seen.add(10 + Float(address)) }),
    ]
    a.value = 5
    b.value = 5
    #expect(await seen.wait(4).sorted() == [1, 2, 11, 12])
    withExtendedLifetime(tokens) {}
  }

  @Test("An originator does not receive its own change; a removed observer receives none")
  func originators() async {
    let parameter = parameter("a", 1)
    let tree = AUParameterTree.createTree(withChildren: [parameter])
    let (own, other) = (Seen(), Seen())
    let ownToken = tree.token(byAddingParameterObserver: { _, value in own.add(value) })
    let otherToken = tree.token(byAddingParameterObserver: { _, value in other.add(value) })
    parameter.setValue(1, originator: ownToken)
    parameter.setValue(2, originator: otherToken)
    parameter.setValue(3, originator: nil)
    #expect(await other.wait(2) == [1, 3])
    #expect(await own.wait(2) == [2, 3])
    tree.removeParameterObserver(ownToken)
    parameter.value = 4
    #expect(await other.wait(1) == [4])
    #expect(own.all == [2, 3])
  }

  @Test("Automation has the time and the kind of each touch")
  func automation() async {
    let parameter = parameter("a", 9)
    let tree = AUParameterTree.createTree(withChildren: [parameter])
    let events = AsyncStream.makeStream(of: (UInt64, UInt64, Float, Bool).self)
    let token = tree.token(byAddingParameterAutomationObserver: { count, list in
      for index in 0..<count {
        let event = list[index]
        events.continuation.yield(
          (event.hostTime, event.address, event.value, event.eventType == .touch))
      }
    })
    parameter.setValue(1, originator: nil, atHostTime: 1_000, eventType: .touch)
    parameter.setValue(2, originator: nil, atHostTime: 2_000, eventType: .release)
    var iterator = events.stream.makeAsyncIterator()
    let (first, second) = (await iterator.next(), await iterator.next())
    #expect(first?.0 == 1_000 && first?.1 == 9 && first?.2 == 1 && first?.3 == true)
    #expect(second?.0 == 2_000 && second?.2 == 2 && second?.3 == false)
    tree.removeParameterObserver(token)
  }

  @Test("A recorder gets time, address and value")
  func recording() async {
    let parameter = parameter("a", 4)
    let tree = AUParameterTree.createTree(withChildren: [parameter])
    let events = AsyncStream.makeStream(of: (UInt64, UInt64, Float).self)
    let token = tree.token(byAddingParameterRecordingObserver: { _, event in
      events.continuation.yield(
        (event.pointee.hostTime, event.pointee.address, event.pointee.value))
    })
    parameter.setValue(7, originator: nil, atHostTime: 55)
    var iterator = events.stream.makeAsyncIterator()
    let found = await iterator.next()
    #expect(found?.0 == 55 && found?.1 == 4 && found?.2 == 7)
    tree.removeParameterObserver(token)
  }

  @Test(
    "The unit's own observer is called before the setter returns, its provider for each reading")
  func implementor() {
    let parameter = parameter("a", 1)
    let tree = AUParameterTree.createTree(withChildren: [parameter])
    nonisolated(unsafe) var stored: AUValue = 0
    tree.implementorValueObserver = { _, value in stored = value * 2 }
    tree.implementorValueProvider = { _ in stored }
    parameter.value = 3
    #expect(stored == 6 && parameter.value == 6)
    stored = 1
    #expect(parameter.value == 1)
  }

  @Test("A parameter's own functions win over those of its tree")
  func ownFunctions() {
    let (a, b) = (parameter("a", 1), parameter("b", 2))
    let tree = AUParameterTree.createTree(withChildren: [a, b])
    tree.implementorStringFromValueCallback = { _, _ in "tree" }
    a.implementorStringFromValueCallback = { _, value in "own \(value?.pointee ?? -1)" }
    var value: AUValue = 2
    #expect(a.string(fromValue: &value) == "own 2.0" && b.string(fromValue: &value) == "tree")
    tree.implementorValueFromStringCallback = { _, text in AUValue(text.count) }
    #expect(b.value(from: "four") == 4)
  }

  @Test("Texts of choices go both ways")
  func choices() {
    let parameter = parameter("a", 1, strings: ["sine", "saw", "square"])
    for (index, text) in ["sine", "saw", "square"].enumerated() {
      var value = AUValue(index)
      #expect(parameter.string(fromValue: &value) == text)
      #expect(parameter.value(from: text) == AUValue(index))
    }
    parameter.value = 1
    #expect(parameter.string(fromValue: nil) == "saw")
  }

  @Test("Groups from a template have their own addresses")
  func templates() {
    let template = AUParameterTree.createGroupTemplate([parameter("gain", 0), parameter("pan", 1)])
    let tree = AUParameterTree.createTree(
      withChildren: (0..<3).map {
        AUParameterTree.createGroup(
          fromTemplate: template, identifier: "channel\($0)", name: "Channel \($0)",
          addressOffset: AUParameterAddress($0 * 100))
      })
    #expect(tree.allParameters.map(\.address) == [0, 1, 100, 101, 200, 201])
    let pan = tree.value(forKeyPath: "channel2.pan") as? AUParameter
    #expect(pan?.address == 201 && pan?.keyPath == "channel2.pan")
    tree.parameter(withAddress: 100)?.value = 4
    #expect(tree.parameter(withAddress: 200)?.value == 0)
  }

  @Test("Names are shortened to what a display has")
  func names() {
    let parameter = parameter("a", 1)
    #expect(parameter.displayName == "Name of a")
    #expect(parameter.displayName(withLength: 4) == "Name")
    parameter.implementorDisplayNameWithLengthCallback = { _, length in "\(length)" }
    #expect(parameter.displayName(withLength: 4) == "4")
  }

  // MARK: Bridged units

  private func effect(_ subtype: OSType) -> AudioComponentDescription {
    AudioComponentDescription(
      componentType: kAudioUnitType_Effect, componentSubType: subtype,
      componentManufacturer: kAudioUnitManufacturer_Apple, componentFlags: 0,
      componentFlagsMask: 0)
  }

  private func filter() throws -> AUAudioUnit {
    try AUAudioUnit(componentDescription: effect(kAudioUnitSubType_LowPassFilter))
  }

  @Test("A bridged unit's tree and the functions of C set the same values")
  func bridgedValues() throws {
    let node = AVAudioUnitEffect(
      audioComponentDescription: effect(kAudioUnitSubType_LowPassFilter))
    let cutoff = try #require(node.auAudioUnit.parameterTree?.parameter(withAddress: 0))
    AudioUnitSetParameter(node.audioUnit, 0, kAudioUnitScope_Global, 0, 777, 0)
    #expect(cutoff.value == 777)
    cutoff.value = 1_500
    var value: AudioUnitParameterValue = 0
    AudioUnitGetParameter(node.audioUnit, 0, kAudioUnitScope_Global, 0, &value)
    #expect(value == 1_500)
  }

  @Test("The tree of a unit is one object for as long as its parameters stay")
  func oneTree() throws {
    let unit = try filter()
    #expect(unit.parameterTree === unit.parameterTree)
    let addresses = try #require(unit.parameterTree?.allParameters.map(\.address))
    #expect(Set(addresses).count == addresses.count && !addresses.isEmpty)
  }

  @Test("A value that is scheduled counts from its frame on")
  func scheduled() throws {
    let mixer = AVAudioUnitEffect(
      audioComponentDescription: effect(kAudioUnitSubType_Delay))
    let mix = try #require(mixer.auAudioUnit.parameterTree?.parameter(withAddress: 0))
    mix.value = 0
    mixer.auAudioUnit.scheduleParameterBlock(AUEventSampleTimeImmediate, 0, mix.address, 40)
    #expect(mix.value == 40)
  }

  @Test("A state restores all values, and names the unit")
  func states() throws {
    let unit = try filter()
    let parameters = try #require(unit.parameterTree?.allParameters)
    for parameter in parameters { parameter.value = (parameter.minValue + parameter.maxValue) / 2 }
    let wanted = parameters.map(\.value)
    let state = try #require(unit.fullState)
    #expect(state[kAUPresetSubtypeKey] as? Int == Int(kAudioUnitSubType_LowPassFilter))
    #expect(state[kAUPresetManufacturerKey] as? Int == Int(kAudioUnitManufacturer_Apple))
    for parameter in parameters { parameter.value = parameter.maxValue }
    unit.fullState = state
    #expect(parameters.map(\.value) == wanted)
    let other = try filter()
    other.fullStateForDocument = unit.fullStateForDocument
    #expect(other.parameterTree?.allParameters.map(\.value) == wanted)
  }

  @Test("A preset of the user is kept by name, listed, loaded and removed")
  func userPresets() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    let before = ProcessInfo.processInfo.environment["XDG_DATA_HOME"]
    setenv("XDG_DATA_HOME", folder.path, 1)
    defer {
      if let before { setenv("XDG_DATA_HOME", before, 1) } else { unsetenv("XDG_DATA_HOME") }
      try? FileManager.default.removeItem(at: folder)
    }
    let unit = try filter()
    let cutoff = try #require(unit.parameterTree?.parameter(withAddress: 0))
    cutoff.value = 2_222
    let preset = AUAudioUnitPreset()
    (preset.number, preset.name) = (-1, "Dark / warm")
    try unit.saveUserPreset(preset)
    let names = unit.userPresets.map(\.name)
    #expect(names.count == 1 && unit.userPresets[0].number < 0)
    cutoff.value = 100
    unit.currentPreset = unit.userPresets[0]
    #expect(cutoff.value == 2_222)
    try unit.deleteUserPreset(unit.userPresets[0])
    #expect(unit.userPresets.isEmpty)
    #expect(throws: (any Error).self) { try unit.presetState(for: preset) }
    let factory = AUAudioUnitPreset()
    (factory.number, factory.name) = (0, "no")
    #expect(throws: (any Error).self) { try unit.saveUserPreset(factory) }
  }

  @Test("A preset of the factory that is selected is the present one")
  func factoryPresets() throws {
    let reverb = AVAudioUnitReverb()
    let presets = try #require(reverb.auAudioUnit.factoryPresets)
    for preset in [presets[0], presets[8]] {
      reverb.auAudioUnit.currentPreset = preset
      #expect(reverb.auAudioUnit.currentPreset?.number == preset.number)
      #expect(reverb.auAudioUnit.currentPreset?.name == preset.name)
    }
  }

  @Test("Busses are counted and named, and their formats are locked while resources are there")
  func busses() throws {
    let unit = try filter()
    #expect(unit.inputBusses.count == 1 && unit.outputBusses.count == 1)
    let bus = unit.inputBusses[0]
    #expect(bus.isEnabled && bus.index == 0)
    bus.name = "Side"
    #expect(bus.name == "Side")
    let format = AVAudioFormat(standardFormatWithSampleRate: 32_000, channels: 1)!
    try bus.setFormat(format)
    try unit.outputBusses[0].setFormat(format)
    #expect(bus.format == format)
    try unit.allocateRenderResources()
    #expect(throws: NSError.self) {
      try bus.setFormat(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 1)!)
    }
    #expect(bus.format == format)
    unit.deallocateRenderResources()
  }

  @Test("More frames than a unit is prepared for are refused")
  func tooManyFrames() throws {
    let unit = try filter()
    unit.maximumFramesToRender = 64
    try unit.allocateRenderResources()
    defer { unit.deallocateRenderResources() }
    let block = AVAudioPCMBuffer(pcmFormat: unit.outputBusses[0].format, frameCapacity: 65)!
    block.frameLength = 65
    var (flags, time) = (AudioUnitRenderActionFlags(), AudioTimeStamp())
    time.mFlags = .sampleTimeValid
    let status = unit.renderBlock(&flags, &time, 65, 0, block.mutableAudioBufferList) {
      _, _, _, _, _ in noErr
    }
    #expect(status == kAudioUnitErr_TooManyFramesToProcess)
  }

  @Test("Observers of cycles are called before and behind each, until they are removed")
  func renderObservers() throws {
    let unit = try filter()
    try unit.allocateRenderResources()
    defer { unit.deallocateRenderResources() }
    nonisolated(unsafe) var flagsSeen: [Bool] = []
    let token = unit.token(byAddingRenderObserver: { flags, _, _, _ in
      flagsSeen.append(flags.contains(.unitRenderAction_PreRender))
    })
    let block = AVAudioPCMBuffer(pcmFormat: unit.outputBusses[0].format, frameCapacity: 16)!
    func render() {
      block.frameLength = 16
      var (flags, time) = (AudioUnitRenderActionFlags(), AudioTimeStamp())
      time.mFlags = .sampleTimeValid
      _ = unit.renderBlock(&flags, &time, 16, 0, block.mutableAudioBufferList) {
        _, _, _, _, list in
        for buffer in UnsafeMutableAudioBufferListPointer(list) {
          memset(buffer.mData!, 0, Int(buffer.mDataByteSize))
        }
        return noErr
      }
    }
    render()
    #expect(flagsSeen.first == true && flagsSeen.last == false && flagsSeen.count % 2 == 0)
    unit.removeRenderObserver(token)
    let count = flagsSeen.count
    render()
    #expect(flagsSeen.count == count)
  }
}
