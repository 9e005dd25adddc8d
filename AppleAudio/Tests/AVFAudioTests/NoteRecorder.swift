// An instrument for tests of what plays notes.
// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: NeverForceUnwrap, NeverUseImplicitlyUnwrappedOptionals

import AVFoundation
import Synchronization
import Testing

/// An instrument that records the messages that it receives, with the frames of its timeline; its MIDI is what came in.
final class NoteRecorder: AUAudioUnit {
  final class Inbox: Sendable {
    let messages = Mutex<[(frame: Int, bytes: [UInt8])]>([])
  }
  let received = Inbox()
  private var outputs: AUAudioUnitBusArray!
  static let code = AudioComponentDescription(
    componentType: kAudioUnitType_MusicDevice, componentSubType: 0x7265_6364,
    componentManufacturer: 0x5465_7374, componentFlags: 0, componentFlagsMask: 0)
  static let isRegistered: Bool = {
    AUAudioUnit.registerSubclass(NoteRecorder.self, as: code, name: "Tests: Recorder", version: 1)
    return true
  }()

  override init(
    componentDescription: AudioComponentDescription,
    options: AudioComponentInstantiationOptions = []
  ) throws {
    try super.init(componentDescription: componentDescription, options: options)
    let format = AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 1)!
    outputs = AUAudioUnitBusArray(
      audioUnit: self, busType: .output, busses: [try AUAudioUnitBus(format: format)])
  }
  override var outputBusses: AUAudioUnitBusArray { outputs }
  override var internalRenderBlock: AUInternalRenderBlock {
    let received = received
    return { [unowned self] _, time, frames, _, list, events, _ in
      for buffer in UnsafeMutableAudioBufferListPointer(list) {
        memset(buffer.mData!, 0, Int(buffer.mDataByteSize))
      }
      var event = events
      while let present = event {
        if present.pointee.head.eventType == .MIDI {
          let midi = present.pointee.MIDI
          let bytes = withUnsafeBytes(of: midi.data) { Array($0.prefix(Int(midi.length))) }
          received.messages.withLock { $0.append((Int(midi.eventSampleTime), bytes)) }
          _ = midiOutputEventBlock?(midi.eventSampleTime, 0, bytes.count, bytes)
        }
        event = UnsafePointer(present.pointee.head.next)
      }
      return noErr
    }
  }
}

extension AVAudioUnitMIDIInstrument {
  /// The messages that a recorder received.
  func received() throws -> [(frame: Int, bytes: [UInt8])] {
    try #require(auAudioUnit as? NoteRecorder).received.messages.withLock { $0 }
  }
}

extension Offline {
  /// A recorder whose frames have a rate, connected to the mixer.
  func recorder(_ rate: Double = 44_100, through effect: AVAudioUnit? = nil) throws
    -> AVAudioUnitMIDIInstrument
  {
    try #require(NoteRecorder.isRegistered)
    let node = AVAudioUnitMIDIInstrument(audioComponentDescription: NoteRecorder.code)
    engine.attach(node)
    if let effect {
      engine.attach(effect)
      engine.connect(node, to: effect, format: standard(rate))
      engine.connect(effect, to: engine.mainMixerNode, format: standard(rate))
    } else {
      engine.connect(node, to: engine.mainMixerNode, format: standard(rate))
    }
    return node
  }
}
