// Operations that a graph refuses, and the code of each: one case a rule.
// SPDX-License-Identifier: Apache-2.0

import AudioGraph
import AudioTypes
import AudioUnits
import CAudioToolbox
import TestSupport
import TestUnits
import Testing

@Suite struct GraphRuleTests {
  private func error(_ body: () throws -> Void) -> AuricleError? {
    do {
      try body()
      return nil
    } catch {
      return error as? AuricleError
    }
  }

  @Test func aGraphEndsInOneOutput() throws {
    let fixture = GraphFixture()
    try fixture.graph.open()
    try fixture.graph.initialize()
    #expect(fixture.graph.isInitialized)
    let source = try fixture.counter()
    #expect(status { try fixture.graph.initialize() } == kAUGraphErr_OutputNodeErr)
    let end = try fixture.output()
    #expect(status { _ = try fixture.output() } == kAUGraphErr_OutputNodeErr)
    try fixture.chain(source, end)
    try fixture.graph.initialize()
    #expect(status { try fixture.graph.removeNode(end) } == kAUGraphErr_OutputNodeErr)
    fixture.graph.uninitialize()
    try fixture.graph.removeNode(end)
    #expect(fixture.graph.outputNode == nil)
    #expect(fixture.graph.interactions.isEmpty)
  }

  @Test func nodesThatAreNotThereAreNamed() throws {
    let fixture = GraphFixture()
    let node = try fixture.pass()
    let graph = fixture.graph
    #expect(status { try graph.removeNode(9) } == kAUGraphErr_NodeNotFound)
    #expect(status { try graph.connect(node, to: 9) } == kAUGraphErr_NodeNotFound)
    #expect(status { try graph.connect(9, to: node) } == kAUGraphErr_NodeNotFound)
    #expect(status { try graph.disconnectInput(9) } == kAUGraphErr_NodeNotFound)
    #expect(status { _ = try graph.nodeNumber(at: 1) } == kAUGraphErr_NodeNotFound)
    #expect(status { _ = try graph.interactions(of: 0) } == kAUGraphErr_NodeNotFound)
    #expect(error { try graph.removeNode(9) }?.message.contains("node 9") == true)
  }

  @Test func anOutputFeedsOneInputAndAnInputHasOneSource() throws {
    let fixture = GraphFixture()
    let (one, two, sum) = (try fixture.counter(), try fixture.counter(), try fixture.sum(2))
    let graph = fixture.graph
    try graph.open()
    try graph.connect(one, to: sum)
    // The same connection again changes nothing.
    try graph.connect(one, to: sum)
    #expect(graph.interactions.count == 1)
    let fanOut = error { try graph.connect(one, to: sum, input: 1) }
    #expect(fanOut?.status == kAUGraphErr_InvalidConnection)
    #expect(fanOut?.message.contains("splitter") == true)
    #expect(status { try graph.connect(two, to: sum) } == kAUGraphErr_InvalidConnection)
    #expect(status { try graph.connect(two, to: sum, input: 2) } == kAudioUnitErr_InvalidElement)
    #expect(
      status { try graph.connect(two, output: 1, to: sum, input: 1) }
        == kAudioUnitErr_InvalidElement)
    #expect(status { try graph.disconnectInput(sum, input: 1) } == kAUGraphErr_InvalidConnection)
    try graph.disconnectInput(sum)
    try graph.connect(one, to: sum, input: 1)
  }

  @Test func aCycleIsRefusedWithItsNodesNamed() throws {
    let fixture = GraphFixture()
    let graph = fixture.graph
    let names = ["first", "second", "third"]
    let nodes = try names.map { try fixture.add("aufx", "pass", label: $0, TestUnits.pass) }
    try fixture.chain(nodes[0], nodes[1], nodes[2])
    let cycle = error { try graph.connect(nodes[2], to: nodes[0]) }
    #expect(cycle?.status == kAUGraphErr_InvalidConnection)
    for name in names { #expect(cycle?.message.contains(name) == true) }
    let short = error { try graph.connect(nodes[2], to: nodes[2]) }
    #expect(short?.status == kAUGraphErr_InvalidConnection)
  }

  @Test func aCallbackIsReplacedAndRemoved() throws {
    let fixture = GraphFixture()
    let graph = fixture.graph
    let (one, two) = (try fixture.pass(), try fixture.pass())
    let callback: AURenderCallback = { _, _, _, _, _, _ in 0 }
    let value = unsafe AURenderCallbackStruct(inputProc: callback, inputProcRefCon: nil)
    let none = unsafe AURenderCallbackStruct(inputProc: nil, inputProcRefCon: nil)
    try unsafe graph.setInputCallback(two, value)
    try unsafe graph.setInputCallback(two, value)
    #expect(graph.interactions.count == 1)
    #expect(status { try graph.connect(one, to: two) } == kAUGraphErr_InvalidConnection)
    try unsafe graph.setInputCallback(two, none)
    #expect(graph.interactions.isEmpty)
    try graph.connect(one, to: two)
    #expect(
      status { try unsafe graph.setInputCallback(two, value) } == kAUGraphErr_InvalidConnection)
    try graph.clearConnections()
    try unsafe graph.setInputCallback(two, value)
  }

  @Test func aUnitThatCannotOpenKeepsTheGraphClosed() throws {
    let fixture = GraphFixture()
    let good = try fixture.pass()
    let gone = try fixture.add("aufx", "gone", label: "the lost one") { () throws(AuricleError) in
      throw AuricleError(.unavailable, "it is not there")
    }
    let failure = error { try fixture.graph.open() }
    #expect(failure?.status == kAUGraphErr_InvalidAudioUnit)
    #expect(failure?.message == "the lost one: it is not there")
    #expect(!fixture.graph.isOpen)
    #expect(try fixture.graph.unit(of: good) == nil)
    try fixture.graph.removeNode(gone)
    try fixture.graph.open()
    #expect(try fixture.graph.unit(of: good) != nil)
  }

  @Test func formatsGoAlongConnections() throws {
    let fixture = GraphFixture(channelCount: 2, sampleRate: 44_100)
    let source = try fixture.counter()
    let effect = try fixture.graph.addNode(description: TestUnits.codes("aufx", "gain")) {
      () throws(AuricleError) in try TestUnits.gain()
    }
    let end = try fixture.output()
    try fixture.graph.open()
    try fixture.unit(source).setStreamFormat(
      AudioStreamFormat(sampleRate: 96_000, channelCount: 3), scope: kAudioUnitScope_Output)
    try fixture.chain(source, effect, end)
    for (node, scope) in [
      (effect, kAudioUnitScope_Input), (effect, kAudioUnitScope_Output),
      (end, kAudioUnitScope_Input),
    ] {
      let format = try fixture.unit(node).streamFormat(scope: scope)
      #expect(format == AudioStreamFormat(sampleRate: 96_000, channelCount: 3))
    }
  }

  @Test func aFormatThatAnInputDoesNotAcceptIsRefused() throws {
    let fixture = GraphFixture(channelCount: 2)
    let source = try fixture.counter()
    let mono = try fixture.graph.addNode(description: TestUnits.codes("aufx", "mono")) {
      () throws(AuricleError) in try TestUnits.shape(1, 1)
    }
    try fixture.graph.open()
    #expect(
      status { try fixture.graph.connect(source, to: mono) } == kAudioUnitErr_FormatNotSupported)
    #expect(fixture.graph.interactions.isEmpty)
  }

  @Test func statesFollowEachOther() throws {
    let fixture = GraphFixture()
    let graph = fixture.graph
    let (source, end) = (try fixture.counter(), try fixture.output())
    try fixture.chain(source, end)
    #expect(!graph.isOpen && !graph.isInitialized && !graph.isRunning)
    #expect(status { try graph.initialize() } == kAUGraphErr_InvalidAudioUnit)
    #expect(status { try graph.start() } == kAudioUnitErr_Uninitialized)
    try graph.open()
    try graph.open()
    try graph.initialize()
    try graph.initialize()
    try graph.start()
    #expect(graph.isOpen && graph.isInitialized && graph.isRunning)
    #expect(try fixture.render(100) == counted(100, gain: 1))
    #expect(graph.cpuLoad > 0 && graph.resetMaximumCPULoad() > 0)
    #expect(graph.resetMaximumCPULoad() == 0)
    try graph.stop()
    graph.uninitialize()
    #expect(graph.isOpen && !graph.isInitialized && !graph.isRunning)
    // Nodes and connections are still there.
    try graph.initialize()
    #expect(try fixture.render(100) == counted(100, gain: 1))
    graph.close()
    #expect(!graph.isOpen)
    try fixture.begin()
    #expect(try fixture.render(100) == counted(100, gain: 1))
  }

  @Test func aValueThatIsNotFiniteNamesItsNode() throws {
    let fixture = GraphFixture()
    let (source, end) = (try fixture.counter(), try fixture.output())
    let broken = try fixture.add("aufx", "brok", label: "the broken one", TestUnits.broken)
    try fixture.chain(source, broken, end)
    fixture.graph.checksFiniteness = true
    try fixture.begin()
    try fixture.unit(source).setParameter(0, 0.01)
    #expect(status { _ = try fixture.render(100) } == kAudioUnitErr_InvalidParameterValue)
    let failure = fixture.graph.consumeFailure()
    #expect(failure?.node == broken)
    #expect(failure?.label == "the broken one")
    #expect(failure?.value?.frame == 51)
  }

  @Test func aDescriptionAndAPictureNameNodesAndConnections() throws {
    let fixture = GraphFixture(channelCount: 2, sampleRate: 44_100)
    let (source, split, sum) = (try fixture.counter(), try fixture.split(2), try fixture.sum(2))
    let (slow, end) = (try fixture.lookAhead(), try fixture.output())
    let graph = fixture.graph
    try graph.connect(source, to: split)
    try graph.connect(split, output: 0, to: sum, input: 0)
    try graph.connect(split, output: 1, to: slow)
    try graph.connect(slow, to: sum, input: 1)
    try graph.connect(sum, to: end)
    try fixture.begin()
    let text = graph.description
    #expect(text.hasPrefix("AudioUnitGraph 0x"))
    #expect(text.contains("    node 1: 'augn' 'coun' 'TsT ' \"coun\", instance 0x"))
    let line =
      "    node   2 bus   1 => node   4 bus   0  "
      + "[ 2 ch,  44100 Hz, 'lpcm' (0x00000029) 32-bit little-endian float, deinterleaved]\n"
    #expect(text.contains(line))
    #expect(text.hasSuffix("    mLastUpdateError=0, eventsToProcess=F, isRunning=F\n"))
    #expect(graph.dot.hasPrefix("digraph"))
    #expect(graph.dot.contains("delayed by 240"))
  }
}
