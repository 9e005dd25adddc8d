// Rendering: an output unit pulls its sources, and units pull slices that were made before them.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import CAudioToolbox
import RealtimeSupport
import Synchronization

/// The input callback that the graph sets on its units; the reference is an `InputSlotState`.
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
  /// Passes its slice to an input bus, rendering the sources.
  @_noLocks @inline(__always)
  static func pull(
    _ slot: UnsafeMutablePointer<InputSlotState>,
    _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>?,
    _ stamp: UnsafePointer<AudioTimeStamp>, _ frameCount: Int,
    _ list: UnsafeMutablePointer<AudioBufferList>
  ) -> OSStatus {
    if let port = unsafe slot.pointee.port, unsafe !port.pointee.pullsDomain,
      unsafe port.pointee.domain.pointee.isRunning
    {
      // The unit is a step of a running domain: its sources were rendered before it.
      return unsafe deliver(port, flags, stamp, frameCount, list)
    }
    return unsafe pullFromOutside(slot, flags, stamp, frameCount, list)
  }

  /// Pulls a port whose domain does not run: the head of the graph, or of another domain.
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
    if unsafe engine.pointee.isInCycle.load(ordering: .relaxed) {
      // A unit of the graph pulls an input that has no part in the plan.
      return unsafe silence(list, flags, frameCount)
    }
    unsafe engine.pointee.isInCycle.store(true, ordering: .relaxed)
    let start = unsafe engine.pointee.meter.begin()
    let status: OSStatus
    if unsafe !hasNews(engine), let port = unsafe slot.pointee.port,
      let callback = unsafe port.pointee.callbackAlone,
      unsafe frameCount <= port.pointee.domain.pointee.maximumFrames
    {
      // Nothing of the plan runs: there is no cycle to keep.
      unsafe noteThread(engine)
      unsafe countCycle(engine)
      status = unsafe callHere(callback, flags, stamp, frameCount, list)
    } else {
      let isNew = unsafe beginCycle(engine, slot, stamp, frameCount)
      status = unsafe runGuarded(engine, slot, flags, stamp, frameCount, list, isNew: isNew)
    }
    if start != 0 { unsafe engine.pointee.meter.end(start, frameCount) }
    unsafe engine.pointee.isInCycle.store(false, ordering: .releasing)
    return status
  }

  /// Renders a cycle with denormals off.
  @_noLocks @inline(__always)
  private static func runGuarded(
    _ engine: UnsafeMutablePointer<EngineState>, _ slot: UnsafeMutablePointer<InputSlotState>,
    _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>?,
    _ stamp: UnsafePointer<AudioTimeStamp>, _ frameCount: Int,
    _ list: UnsafeMutablePointer<AudioBufferList>, isNew: Bool
  ) -> OSStatus {
    let denormals = DenormalGuard()
    unsafe engine.pointee.denormals = denormals
    unsafe engine.pointee.modes = denormals.modes
    unsafe engine.pointee.guardWord.pointee = 1
    let status = unsafe runCycle(engine, slot, flags, stamp, frameCount, list, isNew: isNew)
    // A unit that relies on the promise of no denormals checks the control word where there is
    // none.
    let checksItself = unsafe slot.pointee.port?.pointee.isGuarded ?? false
    if !(checksItself && denormals.changesNothing) { denormals.restoreBlindly() }
    unsafe engine.pointee.modes = EngineState.noModes
    unsafe engine.pointee.guardWord.pointee = 0
    return status
  }

  /// Renders the sources of a port of the head, and passes the result to it.
  @_noLocks @inline(__always)
  private static func runCycle(
    _ engine: UnsafeMutablePointer<EngineState>, _ slot: UnsafeMutablePointer<InputSlotState>,
    _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>?,
    _ stamp: UnsafePointer<AudioTimeStamp>, _ frameCount: Int,
    _ list: UnsafeMutablePointer<AudioBufferList>, isNew: Bool
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
    if let bus = unsafe plan.pointee.output, unsafe bus == port.pointee.bus {
      if unsafe domain.pointee.isLent && !isNew {
        return unsafe answerAgain(bus, flags, list, frameCount)
      }
      if unsafe engine.pointee.quietCycles == watchedCycles && domain.pointee.done == 0
        && lend(bus, list, frameCount)
      {
        unsafe domain.pointee.isLent = true
        unsafe run(engine, plan, domain, port.pointee.needed, stamp)
        unsafe withdrawLent(bus)
        if unsafe bus.pointee.status == 0 { unsafe bus.reportSilence(flags) }
        return unsafe bus.pointee.status
      }
    }
    unsafe run(engine, plan, domain, port.pointee.needed, stamp)
    // The head of the graph was called before the cycle: nobody had promised it to keep denormals off.
    return unsafe deliver(port, flags, stamp, frameCount, list, checksItself: true)
  }

  /// Opens a new cycle unless the port's domain is in one of this time.
  ///
  /// - Returns: Whether the cycle is a new one.
  @_noLocks @inline(__always)
  private static func beginCycle(
    _ engine: UnsafeMutablePointer<EngineState>, _ slot: UnsafeMutablePointer<InputSlotState>,
    _ stamp: UnsafePointer<AudioTimeStamp>, _ frameCount: Int
  ) -> Bool {
    let time = unsafe stamp.pointee.mSampleTime
    if let port = unsafe slot.pointee.port {
      let domain = unsafe port.pointee.domain
      if unsafe domain.pointee.hasCycle && domain.pointee.sampleTime == time
        && domain.pointee.frameCount == frameCount
        && stamp.pointee.mFlags & kAudioTimeStampSampleTimeValid != 0
      {
        // A caller that asks again once may do so at any time.
        unsafe engine.pointee.quietCycles = .min
        return false
      }
    }
    unsafe noteThread(engine)
    var current = unsafe engine.pointee.current
    if let plan = unsafe current { unsafe plan.pointee.domains.finishCycle() }
    if unsafe hasNews(engine) {
      unsafe adoptPending(engine)
      unsafe current = unsafe engine.pointee.current
    }
    if unsafe engine.pointee.quietCycles < watchedCycles {
      unsafe engine.pointee.quietCycles &+= 1
    }
    guard let plan = unsafe current else { return true }
    let domain = unsafe plan.pointee.domains
    unsafe domain.pointee.sampleTime = time
    unsafe domain.pointee.frameCount = frameCount
    unsafe domain.pointee.done = 0
    unsafe domain.pointee.hasCycle = true
    unsafe domain.pointee.isLent = false
    unsafe countCycle(engine)
    return true
  }

  @_noLocks @inline(__always)
  private static func noteThread(_ engine: UnsafeMutablePointer<EngineState>) {
    let thread = RenderClock.thread()
    if unsafe engine.pointee.thread.load(ordering: .relaxed) != thread {
      unsafe engine.pointee.thread.store(thread, ordering: .relaxed)
    }
  }

  @_noLocks @inline(__always)
  private static func countCycle(_ engine: UnsafeMutablePointer<EngineState>) {
    let cycles = unsafe engine.pointee.cycles.load(ordering: .relaxed)
    unsafe engine.pointee.cycles.store(cycles &+ 1, ordering: .relaxed)
  }
}

extension UnsafeMutablePointer where Pointee == GraphDomain {
  /// Counts the frames of the cycle that is over.
  @_noLocks @inline(__always)
  func finishCycle() {
    guard unsafe pointee.hasCycle else { return }
    unsafe pointee.hasCycle = false
    unsafe pointee.position &+= pointee.frameCount
  }
}
