// One unit rendered in slices of many sizes, with scheduled changes, while another thread disturbs it.
// SPDX-License-Identifier: Apache-2.0

import AudioComponents
import AudioTypes
import AudioUnits
import CAudioToolbox
import Glibc
import RealtimeSupport
import TestSupport

/// The channels of a unit's buses, and the rate of its inputs (Hz); its outputs have 48 kHz.
struct UnitSetup {
  var inputs: [Int]
  var outputs: [Int]
  var inputRate = 48_000.0

  /// The ways in which a unit is rendered with a number of channels.
  static func setups(of component: AudioComponent, _ channels: Int) -> [UnitSetup] {
    switch component.description.componentSubType {
    case kAudioUnitSubType_MultiChannelMixer:
      [
        UnitSetup(inputs: [1, 2] + Array(repeating: channels, count: 10), outputs: [channels]),
        UnitSetup(inputs: [channels], outputs: [2]),
      ]
    case kAudioUnitSubType_StereoMixer: [UnitSetup(inputs: [1, 2, 2], outputs: [2])]
    case kAudioUnitSubType_MatrixMixer:
      [UnitSetup(inputs: [1, channels], outputs: [2, channels])]
    case kAudioUnitSubType_VectorPanner, kAudioUnitSubType_SoundFieldPanner:
      [UnitSetup(inputs: [1], outputs: [6]), UnitSetup(inputs: [2], outputs: [8])]
    case kAudioUnitSubType_SpatialMixer, kAudioUnitSubType_3DMixer:
      [UnitSetup(inputs: [1, 2, 1], outputs: [2]), UnitSetup(inputs: [1, 2], outputs: [6])]
    case kAudioUnitSubType_SphericalHeadPanner, kAudioUnitSubType_HRTFPanner:
      [UnitSetup(inputs: [1], outputs: [2]), UnitSetup(inputs: [2], outputs: [2])]
    case kAudioUnitSubType_Splitter: [UnitSetup(inputs: [channels], outputs: [channels, channels])]
    case kAudioUnitSubType_MultiSplitter:
      [UnitSetup(inputs: [channels], outputs: Array(repeating: channels, count: 5))]
    case kAudioUnitSubType_DLSSynth, kAudioUnitSubType_MIDISynth, kAudioUnitSubType_Sampler:
      [UnitSetup(inputs: [], outputs: [2])]
    case kAudioUnitSubType_Merger:
      [UnitSetup(inputs: [channels, channels], outputs: [2 * channels])]
    case kAudioUnitSubType_AUConverter, kAudioUnitSubType_GenericOutput:
      [
        UnitSetup(inputs: [channels], outputs: [channels]),
        UnitSetup(inputs: [channels], outputs: [2], inputRate: 44_100),
        UnitSetup(inputs: [2], outputs: [channels], inputRate: 96_000),
      ]
    default: [UnitSetup(inputs: [channels], outputs: [channels])]
    }
  }
}

/// A unit, its source, and its output buffers.
final class UnitScenario {
  private let component: AudioComponent
  private let unit: AudioUnit
  private let setup: UnitSetup
  private let source = NoiseSource()
  private let events: ScheduledChanges

  /// Opens, sets up and initialises.
  init(_ component: AudioComponent, _ wanted: UnitSetup) throws {
    self.component = component
    unit = try component.instantiate()
    var setup = wanted
    // An effect has the inputs that it has: a side chain is fed like the first one.
    if component.description.componentType == kAudioUnitType_Effect {
      setup.inputs = Array(
        repeating: setup.inputs[0], count: unit.busCount(scope: kAudioUnitScope_Input))
    }
    if component.description.componentType == kAudioUnitType_Generator { setup.inputs = [] }
    self.setup = setup
    for (scope, counts) in [
      (kAudioUnitScope_Input, setup.inputs), (kAudioUnitScope_Output, setup.outputs),
    ] {
      if unit.busCount(scope: scope) != counts.count {
        try unit.setProperty(kAudioUnitProperty_ElementCount, scope: scope, UInt32(counts.count))
      }
      let rate = scope == kAudioUnitScope_Input ? setup.inputRate : 48_000
      for (bus, channels) in counts.enumerated() {
        try unit.setStreamFormat(
          AudioStreamFormat(sampleRate: rate, channelCount: channels), scope: scope,
          element: UInt32(bus))
      }
    }
    try unit.setMaximumFramesPerSlice(RealtimeCheck.maximumFrames)
    events = ScheduledChanges(try ParameterPlace.all(of: unit))
    try unsafe listen(to: noiseCallback)
    try unit.initialize()
  }

  /// Connects all inputs to a source.
  private func listen(to callback: @escaping AURenderCallback) throws {
    for bus in setup.inputs.indices {
      try unsafe unit.setInputCallback(
        element: UInt32(bus), callback, refCon: UnsafeMutableRawPointer(source.samples))
    }
  }

  /// Renders slices of all outputs.
  func run(sliceCount: Int) throws {
    let disturber = try Disturber(unit, source)
    disturber.start()
    defer { disturber.stop() }
    let buffers = setup.outputs.map {
      AudioBuffers(channelCount: $0, frameCapacity: RealtimeCheck.maximumFrames)
    }
    var generator = SeededGenerator(seed: 11)
    var time = 0.0
    for slice in 0..<sliceCount {
      // Silence lets a unit report its tail, and rest.
      if slice % 60 == 40 { try unsafe listen(to: silenceCallback) }
      if slice % 60 == 59 { try unsafe listen(to: noiseCallback) }
      let frames = Int(generator.next() % UInt64(RealtimeCheck.maximumFrames)) + 1
      for (bus, list) in buffers.enumerated() {
        // Every fourth slice the unit uses its own memory.
        if slice & 3 == 3 {
          list.setFrameCountWithoutMemory(frames)
        } else {
          list.setFrameCount(frames)
        }
        var flags: AudioUnitRenderActionFlags = 0
        var stamp = AudioTimeStamp(sampleTime: time)
        RealtimeSection.enter()
        if bus == 0 { events.schedule(unit, frames) }
        let status = unsafe unit.render(
          flags: &flags, timeStamp: &stamp, outputElement: UInt32(bus), frameCount: UInt32(frames),
          buffers: list.list)
        RealtimeSection.exit()
        guard status == 0 else {
          print("\(component.triple): rendering failed: \(AudioStatus(rawValue: status))")
          exit(1)
        }
      }
      time += Double(frames)
    }
  }
}

/// A parameter of an element, with its range.
struct ParameterPlace {
  var id: AudioUnitParameterID
  var scope: AudioUnitScope
  var element: AudioUnitElement
  var minimum: Float
  var maximum: Float

  /// Every parameter of every element that a host may set.
  static func all(of unit: AudioUnit) throws -> [ParameterPlace] {
    var places: [ParameterPlace] = []
    for scope in [kAudioUnitScope_Global, kAudioUnitScope_Input, kAudioUnitScope_Output] {
      let count = scope == kAudioUnitScope_Global ? 1 : unit.busCount(scope: scope)
      let parameters = try unit.parameters(scope: scope).filter(\.isWritable)
      for element in 0..<count {
        places += parameters.map {
          ParameterPlace(
            id: $0.id, scope: scope, element: UInt32(element), minimum: $0.minimum,
            maximum: $0.maximum)
        }
      }
    }
    return places
  }
}

/// Parameter events for the next slice: one change at once and one ramp, in memory made beforehand.
@safe final class ScheduledChanges {
  private let memory: UnsafeMutablePointer<AudioUnitParameterEvent>
  private let places: [ParameterPlace]
  private var generator = SeededGenerator(seed: 17)

  init(_ places: [ParameterPlace]) {
    self.places = places
    unsafe memory = .allocate(capacity: 2)
    unsafe memory.initialize(repeating: AudioUnitParameterEvent(), count: 2)
  }

  deinit { unsafe memory.deallocate() }

  /// Schedules; allocates nothing.
  func schedule(_ unit: AudioUnit, _ frameCount: Int) {
    guard !places.isEmpty,
      let schedule = unsafe unit.instance.pointee.scheduleParameters
    else { return }
    for index in 0..<2 {
      let place = places[Int(generator.next() % UInt64(places.count))]
      let start = Int(generator.next() % UInt64(frameCount))
      let part = (generator.nextSample() + 1) / 2
      let value = place.minimum + (place.maximum - place.minimum) * part
      unsafe memory[index].scope = place.scope
      unsafe memory[index].element = place.element
      unsafe memory[index].parameter = place.id
      if index == 0 {
        unsafe memory[index].eventType = kParameterEvent_Immediate
        unsafe memory[index].eventValues.immediate.bufferOffset = UInt32(start)
        unsafe memory[index].eventValues.immediate.value = value
      } else {
        unsafe memory[index].eventType = kParameterEvent_Ramped
        unsafe memory[index].eventValues.ramp.startBufferOffset = Int32(start)
        unsafe memory[index].eventValues.ramp.durationInFrames = UInt32(frameCount - start)
        unsafe memory[index].eventValues.ramp.startValue = place.minimum
        unsafe memory[index].eventValues.ramp.endValue = value
      }
    }
    unsafe _ = schedule(unit.instance.pointee.plugIn, memory, 2)
  }
}

/// Noise in memory that lives as long as the source.
@safe final class NoiseSource {
  let samples: UnsafeMutablePointer<Float>

  init() {
    unsafe samples = .allocate(capacity: RealtimeCheck.maximumFrames)
    let noise = TestSignal.noise(seed: 3, frameCount: RealtimeCheck.maximumFrames)
    for (index, sample) in noise.enumerated() { unsafe (samples + index).initialize(to: sample) }
  }

  deinit { unsafe samples.deallocate() }
}

/// Fills every channel with the same noise.
let noiseCallback: AURenderCallback = { refCon, _, _, _, frames, list in
  guard let samples = unsafe refCon?.assumingMemoryBound(to: Float.self), let list = unsafe list
  else { return kAudio_ParamError }
  for channel in 0..<(unsafe list.bufferCount) {
    guard let data = unsafe list.samples(channel) else { return kAudio_ParamError }
    unsafe SampleCopy.copy(from: samples, to: data, count: Int(frames))
  }
  return 0
}

/// Fills with silence, and says so.
let silenceCallback: AURenderCallback = { _, flags, _, _, frames, list in
  guard let list = unsafe list else { return kAudio_ParamError }
  for channel in 0..<(unsafe list.bufferCount) {
    guard let data = unsafe list.samples(channel) else { return kAudio_ParamError }
    unsafe SampleCopy.clear(data, count: Int(frames))
  }
  unsafe flags?.pointee |= kAudioUnitRenderAction_OutputIsSilence
  return 0
}
