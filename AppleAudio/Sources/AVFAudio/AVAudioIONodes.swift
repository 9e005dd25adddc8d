// The nodes at the ends of an engine: devices, or a program's manual rendering and input.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Returns input for manual rendering: a list with so many frames, or nil.
public typealias AVAudioIONodeInputBlock = (AVAudioFrameCount) -> UnsafePointer<AudioBufferList>?

/// A node at an end of an engine.
open class AVAudioIONode: AVAudioNode, @unchecked Sendable {
  /// The unit of the device; nil in manual rendering and where there is no device.
  open var audioUnit: AudioUnit? { owner?.device.unit }
  /// Seconds between the node and the loudspeaker or microphone.
  open var presentationLatency: TimeInterval {
    guard let unit = audioUnit else { return 0 }
    var (seconds, size): (Double, UInt32) = (0, 8)
    AudioUnitGetProperty(
      unit, kAudioUnitProperty_Latency, kAudioUnitScope_Global, 0, &seconds, &size)
    return seconds
  }
  override func makeFace() -> AUAudioUnit? {
    owner?.device.open().map { AUAudioUnit(auricleUnit: $0) }
      ?? AVAudioNode.unitFace(kAudioUnitType_Output, kAudioUnitSubType_GenericOutput)
  }
}

/// The node that sound comes in from.
open class AVAudioInputNode: AVAudioIONode, AVAudioMixing, @unchecked Sendable {
  private var block: AVAudioIONodeInputBlock?
  /// The conversion of the block's samples to floats, a buffer a channel; nil where they are such.
  private var converter: AVAudioConverter?

  init(_ engine: AVAudioEngine) {
    super.init(inputs: 1, outputs: 1)
    let format =
      engine.manual?.standardFormat ?? engine.device.format(input: true) ?? .auricleStandard(0, 0)
    inputFormats[0] = format
    outputFormats[0] = format
  }
  /// Sets the format and the block of input for manual rendering; false while the engine runs or renders to a device.
  @discardableResult open func setManualRenderingInputPCMFormat(
    _ format: AVAudioFormat, inputBlock block: @escaping AVAudioIONodeInputBlock
  ) -> Bool {
    guard let engine = owner, engine.isInManualRenderingMode, !engine.isRunning, format.isLinear
    else { return false }
    let floats = AVAudioFormat.auricleStandard(format.sampleRate, format.channelCount)
    let isFloats = format.isStandard && !(format.isInterleaved && format.channelCount > 1)
    let made = isFloats ? nil : AVAudioConverter(from: format, to: floats)
    guard isFloats || made != nil else { return false }
    locked {
      self.block = block
      converter = made
      inputFormats[0] = format
      outputFormats[0] = floats
    }
    engine.reconnect(self)
    return true
  }
  override func render(
    _ bus: Int, _ time: UnsafePointer<AudioTimeStamp>, _ frames: Int,
    _ list: UnsafeMutableAudioBufferListPointer
  ) -> OSStatus {
    guard let cycle, let manual = cycle.manual else {
      return cycle?.device.readInput(time, frames, list) ?? noErr
    }
    clear(list, frames)
    guard let block else { return noErr }
    RealtimeCheck.enter()
    let supplied = block(AVAudioFrameCount(frames))
    RealtimeCheck.leave()
    guard let input = supplied else {
      manual.isStarved = true
      return noErr
    }
    let source = UnsafeMutableAudioBufferListPointer(UnsafeMutablePointer(mutating: input))
    let count = Swift.min(
      frames, Int(source[0].mDataByteSize / inputFormats[0].raw.mBytesPerFrame))
    manual.isStarved = count < frames
    if let converter { return converter.convertFrames(count, source, list) }
    copyFrames(source, to: list, count)
    return noErr
  }
}

/// The node that sound goes out through.
open class AVAudioOutputNode: AVAudioIONode, @unchecked Sendable {
  init(_ engine: AVAudioEngine) {
    super.init(inputs: 1, outputs: 1)
    let format = engine.device.format(input: false) ?? .auricleStandard(44_100, 2)
    inputFormats[0] = .auricleStandard(format.sampleRate, format.channelCount)
    outputFormats[0] = format
  }
  override var convertsInputs: Bool { true }
  override func setInput(_ bus: Int, _ format: AVAudioFormat) {}
  override var lastStamp: AudioTimeStamp? { cycle?.stamp }
  override func render(
    _ bus: Int, _ time: UnsafePointer<AudioTimeStamp>, _ frames: Int,
    _ list: UnsafeMutableAudioBufferListPointer
  ) -> OSStatus {
    guard let link = inputLinks[0] else {
      clear(list, frames)
      return noErr
    }
    if link.scratch.channels == list.count { return link.pull(time, frames, list) }
    let source = link.scratch.point(0, frames)
    let status = link.pull(time, frames, source)
    copyFrames(source, to: list, frames)
    return status
  }
}
