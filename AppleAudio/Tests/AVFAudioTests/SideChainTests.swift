// Units with several busses, of which some have no connection.
// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: NeverForceUnwrap

import AVFoundation
import Testing

struct SideChainTests {
  /// A source of one value.
  private func constant(_ value: Float) -> AVAudioSourceNode {
    AVAudioSourceNode { _, _, frames, list in
      for buffer in UnsafeMutableAudioBufferListPointer(list) {
        let samples = UnsafeMutableBufferPointer<Float>(buffer)
        for frame in 0..<Int(frames) { samples[frame] = value }
      }
      return noErr
    }
  }
  private func description(_ type: OSType, _ subtype: OSType) -> AudioComponentDescription {
    AudioComponentDescription(
      componentType: type, componentSubType: subtype,
      componentManufacturer: kAudioUnitManufacturer_Apple, componentFlags: 0, componentFlagsMask: 0)
  }
  private var processor: AudioComponentDescription {
    description(kAudioUnitType_Effect, kAudioUnitSubType_DynamicsProcessor)
  }

  @Test(arguments: [44_100, 48_000, 96_000])
  func aSideChainIsMeasuredWhileItIsConnected(_ rate: Double) throws {
    let offline = try Offline(standard(rate, 2))
    let (engine, compressor) = (
      offline.engine, AVAudioUnitEffect(audioComponentDescription: processor)
    )
    let (loud, quiet) = (constant(1), constant(0))
    for node in [loud, quiet, compressor] { engine.attach(node) }
    engine.connect(loud, to: compressor, format: offline.format)
    engine.connect(compressor, to: engine.mainMixerNode, format: offline.format)
    try engine.start()
    // The threshold is 20 dB below: the input itself is compressed.
    #expect(try offline.render(Int(rate / 4)).last! < 0.5)
    engine.connect(quiet, to: compressor, fromBus: 0, toBus: 1, format: offline.format)
    #expect(try abs(offline.render(Int(rate * 2)).last! - 1) < 1e-3)
    engine.disconnectNodeInput(compressor, bus: 1)
    #expect(try offline.render(Int(rate / 4)).last! < 0.5)
    engine.connect(quiet, to: compressor, fromBus: 0, toBus: 1, format: offline.format)
    #expect(try abs(offline.render(Int(rate * 2)).last! - 1) < 1e-3)
    engine.disconnectNodeOutput(quiet)
    #expect(try offline.render(Int(rate / 4)).last! < 0.5)
  }

  @Test func anOutputWithoutConnectionsHasTheRateOfTheOthers() async throws {
    let offline = try Offline(standard(48_000, 2))
    let engine = offline.engine
    let splitter = try await AVAudioUnit.instantiate(
      with: description(kAudioUnitType_FormatConverter, kAudioUnitSubType_Splitter))
    let source = constant(0.25)
    engine.attach(source)
    engine.attach(splitter)
    engine.connect(source, to: splitter, format: offline.format)
    engine.connect(
      splitter, to: engine.mainMixerNode, fromBus: 0, toBus: 0, format: offline.format)
    try engine.start()
    #expect(try offline.render(512) == [Float](repeating: 0.25, count: 512))
  }

  @Test func anEffectOfVersionThreeReadsItsFirstInput() throws {
    let unit = try AUAudioUnit(componentDescription: processor)
    let format = standard(48_000, 2)
    try unit.inputBusses[0].setFormat(format)
    try unit.outputBusses[0].setFormat(format)
    #expect(unit.inputBusses[0].isEnabled && !unit.inputBusses[1].isEnabled)
    try unit.allocateRenderResources()
    let block = buffer(silence(512), format)
    var (time, flags) = (AudioTimeStamp(), AudioUnitRenderActionFlags())
    time.mFlags = .sampleTimeValid
    for cycle in 0..<50 {
      time.mSampleTime = Double(cycle * 512)
      let status = unit.renderBlock(
        &flags, &time, 512, 0, block.mutableAudioBufferList
      ) { _, _, frames, bus, list in
        guard bus == 0 else { return kAudioUnitErr_NoConnection }
        for buffer in UnsafeMutableAudioBufferListPointer(list) {
          let samples = UnsafeMutableBufferPointer<Float>(buffer)
          for frame in 0..<Int(frames) { samples[frame] = 1 }
        }
        return noErr
      }
      #expect(status == noErr)
    }
    #expect(block.samples().last! < 0.5)
  }
}
