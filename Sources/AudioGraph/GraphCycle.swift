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
    unsafe engine.pointee.isInCycle.store(true, ordering: .relaxed)
    let start = unsafe engine.pointee.meter.begin()
    unsafe beginCycle(engine, slot, stamp, frameCount)
    let status = unsafe runCycle(engine, slot, flags, stamp, frameCount, list)
    denormals.restoreBlindly()
    if start != 0 { unsafe engine.pointee.meter.end(start, frameCount) }
    unsafe engine.pointee.isInCycle.store(false, ordering: .releasing)
    unsafe engine.pointee.guardWord.pointee = 0
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
      var plan = unsafe engine.pointee.pending.exchange(nil, ordering: .acquiringAndReleasing)
    else { return }
    // Nothing was heard before the first slice: it begins with the state that a transition leads to.
    // Where the output unit was pulled in vain before, silence was heard.
    if unsafe engine.pointee.cycles.load(ordering: .relaxed) == 0
      && !engine.pointee.wasPulledUnfed.load(ordering: .relaxed)
    {
      while let next = unsafe plan.pointee.next { unsafe plan = next }
    }
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
    let fetches = unsafe domain.pointee.fetchesAhead
    // What feeds the output is only copied to it.
    let last = unsafe domain == plan.pointee.domains ? end - 1 : end
    while unsafe step < end {
      let isLast = unsafe step == last
      if case .unit = unsafe step.pointee.kind {
        if let direct = unsafe step.pointee.direct {
          if fetches { unsafe step[GraphDomain.fetchDistance].direct?.pointee.fetch() }
          if unsafe !GraphSteps.renderDirect(
            engine, step, direct, stamp, frameCount, isLast: isLast)
          {
            unsafe GraphSteps.render(engine, step, stamp, frameCount, isLast: isLast)
          }
        } else {
          if fetches {
            let unit = unsafe UInt(bitPattern: step[GraphDomain.fetchDistance].plugIn)
            unsafe RenderClock.fetch(UnsafeRawPointer(bitPattern: unit))
            unsafe RenderClock.fetch(UnsafeRawPointer(bitPattern: unit &+ 64))
          }
          unsafe GraphSteps.render(engine, step, stamp, frameCount, isLast: isLast)
        }
      } else {
        unsafe GraphSteps.runEdge(engine, plan, domain, step, stamp, frameCount)
      }
      unsafe step += 1
    }
    unsafe domain.pointee.done = needed
    unsafe domain.pointee.isRunning = false
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
