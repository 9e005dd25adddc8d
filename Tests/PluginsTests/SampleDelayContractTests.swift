// The sample delay answers the interface as it should: it is the proof that C is enough.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import CAudioToolbox
import TestSupport
import Testing

@Suite("Sample delay, contract")
struct SampleDelayContractTests {
  /// Renders with separate buffers; returns the status.
  private func render(
    _ unit: AudioUnit, frames: Int, at time: Double = 0, buffers: AudioBuffers, element: UInt32 = 0
  ) -> OSStatus {
    var flags: AudioUnitRenderActionFlags = 0
    var stamp = AudioTimeStamp(sampleTime: time)
    return unsafe unit.render(
      flags: &flags, timeStamp: &stamp, outputElement: element, frameCount: UInt32(frames),
      buffers: buffers.list)
  }

  @Test("errors are those of the interface")
  func errors() throws {
    let unit = try Shipped.open("sdly")
    let two = AudioBuffers(channelCount: 2, frameCapacity: 64)
    two.setFrameCount(64)
    #expect(render(unit, frames: 64, buffers: two) == kAudioUnitErr_Uninitialized)
    try unit.setMaximumFramesPerSlice(64)
    try unit.initialize()
    #expect(render(unit, frames: 64, buffers: two) == kAudioUnitErr_NoConnection)
    #expect(render(unit, frames: 65, buffers: two) == kAudioUnitErr_TooManyFramesToProcess)
    #expect(render(unit, frames: 64, buffers: two, element: 1) == kAudioUnitErr_InvalidElement)
    let one = AudioBuffers(channelCount: 1, frameCapacity: 64)
    one.setFrameCount(64)
    #expect(render(unit, frames: 64, buffers: one) == kAudio_ParamError)
    two.setFrameCount(32)
    #expect(render(unit, frames: 64, buffers: two) == kAudio_ParamError)
    let last: OSStatus = try unit.property(kAudioUnitProperty_LastRenderError, as: OSStatus.self)
    #expect(last == kAudio_ParamError)
    #expect(throws: AuricleError.self) { try unit.setParameter(1, 0) }
    #expect(throws: AuricleError.self) { try unit.setMaximumFramesPerSlice(128) }
    #expect(throws: AuricleError.self) {
      _ = try unit.property(63_999, as: UInt32.self)
    }
    #expect(throws: AuricleError.self) {
      try unit.setProperty(kAudioUnitProperty_Latency, Float64(1))
    }
  }

  @Test("formats: planar floats, as wide and as fast on both sides")
  func formats() throws {
    let unit = try Shipped.open("sdly")
    var format = AudioStreamFormat(sampleRate: 48_000, channelCount: 2)
    format.asbd.mBytesPerFrame = 0
    format.asbd.mBytesPerPacket = 0
    try unit.setStreamFormat(format, scope: kAudioUnitScope_Input)
    // Sizes that were left at 0 are filled in.
    let used = try unit.streamFormat(scope: kAudioUnitScope_Input).asbd
    #expect(used.mBytesPerFrame == 4 && used.mBytesPerPacket == 4)
    format.asbd.mFormatFlags = kAudioFormatFlagsNativeFloatPacked
    #expect(throws: AuricleError.self) {
      try unit.setStreamFormat(format, scope: kAudioUnitScope_Input)
    }
    let six = AudioStreamFormat(sampleRate: 48_000, channelCount: 6)
    try unit.setStreamFormat(six, scope: kAudioUnitScope_Input)
    #expect(throws: AuricleError.self) { try unit.initialize() }
    try unit.setStreamFormat(six, scope: kAudioUnitScope_Output)
    try unit.initialize()
    #expect(try unit.streamFormat(scope: kAudioUnitScope_Output, element: 0).channelCount == 6)
    #expect(unit.supports(inputChannels: 3, outputChannels: 3))
    #expect(!unit.supports(inputChannels: 1, outputChannels: 2))
  }

  @Test("units connected to one another pull one another")
  func connection() throws {
    let first = try UnitRig("lmtr")
    let second = try Shipped.open("sdly")
    let format = AudioStreamFormat(sampleRate: 48_000, channelCount: 2)
    try second.setStreamFormat(format, scope: kAudioUnitScope_Input)
    try second.setStreamFormat(format, scope: kAudioUnitScope_Output)
    try second.setMaximumFramesPerSlice(4096)
    try second.setParameter(0, 10)
    try second.connectInput(to: first.unit)
    try second.initialize()
    let input = TestSignal.impulse(amplitude: 0.5, frameCount: 2048)
    _ = try first.render([input])  // fills the feed of the first unit
    try first.reset()
    let buffers = AudioBuffers(channelCount: 2, frameCapacity: 2048)
    buffers.setFrameCount(2048)
    #expect(render(second, frames: 2048, buffers: buffers) == 0)
    #expect(unsafe buffers.channel(1)[576 + 10] == 0.5)
    try second.disconnectInput()
    #expect(
      render(second, frames: 2048, at: 2048, buffers: buffers) == kAudioUnitErr_NoConnection)
  }

  @Test("a connection has the format of its source, and needs an existing one")
  func connectionFormat() throws {
    let source = try Shipped.open("sdly")
    let format = AudioStreamFormat(sampleRate: 96_000, channelCount: 6)
    try source.setStreamFormat(format, scope: kAudioUnitScope_Output)
    let unit = try Shipped.open("sdly")
    let error = #expect(throws: AuricleError.self) {
      try unit.connectInput(to: source, outputElement: 3)
    }
    #expect(error?.status == kAudioUnitErr_InvalidElement)
    try unit.connectInput(to: source)
    #expect(try unit.streamFormat(scope: kAudioUnitScope_Input) == format)
  }

  @Test("a delay set at a high rate is the longest there is at a lower one")
  func lowerRate() throws {
    let unit = try Shipped.open("sdly")
    func setRate(_ rate: Double) throws {
      let format = AudioStreamFormat(sampleRate: rate, channelCount: 2)
      try unit.setStreamFormat(format, scope: kAudioUnitScope_Input)
      try unit.setStreamFormat(format, scope: kAudioUnitScope_Output)
    }
    try setRate(192_000)
    try unit.setParameter(0, 192_000)
    try setRate(8000)
    try unit.initialize()
    #expect(try unit.parameter(0) == 8000)
    #expect(unit.tailTime == 1)
  }

  @Test("missing output of a source is silence or an error, not the bytes behind its memory")
  func shortSource() throws {
    let rig = try UnitRig("sdly", [0: 0])
    let memory = UnsafeMutablePointer<Float>.allocate(capacity: 16)
    defer { unsafe memory.deallocate() }
    unsafe memory.initialize(repeating: 0.5, count: 16)
    unsafe try rig.unit.setInputCallback(
      { refCon, _, _, _, _, list in
        guard let list = unsafe list else { return kAudio_ParamError }
        for channel in 0..<(unsafe list.bufferCount) {
          unsafe list.buffer(channel).pointee.mData = refCon
          unsafe list.buffer(channel).pointee.mDataByteSize = 32
        }
        return 0
      }, refCon: memory)
    let buffers = AudioBuffers(channelCount: 2, frameCapacity: 16)
    buffers.setFrameCount(16)
    #expect(render(rig.unit, frames: 16, at: 0, buffers: buffers) == 0)
    #expect(unsafe buffers.channel(1)[7] == 0.5)
    #expect(unsafe buffers.channel(1)[8] == 0)
    unsafe try rig.unit.setInputCallback(
      { _, _, _, _, _, list in
        guard let list = unsafe list else { return kAudio_ParamError }
        unsafe list.buffer(0).pointee.mData = nil
        return 0
      }, refCon: nil)
    #expect(render(rig.unit, frames: 16, at: 16, buffers: buffers) == kAudio_ParamError)
  }

  @Test("a caller without buffers gets those of the unit, and a cycle is rendered once")
  func ownBuffers() throws {
    let rig = try UnitRig("sdly")
    _ = try rig.render([TestSignal.noise(seed: 95, frameCount: 512)], slices: [512])
    try rig.reset()
    let buffers = AudioBuffers(channelCount: 2, frameCapacity: 512)
    buffers.setFrameCount(512)
    let list = unsafe buffers.list
    for index in 0..<2 { unsafe list.buffer(index).pointee.mData = nil }
    #expect(render(rig.unit, frames: 512, buffers: buffers) == 0)
    let data = unsafe try #require(list.samples(0))
    let first = unsafe data[100]
    #expect(first != 0)
    // The same time stamp again: nothing moves on.
    for index in 0..<2 { unsafe list.buffer(index).pointee.mData = nil }
    #expect(render(rig.unit, frames: 512, buffers: buffers) == 0)
    let again = unsafe try #require(list.samples(0))
    #expect(unsafe again[100] == first)
  }

  @Test("a scheduled change happens at its frame")
  func schedule() throws {
    let rig = try UnitRig("sdly", [0: 0])
    let ramp = (0..<2000).map { Float($0) }
    let output = try rig.render([ramp], slices: [1000]) { frame in
      guard frame == 1000 else { return }
      var event = AudioUnitParameterEvent()
      event.scope = kAudioUnitScope_Global
      event.parameter = 0
      event.eventType = kParameterEvent_Immediate
      unsafe event.eventValues.immediate.bufferOffset = 300
      unsafe event.eventValues.immediate.value = 50
      try rig.unit.scheduleParameters([event])
    }[0]
    #expect(output[1299] == 1299)
    // A short fade, then the new delay.
    #expect(output[1400] < 1400 && output[1400] > 1350)
    #expect(output[1600] == 1550)
    #expect(try rig.unit.parameter(0) == 50)
  }
}
