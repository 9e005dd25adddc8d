// Changes of a graph that renders: no click, no gap, nothing left behind.
// SPDX-License-Identifier: Apache-2.0

import AudioGraph
import AudioTypes
import AudioUnits
import CAudioToolbox
import TestSupport
import TestUnits
import Testing

@Suite struct GraphUpdateTests {
  /// The largest step of a sine of 100 Hz and amplitude 0.25, and of its fade over 480 frames.
  private let smooth: Float = 0.0033 + 0.25 * 2 / 480

  @Test func aChangeWaitsForTheUpdate() throws {
    let fixture = GraphFixture()
    let (source, end) = (try fixture.counter(), try fixture.output())
    try fixture.chain(source, end)
    try fixture.begin()
    #expect(try fixture.render(100) == counted(100, gain: 1))
    try fixture.graph.disconnectInput(end)
    #expect(fixture.graph.hasPendingChanges)
    #expect(try fixture.render(100) == Array(counted(200, gain: 1).dropFirst(100)))
    try fixture.graph.update()
    let after = try fixture.render(2000, slices: [64])
    #expect(after.suffix(1000).allSatisfy { $0 == 0 })
    #expect(largestStep(after) < 0.001)
    #expect(!fixture.graph.hasPendingChanges)
  }

  @Test func beforeTheFirstSliceChangesAreInForceAtOnce() throws {
    let fixture = GraphFixture()
    let (source, other, end) = (try fixture.sine(), try fixture.counter(), try fixture.output())
    try fixture.chain(source, end)
    try fixture.begin()
    try fixture.graph.disconnectInput(end)
    try fixture.graph.connect(other, to: end)
    #expect(try fixture.render(100) == counted(100, gain: 1))
  }

  @Test func aSourceIsReplacedWithoutAClickOrAGap() throws {
    let fixture = GraphFixture()
    let (one, two, end) = (try fixture.sine(100), try fixture.sine(100), try fixture.output())
    try fixture.chain(one, end)
    try fixture.begin()
    var output = try fixture.render(1000)
    try fixture.graph.removeNode(one)
    try fixture.graph.connect(two, to: end)
    try fixture.graph.update()
    output += try fixture.render(3000, slices: [100, 33])
    #expect(largestStep(output) < smooth)
    #expect(fixture.graph.retainedPlanCount == 1)
    #expect(peak(output.suffix(1000)) > 0.24)
    #expect(status { _ = try fixture.graph.unit(of: one) } == kAUGraphErr_NodeNotFound)
  }

  @Test func anEffectWithLatencyIsInsertedAndRemovedWithoutAGap() throws {
    // A constant shows every gap: it must never fall.
    let fixture = GraphFixture()
    let (source, end) = (try fixture.pass(), try fixture.output())
    let callback: AURenderCallback = { _, _, _, _, frames, list in
      guard let samples = unsafe list?.samples(0) else { return kAudio_ParamError }
      for frame in 0..<Int(frames) { unsafe samples[frame] = 0.5 }
      return 0
    }
    try unsafe fixture.graph.setInputCallback(
      source, AURenderCallbackStruct(inputProc: callback, inputProcRefCon: nil))
    try fixture.chain(source, end)
    try fixture.begin()
    var output = try fixture.render(300)
    let slow = try fixture.lookAhead()
    try fixture.graph.disconnectInput(end)
    try fixture.chain(source, slow, end)
    try fixture.graph.update()
    output += try fixture.render(3000, slices: [64])
    #expect(fixture.graph.latencyFrames == 240)
    try fixture.graph.removeNode(slow)
    try fixture.graph.connect(source, to: end)
    try fixture.graph.update()
    output += try fixture.render(3000, slices: [64])
    #expect(fixture.graph.latencyFrames == 0)
    #expect(output.allSatisfy { abs($0 - 0.5) < 1e-6 })
  }

  @Test func twoEffectsChangePlaces() throws {
    let fixture = GraphFixture()
    let (source, one, two) = (try fixture.sine(), try fixture.gain(), try fixture.pass())
    let end = try fixture.output()
    try fixture.chain(source, one, two, end)
    try fixture.begin()
    var output = try fixture.render(1000)
    for node in [one, two, end] { try fixture.graph.disconnectInput(node) }
    try fixture.chain(source, two, one, end)
    try fixture.graph.update()
    output += try fixture.render(4000, slices: [64])
    #expect(largestStep(output) < smooth)
    #expect(peak(output.suffix(1000)) > 0.24)
  }

  @Test func aCallbackThatWasRemovedIsNotCalledAgain() throws {
    let fixture = GraphFixture()
    let (source, end) = (try fixture.pass(), try fixture.output())
    try fixture.chain(source, end)
    let calls = UnsafeMutablePointer<Int>.allocate(capacity: 1)
    unsafe calls.initialize(to: 0)
    defer { unsafe calls.deallocate() }
    let callback: AURenderCallback = { refCon, _, _, _, frames, list in
      guard let samples = unsafe list?.samples(0) else { return kAudio_ParamError }
      unsafe refCon?.assumingMemoryBound(to: Int.self).pointee += 1
      for frame in 0..<Int(frames) { unsafe samples[frame] = 0.5 }
      return 0
    }
    try unsafe fixture.graph.setInputCallback(
      source, AURenderCallbackStruct(inputProc: callback, inputProcRefCon: calls))
    try fixture.begin()
    var output = try fixture.render(1000, slices: [100])
    #expect(unsafe calls.pointee == 10)
    try fixture.graph.disconnectInput(source)
    try fixture.graph.update()
    output += try fixture.render(2000, slices: [100])
    #expect(unsafe calls.pointee == 10)
    #expect(largestStep(output) < 0.002)
    #expect(output.suffix(1000).allSatisfy { $0 == 0 })
  }

  @Test func aBranchIsAlignedAnewWhenALatencyChanges() throws {
    let fixture = GraphFixture()
    let (source, split, mixer) = (try fixture.sine(), try fixture.split(2), try fixture.sum(2))
    let end = try fixture.output()
    let slow = try fixture.add("aufx", "move", TestUnits.movableDelay)
    let mute = try fixture.gain()
    try fixture.graph.connect(source, to: split)
    try fixture.graph.connect(split, output: 0, to: mixer, input: 0)
    try fixture.graph.connect(split, output: 1, to: slow)
    try fixture.chain(slow, mute)
    try fixture.graph.connect(mute, to: mixer, input: 1)
    try fixture.chain(mixer, end)
    try fixture.begin()
    try fixture.unit(mute).setParameter(0, 0)
    var output = try fixture.render(2000, slices: [64])
    for frames in [100, 700, 3, 0, 250] {
      try fixture.unit(slow).setParameter(0, Float(frames))
      // A unit that does not announce it is queried at an update.
      try fixture.graph.update()
      output += try fixture.render(4000, slices: [64])
      #expect(fixture.graph.latencyFrames == frames)
      // The dry branch comes as late as the slow one.
      let tail = output.suffix(1000)
      let expected = tail.indices.map { frame -> Float in
        Float(0.25 * sine(100.0 * Double(frame - frames) / 48_000))
      }
      #expect(maximumDifference(Array(tail), expected) < 1e-4)
    }
    #expect(largestStep(output) < smooth)
  }

  @Test func randomEditsWhileAnotherThreadRendersMakeNoClicks() throws {
    try randomEdits(count: 3000, seed: 20_261_121)
  }

  @Test func randomEditsBetweenSlicesMakeNoClicks() throws {
    let editor = try GraphEditor(seed: 7)
    let puller = try GraphPuller(editor.graph, seed: 8, journal: editor.journal)
    for _ in 0..<10_000 {
      try editor.edit()
      puller.pull()
    }
    try check(editor, puller)
  }

  private func randomEdits(count: Int, seed: UInt64) throws {
    let editor = try GraphEditor(seed: seed)
    let puller = try GraphPuller(editor.graph, seed: seed + 1, journal: editor.journal)
    puller.start()
    for _ in 0..<count { try editor.edit() }
    puller.stop()
    try check(editor, puller)
  }

  private func check(_ editor: GraphEditor, _ puller: GraphPuller) throws {
    print("random edits with seed \(editor.seed): \(editor.edits), \(editor.refused) refused")
    #expect(puller.status == 0)
    let click = puller.clicks.first
    #expect(
      puller.largestStep < GraphEditor.largestStep,
      "\(puller.clicks)\n\(editor.journal.text(around: click?.notesAfter ?? 0))")
    #expect(puller.sum > 1)
    #expect(editor.graph.retainedPlanCount < 8)
    // All transitions come to an end, and removed nodes are closed: the last edit may wait yet.
    try editor.graph.update()
    for _ in 0..<200 { puller.pull() }
    try editor.graph.update()
    #expect(editor.graph.retainedPlanCount == 1)
    #expect(editor.openUnitCount == editor.nodeCount - 1)
    try editor.clear()
    for _ in 0..<200 { puller.pull() }
    try editor.graph.update()
    #expect(editor.openUnitCount == 0)
  }

  private func sine(_ turns: Double) -> Double {
    // The first samples of a sine, without the C library.
    Double(
      TestSignal.sine(
        frequency: 1, amplitude: 1, sampleRate: 1, frameCount: 1, phase: 2 * .pi * turns)[0])
  }
}
