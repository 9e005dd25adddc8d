// What an input bus of a unit is given: a signal of the plan, a callback's samples, silence.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import CAudioToolbox
import RealtimeSupport
import Synchronization

extension GraphCycle {
  /// Puts the control word right after code that may have done anything to it.
  @_noLocks @inline(__always)
  static func keepControl(_ engine: UnsafeMutablePointer<EngineState>) {
    if unsafe engine.pointee.guardWord.pointee != 0 {
      unsafe engine.pointee.denormals.renew()
    } else {
      DenormalGuard.keep()
    }
  }

  /// Gives a port its slice, which was made before.
  @_noLocks @inline(__always)
  static func deliver(
    _ port: UnsafeMutablePointer<GraphPort>,
    _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>?,
    _ stamp: UnsafePointer<AudioTimeStamp>, _ frameCount: Int,
    _ list: UnsafeMutablePointer<AudioBufferList>
  ) -> OSStatus {
    unsafe port.fetchNext()
    if let bus = unsafe port.pointee.bus {
      guard unsafe frameCount <= port.pointee.domain.pointee.frameCount else {
        return kAudioUnitErr_TooManyFramesToProcess
      }
      return unsafe bus.deliver(to: list, flags, 0, frameCount)
    }
    guard let callback = unsafe port.pointee.callback else {
      return unsafe silence(list, flags, frameCount)
    }
    let status = unsafe call(callback, flags, stamp, frameCount, list)
    if unsafe port.pointee.isGuarded { unsafe keepControl(port.pointee.slot.pointee.engine) }
    return status
  }

  /// Calls an input callback of the graph's owner into a unit's buffers.
  @_noLocks
  static func call(
    _ callback: UnsafeMutablePointer<InputCallbackState>,
    _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>?,
    _ stamp: UnsafePointer<AudioTimeStamp>, _ frameCount: Int,
    _ list: UnsafeMutablePointer<AudioBufferList>
  ) -> OSStatus {
    if unsafe callback.pointee.isRetired.pointee.load(ordering: .acquiring) {
      return unsafe hold(callback, list, frameCount)
    }
    let procedure = unsafe callback.pointee.procedure
    let refCon = unsafe callback.pointee.refCon
    let element = unsafe callback.pointee.element
    // Door out of checked code: a callback of the graph's owner.
    let status = unsafe _unsafePerformance {
      unsafe procedure(
        refCon, flags, stamp, element, UInt32(truncatingIfNeeded: frameCount), list)
    }
    if unsafe status == 0 && frameCount > 0 && callback.pointee.channelCount > 0 {
      let held = unsafe callback.pointee.held
      let buffers = unsafe graphBuffers(list)
      let count = unsafe min(Int(list.pointee.mNumberBuffers), callback.pointee.channelCount)
      for channel in 0..<count {
        if let data = unsafe buffers[channel].mData,
          unsafe Int(buffers[channel].mDataByteSize) >= frameCount &* 4
        {
          unsafe held[channel] = data.assumingMemoryBound(to: Float.self)[frameCount &- 1]
        }
      }
    }
    return status
  }

  /// Fills a unit's buffers with the last samples of a callback that was taken away.
  @_noLocks @inline(never)
  private static func hold(
    _ callback: UnsafeMutablePointer<InputCallbackState>,
    _ list: UnsafeMutablePointer<AudioBufferList>, _ frameCount: Int
  ) -> OSStatus {
    let buffers = unsafe graphBuffers(list)
    for index in 0..<(unsafe Int(list.pointee.mNumberBuffers)) {
      guard let data = unsafe buffers[index].mData else { return kAudioUnitErr_NoConnection }
      let room = unsafe Int(buffers[index].mDataByteSize)
      if unsafe index < callback.pointee.channelCount && room >= frameCount &* 4 {
        let sample = unsafe callback.pointee.held[index]
        let samples = unsafe data.assumingMemoryBound(to: Float.self)
        for frame in 0..<frameCount { unsafe samples[frame] = sample }
      } else {
        unsafe graphClear(data, room)
      }
    }
    return 0
  }

  /// Fills a unit's buffers with silence.
  @_noLocks
  static func silence(
    _ list: UnsafeMutablePointer<AudioBufferList>,
    _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>?, _ frameCount: Int
  ) -> OSStatus {
    let buffers = unsafe graphBuffers(list)
    for index in 0..<(unsafe Int(list.pointee.mNumberBuffers)) {
      guard let target = unsafe buffers[index].mData else { return kAudioUnitErr_NoConnection }
      unsafe graphClear(target, Int(buffers[index].mDataByteSize))
    }
    unsafe flags?.pointee |= kAudioUnitRenderAction_OutputIsSilence
    return 0
  }
}
