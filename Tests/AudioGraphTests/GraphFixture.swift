// A graph of test units, and the pulling of it by hand.
// SPDX-License-Identifier: Apache-2.0

import AudioGraph
import AudioTypes
import AudioUnits
import CAudioToolbox
import TestUnits

/// Builds graphs of small units and renders them.
final class GraphFixture {
  let graph: AudioUnitGraph
  let channelCount: Int
  let sampleRate: Double
  let maximumFrames: Int

  init(
    _ graph: AudioUnitGraph = AudioUnitGraph(), channelCount: Int = 1, sampleRate: Double = 48_000,
    maximumFrames: Int = 512
  ) {
    self.graph = graph
    self.channelCount = channelCount
    self.sampleRate = sampleRate
    self.maximumFrames = maximumFrames
  }

  /// Adds a node whose unit has the fixture's format on all its buses.
  func add(
    _ type: String, _ subtype: String, label: String? = nil,
    _ make: @escaping () throws(AuricleError) -> AudioUnit
  ) throws(AuricleError) -> AudioUnitGraph.Node {
    let (rate, channels, frames) = (sampleRate, channelCount, maximumFrames)
    return try graph.addNode(description: TestUnits.codes(type, subtype), label: label ?? subtype) {
      () throws(AuricleError) in
      let unit = try make()
      for scope in [kAudioUnitScope_Input, kAudioUnitScope_Output] {
        for bus in 0..<unit.busCount(scope: scope) {
          try unit.setStreamFormat(
            AudioStreamFormat(sampleRate: rate, channelCount: channels), scope: scope,
            element: UInt32(bus))
        }
      }
      try unit.setMaximumFramesPerSlice(frames)
      return unit
    }
  }

  func output() throws(AuricleError) -> AudioUnitGraph.Node {
    try add("auou", "genr", TestUnits.output)
  }
  func pass() throws(AuricleError) -> AudioUnitGraph.Node {
    try add("aufx", "pass", TestUnits.pass)
  }
  func gain() throws(AuricleError) -> AudioUnitGraph.Node {
    try add("aufx", "gain") { () throws(AuricleError) in try TestUnits.gain() }
  }
  func counter() throws(AuricleError) -> AudioUnitGraph.Node {
    try add("augn", "coun", TestUnits.counter)
  }
  func sine(_ frequency: Float = 100, amplitude: Float = 0.25) throws(AuricleError)
    -> AudioUnitGraph.Node
  {
    try add("augn", "sine") { () throws(AuricleError) in
      let unit = try TestUnits.sine()
      try unit.setParameter(0, frequency)
      try unit.setParameter(1, amplitude)
      return unit
    }
  }
  func sum(_ count: Int) throws(AuricleError) -> AudioUnitGraph.Node {
    try add("aumx", "sum ") { () throws(AuricleError) in try TestUnits.sum(count) }
  }
  func split(_ count: Int) throws(AuricleError) -> AudioUnitGraph.Node {
    try add("aufc", "mspl") { () throws(AuricleError) in try TestUnits.split(count) }
  }
  func lookAhead() throws(AuricleError) -> AudioUnitGraph.Node {
    try add("aufx", "look", TestUnits.lookAhead)
  }

  /// Connects nodes in a row, output 0 to input 0.
  func chain(_ nodes: AudioUnitGraph.Node...) throws(AuricleError) {
    for index in nodes.indices.dropLast() {
      try graph.connect(nodes[index], to: nodes[index + 1])
    }
  }

  /// Opens and initialises the graph.
  func begin() throws(AuricleError) {
    try graph.open()
    try graph.initialize()
  }

  /// Renders frames of channel 0 in slices of these sizes, over and over.
  func render(_ frameCount: Int, slices: [Int] = [512]) throws -> [Float] {
    let buffers = AudioBuffers(channelCount: channelCount, frameCapacity: maximumFrames)
    var result: [Float] = []
    var turn = 0
    while result.count < frameCount {
      let frames = min(slices[turn % slices.count], frameCount - result.count, maximumFrames)
      turn += 1
      buffers.setFrameCount(frames)
      let status = unsafe graph.render(frameCount: frames, into: buffers.list)
      try AuricleError.check(status, "rendering at frame \(result.count)")
      unsafe result += unsafe UnsafeBufferPointer(start: buffers.channel(0), count: frames)
    }
    return result
  }

  /// The unit of a node.
  func unit(_ node: AudioUnitGraph.Node) throws -> AudioUnit {
    guard let unit = try graph.unit(of: node) else {
      throw AuricleError(.software, "node \(node) has no unit")
    }
    return unit
  }
}

/// Returns the output of a counter, times a gain, so many frames late.
func counted(_ frameCount: Int, gain: Float, delay: Int = 0) -> [Float] {
  (0..<frameCount).map { (frame: Int) -> Float in
    frame < delay ? 0 : Float(frame - delay) / 65536 * gain
  }
}

/// The largest step from one sample to the next.
func largestStep(_ signal: [Float]) -> Float {
  zip(signal, signal.dropFirst()).reduce(0) { max($0, abs($1.0 - $1.1)) }
}

/// The status of an error; 0 for none.
func status(_ body: () throws -> Void) -> OSStatus {
  do {
    try body()
    return 0
  } catch let error as AuricleError {
    return error.status
  } catch {
    return -1
  }
}
