// Rendering a stage: its instances, whose callbacks read the stage's input, and the mix with it.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import CAudioToolbox
import PlugInGuard
import RealtimeSupport

extension StageState {
  /// Renders a slice of `input` into `channels`.
  ///
  /// - Returns: 0, or the status of the first instance that failed.
  ///
  /// Context: render.
  @_noLocks mutating func render(
    _ timeStamp: UnsafePointer<AudioTimeStamp>, _ frameCount: Int
  ) -> OSStatus {
    for index in 0..<instanceCount {
      let instance = unsafe instances + index
      if unsafe instance.pointee.outputCount == 0 { continue }
      var flags: AudioUnitRenderActionFlags = 0
      let status = unsafe render(instance, &flags, timeStamp, frameCount)
      if status != 0 { return status }
    }
    for channel in 0..<channelCount { gather(channel, frameCount) }
    return mixDry(frameCount)
  }

  /// Renders one instance into its own memory.
  @_noLocks func render(
    _ instance: UnsafeMutablePointer<StageInstance>,
    _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>,
    _ timeStamp: UnsafePointer<AudioTimeStamp>, _ frameCount: Int
  ) -> OSStatus {
    let list = unsafe instance.pointee.list
    let buffers = unsafe list.buffers
    unsafe list.pointee.mNumberBuffers = UInt32(instance.pointee.outputCount)
    for channel in 0..<(unsafe instance.pointee.outputCount) {
      unsafe buffers[channel] = AudioBuffer(
        mNumberChannels: 1, mDataByteSize: UInt32(frameCount * 4),
        mData: instance.pointee.outputs[channel])
    }
    guard let render = unsafe instance.pointee.record.pointee.render else {
      return kAudio_UnimplementedError
    }
    let plugIn = unsafe instance.pointee.record.pointee.plugIn
    Heartbeat.enterRender(unit: workNumber)
    // Door out of checked code: the unit's render method.
    let status = unsafe _unsafePerformance {
      unsafe render(plugIn, flags, timeStamp, 0, UInt32(frameCount), list)
    }
    if status != 0 { return status }
    // A unit may return its own memory.
    for channel in 0..<(unsafe instance.pointee.outputCount) {
      let expected = unsafe instance.pointee.outputs[channel]
      guard let supplied = unsafe buffers[channel].mData else { return kAudio_ParamError }
      if unsafe supplied != UnsafeMutableRawPointer(expected) {
        unsafe SampleCopy.copy(
          from: supplied.assumingMemoryBound(to: Float.self), to: expected, count: frameCount)
      }
    }
    return 0
  }

  /// Makes one channel of the stage's output from its sources.
  @_noLocks func gather(_ channel: Int, _ frameCount: Int) {
    let first = unsafe firstSource[channel]
    let count = unsafe firstSource[channel + 1] - first
    let output = unsafe channels[channel]
    if count == 0 {
      unsafe SampleCopy.copy(from: input[channel], to: output, count: frameCount)
      return
    }
    let memory = unsafe memory(of: sources[first])
    guard count > 1 else {
      // The plan connects an instance's channel to one channel where it can: then this is the same
      // memory and nothing is copied.
      if unsafe memory != output {
        unsafe SampleCopy.copy(from: memory, to: output, count: frameCount)
      }
      return
    }
    let gain = 1 / Float(count)
    unsafe SampleMix.mix(
      memory, self.memory(of: sources[first + 1]), gain: gain, to: output, count: frameCount)
    for index in 2..<max(count, 2) {
      unsafe SampleMix.add(
        self.memory(of: sources[first + index]), gain: gain, to: output, count: frameCount)
    }
  }

  /// Where an instance makes an output channel.
  @_noLocks @inline(__always)
  private func memory(of source: StageSource) -> UnsafeMutablePointer<Float> {
    unsafe instances[source.instance].outputs[source.channel]
  }

  /// Adds the dry signal, delayed by the unit's latency.
  @_noLocks private mutating func mixDry(_ frameCount: Int) -> OSStatus {
    guard let dry = unsafe dry else { return 0 }
    if !latencyIsRead { readLatency() }
    guard latencyFrames + frameCount <= dryLength else {
      return kAudioUnitErr_TooManyFramesToProcess
    }
    let delay = latencyFrames
    for channel in 0..<channelCount {
      let ring = unsafe dry + channel * dryLength
      let input = unsafe input[channel]
      let output = unsafe channels[channel]
      for frame in 0..<frameCount {
        let now = (dryPosition + frame) % dryLength
        unsafe ring[now] = input[frame]
        let original = unsafe ring[(now + dryLength - delay) % dryLength]
        unsafe output[frame] = original + (output[frame] - original) * mix
      }
    }
    dryPosition = (dryPosition + frameCount) % dryLength
    return 0
  }

  /// Reads the latency of the instances, which many units know only once they have run.
  @_noLocks mutating func readLatency() {
    latencyIsRead = true
    latencyFrames = 0
    for index in 0..<instanceCount {
      let record = unsafe instances[index].record
      guard let getProperty = unsafe record.pointee.getProperty else { continue }
      let plugIn = unsafe record.pointee.plugIn
      var seconds: Float64 = 0
      var size: UInt32 = 8
      // Door out of checked code: a property read, once a stream and offline.
      let status = unsafe _unsafePerformance {
        unsafe getProperty(
          plugIn, kAudioUnitProperty_Latency, kAudioUnitScope_Global, 0, &seconds, &size)
      }
      if status == 0, seconds.isFinite, seconds > 0 {
        // Bounded: a plug-in may report a time that no integer holds.
        latencyFrames = max(latencyFrames, Int(min(seconds * sampleRate, 0x1p40) + 0.5))
      }
    }
  }
}

/// The input callback of an instance: fills its input channels from the stage's input.
///
/// The reference is the `StageInstance`. Context: render.
let stageInputCallback: AURenderCallback = { refCon, _, _, _, frameCount, list in
  guard let refCon = unsafe refCon, let list = unsafe list else { return kAudio_ParamError }
  return unsafe fillTaps(
    refCon.assumingMemoryBound(to: StageInstance.self), list, Int(frameCount))
}

/// Fills the input channels of an instance from the stage's input. Context: render.
@_noLocks func fillTaps(
  _ instance: UnsafeMutablePointer<StageInstance>, _ list: UnsafeMutablePointer<AudioBufferList>,
  _ frameCount: Int
) -> OSStatus {
  let buffers = unsafe list.buffers
  guard unsafe Int(list.pointee.mNumberBuffers) == instance.pointee.inputCount else {
    return kAudio_ParamError
  }
  let stage = unsafe instance.pointee.stage
  let channels = unsafe stage.pointee.input
  let count = unsafe stage.pointee.channelCount
  for index in 0..<(unsafe instance.pointee.inputCount) {
    let tap = unsafe instance.pointee.taps[index]
    // Only a channel itself lies in memory; the mean and silence are made.
    if unsafe tap >= 0 && instance.pointee.readsInput {
      unsafe buffers[index].mData = UnsafeMutableRawPointer(channels[tap])
      continue
    }
    guard let raw = unsafe buffers[index].mData else {
      // The unit accepts any memory.
      guard tap >= 0 else { return kAudio_ParamError }
      unsafe buffers[index].mData = UnsafeMutableRawPointer(channels[tap])
      continue
    }
    let target = unsafe raw.assumingMemoryBound(to: Float.self)
    if tap >= 0 {
      unsafe SampleCopy.copy(from: channels[tap], to: target, count: frameCount)
    } else {
      unsafe SampleCopy.clear(target, count: frameCount)
      if tap == InputTapNumber.mean {
        let gain = 1 / Float(count)
        for channel in 0..<count {
          unsafe SampleMix.add(channels[channel], gain: gain, to: target, count: frameCount)
        }
      }
    }
  }
  return 0
}
