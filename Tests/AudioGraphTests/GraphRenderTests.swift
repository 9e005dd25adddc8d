// Graphs that render: chains, branches, callbacks, subgraphs, alignment.
// SPDX-License-Identifier: Apache-2.0

import AudioGraph
import AudioTypes
import AudioUnits
import CAudioToolbox
import TestSupport
import TestUnits
import Testing

@Suite struct GraphRenderTests {
  @Test func aChainPassesItsSourceThrough() throws {
    let fixture = GraphFixture(channelCount: 2)
    let (source, one, two) = (try fixture.counter(), try fixture.gain(), try fixture.gain())
    let end = try fixture.output()
    try fixture.chain(source, one, two, end)
    try fixture.begin()
    try fixture.unit(one).setParameter(0, 2)
    try fixture.unit(two).setParameter(0, 0.25)
    let output = try fixture.render(2000, slices: [512, 3, 100])
    #expect(output == counted(2000, gain: 0.5))
  }

  @Test func branchesMeetInAMixer() throws {
    let fixture = GraphFixture()
    let (source, split, mixer) = (
      try fixture.counter(), try fixture.split(3), try fixture.sum(3)
    )
    let (gain, end) = (try fixture.gain(), try fixture.output())
    try fixture.graph.connect(source, to: split)
    try fixture.graph.connect(split, output: 0, to: mixer, input: 0)
    try fixture.graph.connect(split, output: 1, to: gain)
    try fixture.graph.connect(gain, to: mixer, input: 1)
    try fixture.graph.connect(split, output: 2, to: mixer, input: 2)
    try fixture.graph.connect(mixer, to: end)
    try fixture.begin()
    try fixture.unit(gain).setParameter(0, 4)
    let output = try fixture.render(1000, slices: [64, 512])
    #expect(output == counted(1000, gain: 6))
  }

  @Test func aDryBranchWaitsForASlowOne() throws {
    let fixture = GraphFixture()
    let (source, split, mixer) = (
      try fixture.counter(), try fixture.split(2), try fixture.sum(2)
    )
    let (slow, end) = (try fixture.lookAhead(), try fixture.output())
    try fixture.graph.connect(source, to: split)
    try fixture.graph.connect(split, output: 0, to: mixer, input: 0)
    try fixture.graph.connect(split, output: 1, to: slow)
    try fixture.graph.connect(slow, to: mixer, input: 1)
    try fixture.graph.connect(mixer, to: end)
    try fixture.begin()
    #expect(fixture.graph.latencyFrames == 240)
    #expect(fixture.graph.tailSeconds == 0.25)
    let output = try fixture.render(1500, slices: [512, 7, 64, 240, 241])
    #expect(output == counted(1500, gain: 2, delay: 240))
  }

  @Test func aCallbackFeedsANode() throws {
    let fixture = GraphFixture()
    let (gain, end) = (try fixture.gain(), try fixture.output())
    try fixture.chain(gain, end)
    let callback: AURenderCallback = { _, _, stamp, bus, frames, list in
      guard let list = unsafe list, let stamp = unsafe stamp else { return kAudio_ParamError }
      guard let samples = unsafe list.samples(0) else { return kAudio_ParamError }
      for frame in 0..<Int(frames) {
        unsafe samples[frame] = Float(stamp.pointee.mSampleTime) + Float(frame) + Float(bus)
      }
      return 0
    }
    try unsafe fixture.graph.setInputCallback(
      gain, AURenderCallbackStruct(inputProc: callback, inputProcRefCon: nil))
    try fixture.begin()
    #expect(try fixture.render(300, slices: [100]) == counted(300, gain: 65536))
  }

  @Test func anErrorOfACallbackComesBackUnchanged() throws {
    let fixture = GraphFixture()
    let (gain, end) = (try fixture.gain(), try fixture.output())
    try fixture.chain(gain, end)
    let callback: AURenderCallback = { _, _, _, _, _, _ in -12345 }
    try unsafe fixture.graph.setInputCallback(
      gain, AURenderCallbackStruct(inputProc: callback, inputProcRefCon: nil))
    try fixture.begin()
    #expect(status { _ = try fixture.render(64) } == -12345)
    #expect(fixture.graph.consumeFailure()?.node == gain)
    #expect(fixture.graph.consumeFailure() == nil)
  }

  @Test func aSubgraphIsOneNode() throws {
    let fixture = GraphFixture()
    let (source, end) = (try fixture.counter(), try fixture.output())
    let (node, inner) = try fixture.graph.addSubgraph()
    let within = GraphFixture(inner)
    let (gain, slow, innerEnd) = (try within.gain(), try within.lookAhead(), try within.output())
    try within.chain(gain, slow, innerEnd)
    try fixture.graph.open()
    try fixture.chain(source, node, end)
    try fixture.begin()
    try within.unit(gain).setParameter(0, 3)
    #expect(fixture.graph.latencyFrames == 240)
    let output = try fixture.render(1000, slices: [512, 100])
    #expect(output == counted(1000, gain: 3, delay: 240))
  }

  @Test(arguments: [10, 1000]) func deepAndWideGraphsWork(_ count: Int) throws {
    let fixture = GraphFixture(maximumFrames: 64)
    let (mixer, end) = (try fixture.sum(count), try fixture.output())
    for index in 0..<count {
      try fixture.graph.connect(try fixture.counter(), to: mixer, input: UInt32(index))
    }
    var last = mixer
    for _ in 0..<count {
      let next = try fixture.pass()
      try fixture.graph.connect(last, to: next)
      last = next
    }
    try fixture.graph.connect(last, to: end)
    try fixture.begin()
    let output = try fixture.render(256, slices: [64])
    #expect(output == counted(256, gain: Float(count)))
  }
}
