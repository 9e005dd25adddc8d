// The floating-point control word in graphs, and the first slice.
// SPDX-License-Identifier: Apache-2.0

import AudioGraph
import AudioTypes
import AudioUnits
import CAudioToolbox
import Glibc
import RealtimeSupport
import Synchronization
import TestUnits
import Testing

@Suite("Control word and first slice of graphs") struct GraphGuardTests {
  @Test("every unit finds denormals off, whatever callbacks and units before it did")
  func controlWord() throws {
    let fixture = GraphFixture()
    let first = try fixture.add("aufx", "rude", TestUnits.rude)
    let second = try fixture.add("aufx", "rude", TestUnits.rude)
    let third = try fixture.add("aufx", "rude", TestUnits.rude)
    try fixture.chain(first, second, third, fixture.output())
    try unsafe fixture.graph.setInputCallback(
      first,
      AURenderCallbackStruct(
        inputProc: { _, _, _, _, frames, list in
          DenormalGuard(saved: 0x1F80).restore()
          guard let samples = unsafe list?.samples(0) else { return kAudio_ParamError }
          for frame in 0..<Int(frames) { unsafe samples[frame] = 1e-30 }
          return 0
        }, inputProcRefCon: nil))
    try fixture.begin()
    let outer = DenormalGuard(saved: 0x1F80)
    outer.restore()
    let signal = try fixture.render(512, slices: [64])
    let isActive = DenormalGuard.isActive
    let three = ParameterStore(count: 1, initialValue: 3)
    let ratio = 2 / three.value(at: 0)
    three.deallocate()
    #expect(!isActive)
    #expect(ratio == Float(2.0 / 3.0))
    #expect(signal.allSatisfy { $0 == 1e-30 })
    for node in [first, second, third] {
      #expect(try fixture.unit(node).parameter(0) == 0)
      #expect(try fixture.unit(node).parameter(1) == 8)
    }
  }

  @Test("a unit of a graph that is pulled by itself sets the control word itself")
  func pulledAlone() throws {
    let fixture = GraphFixture()
    let node = try fixture.add("aufx", "rude", TestUnits.rude)
    let end = try fixture.output()
    try fixture.chain(fixture.counter(), node, end)
    try fixture.begin()
    let unit = try fixture.unit(node)
    let buffers = AudioBuffers(channelCount: 1, frameCapacity: 64)
    buffers.setFrameCount(64)
    for slice in 0..<4 {
      var flags: AudioUnitRenderActionFlags = 0
      var stamp = AudioTimeStamp(sampleTime: Double(slice * 64))
      let status = unsafe unit.render(
        flags: &flags, timeStamp: &stamp, frameCount: 64, buffers: buffers.list)
      #expect(status == 0)
      #expect(!DenormalGuard.isActive)
    }
    #expect(try unit.parameter(0) == 0)
  }

  @Test("a change before the first slice never leaves that without a plan")
  func firstSlice() throws {
    for _ in 0..<60 {
      let fixture = GraphFixture()
      let source = try fixture.counter()
      let end = try fixture.output()
      try fixture.chain(source, end)
      try fixture.begin()
      let first = FirstSlice(try fixture.unit(end))
      first.start()
      for _ in 0..<5 {
        try fixture.graph.disconnectInput(end)
        try fixture.graph.connect(source, to: end)
        try fixture.graph.update(waits: false)
      }
      #expect(first.finish() == 0)
    }
  }
}

/// A thread that renders one slice of a unit.
///
/// @unchecked Sendable because the thread alone uses the unit and the status until it is joined.
@safe private final class FirstSlice: @unchecked Sendable {
  private let unit: AudioUnit
  private var status: OSStatus = -1
  private var thread = pthread_t()

  init(_ unit: AudioUnit) { self.unit = unit }

  func start() {
    unsafe pthread_create(
      &thread, nil,
      { slice in
        guard let slice = unsafe slice else { return nil }
        unsafe Unmanaged<FirstSlice>.fromOpaque(slice).takeUnretainedValue().render()
        return nil
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  func finish() -> OSStatus {
    pthread_join(thread, nil)
    return status
  }

  private func render() {
    let buffers = AudioBuffers(channelCount: 1, frameCapacity: 64)
    buffers.setFrameCount(64)
    var flags: AudioUnitRenderActionFlags = 0
    var stamp = AudioTimeStamp(sampleTime: 0)
    status = unsafe unit.render(
      flags: &flags, timeStamp: &stamp, frameCount: 64, buffers: buffers.list)
  }
}
