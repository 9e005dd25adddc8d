// Units on the helper for C: a host sees exactly their definition.
// SPDX-License-Identifier: Apache-2.0

import AudioComponents
import AudioTypes
import AudioUnits
import CAudioToolbox
import NativeUnits
import TestSupport
import Testing

@Suite("Units on the helper for C")
struct HelpedUnitTests {
  private let folder: TemporaryFolder
  private let unit: AudioUnit

  init() throws {
    folder = try TemporaryFolder("components")
    let binary = try ComponentFixture.binary(
      "HelpedUnit", flags: [Places.inPackage("SDK/CUnit/AuricleUnit.c")])
    try ComponentFixture.makeBundle("HelpedUnit", binary: binary, in: folder)
    let found = NativeComponentSource(folders: [(folder.path, .native)]).discover()
    unit = try #require(found.components.first, "\(found.problems)").instantiate()
  }

  private func start(inputs: Int) throws {
    let format = AudioStreamFormat(sampleRate: 48_000, channelCount: inputs)
    try unit.setStreamFormat(format, scope: kAudioUnitScope_Input)
    try unit.setStreamFormat(
      AudioStreamFormat(sampleRate: 48_000, channelCount: 2), scope: kAudioUnitScope_Output)
    try unit.setMaximumFramesPerSlice(64)
    unsafe try unit.setInputCallback(
      { _, _, _, _, frames, list in
        guard let list = unsafe list else { return kAudio_ParamError }
        for channel in 0..<(unsafe list.bufferCount) {
          for frame in 0..<Int(frames) {
            unsafe list.samples(channel)?[frame] = channel == 0 ? 0.5 : 0.25
          }
        }
        return 0
      }, refCon: nil)
    try unit.initialize()
  }

  private func render(at time: Double = 0) -> [[Float]] {
    let buffers = AudioBuffers(channelCount: 2, frameCapacity: 64)
    buffers.setFrameCount(64)
    var flags = AudioUnitRenderActionFlags()
    var stamp = AudioTimeStamp(sampleTime: time)
    let status = unsafe unit.render(
      flags: &flags, timeStamp: &stamp, frameCount: 64, buffers: buffers.list)
    #expect(status == 0)
    return (0..<2).map { channel in (0..<64).map { unsafe buffers.channel(channel)[$0] } }
  }

  @Test func parametersAreTheTable() throws {
    let parameters = try unit.parameters()
    #expect(parameters.map(\.name) == ["gain", "side", "level"])
    #expect(parameters[1].valueNames == ["both", "left", "right"])
    try unit.setParameter(3, 1.4)
    #expect(try unit.parameter(3) == 1)
    #expect(throws: AuricleError.self) { try unit.setParameter(9, 1) }
    #expect(unit.latency * 48_000 > 0)
  }

  @Test func monoBecomesStereoAndMetersMove() throws {
    try start(inputs: 1)
    try unit.setParameter(7, 1.5)
    #expect(render() == [[Float]](repeating: [Float](repeating: 0.75, count: 64), count: 2))
    #expect(try unit.parameter(9) == 0.75)
    #expect(!unit.supports(inputChannels: 3, outputChannels: 3))
  }

  @Test func stereoIsProcessedInPlaceAndBypassed() throws {
    try start(inputs: 2)
    try unit.setParameter(3, 2)
    #expect(render().map { $0[0] } == [0, 0.25])
    try unit.setBypassed(true)
    for slice in 1...20 { _ = render(at: Double(slice * 64)) }
    #expect(render(at: 10_000).map { $0[0] } == [0.5, 0.25])
  }

  @Test func aRampReachesEveryFrame() throws {
    try start(inputs: 1)
    var ramp = AudioUnitParameterEvent()
    ramp.parameter = 7
    ramp.eventType = kParameterEvent_Ramped
    unsafe ramp.eventValues.ramp.startBufferOffset = 16
    unsafe ramp.eventValues.ramp.durationInFrames = 32
    unsafe ramp.eventValues.ramp.startValue = 0
    unsafe ramp.eventValues.ramp.endValue = 32
    try unit.scheduleParameters([ramp])
    let output = render()[0]
    for frame in 0..<64 {
      let gain: Float = frame < 16 ? 1 : Float(min(frame - 16, 32))
      #expect(abs(output[frame] - 0.5 * gain) < 1e-5, "frame \(frame)")
    }
    #expect(try unit.parameter(7) == 32)
  }

  @Test func presetsAndStateComeBack() throws {
    #expect(unit.factoryPresets.map(\.name) == ["Loud", "Right"])
    try unit.selectPreset(number: 1)
    #expect(try unit.parameter(3) == 2)
    let state = unsafe try unit.property(kAudioUnitProperty_ClassInfo, as: CFDictionaryRef?.self)
    defer { unsafe state.map { unsafe CFRelease(UnsafeRawPointer($0)) } }
    try unit.selectPreset(number: 0)
    #expect(try unit.parameter(7) == 10)
    unsafe try unit.setProperty(kAudioUnitProperty_ClassInfo, state)
    #expect(try unit.parameter(3) == 2 && unit.parameter(7) == 1)
    // The author's saved value came back too: it is counted up each time.
    let again = unsafe try unit.property(kAudioUnitProperty_ClassInfo, as: CFDictionaryRef?.self)
    defer { unsafe again.map { unsafe CFRelease(UnsafeRawPointer($0)) } }
    var saved: Int32 = 0
    unsafe withCFString("test.saved") { key in
      guard let key = unsafe key, let again = unsafe again,
        let number = unsafe CFDictionaryGetValue(again, UnsafeRawPointer(key))
      else { return }
      _ = unsafe CFNumberGetValue(CFNumberRef(number), CFNumberType(kCFNumberSInt32Type), &saved)
    }
    #expect(saved == 2)
  }
}
