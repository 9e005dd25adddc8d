// Getting the input of a unit: from a callback of the host or another unit's output.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox
import RealtimeSupport
import Synchronization

extension RenderState {
  /// Fills the input channels from their sources.
  ///
  /// - Parameter destination: For a kernel in place, where bus 0 shall go; nil for the unit's memory.
  /// - Returns: The first error met; `isSilent` is true when every source said it gave silence.
  ///
  /// Context: render.
  @_noLocks mutating func pullInputs(
    _ timeStamp: UnsafePointer<AudioTimeStamp>, _ frameCount: Int,
    destination: UnsafeMutablePointer<UnsafeMutablePointer<Float>>?, isSilent: inout Bool
  ) -> OSStatus {
    isSilent = inputCount > 0
    let side = inputSide
    for bus in 0..<inputCount {
      let first = unsafe inputs[bus].firstChannel
      let count = unsafe inputs[bus].channelCount
      guard let channels = unsafe inputChannels else { return kAudioUnitErr_Uninitialized }
      for channel in 0..<count {
        let target =
          if bus == 0, let destination = unsafe destination { unsafe destination[channel] } else {
            unsafe inputs[bus].memory.unsafelyUnwrapped + channel * strideFrames
          }
        unsafe channels[first + channel] = target
      }
      let status = unsafe side.pull(bus, timeStamp, frameCount, channels + first)
      if status != 0 { return status }
      // An optional bus that nothing feeds has no say.
      if unsafe !inputs[bus].isSilent { isSilent = false }
    }
    return 0
  }

  /// The input buses as pointers.
  var inputSide: InputSide {
    @_noLocks get {
      unsafe InputSide(
        count: inputCount, buses: inputs, sources: sources, maximumFrames: maximumFrames)
    }
  }
}

/// The buffers of a list as an array.
@_noLocks func bufferArray(
  _ list: UnsafeMutablePointer<AudioBufferList>
) -> UnsafeMutablePointer<AudioBuffer> {
  unsafe (UnsafeMutableRawPointer(list) + 8).assumingMemoryBound(to: AudioBuffer.self)
}
