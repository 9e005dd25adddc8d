// Rendering the units of a plan: by passing their input, or by pulling their output.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox
import RealtimeSupport
import Synchronization

enum GraphSteps {
  /// Renders the connected output buses of a unit.
  ///
  /// - Parameter isLast: Whether nothing follows in the cycle that the control word matters to.
  @_noLocks @inline(__always)
  static func renderUnit(
    _ engine: UnsafeMutablePointer<EngineState>, _ step: UnsafeMutablePointer<GraphStep>,
    _ stamp: UnsafePointer<AudioTimeStamp>, _ frameCount: Int, isLast: Bool
  ) {
    if let direct = unsafe step.pointee.direct,
      unsafe renderDirect(engine, step, direct, stamp, frameCount, isLast: isLast)
    {
      return
    }
    guard unsafe step.pointee.busCount == 1 else {
      return unsafe renderBuses(engine, step, stamp, frameCount)
    }
    unsafe render(engine, step, step.pointee.buses, stamp, frameCount, isLast: isLast)
  }

  /// Renders a unit that receives its input.
  ///
  /// - Returns: False, with nothing done, where it has to be pulled for its output.
  @_noLocks @inline(__always)
  private static func renderDirect(
    _ engine: UnsafeMutablePointer<EngineState>, _ step: UnsafeMutablePointer<GraphStep>,
    _ direct: UnsafeMutablePointer<GraphDirect>, _ stamp: UnsafePointer<AudioTimeStamp>,
    _ frameCount: Int, isLast: Bool
  ) -> Bool {
    guard let source = unsafe direct.pointee.source else {
      return unsafe renderFromCallback(engine, step, direct, stamp, frameCount)
    }
    // Errors and silence go the slow path.
    guard unsafe source.pointee.status == 0 && !source.pointee.isSilent,
      let render = unsafe direct.pointee.unit.render
    else { return false }
    let bus = unsafe step.pointee.buses
    unsafe prepareCheck(step, bus, frameCount)
    unsafe bus.pointee.flags = 0
    // Door out of checked code: the render function of a node's unit.
    let status = unsafe _unsafePerformance {
      unsafe render(
        direct.pointee.unit.unit, &bus.pointee.flags, stamp,
        UInt32(truncatingIfNeeded: frameCount), UnsafeMutableRawPointer(source.pointee.memory),
        UnsafeMutableRawPointer(bus.pointee.memory))
    }
    if status == OSStatus(kAuricleErr_NotDirect) { return false }
    unsafe finish(engine, step, bus, status, stamp, frameCount, isLast: isLast)
    return true
  }

  /// Renders a unit in place on the frames of a callback of the graph's owner, or in the callback's
  /// memory.
  @_noLocks @inline(never)
  private static func renderFromCallback(
    _ engine: UnsafeMutablePointer<EngineState>, _ step: UnsafeMutablePointer<GraphStep>,
    _ direct: UnsafeMutablePointer<GraphDirect>, _ stamp: UnsafePointer<AudioTimeStamp>,
    _ frameCount: Int
  ) -> Bool {
    guard let callback = unsafe direct.pointee.callback,
      let begin = unsafe direct.pointee.unit.begin, let end = unsafe direct.pointee.unit.end
    else { return false }
    let bus = unsafe step.pointee.buses
    let unit = unsafe direct.pointee.unit.unit
    let frames = UInt32(truncatingIfNeeded: frameCount)
    let memory = unsafe UnsafeMutableRawPointer(bus.pointee.memory)
    unsafe prepareCheck(step, bus, frameCount)
    // Door out of checked code: the functions of a node's unit.
    guard unsafe _unsafePerformance({ unsafe begin(unit, stamp, frames) }) == 0 else {
      return false
    }
    unsafe bus.pointee.flags = 0
    var status: OSStatus
    var supplied = unsafe memory
    if let list = unsafe direct.pointee.list, let lent = unsafe direct.pointee.lent {
      unsafe supplied = UnsafeMutableRawPointer(lent)
      unsafe direct.askForMemory(list, frameCount)
      status = unsafe GraphCycle.call(callback, &bus.pointee.flags, stamp, frameCount, list)
      unsafe GraphCycle.keepControl(engine)
      if status == 0 { status = unsafe direct.receiveMemory(list, lent, frameCount) }
    } else {
      unsafe bus.prepare(frameCount)
      status = unsafe GraphCycle.call(
        callback, &bus.pointee.flags, stamp, frameCount, bus.pointee.list)
      unsafe GraphCycle.keepControl(engine)
      if status == 0 { status = unsafe bus.receive(frameCount) }
    }
    status = unsafe _unsafePerformance {
      unsafe end(unit, status, &bus.pointee.flags, stamp, frames, supplied, memory)
    }
    unsafe finish(engine, step, bus, status, stamp, frameCount, isLast: false)
    return true
  }

  /// Renders a unit of several connected output buses.
  @_noLocks @inline(never)
  private static func renderBuses(
    _ engine: UnsafeMutablePointer<EngineState>, _ step: UnsafeMutablePointer<GraphStep>,
    _ stamp: UnsafePointer<AudioTimeStamp>, _ frameCount: Int
  ) {
    for index in 0..<(unsafe Int(step.pointee.busCount)) {
      unsafe render(
        engine, step, step.pointee.buses + index, stamp, frameCount, isLast: false)
    }
  }

  /// Renders an output bus of a unit.
  @_noLocks @inline(__always)
  private static func render(
    _ engine: UnsafeMutablePointer<EngineState>, _ step: UnsafeMutablePointer<GraphStep>,
    _ bus: UnsafeMutablePointer<GraphBus>, _ stamp: UnsafePointer<AudioTimeStamp>,
    _ frameCount: Int, isLast: Bool
  ) {
    guard let render = unsafe step.pointee.render else {
      unsafe bus.pointee.status = kAudio_UnimplementedError
      return
    }
    unsafe bus.prepare(frameCount)
    unsafe bus.pointee.flags = 0
    unsafe prepareCheck(step, bus, frameCount)
    // Door out of checked code: the render method of a node's unit.
    let status = unsafe _unsafePerformance {
      unsafe render(
        step.pointee.plugIn, &bus.pointee.flags, stamp, bus.pointee.element,
        UInt32(truncatingIfNeeded: frameCount), bus.pointee.list)
    }
    if status == 0 { unsafe bus.collect(frameCount) }
    unsafe finish(engine, step, bus, status, stamp, frameCount, isLast: isLast)
  }

  /// Completes the rendering of a unit.
  @_noLocks @inline(__always)
  private static func finish(
    _ engine: UnsafeMutablePointer<EngineState>, _ step: UnsafeMutablePointer<GraphStep>,
    _ bus: UnsafeMutablePointer<GraphBus>, _ status: OSStatus,
    _ stamp: UnsafePointer<AudioTimeStamp>, _ frameCount: Int, isLast: Bool
  ) {
    unsafe bus.pointee.status = status
    if unsafe status != 0 || step.pointee.checksFiniteness {
      unsafe check(engine, step, bus, stamp, frameCount)
    } else if !isLast {
      // Even if a unit changed the control word, the next one finds it as it should be; after the
      // last one the caller's is restored.
      unsafe GraphCycle.keepControl(engine)
    }
  }
}
