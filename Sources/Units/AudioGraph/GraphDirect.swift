// Units that receive their input from a bus, or from a callback that lends memory.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import CAudioToolbox
import RealtimeSupport

/// The direct rendering of a unit. Its input comes from a bus, or from a callback into the unit's
/// bus or in the callback's memory, without a request; see `kAuricleProperty_DirectRender`.
@safe struct GraphDirect {
  var unit: AuricleDirectRender
  var source: UnsafeMutablePointer<GraphBus>?
  var callback: UnsafeMutablePointer<InputCallbackState>?
  /// The list for a callback that lends memory, and the pointers that it returns; nil for others.
  var list: UnsafeMutablePointer<AudioBufferList>?
  var lent: UnsafeMutablePointer<UnsafeMutableRawPointer>?
  /// Channels that are lent.
  var lentCount = 0

  init(
    unit: AuricleDirectRender, source: UnsafeMutablePointer<GraphBus>?,
    callback: UnsafeMutablePointer<InputCallbackState>?
  ) {
    unsafe self.unit = unsafe unit
    unsafe self.source = unsafe source
    unsafe self.callback = unsafe callback
    unsafe list = nil
    unsafe lent = nil
  }

  /// Begins to fetch the memory that the unit touches.
  @_noLocks @inline(__always)
  func fetch() {
    let state = unsafe UInt(bitPattern: unit.unit)
    let memory = unsafe UInt(bitPattern: unit.memory)
    var offset: UInt = 0
    while offset < 192 {
      unsafe RenderClock.fetch(UnsafeRawPointer(bitPattern: state &+ offset))
      unsafe RenderClock.fetch(UnsafeRawPointer(bitPattern: memory &+ offset))
      offset &+= 64
    }
  }
}

extension UnsafeMutablePointer where Pointee == GraphDirect {
  /// Empties the list that asks a callback for its memory.
  @_noLocks
  func askForMemory(_ list: UnsafeMutablePointer<AudioBufferList>, _ frameCount: Int) {
    let count = unsafe pointee.lentCount
    unsafe list.pointee.mNumberBuffers = UInt32(truncatingIfNeeded: count)
    let buffers = unsafe list.buffers
    for channel in 0..<count {
      unsafe buffers[channel] = AudioBuffer(
        mNumberChannels: 1, mDataByteSize: UInt32(truncatingIfNeeded: frameCount &* 4), mData: nil)
    }
  }

  /// Adopts the frames of a callback.
  ///
  /// - Returns: 0, or `kAudio_ParamError` where there are fewer than requested.
  @_noLocks
  func receiveMemory(
    _ list: UnsafeMutablePointer<AudioBufferList>,
    _ lent: UnsafeMutablePointer<UnsafeMutableRawPointer>, _ frameCount: Int
  ) -> OSStatus {
    let buffers = unsafe list.buffers
    for channel in 0..<(unsafe pointee.lentCount) {
      guard let memory = unsafe buffers[channel].mData,
        unsafe Int(buffers[channel].mDataByteSize) >= frameCount &* 4
      else { return kAudio_ParamError }
      unsafe lent[channel] = unsafe memory
    }
    return 0
  }
}
