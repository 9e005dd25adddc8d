// Steps on edges: delay, fade, call, copy.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox
import RealtimeSupport

extension GraphSteps {
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
      unsafe bus.pointee.flags = 0
      let status = unsafe GraphCycle.call(
        callback, &bus.pointee.flags, stamp, frameCount, bus.pointee.list)
      unsafe GraphCycle.keepControl(engine)
      unsafe bus.pointee.status = status
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
    // An error of a source that goes away does not count any more; one of a new source does.
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
