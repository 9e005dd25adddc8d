// Units that a graph hands their input: the same sound, errors, observers and changes as when pulled.
// SPDX-License-Identifier: Apache-2.0

import AudioGraph
import AudioTypes
import AudioUnits
import CAudioToolbox
import RealtimeSupport
import TestUnits
import Testing

@Suite("Units that are handed their input") struct DirectRenderTests {
  /// A counter, two gains and the end.
  private func chain(
    _ first: Float = 0.5, _ second: Float = 0.5
  ) throws -> (fixture: GraphFixture, units: [AudioUnit]) {
    let fixture = GraphFixture()
    let nodes = [try fixture.gain(), try fixture.gain()]
    try fixture.chain(fixture.counter(), nodes[0], nodes[1], fixture.output())
    try fixture.begin()
    let units = try nodes.map { try fixture.unit($0) }
    try units[0].setParameter(0, first)
    try units[1].setParameter(0, second)
    return (fixture, units)
  }

  @Test("the graph uses the direct way, and nothing else does")
  func idle() throws {
    let (fixture, units) = try chain()
    #expect(try fixture.render(600, slices: [64, 33]) == counted(600, gain: 0.25))
    let alone = try TestUnits.gain()
    try alone.initialize()
    for (unit, isOfGraph) in [(units[0], true), (alone, false)] {
      let direct = try unsafe unit.property(
        kAuricleProperty_DirectRender, initial: AuricleDirectRender())
      var stamp = AudioTimeStamp(sampleTime: 1e6)
      // Between slices the host keeps nothing off: nobody may render directly.
      let status = unsafe direct.begin.map { unsafe $0(direct.unit, &stamp, 16) }
      #expect(status == OSStatus(kAuricleErr_NotDirect), "in a graph: \(isOfGraph)")
    }
  }

  @Test(
    "an observer of a unit is called for every slice from the next one on, and for none after its removal"
  )
  func observers() throws {
    let (fixture, units) = try chain()
    let reported = ParameterStore(count: 2)
    defer { reported.deallocate() }
    let observer: AURenderCallback = { refCon, flags, _, _, _, _ in
      guard let store = unsafe refCon?.assumingMemoryBound(to: ParameterStore.self).pointee else {
        return 0
      }
      let isPre = unsafe (flags?.pointee ?? 0) & kAudioUnitRenderAction_PreRender != 0
      store.setValue(store.value(at: isPre ? 0 : 1) + 1, at: isPre ? 0 : 1)
      return 0
    }
    var store = reported
    try unsafe withUnsafeMutablePointer(to: &store) { pointer in
      _ = try fixture.render(64, slices: [64])
      try unsafe units[1].addRenderNotification(observer, refCon: pointer)
      _ = try fixture.render(192, slices: [64])
      try unsafe units[1].removeRenderNotification(observer, refCon: pointer)
      #expect(try fixture.render(64, slices: [64]).last == Float(319) / 65536 * 0.25)
    }
    #expect(reported.value(at: 0) == 3 && reported.value(at: 1) == 3)
  }

  @Test("a source that a host sets past the graph is the unit's input")
  func otherSource() throws {
    let (fixture, units) = try chain()
    _ = try fixture.render(64, slices: [64])
    try unsafe units[1].setInputCallback(
      { _, _, _, _, frames, list in
        guard let samples = unsafe list?.samples(0) else { return kAudio_ParamError }
        for frame in 0..<Int(frames) { unsafe samples[frame] = 0.75 }
        return 0
      }, refCon: nil)
    #expect(try fixture.render(64, slices: [64]).allSatisfy { $0 == 0.375 })
  }

  @Test(
    "bypass fades in and out without a step, and changes of parameters act in the next slice")
  func bypass() throws {
    let (fixture, units) = try chain(1, 0.5)
    var signal = try fixture.render(512, slices: [64])
    try units[1].setBypassed(true)
    signal += try fixture.render(2048, slices: [64])
    #expect(signal[2500] == Float(2500) / 65536)
    try units[1].setBypassed(false)
    signal += try fixture.render(2048, slices: [64])
    #expect(signal[4500] == Float(4500) / 65536 * 0.5)
    #expect(largestStep(signal) < 0.001)
    try units[1].setParameter(0, 2)
    #expect(try fixture.render(1, slices: [1]) == [Float(4608) / 65536 * 2])
  }

  @Test("a late unit receives its input too, and its bypass has the sound before")
  func lateBypass() throws {
    let fixture = GraphFixture()
    let late = try fixture.lookAhead()
    let gain = try fixture.gain()
    try fixture.chain(fixture.counter(), late, gain, fixture.output())
    try fixture.begin()
    try fixture.unit(gain).setParameter(0, 1)
    var signal: [Float] = []
    for isBypassed in [false, true, false, true] {
      try fixture.unit(late).setBypassed(isBypassed)
      signal += try fixture.render(1000, slices: [64, 500, 33])
    }
    // The unit is a delay of 240 frames and nothing more: no seam anywhere.
    let wanted = [Float](repeating: 0, count: 240) + counted(4000 - 240, gain: 1)
    #expect(zip(signal, wanted).allSatisfy { abs($0 - $1) < 1e-6 })
  }

  @Test("an error of a source comes back unchanged, and every unit behind it knows it")
  func errors() throws {
    let fixture = GraphFixture()
    let first = try fixture.gain()
    let second = try fixture.gain()
    try fixture.chain(first, second, fixture.output())
    try unsafe fixture.graph.setInputCallback(
      first, AURenderCallbackStruct(inputProc: { _, _, _, _, _, _ in -1234 }, inputProcRefCon: nil))
    try fixture.begin()
    #expect(status { _ = try fixture.render(64, slices: [64]) } == -1234)
    for node in [first, second] {
      #expect(try fixture.unit(node).consumeLastRenderError() == -1234)
    }
  }

  @Test("a callback of the graph's owner may report silence, remove memory and schedule changes")
  func callbacks() throws {
    let fixture = GraphFixture()
    let node = try fixture.gain()
    try fixture.chain(node, fixture.output())
    try unsafe fixture.graph.setInputCallback(
      node,
      AURenderCallbackStruct(
        inputProc: { refCon, flags, stamp, _, frames, list in
          guard let samples = unsafe list?.samples(0), let time = unsafe stamp?.pointee.mSampleTime
          else { return kAudio_ParamError }
          switch time {
          case 0:
            for frame in 0..<Int(frames) { unsafe samples[frame] = 1 }
          case 64:
            for frame in 0..<Int(frames) { unsafe samples[frame] = 1 }
            unsafe flags?.pointee |= kAudioUnitRenderAction_OutputIsSilence
          default: unsafe list?.pointee.mBuffers.mData = nil
          }
          return 0
        }, inputProcRefCon: nil))
    try fixture.begin()
    #expect(try fixture.render(64, slices: [64]).allSatisfy { $0 == 1 })
    #expect(try fixture.render(64, slices: [64]).allSatisfy { $0 == 0 })
    #expect(status { _ = try fixture.render(64, slices: [64]) } == kAudio_ParamError)
  }

  @Test("more channels in than out go the same way, other sample formats are converted beside it")
  func formats() throws {
    let graph = AudioUnitGraph()
    let integers = AudioStreamFormat(
      AudioStreamBasicDescription(
        mSampleRate: 48_000, mFormatID: kAudioFormatLinearPCM,
        mFormatFlags: kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked,
        mBytesPerPacket: 8, mFramesPerPacket: 1, mBytesPerFrame: 8, mChannelsPerFrame: 2,
        mBitsPerChannel: 32, mReserved: 0))
    func add(
      _ type: String, _ input: AudioStreamFormat, _ output: AudioStreamFormat,
      _ make: @escaping () throws(AuricleError) -> AudioUnit
    ) throws -> AudioUnitGraph.Node {
      try graph.addNode(description: TestUnits.codes(type, "test")) { () throws(AuricleError) in
        let unit = try make()
        try unit.setStreamFormat(input, scope: kAudioUnitScope_Input, element: 0)
        try unit.setStreamFormat(output, scope: kAudioUnitScope_Output, element: 0)
        return unit
      }
    }
    let stereo = AudioStreamFormat(sampleRate: 48_000, channelCount: 2)
    let mono = AudioStreamFormat(sampleRate: 48_000, channelCount: 1)
    let nodes = [
      try add("aufx", stereo, integers) { () throws(AuricleError) in try TestUnits.gain() },
      try add("aufx", integers, stereo) { () throws(AuricleError) in try TestUnits.gain() },
      try add("aufx", stereo, mono) { () throws(AuricleError) in try TestUnits.shape(2, 1) },
      try add("auou", mono, mono) { () throws(AuricleError) in try TestUnits.output() },
    ]
    for index in 1..<nodes.count { try graph.connect(nodes[index - 1], to: nodes[index]) }
    try unsafe graph.setInputCallback(
      nodes[0],
      AURenderCallbackStruct(
        inputProc: { _, _, stamp, _, frames, list in
          guard let list = unsafe list, let stamp = unsafe stamp else { return kAudio_ParamError }
          for channel in 0..<(unsafe list.bufferCount) {
            for frame in 0..<Int(frames) {
              let value = unsafe Float(Int(stamp.pointee.mSampleTime) + frame) / 65536
              unsafe list.samples(channel)?[frame] = channel == 0 ? value : -value
            }
          }
          return 0
        }, inputProcRefCon: nil))
    try graph.open()
    try graph.initialize()
    let fixture = GraphFixture(graph)
    #expect(try fixture.render(1000, slices: [64, 500, 7]) == counted(1000, gain: 1))
  }

  @Test(
    "a unit of two outputs renders once a slice, in turn with units that are handed their input")
  func twoOutputs() throws {
    let fixture = GraphFixture()
    let (first, two) = (
      try fixture.gain(), try fixture.add("aufx", "two ", TestUnits.twoOutputs)
    )
    let branches = [try fixture.gain(), try fixture.gain()]
    let sum = try fixture.sum(2)
    try fixture.chain(fixture.counter(), first, two)
    for (bus, branch) in branches.enumerated() {
      try fixture.graph.connect(two, output: UInt32(bus), to: branch)
      try fixture.graph.connect(branch, to: sum, input: UInt32(bus))
    }
    try fixture.chain(sum, fixture.output())
    try fixture.begin()
    try fixture.unit(branches[0]).setParameter(0, 2)
    #expect(try fixture.render(100 * 64, slices: [64]) == counted(100 * 64, gain: 1))
    #expect(try fixture.unit(two).parameter(0) == 100)
  }
}
