// Rendering: an output unit pulls, plans are taken over, steps run in their order.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import CAudioToolbox
import RealtimeSupport
import Synchronization

/// The input callback that the graph gives its units; the reference is an `InputSlotState`.
///
/// Context: render.
let graphInputCallback: AURenderCallback = { refCon, flags, stamp, _, frameCount, list in
  guard let refCon = unsafe refCon, let stamp = unsafe stamp, let list = unsafe list else {
    return kAudio_ParamError
  }
  return unsafe GraphCycle.pull(
    refCon.assumingMemoryBound(to: InputSlotState.self), flags, stamp, Int(frameCount), list)
}

/// The render thread's functions over the state of a graph, all on plain memory.
enum GraphCycle {
  /// Gives an input bus its slice, rendering what it takes.
  @_noLocks
  static func pull(
    _ slot: UnsafeMutablePointer<InputSlotState>,
    _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>?,
    _ stamp: UnsafePointer<AudioTimeStamp>, _ frameCount: Int,
    _ list: UnsafeMutablePointer<AudioBufferList>
  ) -> OSStatus {
    if let port = unsafe slot.pointee.port, unsafe !port.pointee.pullsDomain,
      unsafe port.pointee.domain.pointee.isRunning
    {
      // The unit is a step of a running domain: what it hears was made before it.
      return unsafe deliver(port, flags, stamp, frameCount, list)
    }
    return unsafe pullFromOutside(slot, flags, stamp, frameCount, list)
  }

  /// Puts the control word right after code that may have done anything to it.
  @_noLocks @inline(__always)
  static func keepControl(_ engine: UnsafeMutablePointer<EngineState>) {
    if unsafe engine.pointee.guardWord.pointee != 0 {
      unsafe engine.pointee.denormals.renew()
    } else {
      DenormalGuard.keep()
    }
  }

  @_noLocks @inline(__always)
  private static func deliver(
    _ port: UnsafeMutablePointer<GraphPort>,
    _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>?,
    _ stamp: UnsafePointer<AudioTimeStamp>, _ frameCount: Int,
    _ list: UnsafeMutablePointer<AudioBufferList>
  ) -> OSStatus {
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

  /// Pulls a port whose domain does not run: the head of the graph, or of a domain of its own.
  @_noLocks @inline(never)
  private static func pullFromOutside(
    _ slot: UnsafeMutablePointer<InputSlotState>,
    _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>?,
    _ stamp: UnsafePointer<AudioTimeStamp>, _ frameCount: Int,
    _ list: UnsafeMutablePointer<AudioBufferList>
  ) -> OSStatus {
    let engine = unsafe slot.pointee.engine
    if let port = unsafe slot.pointee.port, unsafe port.pointee.pullsDomain {
      return unsafe pullDomain(engine, port, flags, stamp, frameCount, list)
    }
    if let plan = unsafe engine.pointee.current, unsafe plan.pointee.domains.pointee.isRunning {
      // A unit of the graph pulls an input that has no part in the plan.
      return unsafe silence(list, flags, frameCount)
    }
    let denormals = DenormalGuard()
    unsafe engine.pointee.denormals = denormals
    unsafe engine.pointee.guardWord.pointee = 1
    let start = RenderClock.ticks()
    unsafe engine.pointee.isInCycle.store(true, ordering: .relaxed)
    unsafe beginCycle(engine, slot, stamp, frameCount)
    let status = unsafe runCycle(engine, slot, flags, stamp, frameCount, list)
    unsafe measure(engine, RenderClock.ticks() &- start, frameCount)
    unsafe engine.pointee.isInCycle.store(false, ordering: .releasing)
    unsafe engine.pointee.guardWord.pointee = 0
    denormals.restore()
    return status
  }

  /// Renders what a port of the head needs, and gives it that.
  @_noLocks @inline(__always)
  private static func runCycle(
    _ engine: UnsafeMutablePointer<EngineState>, _ slot: UnsafeMutablePointer<InputSlotState>,
    _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>?,
    _ stamp: UnsafePointer<AudioTimeStamp>, _ frameCount: Int,
    _ list: UnsafeMutablePointer<AudioBufferList>
  ) -> OSStatus {
    guard let plan = unsafe engine.pointee.current, let port = unsafe slot.pointee.port else {
      // The node has no part in the graph as it is now.
      return unsafe engine.pointee.current == nil
        ? kAudioUnitErr_NoConnection : silence(list, flags, frameCount)
    }
    let domain = unsafe port.pointee.domain
    guard unsafe frameCount <= domain.pointee.maximumFrames else {
      return kAudioUnitErr_TooManyFramesToProcess
    }
    unsafe run(engine, plan, domain, port.pointee.needed, stamp)
    return unsafe deliver(port, flags, stamp, frameCount, list)
  }

  /// Opens a new cycle unless the port's domain is in one of this time.
  @_noLocks
  private static func beginCycle(
    _ engine: UnsafeMutablePointer<EngineState>, _ slot: UnsafeMutablePointer<InputSlotState>,
    _ stamp: UnsafePointer<AudioTimeStamp>, _ frameCount: Int
  ) {
    let isTimed = unsafe stamp.pointee.mFlags & kAudioTimeStampSampleTimeValid != 0
    let time = unsafe stamp.pointee.mSampleTime
    if let port = unsafe slot.pointee.port {
      let domain = unsafe port.pointee.domain
      if unsafe isTimed && domain.pointee.hasCycle && domain.pointee.sampleTime == time
        && domain.pointee.frameCount == frameCount
      {
        return
      }
    }
    let thread = RenderClock.thread()
    if unsafe engine.pointee.thread.load(ordering: .relaxed) != thread {
      unsafe engine.pointee.thread.store(thread, ordering: .relaxed)
    }
    if let plan = unsafe engine.pointee.current { unsafe plan.pointee.domains.finishCycle() }
    unsafe takeOver(engine)
    guard let plan = unsafe engine.pointee.current else { return }
    let domain = unsafe plan.pointee.domains
    unsafe domain.pointee.sampleTime = time
    unsafe domain.pointee.frameCount = frameCount
    unsafe domain.pointee.done = 0
    unsafe domain.pointee.hasCycle = true
    let cycles = unsafe engine.pointee.cycles.load(ordering: .relaxed)
    unsafe engine.pointee.cycles.store(cycles &+ 1, ordering: .relaxed)
  }

  /// Goes on in a transition, and takes over a plan that waits when none is going on.
  @_noLocks
  private static func takeOver(_ engine: UnsafeMutablePointer<EngineState>) {
    if let plan = unsafe engine.pointee.current, let next = unsafe plan.pointee.next {
      guard unsafe plan.pointee.domains.pointee.position >= plan.pointee.transitionFrames else {
        return
      }
      unsafe adopt(engine, next)
      // A transition may have a second stage.
      if unsafe next.pointee.next != nil { return }
    }
    // Looked at before it is taken, so that a slice without news writes nothing that is shared.
    guard unsafe engine.pointee.pending.load(ordering: .relaxed) != nil,
      let plan = unsafe engine.pointee.pending.exchange(nil, ordering: .acquiringAndReleasing)
    else { return }
    unsafe adopt(engine, plan)
  }

  /// Puts a plan in force. Context: render, or control while nothing renders.
  @_noLocks
  static func adopt(
    _ engine: UnsafeMutablePointer<EngineState>, _ plan: UnsafeMutablePointer<GraphPlan>
  ) {
    if let old = unsafe engine.pointee.current {
      for index in 0..<(unsafe old.pointee.portCount) {
        unsafe old.pointee.ports[index].slot.pointee.port = nil
      }
    }
    for index in 0..<(unsafe plan.pointee.portCount) {
      let port = unsafe plan.pointee.ports + index
      unsafe port.pointee.slot.pointee.port = unsafe port
    }
    unsafe engine.pointee.current = unsafe plan
    unsafe engine.pointee.isInTransition.store(plan.pointee.next != nil, ordering: .relaxed)
    unsafe engine.pointee.adopted.store(plan.pointee.serial, ordering: .releasing)
  }

  /// Runs the steps of a domain up to one.
  @_noLocks
  static func run(
    _ engine: UnsafeMutablePointer<EngineState>, _ plan: UnsafeMutablePointer<GraphPlan>,
    _ domain: UnsafeMutablePointer<GraphDomain>, _ needed: Int,
    _ stamp: UnsafePointer<AudioTimeStamp>
  ) {
    let frameCount = unsafe domain.pointee.frameCount
    var step = unsafe domain.pointee.steps + domain.pointee.done
    let end = unsafe domain.pointee.steps + needed
    guard unsafe step < end else { return }
    unsafe domain.pointee.isRunning = true
    while unsafe step < end {
      if case .unit = unsafe step.pointee.kind {
        unsafe GraphSteps.render(engine, step, stamp, frameCount)
      } else {
        unsafe GraphSteps.runEdge(engine, plan, domain, step, stamp, frameCount)
      }
      unsafe step += 1
    }
    unsafe domain.pointee.done = needed
    unsafe domain.pointee.isRunning = false
  }

  /// Gives a unit that pulls at a rate of its own its frames, in runs that the domain can do.
  @_noLocks
  private static func pullDomain(
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
      return unsafe bus.deliver(to: list, flags, 0, frameCount)
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
    let buffers = unsafe graphBuffers(list)
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
  private static func silence(
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

  /// Keeps how long a cycle took.
  @_noLocks @inline(__always)
  private static func measure(
    _ engine: UnsafeMutablePointer<EngineState>, _ ticks: UInt64, _ frameCount: Int
  ) {
    guard frameCount > 0 else { return }
    // A division takes longer than all the rest: one for each slice size will do.
    if unsafe engine.pointee.measuredFrames != frameCount {
      unsafe engine.pointee.measuredFrames = frameCount
      unsafe engine.pointee.perFrame = 1 / Double(frameCount)
    }
    let load = unsafe Double(Int64(truncatingIfNeeded: ticks)) * engine.pointee.perFrame
    let mean = unsafe engine.pointee.load.load(ordering: .relaxed)
    unsafe engine.pointee.load.store(
      mean == 0 ? load : mean + (load - mean) * 0.05, ordering: .relaxed)
    if unsafe load > engine.pointee.maximumLoad.load(ordering: .relaxed) {
      unsafe engine.pointee.maximumLoad.store(load, ordering: .relaxed)
    }
  }
}

extension UnsafeMutablePointer where Pointee == GraphDomain {
  /// Counts the frames of the cycle that is over.
  @_noLocks @inline(__always)
  func finishCycle() {
    guard unsafe pointee.hasCycle else { return }
    unsafe pointee.hasCycle = false
    unsafe pointee.position &+= pointee.frameCount
    unsafe pointee.stamp.pointee.mSampleTime += Double(pointee.frameCount)
  }
}
