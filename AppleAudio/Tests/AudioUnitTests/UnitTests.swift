// Effects and instruments as nodes, and units of version 3.
// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: NeverForceUnwrap, NeverUseImplicitlyUnwrappedOptionals

import AVFoundation
import Testing

/// A unit of a program that multiplies its input by a factor.
private final class FactorUnit: AUAudioUnit {
  private var inputs: AUAudioUnitBusArray!
  private var outputs: AUAudioUnitBusArray!
  private let factor = UnsafeMutablePointer<Float>.allocate(capacity: 1)
  static let code = AudioComponentDescription(
    componentType: kAudioUnitType_Effect, componentSubType: 0x6661_6374,
    componentManufacturer: 0x5465_7374,
    componentFlags: 0, componentFlagsMask: 0)

  override init(
    componentDescription: AudioComponentDescription,
    options: AudioComponentInstantiationOptions = []
  ) throws {
    factor.initialize(to: 1)
    try super.init(componentDescription: componentDescription, options: options)
    let format = AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 1)!
    inputs = AUAudioUnitBusArray(
      audioUnit: self, busType: .input, busses: [try AUAudioUnitBus(format: format)])
    outputs = AUAudioUnitBusArray(
      audioUnit: self, busType: .output, busses: [try AUAudioUnitBus(format: format)])
    let parameter = AUParameterTree.createParameter(
      withIdentifier: "factor", name: "Factor", address: 7, min: 0, max: 4, unit: .linearGain,
      unitName: nil,
      flags: [.flag_IsReadable, .flag_IsWritable], valueStrings: nil, dependentParameters: nil)
    let factor = factor
    parameter.value = 1
    parameterTree = AUParameterTree.createTree(withChildren: [parameter])
    parameterTree?.implementorValueObserver = { _, value in factor.pointee = value }
  }
  deinit { factor.deallocate() }
  override var inputBusses: AUAudioUnitBusArray { inputs }
  override var outputBusses: AUAudioUnitBusArray { outputs }
  override var internalRenderBlock: AUInternalRenderBlock {
    let factor = factor
    return { flags, time, frames, bus, list, events, pull in
      guard let pull else { return kAudioUnitErr_NoConnection }
      let status = pull(flags, time, frames, 0, list)
      guard status == noErr else { return status }
      var event = events
      var value = factor.pointee
      let buffers = UnsafeMutableAudioBufferListPointer(list)
      for buffer in buffers {
        let samples = UnsafeMutableBufferPointer<Float>(buffer)
        for frame in 0..<Int(frames) {
          while let head = event?.pointee.head,
            head.eventSampleTime <= Int64(time.pointee.mSampleTime) + Int64(frame)
          {
            if head.eventType == .parameter { value = event!.pointee.parameter.value }
            event = UnsafePointer(head.next)
          }
          samples[frame] *= value
        }
      }
      factor.pointee = value
      return noErr
    }
  }
}

@Suite(.serialized) struct UnitTests {
  @Test func effectsHaveTheirRanges() {
    let delay = AVAudioUnitDelay()
    #expect(
      delay.delayTime == 1 && delay.feedback == 50 && delay.wetDryMix == 100
        && delay.lowPassCutoff == 15_000)
    delay.delayTime = 5
    delay.feedback = -200
    #expect(delay.delayTime == 2 && delay.feedback == -100)
    let pitch = AVAudioUnitTimePitch()
    #expect(pitch.rate == 1 && pitch.pitch == 0 && pitch.overlap == 8)
    pitch.rate = 100
    pitch.pitch = -9_999
    #expect(pitch.rate == 32 && pitch.pitch == -2_400)
    let speed = AVAudioUnitVarispeed()
    speed.rate = 0.1
    #expect(speed.rate == 0.25)
    let distortion = AVAudioUnitDistortion()
    #expect(distortion.preGain == -6 && distortion.wetDryMix == 50)
    distortion.loadFactoryPreset(.speechWaves)
    let equalizer = AVAudioUnitEQ(numberOfBands: 4)
    #expect(
      equalizer.bands.count == 4 && equalizer.bands.allSatisfy { $0.bypass }
        && equalizer.globalGain == 0)
    equalizer.bands[2].filterType = .highShelf
    equalizer.bands[2].gain = 30
    #expect(equalizer.bands[2].filterType == .highShelf && equalizer.bands[2].gain == 24)
    let reverb = AVAudioUnitReverb()
    #expect(reverb.wetDryMix == 0)
    reverb.wetDryMix = 40
    reverb.loadFactoryPreset(.cathedral)
    #expect(reverb.wetDryMix == 40 && reverb.auAudioUnit.factoryPresets?.count == 13)
  }

  @Test func namesAndTheManager() throws {
    let delay = AVAudioUnitDelay()
    #expect(delay.name == "AUDelay" && !delay.manufacturerName.isEmpty)
    #expect(delay.auAudioUnit.audioUnitName == "AUDelay")
    let found = AVAudioUnitComponentManager.shared().components(
      matching: delay.audioComponentDescription)
    #expect(found.count == 1 && found[0].typeName == "Effect" && found[0].name == delay.name)
    let instruments = AVAudioUnitComponentManager.shared().components { component, _ in
      component.hasMIDIInput
    }
    #expect(
      instruments.contains {
        $0.audioComponentDescription.componentSubType == kAudioUnitSubType_Sampler
      })
  }

  @Test func unknownUnitsFail() async {
    let unknown = AudioComponentDescription(
      componentType: kAudioUnitType_Effect, componentSubType: 1, componentManufacturer: 2,
      componentFlags: 0,
      componentFlagsMask: 0)
    do {
      _ = try await AVAudioUnit.instantiate(with: unknown)
      Issue.record("an unknown unit was opened")
    } catch let error as NSError {
      #expect(error.code == -3_000)
    }
  }

  @Test func theFaceOfVersionThree() throws {
    let description = AudioComponentDescription(
      componentType: kAudioUnitType_Effect, componentSubType: kAudioUnitSubType_LowPassFilter,
      componentManufacturer: kAudioUnitManufacturer_Apple, componentFlags: 0, componentFlagsMask: 0)
    let unit = try AUAudioUnit(componentDescription: description)
    let tree = try #require(unit.parameterTree)
    let cutoff = try #require(tree.parameter(withAddress: 0))
    #expect(cutoff.unit == .hertz && tree.allParameters.count >= 2)
    cutoff.value = 1_234
    #expect(cutoff.value == 1_234)
    let state = try #require(unit.fullState)
    cutoff.value = 500
    unit.fullState = state
    #expect(cutoff.value == 1_234)
    #expect(unit.inputBusses.count == 1 && unit.outputBusses[0].format.channelCount > 0)
    try unit.allocateRenderResources()
    #expect(unit.renderResourcesAllocated)
    #expect(throws: NSError.self) { try unit.inputBusses[0].setFormat(standardFormat(48_000)) }
    unit.deallocateRenderResources()
    try unit.inputBusses[0].setFormat(standardFormat(48_000))
  }

  @Test func treesAreChecked() async throws {
    func parameter(_ name: String, _ address: UInt64) -> AUParameter {
      AUParameterTree.createParameter(
        withIdentifier: name, name: name, address: address, min: 0, max: 1, unit: .generic,
        unitName: nil, flags: [],
        valueStrings: ["off", "on"], dependentParameters: nil)
    }
    let (a, b) = (parameter("a", 1), parameter("b", 2))
    let tree = AUParameterTree.createTree(withChildren: [
      AUParameterTree.createGroup(withIdentifier: "g", name: "G", children: [a]), b,
    ])
    #expect(
      a.keyPath == "g.a" && tree.value(forKey: "b") as? AUParameter === b
        && tree.value(forKeyPath: "g.a") as? AUParameter === a)
    #expect(tree.allParameters.map(\.address) == [1, 2])
    nonisolated(unsafe) var seen: [Float] = []
    tree.implementorValueObserver = { _, value in seen.append(value) }
    let stream = AsyncStream.makeStream(of: Float.self)
    let own = tree.token(byAddingParameterObserver: { _, value in stream.continuation.yield(-value)
    })
    let other = tree.token(byAddingParameterObserver: { _, value in stream.continuation.yield(value)
    })
    a.setValue(5, originator: own)
    #expect(seen == [5] && a.value == 5)
    var iterator = stream.stream.makeAsyncIterator()
    #expect(await iterator.next() == 5)
    tree.removeParameterObserver(own)
    tree.removeParameterObserver(other)
    var one: Float = 1
    #expect(a.string(fromValue: &one) == "on" && a.value(from: "off") == 0)
  }

  private func standardFormat(_ rate: Double) -> AVAudioFormat {
    AVAudioFormat(standardFormatWithSampleRate: rate, channels: 2)!
  }

  @Test func aRegisteredClassIsAComponent() throws {
    AUAudioUnit.registerSubclass(
      FactorUnit.self, as: FactorUnit.code, name: "Tests: Factor", version: 3)
    let effect = AVAudioUnitEffect(audioComponentDescription: FactorUnit.code)
    let unit = try #require(effect.auAudioUnit as? FactorUnit)
    #expect(effect.name == "Factor" && effect.manufacturerName == "Tests")
    let engine = AVAudioEngine()
    let format = AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 1)!
    try engine.enableManualRenderingMode(.offline, format: format, maximumFrameCount: 256)
    let source = AVAudioSourceNode(format: format) { _, _, frames, list in
      let samples = UnsafeMutableBufferPointer<Float>(list.pointee.mBuffers)
      for frame in 0..<Int(frames) { samples[frame] = 0.5 }
      return noErr
    }
    engine.attach(source)
    engine.attach(effect)
    engine.connect(source, to: effect, format: format)
    engine.connect(effect, to: engine.mainMixerNode, format: format)
    try engine.start()
    let block = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 256)!
    try engine.renderOffline(4, to: block)
    #expect(
      Array(UnsafeBufferPointer(start: block.floatChannelData![0], count: 4)) == [
        0.5, 0.5, 0.5, 0.5,
      ])
    var value: AudioUnitParameterValue = 0
    #expect(
      AudioUnitGetParameter(effect.audioUnit, 7, kAudioUnitScope_Global, 0, &value) == noErr
        && value == 1)
    unit.scheduleParameterBlock(AUEventSampleTimeImmediate + 2, 0, 7, 3)
    try engine.renderOffline(4, to: block)
    #expect(
      Array(UnsafeBufferPointer(start: block.floatChannelData![0], count: 4)) == [
        0.5, 0.5, 1.5, 1.5,
      ])
    unit.parameterTree?.parameter(withAddress: 7)?.value = 2
    try engine.renderOffline(2, to: block)
    #expect(block.floatChannelData![0][0] == 1)
    let state = try #require(unit.fullState)
    unit.parameterTree?.parameter(withAddress: 7)?.value = 4
    unit.fullState = state
    #expect(unit.parameterTree?.parameter(withAddress: 7)?.value == 2)
  }

  @Test func aRegisteredEffectKeepsTheContractOfVersionTwo() throws {
    AUAudioUnit.registerSubclass(
      FactorUnit.self, as: FactorUnit.code, name: "Tests: Factor", version: 3)
    let effect = AVAudioUnitEffect(audioComponentDescription: FactorUnit.code)
    defer { withExtendedLifetime(effect) {} }
    let unit = effect.audioUnit
    for property in [kAudioUnitProperty_SetRenderCallback, kAudioUnitProperty_MakeConnection] {
      var isWritable: DarwinBoolean = false
      #expect(
        AudioUnitGetPropertyInfo(unit, property, kAudioUnitScope_Input, 0, nil, &isWritable)
          == noErr && isWritable.boolValue)
      #expect(
        AudioUnitGetPropertyInfo(unit, property, kAudioUnitScope_Input, 9, nil, nil)
          == kAudioUnitErr_InvalidElement)
    }
    #expect(MusicDeviceMIDIEvent(unit, 0x90, 60, 100, 0) != noErr, "an effect receives no MIDI")
    var event = AudioUnitParameterEvent()
    event.scope = kAudioUnitScope_Global
    event.parameter = 7
    event.eventType = .parameterEvent_Immediate
    event.eventValues.immediate = .init(bufferOffset: 3, value: 2)
    #expect(AudioUnitScheduleParameters(unit, &event, 1) == noErr)
    var value: AudioUnitParameterValue = 0
    AudioUnitGetParameter(unit, 7, kAudioUnitScope_Global, 0, &value)
    #expect(value == 2)
  }

  @Test func aSamplerPlays() throws {
    let engine = AVAudioEngine()
    let format = AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 2)!
    try engine.enableManualRenderingMode(.offline, format: format, maximumFrameCount: 512)
    let sampler = AVAudioUnitSampler()
    engine.attach(sampler)
    engine.connect(sampler, to: engine.mainMixerNode, format: format)
    try engine.start()
    let block = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 512)!
    func peak() throws -> Float {
      var peak: Float = 0
      for _ in 0..<8 {
        try engine.renderOffline(512, to: block)
        for frame in 0..<512 { peak = max(peak, abs(block.floatChannelData![0][frame])) }
      }
      return peak
    }
    #expect(try peak() == 0)
    sampler.startNote(69, withVelocity: 100, onChannel: 0)
    #expect(try peak() > 0.01)
    sampler.stopNote(69, onChannel: 0)
    sampler.overallGain = 50
    #expect(sampler.overallGain == 12 && sampler.masterGain == 12)
  }

  @Test func sequencesLoadAndCount() throws {
    let file: [UInt8] = [
      0x4D, 0x54, 0x68, 0x64, 0, 0, 0, 6, 0, 0, 0, 1, 0, 96, 0x4D, 0x54, 0x72, 0x6B, 0, 0, 0, 13, 0,
      0x90, 60, 100, 0x81, 0x40,
      0x80, 60, 0, 0, 0xFF, 0x2F, 0,
    ]
    let sequencer = AVAudioSequencer(audioEngine: AVAudioEngine())
    try sequencer.load(from: Data(file))
    #expect(sequencer.tracks.count == 1 && sequencer.tracks[0] === sequencer.tracks[0])
    #expect(
      sequencer.tracks[0].lengthInBeats == 2 && sequencer.seconds(forBeats: 2) == 1
        && sequencer.beats(forSeconds: 1) == 2)
    sequencer.rate = 2
    sequencer.currentPositionInBeats = 1
    #expect(
      sequencer.rate == 2 && sequencer.currentPositionInSeconds == 0.5 && !sequencer.isPlaying)
    let track = sequencer.tracks[0]
    track.isMuted = true
    track.offsetTime = 0.5
    #expect(track.isMuted && !track.isSoloed && track.offsetTime == 0.5)
    #expect(sequencer.removeTrack(track) && sequencer.tracks.isEmpty)
  }
}
