// Rendering of internal units: pulling, splitting, summing, adapting.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import CAudioToolbox
import RealtimeSupport

/// The render functions, all on plain memory.
enum InternalRendering {
  /// Renders an output bus. Context: render.
  @_noLocks
  static func render(
    _ state: UnsafeMutablePointer<InternalUnitState>,
    _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>,
    _ stamp: UnsafePointer<AudioTimeStamp>, _ bus: Int, _ frameCount: Int,
    _ list: UnsafeMutablePointer<AudioBufferList>
  ) -> OSStatus {
    guard unsafe bus < state.pointee.outputCount else { return kAudioUnitErr_InvalidElement }
    guard unsafe frameCount <= state.pointee.maximumFrames else {
      return kAudioUnitErr_TooManyFramesToProcess
    }
    if case .output = unsafe state.pointee.kind {
      // Straight into the caller's memory.
      let input = unsafe state.pointee.inputs
      guard let callback = unsafe input.pointee.callback else { return kAudioUnitErr_NoConnection }
      let refCon = unsafe input.pointee.refCon
      // Door out of checked code: the input callback that the graph set.
      return unsafe _unsafePerformance {
        unsafe callback(refCon, flags, stamp, 0, UInt32(truncatingIfNeeded: frameCount), list)
      }
    }
    if unsafe state.pointee.pulledTime != stamp.pointee.mSampleTime {
      unsafe state.pointee.pulledTime = unsafe stamp.pointee.mSampleTime
      unsafe state.pointee.pulledStatus = unsafe pull(state, stamp, frameCount)
    }
    guard unsafe state.pointee.pulledStatus == 0 else { return unsafe state.pointee.pulledStatus }
    if unsafe state.pointee.isSilent {
      unsafe flags.pointee |= kAudioUnitRenderAction_OutputIsSilence
    }
    switch unsafe state.pointee.kind {
    case .splitter:
      return unsafe copyOrLend(state.pointee.inputs.pointee.list, list, frameCount)
    case .mixer: return unsafe mix(state, list, frameCount)
    case .noise:
      if unsafe state.pointee.isMeasuring {
        unsafe state.pointee.signalPower += unsafe power(state.pointee.inputs, frameCount)
        unsafe state.pointee.noisePower += unsafe power(state.pointee.inputs + 1, frameCount)
      }
      return unsafe mix(state, list, frameCount)
    case .adapter: return unsafe adapt(state, list, frameCount)
    case .source: return unsafe play(state, flags, list, frameCount)
    case .stage: return unsafe renderStage(state, stamp, list, frameCount)
    case .output: return 0
    }
  }

  /// Pulls every input once for a cycle; the lists then point at the rendered buffers.
  @_noLocks
  private static func pull(
    _ state: UnsafeMutablePointer<InternalUnitState>, _ stamp: UnsafePointer<AudioTimeStamp>,
    _ frameCount: Int
  ) -> OSStatus {
    var isSilent = unsafe state.pointee.inputCount > 0 && state.pointee.stage == nil
    for index in 0..<(unsafe state.pointee.inputCount) {
      let bus = unsafe state.pointee.inputs + index
      let list = unsafe bus.pointee.list
      let buffers = unsafe list.buffers
      unsafe list.pointee.mNumberBuffers = UInt32(truncatingIfNeeded: bus.pointee.channelCount)
      for channel in 0..<(unsafe bus.pointee.channelCount) {
        unsafe buffers[channel] = AudioBuffer(
          mNumberChannels: 1, mDataByteSize: UInt32(truncatingIfNeeded: frameCount &* 4),
          mData: nil)
      }
      guard let callback = unsafe bus.pointee.callback else { return kAudioUnitErr_NoConnection }
      let refCon = unsafe bus.pointee.refCon
      var flags: AudioUnitRenderActionFlags = 0
      // Door out of checked code: the input callback that the graph set.
      let status = unsafe _unsafePerformance {
        unsafe callback(
          refCon, &flags, stamp, UInt32(truncatingIfNeeded: index),
          UInt32(truncatingIfNeeded: frameCount), list)
      }
      if status != 0 { return status }
      for channel in 0..<(unsafe bus.pointee.channelCount) {
        guard unsafe buffers[channel].mData != nil else { return kAudio_ParamError }
      }
      if flags & kAudioUnitRenderAction_OutputIsSilence == 0 { isSilent = false }
    }
    unsafe state.pointee.isSilent = isSilent
    return 0
  }

  /// The samples of a channel; nil where a list has no memory for it.
  @_noLocks @inline(__always)
  static func samples(
    _ list: UnsafeMutablePointer<AudioBufferList>, _ channel: Int
  ) -> UnsafeMutablePointer<Float>? {
    unsafe list.buffers[channel].mData?.assumingMemoryBound(to: Float.self)
  }

  /// Copies the content of a list to the caller, or lends it the memory where it has none.
  @_noLocks
  private static func copyOrLend(
    _ source: UnsafeMutablePointer<AudioBufferList>, _ list: UnsafeMutablePointer<AudioBufferList>,
    _ frameCount: Int
  ) -> OSStatus {
    let count = unsafe min(source.pointee.mNumberBuffers, list.pointee.mNumberBuffers)
    for channel in 0..<Int(count) {
      guard let from = unsafe samples(source, channel) else { return kAudio_ParamError }
      if let to = unsafe samples(list, channel) {
        unsafe SampleCopy.copy(from: from, to: to, count: frameCount)
      } else {
        unsafe list.buffers[channel].mData = UnsafeMutableRawPointer(from)
      }
    }
    return 0
  }

  /// Sums the inputs; the first alone is copied, so that one input of gain 1 comes out as it is.
  @_noLocks
  private static func mix(
    _ state: UnsafeMutablePointer<InternalUnitState>, _ list: UnsafeMutablePointer<AudioBufferList>,
    _ frameCount: Int
  ) -> OSStatus {
    for channel in 0..<(unsafe Int(list.pointee.mNumberBuffers)) {
      guard let output = unsafe samples(list, channel) else { return kAudio_ParamError }
      for index in 0..<(unsafe state.pointee.inputCount) {
        let bus = unsafe state.pointee.inputs + index
        guard unsafe channel < bus.pointee.channelCount,
          let input = unsafe samples(bus.pointee.list, channel)
        else { return kAudio_ParamError }
        if let tap = unsafe state.pointee.tap {
          let kept = unsafe tap[index * bus.pointee.channelCount + channel]
          unsafe SampleCopy.copy(from: input, to: kept, count: frameCount)
        }
        let gain = unsafe bus.pointee.gains[channel]
        if index == 0 {
          for frame in 0..<frameCount { unsafe output[frame] = input[frame] * gain }
        } else {
          for frame in 0..<frameCount { unsafe output[frame] += input[frame] * gain }
        }
      }
    }
    return 0
  }

  /// The sum of the squares of a bus's samples.
  @_noLocks
  private static func power(_ bus: UnsafeMutablePointer<InternalBus>, _ frameCount: Int) -> Double {
    var sum = 0.0
    for channel in 0..<(unsafe bus.pointee.channelCount) {
      guard let input = unsafe samples(bus.pointee.list, channel) else { continue }
      for frame in 0..<frameCount {
        let sample = unsafe Double(input[frame])
        sum += sample * sample
      }
    }
    return sum
  }

  /// Changes the channels: a single output gets the mean, several get the inputs in turn.
  @_noLocks
  private static func adapt(
    _ state: UnsafeMutablePointer<InternalUnitState>, _ list: UnsafeMutablePointer<AudioBufferList>,
    _ frameCount: Int
  ) -> OSStatus {
    let bus = unsafe state.pointee.inputs
    let count = unsafe bus.pointee.channelCount
    let gain = unsafe bus.pointee.gains[0]
    let outputs = unsafe Int(list.pointee.mNumberBuffers)
    for channel in 0..<outputs {
      guard let output = unsafe samples(list, channel) else { return kAudio_ParamError }
      if outputs == 1, count > 1 {
        let part = gain / Float(count)
        unsafe SampleCopy.clear(output, count: frameCount)
        for source in 0..<count {
          guard let input = unsafe samples(bus.pointee.list, source) else {
            return kAudio_ParamError
          }
          for frame in 0..<frameCount { unsafe output[frame] += input[frame] * part }
        }
      } else {
        guard let input = unsafe samples(bus.pointee.list, channel % count) else {
          return kAudio_ParamError
        }
        for frame in 0..<frameCount { unsafe output[frame] = input[frame] * gain }
      }
    }
    return 0
  }

  /// Plays the samples that the owner put there.
  @_noLocks
  private static func play(
    _ state: UnsafeMutablePointer<InternalUnitState>,
    _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>,
    _ list: UnsafeMutablePointer<AudioBufferList>, _ frameCount: Int
  ) -> OSStatus {
    let gain = unsafe state.pointee.outputs.pointee.gains[0]
    for channel in 0..<(unsafe Int(list.pointee.mNumberBuffers)) {
      guard let output = unsafe samples(list, channel) else { return kAudio_ParamError }
      if let ready = unsafe state.pointee.ready {
        let input = unsafe ready[channel]
        for frame in 0..<frameCount { unsafe output[frame] = input[frame] * gain }
      } else {
        unsafe SampleCopy.clear(output, count: frameCount)
        unsafe flags.pointee |= kAudioUnitRenderAction_OutputIsSilence
      }
    }
    return 0
  }
}
