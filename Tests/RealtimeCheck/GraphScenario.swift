// A graph with branches that is rewired while it plays.
// SPDX-License-Identifier: Apache-2.0

import AudioComponents
import AudioGraph
import AudioTypes
import AudioUnits
import CAudioToolbox
import Glibc
import RealtimeSupport
import Synchronization
import TestSupport

/// A splitter, branches through effects, a mixer and a generic output.
///
/// @unchecked Sendable because the editing thread uses the graph's control functions only, and the
/// rendering one the output unit's render procedure.
@safe final class GraphScenario: @unchecked Sendable {
  private let graph = AudioUnitGraph()
  private let splitter: AudioUnitGraph.Node
  private var branches: [AudioUnitGraph.Node] = []
  private let mixer: AudioUnitGraph.Node
  private let output: AudioUnitGraph.Node
  private let source = NoiseSource()
  private let isRunning = Atomic<Bool>(true)
  private var thread = pthread_t()

  /// Builds, opens and initialises the graph.
  init(_ components: [AudioComponent]) throws {
    func component(_ type: OSType, _ subtype: OSType) throws -> AudioComponent {
      guard
        let found = components.first(where: {
          $0.description.componentType == type && $0.description.componentSubType == subtype
        })
      else { throw AuricleError(.unavailable, "a component of the graph is missing") }
      return found
    }
    let graph = self.graph
    func add(_ type: OSType, _ subtype: OSType) throws -> AudioUnitGraph.Node {
      let component = try component(type, subtype)
      return try graph.addNode(description: component.description) { () throws(AuricleError) in
        try component.instantiate()
      }
    }
    splitter = try add(kAudioUnitType_FormatConverter, kAudioUnitSubType_MultiSplitter)
    let effects: [OSType] = [
      kAudioUnitSubType_PeakLimiter, kAudioUnitSubType_LowPassFilter, kAudioUnitSubType_Delay,
    ]
    for subtype in effects { branches.append(try add(kAudioUnitType_Effect, subtype)) }
    mixer = try add(kAudioUnitType_Mixer, kAudioUnitSubType_MultiChannelMixer)
    output = try add(kAudioUnitType_Output, kAudioUnitSubType_GenericOutput)
    try graph.open()
    try graph.unit(of: splitter)?.setProperty(
      kAudioUnitProperty_ElementCount, scope: kAudioUnitScope_Output, UInt32(branches.count))
    for node in [splitter] + branches + [mixer, output] {
      try graph.unit(of: node)?.setMaximumFramesPerSlice(RealtimeCheck.maximumFrames)
    }
    try unsafe graph.setInputCallback(
      splitter,
      AURenderCallbackStruct(
        inputProc: noiseCallback, inputProcRefCon: UnsafeMutableRawPointer(source.samples)))
    for (index, branch) in branches.enumerated() {
      try graph.connect(splitter, output: UInt32(index), to: branch)
      try graph.connect(branch, to: mixer, input: UInt32(index))
    }
    try graph.connect(mixer, to: output)
    try graph.initialize()
  }

  /// Renders while another thread edits.
  func run(sliceCount: Int) throws {
    guard let unit = try graph.unit(of: output) else { return }
    unsafe pthread_create(
      &thread, nil,
      { scenario in
        guard let scenario = unsafe scenario else { return nil }
        unsafe Unmanaged<GraphScenario>.fromOpaque(scenario).takeUnretainedValue().edit()
        return nil
      }, Unmanaged.passUnretained(self).toOpaque())
    defer {
      isRunning.store(false, ordering: .relaxed)
      pthread_join(thread, nil)
    }
    let buffers = AudioBuffers(channelCount: 2, frameCapacity: RealtimeCheck.maximumFrames)
    var generator = SeededGenerator(seed: 23)
    var time = 0.0
    for _ in 0..<sliceCount {
      let frames = Int(generator.next() % UInt64(RealtimeCheck.maximumFrames)) + 1
      buffers.setFrameCount(frames)
      var flags: AudioUnitRenderActionFlags = 0
      var stamp = AudioTimeStamp(sampleTime: time)
      RealtimeSection.enter()
      let status = unsafe unit.render(
        flags: &flags, timeStamp: &stamp, frameCount: UInt32(frames), buffers: buffers.list)
      RealtimeSection.exit()
      guard status == 0 else {
        print(
          "graph: rendering failed at frame \(time): \(AudioStatus(rawValue: status)), "
            + "\(graph.consumeFailure()?.label ?? "no node")")
        exit(1)
      }
      time += Double(frames)
    }
  }

  /// Removes branches and puts them back, and moves the mixer's volumes.
  private func edit() {
    var generator = SeededGenerator(seed: 29)
    while isRunning.load(ordering: .relaxed) {
      let index = Int(generator.next() % UInt64(branches.count))
      let level = (generator.nextSample() + 1) / 2
      do {
        try graph.unit(of: mixer)?.setParameter(
          kMultiChannelMixerParam_Volume, level, scope: kAudioUnitScope_Input,
          element: UInt32(index))
        try graph.disconnectInput(mixer, input: UInt32(index))
        try graph.update(waits: false)
        // A pace and no wait: some slices are rendered without the branch.
        usleep(200)
        try graph.connect(branches[index], to: mixer, input: UInt32(index))
        try graph.update(waits: false)
      } catch {
        print("graph: an edit failed: \(error)")
        exit(1)
      }
      usleep(300)
    }
  }
}
