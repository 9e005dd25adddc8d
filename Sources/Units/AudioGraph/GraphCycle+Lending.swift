// Rendering into the target memory: the output unit's feed works in its caller's memory.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import CAudioToolbox

extension GraphCycle {
  /// Cycles that the output unit has to ask for once each before its caller's memory is worked in:
  /// one that asks twice finds the samples of the plan's own memory the second time.
  static var watchedCycles: Int { @_noLocks get { 64 } }

  /// Has the signal of a port lie in its puller's memory for this cycle.
  ///
  /// - Returns: False, with nothing done, where that memory is not of the kind for it.
  @_noLocks @inline(__always)
  static func lend(
    _ bus: UnsafeMutablePointer<GraphBus>, _ list: UnsafeMutablePointer<AudioBufferList>,
    _ frameCount: Int
  ) -> Bool {
    let count = unsafe bus.pointee.bufferCount
    guard unsafe Int(list.pointee.mNumberBuffers) == count else { return false }
    let bytes = unsafe frameCount &* bus.pointee.bytesPerFrame
    let buffers = unsafe list.buffers
    guard let first = unsafe room(buffers, bytes) else { return false }
    if count == 2 {
      guard let second = unsafe room(buffers + 1, bytes),
        unsafe second >= first + bytes || first >= second + bytes
      else { return false }
      unsafe bus.pointee.memory[1] = unsafe second
    }
    unsafe bus.pointee.memory[0] = unsafe first
    return true
  }

  /// The memory of a buffer, if it holds so much and begins where vectors do.
  @_noLocks @inline(__always)
  private static func room(
    _ buffer: UnsafeMutablePointer<AudioBuffer>, _ byteCount: Int
  ) -> UnsafeMutableRawPointer? {
    guard let memory = unsafe buffer.pointee.mData,
      unsafe Int(buffer.pointee.mDataByteSize) >= byteCount,
      UInt(bitPattern: memory) & 15 == 0
    else { return nil }
    return unsafe memory
  }

  /// Has the signal of a port lie in the plan's memory again.
  @_noLocks @inline(__always)
  static func withdrawLent(_ bus: UnsafeMutablePointer<GraphBus>) {
    let memory = unsafe bus.pointee.memory
    let count = unsafe bus.pointee.bufferCount
    unsafe memory[0] = unsafe memory[count]
    if count == 2 { unsafe memory[1] = unsafe memory[3] }
  }

  /// Answers a second pull of a cycle that was made in the first one's memory, which stays as it is.
  @_noLocks @inline(never)
  static func answerAgain(
    _ bus: UnsafeMutablePointer<GraphBus>,
    _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>?,
    _ list: UnsafeMutablePointer<AudioBufferList>, _ frameCount: Int
  ) -> OSStatus {
    let status = unsafe bus.pointee.status
    guard status == 0 else { return status }
    let buffers = unsafe list.buffers
    let count = unsafe min(Int(list.pointee.mNumberBuffers), bus.pointee.bufferCount)
    let bytes = unsafe frameCount &* bus.pointee.bytesPerFrame
    for index in 0..<count where unsafe buffers[index].mData == nil {
      let own = unsafe bus.pointee.memory[index]
      unsafe graphClear(own, bytes)
      unsafe buffers[index].mData = own
      unsafe buffers[index].mDataByteSize = UInt32(truncatingIfNeeded: bytes)
    }
    unsafe bus.reportSilence(flags)
    return 0
  }
}
