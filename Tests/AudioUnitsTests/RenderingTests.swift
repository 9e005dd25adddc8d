// Rendering: callbacks, connections, object lifetimes, errors as statuses.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import CAudioToolbox
import Testing

/// Fills the buffers with the number its refCon points at.
private let constantSource: AURenderCallback = { refCon, _, _, _, frames, buffers in
  guard let value = unsafe refCon?.load(as: Float.self), let buffers = unsafe buffers else {
    return -50
  }
  let channels = unsafe buffers.bufferCount
  for channel in 0..<channels {
    for frame in 0..<Int(frames) { unsafe buffers.samples(channel)?[frame] = value }
  }
  return 0
}

private let failingSource: AURenderCallback = { _, _, _, _, _, _ in -12_345 }

@Suite struct RenderingTests {
  private func render(_ unit: AudioUnit, frames: UInt32 = 16) -> (OSStatus, [Float]) {
    let buffers = AudioBuffers(channelCount: 2, frameCapacity: 4096)
    buffers.setFrameCount(Int(frames))
    var flags: AudioUnitRenderActionFlags = 0
    var time = AudioTimeStamp(sampleTime: 0)
    let status = unsafe unit.render(
      flags: &flags, timeStamp: &time, frameCount: frames, buffers: buffers.list)
    return (status, unsafe [buffers.channel(0)[0], buffers.channel(1)[Int(frames) - 1]])
  }

  @Test func pullsItsInputFromACallback() throws {
    let fake = FakeUnit()
    let unit = try fake.open()
    try unit.initialize()
    try unit.setParameter(0, 0.5)
    var value: Float = 3
    try unsafe withUnsafeMutablePointer(to: &value) { pointer in
      unsafe try unit.setInputCallback(constantSource, refCon: pointer)
      let (status, samples) = render(unit)
      #expect(status == 0 && samples == [1.5, 1.5])
    }
    unsafe try unit.setInputCallback(nil, refCon: nil)
    #expect(render(unit).0 == kAudioUnitErr_NoConnection)
  }

  @Test func pullsItsInputFromAConnectedUnit() throws {
    let first = FakeUnit()
    let second = FakeUnit()
    let output = try second.open(name: "Test: Second")
    var value: Float = 8
    try unsafe withUnsafeMutablePointer(to: &value) { pointer in
      do {
        let source = try first.open()
        try source.initialize()
        try source.setParameter(0, 0.5)
        unsafe try source.setInputCallback(constantSource, refCon: pointer)
        try output.connectInput(to: source)
        #expect(output.inputSource() === source)
      }
      // Only the connection keeps the source now.
      #expect(!first.calls.contains("Close"))
      try output.initialize()
      try output.setParameter(0, 0.25)
      let (status, samples) = render(output)
      #expect(status == 0 && samples == [1, 1])
      try output.disconnectInput()
      #expect(first.calls.last == "Close")
      #expect(render(output).0 == kAudioUnitErr_NoConnection)
    }
  }

  @Test func theUnitItselfClosesBeforeItsSource() throws {
    let first = FakeUnit()
    let second = FakeUnit()
    do {
      let output = try second.open()
      try output.connectInput(to: try first.open())
    }
    #expect(first.calls.last == "Close" && second.calls.last == "Close")
  }

  @Test func aCallbackRemovesTheConnection() throws {
    let first = FakeUnit()
    let output = try FakeUnit().open()
    try output.connectInput(to: try first.open())
    unsafe try output.setInputCallback(failingSource, refCon: nil)
    #expect(output.inputSource() == nil && first.calls.last == "Close")
    try output.initialize()
    #expect(render(output).0 == -12_345)
  }

  @Test func aRefusedConnectionNamesBothUnits() throws {
    let source = try FakeUnit().open(name: "Test: Source")
    let output = try FakeUnit().open(name: "Test: Sink")
    let error = #expect(throws: AuricleError.self) {
      try output.connectInput(element: 7, to: source)
    }
    #expect(error?.status == kAudioUnitErr_InvalidElement)
    #expect(
      error?.message.hasPrefix(
        "Test: Sink: input 7 cannot be connected to output 0 of Test: Source") == true)
    #expect(output.inputSource(element: 7) == nil)
  }

  @Test func aUnitIsNotConnectedToItself() throws {
    let fake = FakeUnit()
    let unit = try fake.open()
    let error = #expect(throws: AuricleError.self) { try unit.connectInput(to: unit) }
    #expect(error?.status == kAUGraphErr_InvalidConnection)
    #expect(unit.inputSource() == nil && fake.calls == ["Open", FakeUnit.versionQuery])
  }

  @Test func errorsComeBackAsStatuses() throws {
    let fake = FakeUnit()
    let unit = try fake.open()
    #expect(render(unit).0 == kAudioUnitErr_Uninitialized)
    try unit.initialize()
    #expect(render(unit, frames: 2048).0 == kAudioUnitErr_TooManyFramesToProcess)
    fake.renderStatus = -7
    #expect(render(unit).0 == -7)
  }

  @Test func theRenderProcedureIsThatOfTheUnit() throws {
    let fake = FakeUnit()
    let unit = try fake.open()
    try unit.initialize()
    let procedure = unit.renderProcedure
    let buffers = AudioBuffers(channelCount: 2, frameCapacity: 16)
    var flags: AudioUnitRenderActionFlags = 0
    var time = AudioTimeStamp(sampleTime: 0)
    var value: Float = 2
    try unsafe withUnsafeMutablePointer(to: &value) { pointer in
      unsafe try unit.setInputCallback(constantSource, refCon: pointer)
      let status = unsafe procedure.render(
        &flags, &time, outputElement: 0, frameCount: 16, buffers: buffers.list)
      #expect(status == 0)
    }
    unsafe #expect(buffers.channel(1)[15] == 2)
  }
}
