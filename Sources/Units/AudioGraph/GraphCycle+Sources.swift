// The frames for an input bus of a unit: a signal of the plan, a callback's samples, silence.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import CAudioToolbox
import RealtimeSupport
import Synchronization

extension GraphCycle {
  /// Puts the control word right after code that may have done anything to it.
  @_noLocks @inline(__always)
  static func keepControl(_ engine: UnsafeMutablePointer<EngineState>) {
    if unsafe !DenormalGuard.isInForce(engine.pointee.modes) { unsafe renewControl(engine) }
  }

  @_noLocks @inline(never)
  private static func renewControl(_ engine: UnsafeMutablePointer<EngineState>) {
    if unsafe engine.pointee.guardWord.pointee != 0 {
      unsafe engine.pointee.denormals.renew()
    } else {
      DenormalGuard.keep()
    }
  }

  /// Passes its slice, which was made before, to a port.
  ///
  /// - Parameter checksItself: Whether the unit checks the control word once it has the slice.
  @_noLocks @inline(__always)
  static func deliver(
    _ port: UnsafeMutablePointer<GraphPort>,
    _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>?,
    _ stamp: UnsafePointer<AudioTimeStamp>, _ frameCount: Int,
    _ list: UnsafeMutablePointer<AudioBufferList>, checksItself: Bool = false
  ) -> OSStatus {
    let domain = unsafe port.pointee.domain
    if unsafe domain.pointee.fetchesAhead { unsafe port.fetchNext() }
    if let bus = unsafe port.pointee.bus {
      guard unsafe frameCount <= domain.pointee.frameCount else {
        return kAudioUnitErr_TooManyFramesToProcess
      }
      return unsafe bus.deliver(to: list, flags, frameCount)
    }
    guard let callback = unsafe port.pointee.callback else {
      return unsafe silence(list, flags, frameCount)
    }
    if unsafe !checksItself && port.pointee.isGuarded {
      return unsafe callGuarded(port, callback, flags, stamp, frameCount, list)
    }
    return unsafe call(callback, flags, stamp, frameCount, list)
  }

  /// Calls an input callback for a unit that relies on the graph to keep denormals off.
  @_noLocks @inline(never)
  private static func callGuarded(
    _ port: UnsafeMutablePointer<GraphPort>, _ callback: UnsafeMutablePointer<InputCallbackState>,
    _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>?,
    _ stamp: UnsafePointer<AudioTimeStamp>, _ frameCount: Int,
    _ list: UnsafeMutablePointer<AudioBufferList>
  ) -> OSStatus {
    let status = unsafe call(callback, flags, stamp, frameCount, list)
    unsafe keepControl(port.pointee.slot.pointee.engine)
    return status
  }

  /// Calls an input callback of the graph's owner into a unit's buffers.
  @_noLocks @inline(never)
  static func call(
    _ callback: UnsafeMutablePointer<InputCallbackState>,
    _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>?,
    _ stamp: UnsafePointer<AudioTimeStamp>, _ frameCount: Int,
    _ list: UnsafeMutablePointer<AudioBufferList>
  ) -> OSStatus {
    unsafe callHere(callback, flags, stamp, frameCount, list)
  }

  /// The same, for the one place where a call more is a good part of the cycle.
  @_noLocks @inline(__always)
  static func callHere(
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
    guard status == 0, frameCount > 0 else { return status }
    let held = unsafe callback.pointee.held
    let buffers = unsafe list.buffers
    let count = unsafe min(Int(list.pointee.mNumberBuffers), callback.pointee.channelCount)
    let bytes = frameCount &* MemoryLayout<Float>.stride
    var channel = 0
    while channel < count {
      if let data = unsafe buffers[channel].mData,
        unsafe Int(buffers[channel].mDataByteSize) >= bytes
      {
        unsafe held[channel] = data.assumingMemoryBound(to: Float.self)[frameCount &- 1]
      }
      channel &+= 1
    }
    return 0
  }

  /// Fills a unit's buffers with the last samples of a callback that was removed.
  @_noLocks @inline(never)
  private static func hold(
    _ callback: UnsafeMutablePointer<InputCallbackState>,
    _ list: UnsafeMutablePointer<AudioBufferList>, _ frameCount: Int
  ) -> OSStatus {
    let buffers = unsafe list.buffers
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
    let buffers = unsafe list.buffers
    for index in 0..<(unsafe Int(list.pointee.mNumberBuffers)) {
      guard let target = unsafe buffers[index].mData else { return kAudioUnitErr_NoConnection }
      unsafe graphClear(target, Int(buffers[index].mDataByteSize))
    }
    unsafe flags?.pointee |= kAudioUnitRenderAction_OutputIsSilence
    return 0
  }
}
