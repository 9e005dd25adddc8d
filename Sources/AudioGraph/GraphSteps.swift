// What single steps of a plan do: render a unit, delay, fade, call, copy.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox
import RealtimeSupport
import Synchronization

enum GraphSteps {
  /// Renders a unit that is given its input.
  ///
  /// - Parameter isLast: Whether nothing follows in the cycle that the control word matters to.
  /// - Returns: False, with nothing done, where it has to be asked for its output.
  @_noLocks @inline(__always)
  static func renderDirect(
    _ engine: UnsafeMutablePointer<EngineState>, _ step: UnsafeMutablePointer<GraphStep>,
    _ direct: UnsafeMutablePointer<GraphDirect>, _ stamp: UnsafePointer<AudioTimeStamp>,
    _ frameCount: Int, isLast: Bool
  ) -> Bool {
    guard let source = unsafe direct.pointee.source else {
      return unsafe renderFromCallback(engine, step, direct, stamp, frameCount)
    }
    // Errors and silence take the long way.
    guard unsafe source.pointee.status == 0 && !source.pointee.isSilent,
      let render = unsafe direct.pointee.unit.render
    else { return false }
    let bus = unsafe step.pointee.buses
    let unit = unsafe direct.pointee.unit.unit
    let inputs = unsafe UnsafeMutableRawPointer(source.pointee.memory)
    let outputs = unsafe UnsafeMutableRawPointer(bus.pointee.memory)
    if unsafe step.pointee.checksFiniteness {
      unsafe WorkBeacon.enterRender(unit: step.pointee.workNumber)
    }
    var flags: AudioUnitRenderActionFlags = 0
    // Door out of checked code: the render function of a node's unit.
    let status = unsafe _unsafePerformance {
      unsafe render(
        unit, &flags, stamp, UInt32(truncatingIfNeeded: frameCount), inputs, outputs)
    }
    if status == OSStatus(kAuricleErr_NotDirect) { return false }
    unsafe finish(engine, step, bus, status, flags, stamp, frameCount, isLast: isLast)
    return true
  }

  /// Renders a unit in place on what a callback of the graph's owner gives.
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
    if unsafe step.pointee.checksFiniteness {
      unsafe WorkBeacon.enterRender(unit: step.pointee.workNumber)
    }
    // Door out of checked code: the functions of a node's unit.
    guard unsafe _unsafePerformance({ unsafe begin(unit, stamp, frames) }) == 0 else {
      return false
    }
    unsafe bus.prepare(frameCount)
    var flags: AudioUnitRenderActionFlags = 0
    var status = unsafe GraphCycle.call(callback, &flags, stamp, frameCount, bus.pointee.list)
    unsafe GraphCycle.keepControl(engine)
    if status == 0 { status = unsafe bus.receive(frameCount) }
    status = unsafe _unsafePerformance {
      unsafe end(unit, status, &flags, stamp, frames, memory, memory)
    }
    unsafe finish(engine, step, bus, status, flags, stamp, frameCount, isLast: false)
    return true
  }

  /// What follows the rendering of a unit.
  @_noLocks @inline(__always)
  private static func finish(
    _ engine: UnsafeMutablePointer<EngineState>, _ step: UnsafeMutablePointer<GraphStep>,
    _ bus: UnsafeMutablePointer<GraphBus>, _ status: OSStatus, _ flags: AudioUnitRenderActionFlags,
    _ stamp: UnsafePointer<AudioTimeStamp>, _ frameCount: Int, isLast: Bool
  ) {
    let isChecked = unsafe status != 0 || step.pointee.checksFiniteness
    // Whatever a unit did to the control word, the next one finds it as it should be; after the last
    // one the caller's is put back.
    if !isLast || isChecked { unsafe GraphCycle.keepControl(engine) }
    unsafe bus.pointee.status = status
    unsafe bus.pointee.isSilent = flags & kAudioUnitRenderAction_OutputIsSilence != 0
    if isChecked { unsafe check(engine, step, bus, stamp, frameCount) }
  }

  /// Renders the connected output buses of a unit.
  @_noLocks @inline(__always)
  static func render(
    _ engine: UnsafeMutablePointer<EngineState>, _ step: UnsafeMutablePointer<GraphStep>,
    _ stamp: UnsafePointer<AudioTimeStamp>, _ frameCount: Int, isLast: Bool
  ) {
    guard let render = unsafe step.pointee.render, let plugIn = unsafe step.pointee.plugIn else {
      unsafe step.pointee.buses.pointee.status = kAudio_UnimplementedError
      return
    }
    var bus = unsafe step.pointee.buses
    let end = unsafe bus + Int(step.pointee.busCount)
    while unsafe bus < end {
      unsafe bus.prepare(frameCount)
      var flags: AudioUnitRenderActionFlags = 0
      let list = unsafe bus.pointee.list
      let element = unsafe bus.pointee.element
      // Who looks for bad values wants to know whose they are.
      if unsafe step.pointee.checksFiniteness {
        unsafe WorkBeacon.enterRender(unit: step.pointee.workNumber)
      }
      // Door out of checked code: the render method of a node's unit.
      let status = unsafe _unsafePerformance {
        unsafe render(
          plugIn, &flags, stamp, element, UInt32(truncatingIfNeeded: frameCount), list)
      }
      if status == 0 { unsafe bus.collect(frameCount) }
      unsafe finish(
        engine, step, bus, status, flags, stamp, frameCount, isLast: isLast && bus + 1 == end)
      unsafe bus += 1
    }
  }

  /// What follows an error of a unit, and the search for values that are not finite.
  @_noLocks @inline(never)
  private static func check(
    _ engine: UnsafeMutablePointer<EngineState>, _ step: UnsafeMutablePointer<GraphStep>,
    _ bus: UnsafeMutablePointer<GraphBus>, _ stamp: UnsafePointer<AudioTimeStamp>,
    _ frameCount: Int
  ) {
    let status = unsafe bus.pointee.status
    if unsafe status == kAudioUnitErr_NoConnection && step.pointee.forgivesNoConnection {
      unsafe bus.clear(frameCount)
      unsafe bus.pointee.status = 0
      return
    }
    var failure = unsafe GraphFailure(
      node: step.pointee.node, status: status, sampleTime: stamp.pointee.mSampleTime)
    if unsafe status == 0 && bus.pointee.bytesPerFrame == 4 {
      for channel in 0..<(unsafe bus.pointee.bufferCount) {
        let samples = unsafe bus.pointee.memory[channel].assumingMemoryBound(to: Float.self)
        let frame = unsafe SampleScan.firstNonFinite(samples, count: frameCount)
        if frame >= 0 {
          failure.frame = frame
          failure.channel = channel
          failure.status = kAudioUnitErr_InvalidParameterValue
          unsafe bus.pointee.status = kAudioUnitErr_InvalidParameterValue
          break
        }
      }
    }
    for channel in 0..<(unsafe bus.pointee.bufferCount) {
      let end = unsafe bus.pointee.memory[channel] + BufferGuard.place(bus.pointee.capacity)
      guard unsafe !BufferGuard.isWhole(end) else { continue }
      unsafe BufferGuard.set(end)
      failure.frame = -1
      failure.status = BufferGuard.status
      unsafe bus.pointee.status = BufferGuard.status
    }
    guard failure.status != 0 else { return }
    unsafe WorkBeacon.blame(unit: step.pointee.workNumber)
    // The first failure is the cause of those that follow it.
    if unsafe !engine.pointee.hasFailed.load(ordering: .acquiring) {
      unsafe engine.pointee.failure = failure
      unsafe engine.pointee.hasFailed.store(true, ordering: .releasing)
    }
  }

  /// Runs a step on an edge.
  @_noLocks @inline(never)
  static func runEdge(
    _ engine: UnsafeMutablePointer<EngineState>, _ plan: UnsafeMutablePointer<GraphPlan>,
    _ domain: UnsafeMutablePointer<GraphDomain>,
    _ step: UnsafeMutablePointer<GraphStep>, _ stamp: UnsafePointer<AudioTimeStamp>,
    _ frameCount: Int
  ) {
    guard let edge = unsafe step.pointee.edge else { return }
    let bus = unsafe step.pointee.buses
    switch unsafe step.pointee.kind {
    case .delay:
      guard let source = unsafe edge.pointee.source, let line = unsafe edge.pointee.line else {
        return
      }
      unsafe bus.pointee.status = unsafe source.pointee.status
      guard unsafe source.pointee.status == 0 else { return }
      unsafe bus.pointee.isSilent = unsafe line.delay(source, bus, frameCount)
    case .copy:
      guard let source = unsafe edge.pointee.source else { return }
      unsafe bus.pointee.status = unsafe source.pointee.status
      unsafe bus.pointee.isSilent = unsafe source.pointee.isSilent
      let bytes = unsafe frameCount &* bus.pointee.bytesPerFrame
      for index in 0..<(unsafe min(bus.pointee.bufferCount, source.pointee.bufferCount)) {
        unsafe graphCopy(source.pointee.memory[index], bus.pointee.memory[index], bytes)
      }
    case .callback:
      guard let callback = unsafe edge.pointee.callback else { return }
      unsafe bus.prepare(frameCount)
      var flags: AudioUnitRenderActionFlags = 0
      let status = unsafe GraphCycle.call(callback, &flags, stamp, frameCount, bus.pointee.list)
      unsafe GraphCycle.keepControl(engine)
      unsafe bus.pointee.status = status
      unsafe bus.pointee.isSilent = flags & kAudioUnitRenderAction_OutputIsSilence != 0
      if status == 0 { unsafe bus.collect(frameCount) }
    case .fade:
      unsafe fade(
        edge, bus, position: domain.pointee.position - edge.pointee.wait,
        length: plan.pointee.fadeFrames, frameCount)
    case .unit:
      break
    }
  }

  /// Fades from the step's source to its target; silence where there is none.
  @_noLocks
  private static func fade(
    _ edge: UnsafeMutablePointer<GraphEdge>, _ bus: UnsafeMutablePointer<GraphBus>,
    position: Int, length: Int, _ frameCount: Int
  ) {
    // An error of what goes away is not heard any more; one of what comes is.
    var source = unsafe edge.pointee.source
    if let from = unsafe source, unsafe from.pointee.status != 0 { unsafe source = nil }
    let target = unsafe edge.pointee.target
    unsafe bus.pointee.status = unsafe target?.pointee.status ?? 0
    guard unsafe bus.pointee.status == 0 else { return }
    let isFrom = unsafe source.map { unsafe !$0.pointee.isSilent } ?? false
    let isTo = unsafe target.map { unsafe !$0.pointee.isSilent } ?? false
    unsafe bus.pointee.isSilent = !isFrom && !isTo
    let step1 = 1 / Float(length)
    for channel in 0..<(unsafe bus.pointee.bufferCount) {
      let output = unsafe bus.pointee.memory[channel].assumingMemoryBound(to: Float.self)
      let from = unsafe samples(source, channel)
      let to = unsafe samples(target, channel)
      for frame in 0..<frameCount {
        let mix = max(0, min(1, Float(position + frame + 1) * step1))
        let old = unsafe from?[frame] ?? 0
        let new = unsafe to?[frame] ?? 0
        unsafe output[frame] = mix >= 1 ? new : old + (new - old) * mix
      }
    }
  }

  @_noLocks
  private static func samples(
    _ bus: UnsafeMutablePointer<GraphBus>?, _ channel: Int
  ) -> UnsafeMutablePointer<Float>? {
    guard let bus = unsafe bus, unsafe channel < bus.pointee.bufferCount else { return nil }
    return unsafe bus.pointee.memory[channel].assumingMemoryBound(to: Float.self)
  }
}
