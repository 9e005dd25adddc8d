// Cost of a graph node with an SDK unit, beside a bare call of the unit's work.
// SPDX-License-Identifier: Apache-2.0

import AudioGraph
import AudioTypes
import AudioUnits
import CAudioToolbox
import RealtimeSupport
import TestUnits

/// Chains of gains of 1 to 1000 nodes, at 32 to 1024 frames; the least of several rounds. The output unit
/// is one of the nodes, and a gain as well. The floor is the minimum for any host: the bare calls through
/// pointers, with denormals off.
@main struct NodeBenchmark {
  static func main() throws {
    // usage: node-benchmark [ROUNDS [NODES FRAMES]] | --audio SECONDS
    let numbers = CommandLine.arguments.dropFirst().compactMap { Int($0) }
    if CommandLine.arguments.dropFirst().first == "--audio" {
      return try renderLong(seconds: numbers.first ?? 3600)
    }
    let rounds = numbers.first ?? 15
    print("### Chains of units written with the SDK, 1 channel\n")
    print("| nodes | frames | bare call | floor | in the graph | difference | ratio |")
    print("|--:|--:|--:|--:|--:|--:|--:|")
    for nodes in numbers.count == 3 ? [numbers[1]] : [1, 10, 100, 1000] {
      let graph = try chain(nodes)
      guard let unit = graph.outputUnit else { return }
      for frames in numbers.count == 3 ? [numbers[2]] : [32, 64, 256, 1024] {
        let slices = max(4, Int(3e6 / (Double(nodes) * (60 + Double(frames) / 4) + 200)))
        var best = Double.infinity
        var bare = Double.infinity
        var floor = Double.infinity
        for _ in 0..<rounds {
          var start = RenderClock.nanoseconds()
          render(unit, frames, slices)
          best = min(best, Double(RenderClock.nanoseconds() - start) / Double(slices * nodes))
          start = RenderClock.nanoseconds()
          renderBare(nodes, frames, slices)
          bare = min(bare, Double(RenderClock.nanoseconds() - start) / Double(slices * nodes))
          start = RenderClock.nanoseconds()
          renderFloor(nodes, frames, slices)
          floor = min(floor, Double(RenderClock.nanoseconds() - start) / Double(slices * nodes))
        }
        print(
          "| \(nodes) | \(frames) | \(text(bare)) | \(text(floor)) | \(text(best)) "
            + "| **\(text(best - bare))** | \(text(best / bare)) |")
      }
    }
  }

  /// Renders as many slices of 64 frames as so much sound has, and prints the cost by the tenth.
  private static func renderLong(seconds: Int) throws {
    let nodes = 100
    let graph = try chain(nodes)
    guard let unit = graph.outputUnit else { return }
    print("### A chain of \(nodes) units of the SDK for \(seconds) s of sound, 64 frames a slice\n")
    print("| part | slices | ns a node a slice, least | mean |")
    print("|--:|--:|--:|--:|")
    let slices = max(1, seconds * 48_000 / 64 / 10 / 100) * 100
    for part in 1...10 {
      var best = Double.infinity
      var sum = 0.0
      for _ in 0..<(slices / 100) {
        let start = RenderClock.nanoseconds()
        render(unit, 64, 100)
        let spent = Double(RenderClock.nanoseconds() - start) / Double(100 * nodes)
        best = min(best, spent)
        sum += spent
      }
      print("| \(part) | \(slices) | \(text(best)) | \(text(sum / Double(slices / 100))) |")
    }
  }

  private static func text(_ number: Double) -> String {
    let tenths = Int((number * 10).rounded())
    return "\(tenths / 10).\(abs(tenths % 10))"
  }

  private static func chain(_ count: Int) throws -> AudioUnitGraph {
    let graph = AudioUnitGraph()
    func add(_ type: String) throws -> AudioUnitGraph.Node {
      try graph.addNode(description: TestUnits.codes(type, "gain")) { () throws(AuricleError) in
        let unit = try TestUnits.gain()
        for scope in [kAudioUnitScope_Input, kAudioUnitScope_Output] {
          try unit.setStreamFormat(
            AudioStreamFormat(sampleRate: 48_000, channelCount: 1), scope: scope, element: 0)
        }
        try unit.setMaximumFramesPerSlice(1024)
        return unit
      }
    }
    var last = try add(count == 1 ? "auou" : "aufx")
    try unsafe graph.setInputCallback(
      last, AURenderCallbackStruct(inputProc: source, inputProcRefCon: nil))
    for index in 1..<max(count, 1) {
      let next = try add(index == count - 1 ? "auou" : "aufx")
      try graph.connect(last, to: next)
      last = next
    }
    try graph.open()
    try graph.initialize()
    return graph
  }

  nonisolated(unsafe) private static var time = 0.0

  private static func render(_ unit: AudioUnit, _ frames: Int, _ slices: Int) {
    let buffers = AudioBuffers(channelCount: 1, frameCapacity: 1024)
    let procedure = unit.renderProcedure
    for _ in 0..<slices {
      var stamp = prepare(buffers, frames)
      var flags: AudioUnitRenderActionFlags = 0
      let status = unsafe procedure.render(
        &flags, &stamp, outputElement: 0, frameCount: UInt32(frames), buffers: buffers.list)
      if status != 0 { fatalError("rendering failed: \(status)") }
    }
  }

  /// The input: audible, since units rest in silence.
  nonisolated(unsafe) private static let samples = {
    let samples = UnsafeMutablePointer<Float>.allocate(capacity: 1024)
    for frame in 0..<1024 { unsafe samples[frame] = Float(frame % 64) / 128 }
    return unsafe samples
  }()

  private static let source: AURenderCallback = { _, _, _, _, frames, list in
    guard let target = unsafe list?.samples(0) else { return kAudio_ParamError }
    unsafe SampleCopy.copy(from: samples, to: target, count: Int(frames))
    return 0
  }

  private static func renderFloor(_ nodes: Int, _ frames: Int, _ slices: Int) {
    let buffers = AudioBuffers(channelCount: 1, frameCapacity: 1024)
    let samples = unsafe buffers.channel(0)
    let source = unsafe source
    for _ in 0..<slices {
      var stamp = prepare(buffers, frames)
      var flags: AudioUnitRenderActionFlags = 0
      let denormals = DenormalGuard()
      _ = unsafe source(nil, &flags, &stamp, 0, UInt32(frames), buffers.list)
      denormals.renew()
      for _ in 0..<nodes { unsafe bareGain(samples, frames, 1) }
      denormals.restoreBlindly()
    }
  }

  private static func renderBare(_ nodes: Int, _ frames: Int, _ slices: Int) {
    let buffers = AudioBuffers(channelCount: 1, frameCapacity: 1024)
    let samples = unsafe buffers.channel(0)
    for _ in 0..<slices {
      keep(prepare(buffers, frames))
      unsafe SampleCopy.copy(from: Self.samples, to: samples, count: frames)
      for _ in 0..<nodes { unsafe bareGain(samples, frames, 1) }
    }
  }

  /// Prepares the parts of a slice that every host needs: the sizes of its buffers, and the time.
  private static func prepare(_ buffers: AudioBuffers, _ frames: Int) -> AudioTimeStamp {
    buffers.setFrameCount(frames)
    unsafe time += Double(frames)
    return unsafe AudioTimeStamp(sampleTime: time)
  }
}

/// Has the compiler make a time stamp that nobody reads.
@inline(never) @_optimize(none)
private func keep(_ stamp: AudioTimeStamp) {}

/// The work of a node, which the compiler shall neither see through nor leave out.
@inline(never) @_optimize(none)
private func bareGain(_ samples: UnsafeMutablePointer<Float>, _ frames: Int, _ gain: Float) {
  unsafe multiply(samples, frames, gain)
}

@inline(never)
private func multiply(_ samples: UnsafeMutablePointer<Float>, _ frames: Int, _ gain: Float) {
  for frame in 0..<frames { unsafe samples[frame] *= gain }
}
