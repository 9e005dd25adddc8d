// Rendering of a stage with several instances, and the input of their further buses.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import CAudioToolbox
import RealtimeSupport

extension InternalRendering {
  /// Renders a stage with all its instances.
  @_noLocks
  static func renderStage(
    _ state: UnsafeMutablePointer<InternalUnitState>, _ stamp: UnsafePointer<AudioTimeStamp>,
    _ list: UnsafeMutablePointer<AudioBufferList>, _ frameCount: Int
  ) -> OSStatus {
    guard let stage = unsafe state.pointee.stage else { return kAudioUnitErr_Uninitialized }
    let channels = unsafe stage.pointee.channelCount
    for channel in 0..<channels {
      guard let samples = unsafe samples(state.pointee.inputs.pointee.list, channel) else {
        return kAudio_ParamError
      }
      unsafe stage.pointee.input[channel] = unsafe samples
    }
    let wanted = unsafe min(channels, Int(list.pointee.mNumberBuffers))
    // Channels that are joined from outputs of instances are joined in their target memory.
    for channel in 0..<wanted where unsafe !stage.pointee.isRenderedInto[channel] {
      if let output = unsafe samples(list, channel) {
        unsafe stage.pointee.channels[channel] = unsafe output
      }
    }
    let status = unsafe stage.pointee.render(stamp, frameCount)
    for channel in 0..<wanted {
      let made = unsafe stage.pointee.channels[channel]
      unsafe stage.pointee.channels[channel] = unsafe stage.pointee.channels[channels + channel]
      if status != 0 { continue }
      if let output = unsafe samples(list, channel) {
        if unsafe output != made {
          unsafe SampleCopy.copy(from: made, to: output, count: frameCount)
        }
      } else {
        unsafe list.buffers[channel].mData = UnsafeMutableRawPointer(made)
      }
    }
    return status
  }
}

/// The callback of a further input bus of a stage's instances: the reference is an `InternalBus`.
///
/// Context: render.
let internalSideCallback: AURenderCallback = { refCon, _, _, _, frameCount, list in
  guard let refCon = unsafe refCon, let list = unsafe list else { return kAudio_ParamError }
  let bus = unsafe refCon.assumingMemoryBound(to: InternalBus.self)
  let (source, count) = unsafe (bus.pointee.list.buffers, bus.pointee.channelCount)
  let buffers = unsafe list.buffers
  for channel in 0..<(unsafe Int(list.pointee.mNumberBuffers)) {
    guard count > 0, let from = unsafe source[channel % count].mData else {
      return kAudio_ParamError
    }
    if let to = unsafe buffers[channel].mData {
      unsafe SampleCopy.copy(
        from: from.assumingMemoryBound(to: Float.self),
        to: to.assumingMemoryBound(to: Float.self), count: Int(frameCount))
    } else {
      unsafe buffers[channel].mData = unsafe from
    }
  }
  return 0
}
