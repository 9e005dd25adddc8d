// Nodes that call a block: for sound to make, and with sound that came in.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Makes sound: whether it is silence, time, frames, list.
public typealias AVAudioSourceNodeRenderBlock = (
  UnsafeMutablePointer<ObjCBool>, UnsafePointer<AudioTimeStamp>, AVAudioFrameCount,
  UnsafeMutablePointer<AudioBufferList>
) -> OSStatus
/// Receives sound: time, frames, list.
public typealias AVAudioSinkNodeReceiverBlock = (
  UnsafePointer<AudioTimeStamp>, AVAudioFrameCount, UnsafePointer<AudioBufferList>
) -> OSStatus

/// A node whose sound a block makes, on the render thread.
open class AVAudioSourceNode: AVAudioNode, AVAudioMixing, @unchecked Sendable {
  private let block: AVAudioSourceNodeRenderBlock
  private let blockFormat: AVAudioFormat?
  private var converter: AudioConverterRef?
  private var memory: AVAudioPCMBuffer?

  /// A node whose block makes floats of 32 bits, a buffer a channel, in the format of the connection.
  public init(renderBlock block: @escaping AVAudioSourceNodeRenderBlock) {
    self.block = block
    blockFormat = nil
    super.init(inputs: 0, outputs: 1)
  }
  /// A node whose block makes linear samples of a format.
  public init(format: AVAudioFormat, renderBlock block: @escaping AVAudioSourceNodeRenderBlock) {
    auricleRequire(format.isLinear, "format is linear PCM")
    self.block = block
    blockFormat = format.isStandard && !format.isInterleaved ? nil : format
    super.init(inputs: 0, outputs: 1)
    outputFormats[0] = .auricleStandard(format.sampleRate, format.channelCount)
  }
  deinit { if let converter { AudioConverterDispose(converter) } }
  override func makeFace() -> AUAudioUnit? {
    AVAudioNode.unitFace(kAudioUnitType_Generator, kAudioUnitSubType_ScheduledSoundPlayer)
  }

  override func prepare(_ maximumFrames: Int) throws {
    if let blockFormat,
      converter == nil || memory.map({ Int($0.frameCapacity) < maximumFrames }) ?? true
    {
      let standard = AVAudioFormat.auricleStandard(blockFormat.sampleRate, blockFormat.channelCount)
      if converter == nil {
        try auricleCheck(
          AudioConverterNew(blockFormat.streamDescription, standard.streamDescription, &converter))
      }
      memory = AVAudioPCMBuffer(
        pcmFormat: blockFormat, frameCapacity: AVAudioFrameCount(maximumFrames))
    }
    try super.prepare(maximumFrames)
  }
  override func render(
    _ bus: Int, _ time: UnsafePointer<AudioTimeStamp>, _ frames: Int,
    _ list: UnsafeMutableAudioBufferListPointer
  ) -> OSStatus {
    var isSilence = ObjCBool(false)
    var status: OSStatus
    if blockFormat == nil {
      RealtimeCheck.enter()
      status = block(&isSilence, time, AVAudioFrameCount(frames), list.unsafeMutablePointer)
      RealtimeCheck.leave()
    } else if let memory, let converter, frames <= Int(memory.frameCapacity) {
      memory.frameLength = AVAudioFrameCount(frames)
      RealtimeCheck.enter()
      status = block(&isSilence, time, AVAudioFrameCount(frames), memory.mutableAudioBufferList)
      RealtimeCheck.leave()
      memory.frameLength = AVAudioFrameCount(frames)
      if status == noErr {
        status = AudioConverterConvertComplexBuffer(
          converter, UInt32(frames), memory.audioBufferList, list.unsafeMutablePointer)
      }
    } else {
      status = kAudioUnitErr_Uninitialized
    }
    if isSilence.boolValue || status != noErr { clear(list, frames) }
    return status
  }
}

/// A node that passes its input to a block, on the render thread.
open class AVAudioSinkNode: AVAudioNode, @unchecked Sendable {
  private let block: AVAudioSinkNodeReceiverBlock
  /// A node with a block.
  public init(receiverBlock block: @escaping AVAudioSinkNodeReceiverBlock) {
    self.block = block
    super.init(inputs: 1, outputs: 0)
  }
  /// Reads one cycle. Render thread.
  func receive(_ time: UnsafePointer<AudioTimeStamp>, _ frames: Int) {
    guard let link = inputLinks[0] else { return }
    let list = link.scratch.point(0, frames)
    if link.pull(time, frames, list) == noErr {
      RealtimeCheck.enter()
      _ = block(time, AVAudioFrameCount(frames), list.unsafePointer)
      RealtimeCheck.leave()
    }
  }
}
