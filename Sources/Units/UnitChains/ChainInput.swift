// The input of a chain as the callbacks of its graph see it.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import CAudioToolbox
import RealtimeSupport

extension UnitChain {
  /// The input as the graph's callbacks see it.
  @safe struct Input {
    var channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    var channelCount: Int
  }
}

/// The input callback of the graph: the reference is a `UnitChain.Input`. Context: render.
let chainInputCallback: AURenderCallback = { refCon, _, _, _, frameCount, list in
  guard let refCon = unsafe refCon, let list = unsafe list else { return kAudio_ParamError }
  let input = unsafe refCon.assumingMemoryBound(to: UnitChain.Input.self)
  let buffers = unsafe list.buffers
  guard unsafe Int(list.pointee.mNumberBuffers) == input.pointee.channelCount else {
    return kAudio_ParamError
  }
  for channel in 0..<(unsafe input.pointee.channelCount) {
    let samples = unsafe input.pointee.channels[channel]
    if let target = unsafe buffers[channel].mData {
      unsafe SampleCopy.copy(
        from: samples, to: target.assumingMemoryBound(to: Float.self), count: Int(frameCount))
    } else {
      unsafe buffers[channel].mData = UnsafeMutableRawPointer(samples)
    }
  }
  return 0
}
