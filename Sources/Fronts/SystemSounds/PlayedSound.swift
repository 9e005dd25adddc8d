// One playing of a sound: an output unit on the device for alerts, which pulls its samples.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox
import Synchronization

/// A sound on its way to the device.
///
/// @unchecked Sendable because the device's thread alone moves the place, and both flags are atomic.
@safe final class PlayedSound: @unchecked Sendable {
  let sound: SystemSound
  private let borrowedSound: Unmanaged<SystemSound>
  private let channelCount: Int
  /// Frames of silence behind the sound that empty a rate converter.
  private let emptyingFrames: Int
  private let unit: AudioUnitHandle
  private var place = 0
  private var silentFrames = 0
  /// Whether the device has all frames, and silence behind them.
  private let isOver = Atomic<Bool>(false)

  /// Opens the unit and starts it; nil where no device can be had.
  init?(_ sound: SystemSound) {
    self.sound = sound
    unsafe borrowedSound = Unmanaged.passUnretained(sound)
    channelCount = sound.channelCount
    emptyingFrames = Int(sound.sampleRate / 50)
    var description = AudioComponentDescription(
      componentType: kAudioUnitType_Output, componentSubType: kAudioUnitSubType_SystemOutput,
      componentManufacturer: kAudioUnitManufacturer_Apple, componentFlags: 0,
      componentFlagsMask: 0)
    var made: AudioUnitHandle?
    guard let component = unsafe AudioComponentFindNext(nil, &description),
      unsafe AudioComponentInstanceNew(component, &made) == noErr, let unit = unsafe made
    else { return nil }
    unsafe self.unit = unsafe unit
    guard start() else {
      unsafe _ = AudioComponentInstanceDispose(unit)
      return nil
    }
  }

  private func start() -> Bool {
    var format = interleavedFloat(sound.sampleRate, sound.channelCount)
    // The player keeps it until the unit is stopped.
    var callback = unsafe AURenderCallbackStruct(
      inputProc: { context, flags, _, _, frames, list in
        guard let context = unsafe context, let list = unsafe list else { return kAudio_ParamError }
        return unsafe Unmanaged<PlayedSound>.fromOpaque(context)._withUnsafeGuaranteedRef {
          unsafe $0.render(flags, Int(frames), list)
        }
      }, inputProcRefCon: Unmanaged.passUnretained(self).toOpaque())
    return unsafe AudioUnitSetProperty(
      unit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 0, &format,
      UInt32(MemoryLayout<AudioStreamBasicDescription>.size)) == noErr
      && AudioUnitSetProperty(
        unit, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, 0, &callback,
        UInt32(MemoryLayout<AURenderCallbackStruct>.size)) == noErr
      && AudioUnitInitialize(unit) == noErr && AudioOutputUnitStart(unit) == noErr
  }

  /// Whether it was played to its end, or the device stopped. Context: control.
  var hasEnded: Bool {
    if isOver.load(ordering: .acquiring) { return true }
    var (isRunning, size) = (UInt32(0), UInt32(4))
    let status = unsafe AudioUnitGetProperty(
      unit, kAudioOutputUnitProperty_IsRunning, kAudioUnitScope_Global, 0, &isRunning, &size)
    return status != noErr || isRunning == 0
  }

  /// Leaves the device. Context: control, once.
  func end() {
    unsafe _ = AudioOutputUnitStop(unit)
    unsafe _ = AudioComponentInstanceDispose(unit)
  }

  @_noLocks private func render(
    _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>?, _ frames: Int,
    _ list: UnsafeMutablePointer<AudioBufferList>
  ) -> OSStatus {
    guard let data = unsafe list.pointee.mBuffers.mData else { return kAudio_ParamError }
    let target = unsafe data.assumingMemoryBound(to: Float.self)
    let start = place
    let count = unsafe borrowedSound._withUnsafeGuaranteedRef {
      unsafe $0.copy(from: start, frameCount: frames, to: target)
    }
    place += count
    let rest = (frames - count) * channelCount
    unsafe (target + count * channelCount).update(repeating: 0, count: rest)
    if count == 0 {
      unsafe flags?.pointee |= kAudioUnitRenderAction_OutputIsSilence
      // Frames that a rate converter still holds are silence by then.
      silentFrames += frames
      if silentFrames >= emptyingFrames { isOver.store(true, ordering: .releasing) }
    }
    return noErr
  }
}
