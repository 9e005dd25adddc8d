// Rendering of frames that are pulled at another rate: a domain before the one that feeds the output.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import CAudioToolbox
import RealtimeSupport
import Synchronization

extension GraphCycle {
  /// Passes frames to a unit that pulls at another rate, in runs that the domain can do.
  @_noLocks @inline(never)
  static func pullDomain(
    _ engine: UnsafeMutablePointer<EngineState>, _ port: UnsafeMutablePointer<GraphPort>,
    _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>?,
    _ stamp: UnsafePointer<AudioTimeStamp>, _ frameCount: Int,
    _ list: UnsafeMutablePointer<AudioBufferList>
  ) -> OSStatus {
    if let callback = unsafe port.pointee.callback, unsafe port.pointee.bus == nil {
      let status = unsafe call(callback, flags, stamp, frameCount, list)
      if unsafe port.pointee.isGuarded { unsafe keepControl(port.pointee.slot.pointee.engine) }
      return status
    }
    guard let plan = unsafe engine.pointee.current, let bus = unsafe port.pointee.bus else {
      return unsafe silence(list, flags, frameCount)
    }
    let domain = unsafe port.pointee.domain
    let limit = unsafe domain.pointee.maximumFrames
    if frameCount <= limit {
      unsafe runDomain(engine, plan, domain, port.pointee.needed, frameCount, stamp)
      return unsafe bus.deliver(to: list, flags, frameCount)
    }
    return unsafe pullInParts(engine, plan, port, flags, stamp, frameCount, list)
  }

  /// Runs a domain for a pull of its reader, unless another input of the reader did so already.
  @_noLocks
  private static func runDomain(
    _ engine: UnsafeMutablePointer<EngineState>, _ plan: UnsafeMutablePointer<GraphPlan>,
    _ domain: UnsafeMutablePointer<GraphDomain>, _ needed: Int, _ frameCount: Int,
    _ stamp: UnsafePointer<AudioTimeStamp>
  ) {
    let time = unsafe stamp.pointee.mSampleTime
    let isTimed = unsafe stamp.pointee.mFlags & kAudioTimeStampSampleTimeValid != 0
    if unsafe !(isTimed && domain.pointee.hasCycle && domain.pointee.sampleTime == time
      && domain.pointee.frameCount == frameCount && domain.pointee.done >= needed)
    {
      if unsafe domain.pointee.hasCycle {
        unsafe domain.pointee.stamp.pointee.mSampleTime += Double(domain.pointee.frameCount)
      }
      unsafe domain.finishCycle()
      unsafe domain.pointee.stamp.pointee.mFlags = kAudioTimeStampSampleTimeValid
      unsafe domain.pointee.sampleTime = time
      unsafe domain.pointee.frameCount = frameCount
      unsafe domain.pointee.done = 0
      unsafe domain.pointee.hasCycle = true
      unsafe run(engine, plan, domain, needed, domain.pointee.stamp)
    }
  }

  /// A pull of more frames than the domain does at once.
  @_noLocks @inline(never)
  private static func pullInParts(
    _ engine: UnsafeMutablePointer<EngineState>, _ plan: UnsafeMutablePointer<GraphPlan>,
    _ port: UnsafeMutablePointer<GraphPort>,
    _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>?,
    _ stamp: UnsafePointer<AudioTimeStamp>, _ frameCount: Int,
    _ list: UnsafeMutablePointer<AudioBufferList>
  ) -> OSStatus {
    guard let bus = unsafe port.pointee.bus else { return kAudioUnitErr_NoConnection }
    let buffers = unsafe list.buffers
    let count = unsafe min(Int(list.pointee.mNumberBuffers), bus.pointee.bufferCount)
    let bytesPerFrame = unsafe bus.pointee.bytesPerFrame
    var done = 0
    var isSilent = true
    var partStamp = unsafe stamp.pointee
    while done < frameCount {
      let part = unsafe min(frameCount - done, port.pointee.domain.pointee.maximumFrames)
      unsafe runDomain(engine, plan, port.pointee.domain, port.pointee.needed, part, &partStamp)
      if unsafe bus.pointee.status != 0 { return unsafe bus.pointee.status }
      for index in 0..<count {
        guard let target = unsafe buffers[index].mData else { return kAudio_ParamError }
        guard unsafe Int(buffers[index].mDataByteSize) >= frameCount &* bytesPerFrame else {
          return kAudio_ParamError
        }
        unsafe graphCopy(
          bus.pointee.memory[index], target + done &* bytesPerFrame, part &* bytesPerFrame)
      }
      if unsafe !bus.pointee.isSilent { isSilent = false }
      done += part
      partStamp.mSampleTime += Double(part)
    }
    if isSilent { unsafe flags?.pointee |= kAudioUnitRenderAction_OutputIsSilence }
    return 0
  }
}
