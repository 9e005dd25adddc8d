// Running the steps of a domain in their order.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox
import RealtimeSupport

extension GraphCycle {
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
    // The feed of the output is only copied to it.
    let last = unsafe domain == plan.pointee.domains ? end - 1 : end
    repeat {
      if case .unit = unsafe step.pointee.kind {
        if fetches { unsafe fetch(step + GraphDomain.fetchDistance) }
        unsafe GraphSteps.renderUnit(engine, step, stamp, frameCount, isLast: step == last)
      } else {
        unsafe GraphSteps.runEdge(engine, plan, domain, step, stamp, frameCount)
      }
      unsafe step += 1
    } while unsafe step < end
    unsafe domain.pointee.done = needed
    unsafe domain.pointee.isRunning = false
  }

  /// Begins to fetch the memory that a step will touch.
  @_noLocks @inline(__always)
  private static func fetch(_ step: UnsafeMutablePointer<GraphStep>) {
    if let direct = unsafe step.pointee.direct {
      unsafe direct.pointee.fetch()
    } else {
      let unit = unsafe UInt(bitPattern: step.pointee.plugIn)
      unsafe RenderClock.fetch(UnsafeRawPointer(bitPattern: unit))
      unsafe RenderClock.fetch(UnsafeRawPointer(bitPattern: unit &+ 64))
    }
  }
}
