// Renders every unit that ships, alone and in a chain, inside realtime sections.
// SPDX-License-Identifier: Apache-2.0
//
// Scripts/check-realtime links this program with RealtimeSanitizer, which ends it with a stack at the
// first allocation, lock or system call made between enter and exit.

import AudioComponents
import AudioGraph
import AudioTypes
import AudioUnits
import CAudioToolbox
import Glibc
import NativeUnits
import RealtimeSupport
import Synchronization
import TestSupport

@main struct RealtimeCheck {
  static let maximumFrames = 1024

  static func main() throws {
    let arguments = CommandLine.arguments.dropFirst()
    guard RealtimeSection.isChecked else {
      print("RealtimeSanitizer is not linked: run Scripts/check-realtime")
      exit(70)
    }
    if arguments.first == "--violate" { violate() }
    guard let folder = arguments.first else {
      print("usage: realtime-check COMPONENTS-FOLDER | --violate")
      exit(64)
    }
    let discovery = NativeComponentSource(folders: [(path: folder, origin: .builtIn)]).discover()
    guard !discovery.components.isEmpty else {
      print("no components in \(folder)")
      exit(66)
    }
    for component in discovery.components {
      for channels in [1, 2, 6] { try check(component, channels) }
      print("\(component.triple) \(component.name): no violation")
    }
    try checkChain(discovery.components)
    print("a chain of the effects: no violation")
    try GraphCheck.run(edits: 3000, seed: 19)
  }

  /// Allocates inside a realtime section, to show that the sanitizer is awake.
  static func violate() -> Never {
    RealtimeSection.enter()
    let memory = UnsafeMutablePointer<Float>.allocate(capacity: 4096)
    unsafe memory.initialize(repeating: 1, count: 4096)
    RealtimeSection.exit()
    print("not noticed: \(unsafe memory[17])")
    exit(0)
  }

  /// Renders slices of many sizes, with ramps and bypass, while another thread moves the parameters.
  static func check(_ component: AudioComponent, _ channels: Int) throws {
    let unit = try component.instantiate()
    let source = NoiseSource()
    try unit.setMaximumFramesPerSlice(maximumFrames)
    let format = AudioStreamFormat(sampleRate: 48_000, channelCount: channels)
    let inputs = unit.busCount(scope: kAudioUnitScope_Input)
    let outputs = unit.busCount(scope: kAudioUnitScope_Output)
    for bus in 0..<inputs {
      try unit.setStreamFormat(format, scope: kAudioUnitScope_Input, element: UInt32(bus))
      try unsafe unit.setInputCallback(
        element: UInt32(bus), noiseCallback, refCon: UnsafeMutableRawPointer(source.samples))
    }
    for bus in 0..<outputs {
      try unit.setStreamFormat(format, scope: kAudioUnitScope_Output, element: UInt32(bus))
    }
    var outputChannels = channels
    do {
      try unit.initialize()
    } catch {
      // A merger gives what all its inputs have together.
      outputChannels = channels * inputs
      try unit.setStreamFormat(
        AudioStreamFormat(sampleRate: 48_000, channelCount: outputChannels),
        scope: kAudioUnitScope_Output)
      try unit.initialize()
    }
    let parameters = try unit.parameters().filter(\.isWritable)
    let mover = ParameterMover(unit, parameters)
    mover.start()
    defer { mover.stop() }
    let buffers = AudioBuffers(channelCount: outputChannels, frameCapacity: maximumFrames)
    let schedule = unsafe unit.instance.pointee.scheduleParameters
    let plugIn = unsafe UnsafeMutableRawPointer(unit.instance.pointee.plugIn)
    var ramp = AudioUnitParameterEvent()
    ramp.eventType = kParameterEvent_Ramped
    ramp.parameter = parameters.first?.id ?? 0
    var generator = SeededGenerator(seed: 11)
    var time = 0.0
    for slice in 0..<400 {
      let frames = Int(generator.next() % UInt64(maximumFrames)) + 1
      buffers.setFrameCount(frames)
      if slice % 50 == 0 { try? unit.setBypassed(slice % 100 == 0) }
      unsafe ramp.eventValues.ramp.durationInFrames = UInt32(frames / 2 + 1)
      unsafe ramp.eventValues.ramp.startValue = parameters.first?.minimum ?? 0
      unsafe ramp.eventValues.ramp.endValue = parameters.first?.maximum ?? 0
      var flags: AudioUnitRenderActionFlags = 0
      var stamp = AudioTimeStamp(sampleTime: time)
      RealtimeSection.enter()
      if slice % 10 == 0, !parameters.isEmpty, let schedule = unsafe schedule {
        _ = unsafe schedule(plugIn, &ramp, 1)
      }
      let status = unsafe unit.render(
        flags: &flags, timeStamp: &stamp, frameCount: UInt32(frames), buffers: buffers.list)
      RealtimeSection.exit()
      guard status == 0 else {
        print("\(component.triple): rendering failed: \(AudioStatus(rawValue: status))")
        exit(1)
      }
      time += Double(frames)
    }
  }

  /// Renders a chain of all effects, each mixed with its input.
  static func checkChain(_ components: [AudioComponent]) throws {
    let effects = components.filter { $0.description.componentType == kAudioUnitType_Effect }
    let stages = effects.map { component in
      ChainStage(label: component.name, mix: 0.5) { () throws(AuricleError) in
        try component.instantiate()
      }
    }
    let chain = try UnitChain(
      stages: stages, sampleRate: 48_000, channelCount: 2, maximumFrames: maximumFrames)
    let source = NoiseSource()
    let output = AudioBuffers(channelCount: 2, frameCapacity: maximumFrames)
    let inputs = unsafe [source.samples, source.samples]
    let outputs = unsafe [output.channel(0), output.channel(1)]
    for slice in 0..<200 {
      RealtimeSection.enter()
      try unsafe chain.render(input: inputs, output: outputs, frameCount: 1 + slice * 5)
      RealtimeSection.exit()
    }
  }
}

/// Noise in memory that lives as long as the program.
@safe final class NoiseSource {
  let samples: UnsafeMutablePointer<Float>

  init() {
    unsafe samples = .allocate(capacity: RealtimeCheck.maximumFrames)
    let noise = TestSignal.noise(seed: 3, frameCount: RealtimeCheck.maximumFrames)
    for (index, sample) in noise.enumerated() { unsafe (samples + index).initialize(to: sample) }
  }
}

/// Gives every channel the same noise.
let noiseCallback: AURenderCallback = { refCon, _, _, _, frames, list in
  guard let samples = unsafe refCon?.assumingMemoryBound(to: Float.self), let list = unsafe list
  else { return kAudio_ParamError }
  let buffers = unsafe (UnsafeMutableRawPointer(list) + 8).assumingMemoryBound(to: AudioBuffer.self)
  for channel in 0..<(unsafe Int(list.pointee.mNumberBuffers)) {
    guard let data = unsafe buffers[channel].mData else { return kAudio_ParamError }
    unsafe SampleCopy.copy(
      from: samples, to: data.assumingMemoryBound(to: Float.self), count: Int(frames))
  }
  return 0
}

/// Sets random parameters on a thread of its own until stopped.
///
/// @unchecked Sendable because setting a parameter is allowed from any thread, and `isRunning` is
/// atomic.
final class ParameterMover: @unchecked Sendable {
  private let unit: AudioUnit
  private let parameters: [UnitParameter]
  private let isRunning = Atomic<Bool>(true)
  private var thread = pthread_t()

  init(_ unit: AudioUnit, _ parameters: [UnitParameter]) {
    self.unit = unit
    self.parameters = parameters
  }

  func start() {
    unsafe pthread_create(
      &thread, nil,
      { mover in
        guard let mover = unsafe mover else { return nil }
        unsafe Unmanaged<ParameterMover>.fromOpaque(mover).takeUnretainedValue().move()
        return nil
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  func stop() {
    isRunning.store(false, ordering: .relaxed)
    pthread_join(thread, nil)
  }

  private func move() {
    var generator = SeededGenerator(seed: 5)
    while isRunning.load(ordering: .relaxed), !parameters.isEmpty {
      let parameter = parameters[Int(generator.next() % UInt64(parameters.count))]
      let part = (generator.nextSample() + 1) / 2
      let value = parameter.minimum + (parameter.maximum - parameter.minimum) * part
      try? unit.setParameter(parameter.id, value)
      usleep(50)
    }
  }
}
