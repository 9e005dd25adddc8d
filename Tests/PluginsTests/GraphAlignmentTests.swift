// A limiter in one branch of a graph: the dry branch waits for it.
// SPDX-License-Identifier: Apache-2.0

import AudioComponents
import AudioGraph
import AudioTypes
import AudioUnits
import CAudioToolbox
import TestSupport
import TestUnits
import Testing

@Suite("Aligned branches")
struct GraphAlignmentTests {
  /// Noise below the limiter's ceiling, by sample time, on every channel.
  private static let noise = TestSignal.noise(seed: 91, amplitude: 0.4, frameCount: 48_000)

  @Test("a dry branch and one with 240 frames of latency null against the aligned sum")
  func limiter() throws {
    let graph = AudioUnitGraph()
    func add(
      _ type: String, _ subtype: String, _ make: @escaping () throws(AuricleError) -> AudioUnit
    ) throws -> AudioUnitGraph.Node {
      try graph.addNode(description: TestUnits.codes(type, subtype)) { () throws(AuricleError) in
        let unit = try make()
        for scope in [kAudioUnitScope_Input, kAudioUnitScope_Output] {
          for bus in 0..<unit.busCount(scope: scope) {
            try unit.setStreamFormat(
              AudioStreamFormat(sampleRate: 48_000, channelCount: 2), scope: scope,
              element: UInt32(bus))
          }
        }
        try unit.setMaximumFramesPerSlice(1024)
        return unit
      }
    }
    let component = try Shipped.registry.get().resolve("aufx:lmtr:appl")
    let split = try add("aufc", "splt") { () throws(AuricleError) in try TestUnits.split(2) }
    let limiter = try add("aufx", "lmtr") { () throws(AuricleError) in
      let unit = try component.instantiate()
      try unit.setParameter(kLimiterParam_AttackTime, 0.005)
      return unit
    }
    let mixer = try add("aumx", "sum ") { () throws(AuricleError) in try TestUnits.sum(2) }
    let end = try add("auou", "genr", TestUnits.output)
    let noise: AURenderCallback = { _, _, stamp, _, frames, list in
      guard let stamp = unsafe stamp, let list = unsafe list else { return kAudio_ParamError }
      let start = unsafe Int(stamp.pointee.mSampleTime)
      for channel in 0..<(unsafe list.bufferCount) {
        guard let data = unsafe list.samples(channel) else { return kAudio_ParamError }
        for frame in 0..<Int(frames) {
          unsafe data[frame] = GraphAlignmentTests.noise[start + frame]
        }
      }
      return 0
    }
    try unsafe graph.setInputCallback(
      split, AURenderCallbackStruct(inputProc: noise, inputProcRefCon: nil))
    try graph.connect(split, output: 0, to: mixer, input: 0)
    try graph.connect(split, output: 1, to: limiter)
    try graph.connect(limiter, to: mixer, input: 1)
    try graph.connect(mixer, to: end)
    try graph.open()
    try graph.initialize()
    #expect(graph.latencyFrames == 240)

    let buffers = AudioBuffers(channelCount: 2, frameCapacity: 1024)
    var output: [Float] = []
    var turn = 0
    while output.count < 40_000 {
      let frames = [1024, 17, 240, 512][turn % 4]
      turn += 1
      buffers.setFrameCount(frames)
      #expect(unsafe graph.render(frameCount: frames, into: buffers.list) == 0)
      unsafe output += unsafe UnsafeBufferPointer(start: buffers.channel(1), count: frames)
    }
    let sum = output.indices.map { $0 < 240 ? 0 : Self.noise[$0 - 240] * 2 }
    let rest = maximumDifference(output, sum)
    #expect(decibels(rest) < -100)
  }
}
