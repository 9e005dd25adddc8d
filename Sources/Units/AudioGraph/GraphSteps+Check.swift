// Faults of a step: errors of units, values that are not finite, writing past a buffer.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox
import PlugInGuard
import RealtimeSupport
import Synchronization

extension GraphSteps {
  /// Prepares a checked step before it renders: a search for faults needs its owner, and the end of
  /// the output.
  @_noLocks @inline(__always)
  static func prepareCheck(
    _ step: UnsafeMutablePointer<GraphStep>, _ bus: UnsafeMutablePointer<GraphBus>,
    _ frameCount: Int
  ) {
    guard unsafe step.pointee.checksFiniteness else { return }
    unsafe Heartbeat.enterRender(unit: step.pointee.workNumber)
    for channel in 0..<(unsafe bus.pointee.bufferCount) {
      unsafe BufferGuard.set(bus.end(ofChannel: channel, frameCount))
    }
  }

  /// Follows an error of a unit, and searches values that are not finite.
  @_noLocks @inline(never)
  static func check(
    _ engine: UnsafeMutablePointer<EngineState>, _ step: UnsafeMutablePointer<GraphStep>,
    _ bus: UnsafeMutablePointer<GraphBus>, _ stamp: UnsafePointer<AudioTimeStamp>,
    _ frameCount: Int
  ) {
    unsafe GraphCycle.keepControl(engine)
    let status = unsafe bus.pointee.status
    if unsafe status == kAudioUnitErr_NoConnection && step.pointee.toleratesNoConnection {
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
    let guarded = unsafe step.pointee.checksFiniteness ? bus.pointee.bufferCount : 0
    for channel in 0..<guarded {
      let end = unsafe bus.end(ofChannel: channel, frameCount)
      let isWhole = unsafe BufferGuard.isWhole(end)
      unsafe BufferGuard.clear(end)
      guard !isWhole else { continue }
      failure.frame = -1
      failure.status = BufferGuard.status
      unsafe bus.pointee.status = BufferGuard.status
    }
    guard failure.status != 0 else { return }
    unsafe Heartbeat.blame(unit: step.pointee.workNumber)
    // The first failure is the cause of later ones.
    if unsafe !engine.pointee.hasFailed.load(ordering: .acquiring) {
      unsafe engine.pointee.failure = failure
      unsafe engine.pointee.hasFailed.store(true, ordering: .releasing)
    }
  }
}

extension UnsafeMutablePointer where Pointee == GraphBus {
  /// Where the guard behind a slice of a channel begins.
  @_noLocks @inline(__always)
  fileprivate func end(ofChannel channel: Int, _ frameCount: Int) -> UnsafeMutableRawPointer {
    unsafe pointee.memory[channel] + BufferGuard.place(frameCount &* pointee.bytesPerFrame)
  }
}
