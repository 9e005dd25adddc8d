// Fills the input channels of a unit, from its sources or from a caller's lists.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox
import RealtimeSupport
import Synchronization

extension RenderState {
  /// Fills the input channels.
  ///
  /// A kernel in place finds the input of bus 0 in the output channels.
  ///
  /// - Returns: The first error met; `isSilent` is true when every source reported silence.
  ///
  /// Context: render.
  @_noLocks mutating func pullInputs(
    _ timeStamp: UnsafePointer<AudioTimeStamp>, _ frameCount: Int, isSilent: inout Bool
  ) -> OSStatus {
    isSilent = inputCount > 0
    inputIsQuiet = inputCount > 0
    guard inputCount > 0 else { return 0 }
    guard let channels = unsafe inputChannels, let outputChannels = unsafe outputChannels else {
      return kAudioUnitErr_Uninitialized
    }
    unsafe side.pointee = inputSide
    let sharesMemory =
      unsafe processesInPlace && outputCount > 0 && mayWorkInPlace.load(ordering: .relaxed)
      && inputs[0].channelCount == outputs[0].channelCount
    // Bus 0 comes last: its memory may be the caller's, which may also hold other inputs.
    var bus = inputCount - 1
    while bus >= 0 {
      let first = unsafe inputs[bus].firstChannel
      for channel in 0..<(unsafe inputs[bus].channelCount) {
        unsafe channels[first + channel] =
          bus == 0 && sharesMemory
          ? outputChannels[channel] : inputs[bus].own(channel, stride: strideFrames)
      }
      bus -= 1
    }
    var status: OSStatus = 0
    if isSupplied {
      bus = inputCount - 1
      while bus >= 0, status == 0 {
        status = unsafe side.pointee.pull(
          bus, timeStamp, frameCount, channels + inputs[bus].firstChannel)
        bus -= 1
      }
    } else {
      bus = 0
      while bus < inputCount, status == 0 {
        status = unsafe side.pointee.pull(
          bus, timeStamp, frameCount, channels + inputs[bus].firstChannel)
        bus += 1
      }
    }
    guard status == 0 else { return status }
    for bus in 0..<inputCount {
      if unsafe !inputs[bus].isSilent { isSilent = false }
      if unsafe !inputs[bus].isQuiet { inputIsQuiet = false }
    }
    if processesInPlace, !sharesMemory, outputCount > 0 { moveInput(frameCount) }
    return 0
  }

  /// The input buses as pointers. Context: render; the host's word is one of its render thread.
  var inputSide: InputSide {
    @_noLocks get {
      inputSide(isGuarded: unsafe (hostGuard.load(ordering: .acquiring)?.pointee ?? 0) != 0)
    }
  }

  /// Returns the input buses as pointers, with or without a host that sets the control word.
  @_noLocks func inputSide(isGuarded: Bool) -> InputSide {
    unsafe InputSide(
      count: inputCount, buses: inputs, sources: sources, maximumFrames: maximumFrames,
      denormals: denormals, isGuarded: isGuarded, supplied: supplied, isSupplied: isSupplied,
      quietInput: !kernelPullsInputs ? .asItIs : runsOffline ? .marked : .silence)
  }

  /// Copies the input to the output channels of a kernel in place, if they could not be filled directly.
  @_noLocks private func moveInput(_ frameCount: Int) {
    guard let channels = unsafe inputChannels, let outputChannels = unsafe outputChannels else {
      return
    }
    for channel in 0..<(unsafe outputs[0].channelCount) {
      if unsafe channel < inputs[0].channelCount {
        unsafe SampleCopy.copy(
          from: channels[channel], to: outputChannels[channel], count: frameCount)
        unsafe channels[channel] = outputChannels[channel]
      } else {
        unsafe SampleCopy.clear(outputChannels[channel], count: frameCount)
      }
    }
  }
}
