// Graphs of units that ship: branches through splitter and mixer, rates that differ.
// SPDX-License-Identifier: Apache-2.0

import AudioComponents
import AudioGraph
import AudioTypes
import AudioUnits
import CAudioToolbox
import TestSupport
import TestUnits
import Testing

@Suite("Graphs of units that ship")
struct ShippedGraphTests {
  private static let noise = TestSignal.noise(seed: 92, amplitude: 0.3, frameCount: 48_000)

  private static let noiseCallback: AURenderCallback = { _, _, stamp, _, frames, list in
    guard let stamp = unsafe stamp, let list = unsafe list else { return kAudio_ParamError }
    let start = unsafe Int(stamp.pointee.mSampleTime)
    for channel in 0..<(unsafe list.bufferCount) {
      guard let data = unsafe list.samples(channel) else { return kAudio_ParamError }
      for frame in 0..<Int(frames) {
        unsafe data[frame] = ShippedGraphTests.noise[start + frame]
      }
    }
    return 0
  }

  /// Adds a node of a unit that ships, its buses at a rate.
  private func add(
    _ graph: AudioUnitGraph, _ name: String, rate: Double = 48_000,
    _ configure: @escaping (AudioUnit) throws(AuricleError) -> Void = { _ throws(AuricleError) in }
  ) throws -> AudioUnitGraph.Node {
    let component = try Shipped.registry.get().resolve(name)
    return try graph.addNode(description: component.description, label: name) {
      () throws(AuricleError) in
      let unit = try component.instantiate()
      for scope in [kAudioUnitScope_Input, kAudioUnitScope_Output] {
        for bus in 0..<unit.busCount(scope: scope) {
          try unit.setStreamFormat(
            AudioStreamFormat(sampleRate: rate, channelCount: 2), scope: scope,
            element: UInt32(bus))
        }
      }
      try configure(unit)
      return unit
    }
  }

  private func render(_ graph: AudioUnitGraph, _ count: Int) throws -> [Float] {
    let buffers = AudioBuffers(channelCount: 2, frameCapacity: 512)
    var output: [Float] = []
    while output.count < count {
      let frames = [512, 17, 240][output.count % 3]
      buffers.setFrameCount(frames)
      try AuricleError.check(
        unsafe graph.render(frameCount: frames, into: buffers.list), "rendering")
      unsafe output += unsafe UnsafeBufferPointer(start: buffers.channel(0), count: frames)
    }
    return output
  }

  @Test("a limiter beside a dry branch, between the splitter and the mixer that ship")
  func branches() throws {
    let graph = AudioUnitGraph()
    let split = try add(graph, "aufc:splt:appl")
    let limiter = try add(graph, "aufx:lmtr:appl") { unit throws(AuricleError) in
      try unit.setParameter(kLimiterParam_AttackTime, 0.005)
    }
    let mixer = try add(graph, "aumx:mcmx:appl")
    let end = try add(graph, "auou:genr:appl")
    try unsafe graph.setInputCallback(
      split, AURenderCallbackStruct(inputProc: Self.noiseCallback, inputProcRefCon: nil))
    try graph.open()
    try graph.connect(split, output: 0, to: mixer, input: 0)
    try graph.connect(split, output: 1, to: limiter)
    try graph.connect(limiter, to: mixer, input: 1)
    try graph.connect(mixer, to: end)
    try graph.initialize()
    #expect(graph.latencyFrames == 240)
    try graph.start()
    let output = try render(graph, 30_000)
    try graph.stop()
    let sum = output.indices.map { $0 < 240 ? 0 : Self.noise[$0 - 240] * 2 }
    #expect(decibels(maximumDifference(output, sum)) < -100)
  }

  @Test("a source of another rate is converted, by the end of the graph or in between")
  func rates() throws {
    for converts in [false, true] {
      let graph = AudioUnitGraph()
      let converter = try Shipped.registry.get().resolve("aufc:conv:appl")
      graph.makeConverter = { () throws(AuricleError) in try converter.instantiate() }
      let source = try graph.addNode(description: TestUnits.codes("augn", "sine")) {
        () throws(AuricleError) in
        let unit = try TestUnits.sine()
        try unit.setParameter(0, 1000)
        try unit.setStreamFormat(
          AudioStreamFormat(sampleRate: 44_100, channelCount: 2), scope: kAudioUnitScope_Output)
        return unit
      }
      let end = try add(graph, "auou:genr:appl")
      try graph.open()
      if converts {
        // The second input of a mixer goes at the rate of the first.
        let mixer = try add(graph, "aumx:mcmx:appl")
        let silent = try graph.addNode(description: TestUnits.codes("augn", "sine")) {
          () throws(AuricleError) in
          let unit = try TestUnits.sine()
          try unit.setParameter(1, 0)
          try unit.setStreamFormat(
            AudioStreamFormat(sampleRate: 48_000, channelCount: 2), scope: kAudioUnitScope_Output)
          return unit
        }
        try graph.connect(silent, to: mixer, input: 0)
        try graph.connect(source, to: mixer, input: 1)
        try graph.connect(mixer, to: end)
      } else {
        try graph.connect(source, to: end)
      }
      try graph.initialize()
      let output = try render(graph, 40_000)
      let fit = SineFit(output.dropFirst(10_000), frequency: 1000, sampleRate: 48_000)
      #expect(abs(fit.amplitude - 0.25) < 0.001, "converter in between: \(converts)")
      #expect(fit.signalToNoise > 80, "converter in between: \(converts)")
    }
  }
}
