// Changes of a graph that renders, in cases with a known or possible click.
// SPDX-License-Identifier: Apache-2.0

import AudioGraph
import AudioTypes
import AudioUnits
import CAudioToolbox
import Glibc
import TestSupport
import TestUnits
import Testing

@Suite("Places where a changing graph could click") @safe final class GraphClickTests {
  /// The largest step of a sine of 100 Hz and amplitude 0.25, and of its fade over 480 frames.
  private let smooth: Float = 0.0033 + 0.25 * 2 / 480
  private let callCount: UnsafeMutablePointer<Int>

  init() {
    unsafe callCount = .allocate(capacity: 1)
    unsafe callCount.initialize(to: 0)
  }

  deinit { unsafe callCount.deallocate() }

  @Test("input of an output unit that was pulled in vain fades in from silence")
  func unfedOutput() throws {
    let fixture = GraphFixture()
    let (source, end) = (try fixture.pass(), try fixture.output())
    try unsafe fixture.graph.setInputCallback(source, constant)
    try fixture.begin()
    #expect(status { _ = try fixture.render(64) } == kAudioUnitErr_NoConnection)
    try fixture.chain(source, end)
    // Something was asked for: changes wait for the update from now on.
    #expect(fixture.graph.hasPendingChanges)
    #expect(status { _ = try fixture.render(64) } == kAudioUnitErr_NoConnection)
    try fixture.graph.update()
    let output = try fixture.render(1000, slices: [64])
    #expect(abs(output[0]) < 0.5 / 400)
    #expect(largestStep(output) < 0.5 / 400)
    #expect(output.suffix(400).allSatisfy { abs($0 - 0.5) < 1e-6 })
  }

  @Test("an output unit that nobody pulled yet begins with all that feeds it")
  func unpulledOutput() throws {
    let fixture = GraphFixture()
    let (source, end) = (try fixture.pass(), try fixture.output())
    try unsafe fixture.graph.setInputCallback(source, constant)
    try fixture.begin()
    try fixture.chain(source, end)
    #expect(!fixture.graph.hasPendingChanges)
    #expect(try fixture.render(100) == Array(repeating: 0.5, count: 100))
    // Nor is anything left of the past once the graph was uninitialised.
    fixture.graph.uninitialize()
    try fixture.graph.disconnectInput(end)
    try fixture.graph.initialize()
    try fixture.chain(source, end)
    #expect(try fixture.render(100) == Array(repeating: 0.5, count: 100))
  }

  @Test("an aligned callback fades from its last played sample, not from its newest one")
  func delayedCallbackGoesAway() throws {
    for isReplaced in [false, true] {
      let (fixture, mixer, _) = try delayedCallback()
      var output = try fixture.render(2000, slices: [64])
      if isReplaced {
        try unsafe fixture.graph.setInputCallback(mixer, input: 1, sineOfTime)
      } else {
        try fixture.graph.disconnectInput(mixer, input: 1)
      }
      try fixture.graph.update()
      output += try fixture.render(3000, slices: [64])
      // The signal stops at once where its callback is gone: no step, but a kink.
      #expect(largestStep(output) < smooth, "replaced: \(isReplaced)")
      #expect(peak(output.suffix(1000)) == 0 || isReplaced)
    }
  }

  @Test("a callback whose delay changes continues, and is called once a slice")
  func delayOfCallbackChanges() throws {
    let (fixture, _, slow) = try delayedCallback()
    var output = try fixture.render(2000, slices: [64])
    for frames in [100, 700, 0, 250] {
      try fixture.unit(slow).setParameter(0, Float(frames))
      try fixture.graph.update()
      let before = unsafe callCount.pointee
      output += try fixture.render(64 * 50, slices: [64])
      #expect(unsafe callCount.pointee == before + 50)
      let start = output.count - 500
      for frame in start..<output.count {
        #expect(abs(output[frame] - sine(frame - frames)) < 1e-4)
      }
    }
    #expect(largestStep(output) < smooth)
  }

  /// Makes a mixer with a silent branch of 240 frames' latency, and a callback aligned with it.
  private func delayedCallback() throws -> (
    GraphFixture, mixer: AudioUnitGraph.Node, slow: AudioUnitGraph.Node
  ) {
    let fixture = GraphFixture()
    let (mixer, end) = (try fixture.sum(2), try fixture.output())
    let source = try fixture.sine(100, amplitude: 0)
    let slow = try fixture.add("aufx", "move", TestUnits.movableDelay)
    try fixture.chain(source, slow, mixer, end)
    try unsafe fixture.graph.setInputCallback(mixer, input: 1, sineOfTime)
    try fixture.graph.open()
    try fixture.unit(slow).setParameter(0, 240)
    try fixture.graph.initialize()
    return (fixture, mixer, slow)
  }

  private var constant: AURenderCallbackStruct {
    unsafe AURenderCallbackStruct(
      inputProc: { _, _, _, _, frames, list in
        guard let samples = unsafe list?.samples(0) else { return kAudio_ParamError }
        for frame in 0..<Int(frames) { unsafe samples[frame] = 0.5 }
        return 0
      }, inputProcRefCon: nil)
  }

  private var sineOfTime: AURenderCallbackStruct {
    unsafe AURenderCallbackStruct(
      inputProc: { refCon, _, stamp, _, frames, list in
        guard let samples = unsafe list?.samples(0), let stamp = unsafe stamp else {
          return kAudio_ParamError
        }
        unsafe refCon?.assumingMemoryBound(to: Int.self).pointee += 1
        for frame in 0..<Int(frames) {
          unsafe samples[frame] = sine(Int(stamp.pointee.mSampleTime) + frame)
        }
        return 0
      }, inputProcRefCon: callCount)
  }
}

/// 100 Hz at 48 kHz, amplitude 0.25, by frame.
private func sine(_ frame: Int) -> Float {
  Float(0.25 * sin(2 * Double.pi * 100 * Double(frame) / 48_000))
}
