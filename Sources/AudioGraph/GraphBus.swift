// A signal between two nodes as the render thread sees it: buffers, silence, status.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox
import RealtimeSupport

/// One output bus of a node, or the result of a step on an edge, within one plan.
@safe struct GraphBus {
  /// The list that is given to the unit; its entries are written anew for each slice.
  var list: UnsafeMutablePointer<AudioBufferList>
  /// The memory of each buffer: of the plan, shared with other buses whose signal is over by then.
  var memory: UnsafeMutablePointer<UnsafeMutableRawPointer>
  /// Bytes of one buffer; a guard lies behind them.
  var capacity: Int
  private var buffers: UInt32
  private var frameBytes: UInt32
  /// Channels in one buffer.
  var channelsPerBuffer: UInt32
  /// The output bus of the unit.
  var element: UInt32
  /// How the making of this slice went.
  var status: OSStatus = 0
  /// Whether the slice is known to be zero.
  var isSilent = false

  init(
    list: UnsafeMutablePointer<AudioBufferList>,
    memory: UnsafeMutablePointer<UnsafeMutableRawPointer>, bufferCount: Int, capacity: Int,
    bytesPerFrame: Int, channelsPerBuffer: UInt32, element: UInt32
  ) {
    unsafe self.list = unsafe list
    unsafe self.memory = unsafe memory
    self.capacity = capacity
    buffers = UInt32(bufferCount)
    frameBytes = UInt32(bytesPerFrame)
    self.channelsPerBuffer = channelsPerBuffer
    self.element = element
  }

  /// Buffers of the list.
  var bufferCount: Int {
    @_noLocks @inline(__always) get { Int(truncatingIfNeeded: buffers) }
  }

  /// Bytes that one frame takes in one buffer.
  var bytesPerFrame: Int {
    @_noLocks @inline(__always) get { Int(truncatingIfNeeded: frameBytes) }
  }
}

/// The buffers of a list as an array.
@_noLocks @inline(__always)
func graphBuffers(
  _ list: UnsafeMutablePointer<AudioBufferList>
) -> UnsafeMutablePointer<AudioBuffer> {
  unsafe (UnsafeMutableRawPointer(list) + 8).assumingMemoryBound(to: AudioBuffer.self)
}

/// Copies bytes between two runs of memory. Context: render.
@_noLocks @inline(__always)
func graphCopy(_ source: UnsafeRawPointer, _ target: UnsafeMutableRawPointer, _ count: Int) {
  // Buffers hold whole 32-bit words in every format but packed 8, 16 and 24-bit ones.
  unsafe target.copyMemory(from: source, byteCount: count)
}

extension UnsafeMutablePointer where Pointee == GraphBus {
  /// Makes the list describe the bus's own memory.
  @_noLocks @inline(__always)
  func prepare(_ frameCount: Int) {
    let list = unsafe pointee.list
    let buffers = unsafe graphBuffers(list)
    let memory = unsafe pointee.memory
    let count = unsafe pointee.bufferCount
    let bytes = unsafe UInt32(truncatingIfNeeded: frameCount &* pointee.bytesPerFrame)
    let channels = unsafe pointee.channelsPerBuffer
    unsafe list.pointee.mNumberBuffers = UInt32(truncatingIfNeeded: count)
    var index = 0
    while index < count {
      unsafe buffers[index].mNumberChannels = channels
      unsafe buffers[index].mDataByteSize = bytes
      unsafe buffers[index].mData = memory[index]
      index &+= 1
    }
  }

  /// Brings what a unit left in memory of its own into the memory of the bus.
  @_noLocks @inline(__always)
  func collect(_ frameCount: Int) {
    let buffers = unsafe graphBuffers(pointee.list)
    let memory = unsafe pointee.memory
    let count = unsafe pointee.bufferCount
    var index = 0
    while index < count {
      let given = unsafe buffers[index].mData
      if unsafe given != memory[index] { unsafe collectForeign(index, given, frameCount) }
      index &+= 1
    }
  }

  /// The same for what a callback left, which is an error where it took a buffer's memory away.
  @_noLocks @inline(__always)
  func receive(_ frameCount: Int) -> OSStatus {
    let buffers = unsafe graphBuffers(pointee.list)
    let memory = unsafe pointee.memory
    let count = unsafe pointee.bufferCount
    var index = 0
    while index < count {
      let given = unsafe buffers[index].mData
      if unsafe given != memory[index] {
        if unsafe given == nil { return kAudio_ParamError }
        unsafe collectForeign(index, given, frameCount)
      }
      index &+= 1
    }
    return 0
  }

  /// One buffer of `collect`: what the unit's memory does not hold is silence.
  @_noLocks @inline(never)
  private func collectForeign(
    _ index: Int, _ given: UnsafeMutableRawPointer?, _ frameCount: Int
  ) {
    let wanted = unsafe frameCount &* pointee.bytesPerFrame
    let own = unsafe pointee.memory[index]
    guard let given = unsafe given else {
      unsafe graphClear(own, wanted)
      return
    }
    let held = unsafe min(
      Int(graphBuffers(pointee.list)[index].mDataByteSize), wanted)
    unsafe graphCopy(given, own, held)
    if held < wanted { unsafe graphClear(own + held, wanted &- held) }
  }

  /// Fills the bus with silence.
  @_noLocks
  func clear(_ frameCount: Int) {
    let bytes = unsafe frameCount &* pointee.bytesPerFrame
    for index in 0..<(unsafe pointee.bufferCount) {
      unsafe graphClear(pointee.memory[index], bytes)
    }
    unsafe pointee.isSilent = true
  }

  /// Gives a slice of the bus to the unit that pulls it: into its memory, or the bus's own memory
  /// where it has none.
  ///
  /// - Parameter start: First frame of the slice to give.
  @_noLocks @inline(__always)
  func deliver(
    to list: UnsafeMutablePointer<AudioBufferList>,
    _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>?, _ start: Int, _ frameCount: Int
  ) -> OSStatus {
    let status = unsafe pointee.status
    if status != 0 { return status }
    let buffers = unsafe graphBuffers(list)
    let memory = unsafe pointee.memory
    let bytesPerFrame = unsafe pointee.bytesPerFrame
    let bytes = frameCount &* bytesPerFrame
    let count = unsafe Int(list.pointee.mNumberBuffers)
    if unsafe count != pointee.bufferCount {
      return unsafe deliverMismatched(to: list, flags, start, frameCount)
    }
    var index = 0
    while index < count {
      let source = unsafe memory[index] + start &* bytesPerFrame
      if let target = unsafe buffers[index].mData {
        if unsafe target != source {
          guard unsafe Int(buffers[index].mDataByteSize) >= bytes else { return kAudio_ParamError }
          unsafe graphCopy(source, target, bytes)
        }
      } else {
        unsafe buffers[index].mData = source
        unsafe buffers[index].mDataByteSize = UInt32(truncatingIfNeeded: bytes)
      }
      index &+= 1
    }
    if let flags = unsafe flags {
      if unsafe pointee.isSilent {
        unsafe flags.pointee |= kAudioUnitRenderAction_OutputIsSilence
      } else {
        unsafe flags.pointee &= ~kAudioUnitRenderAction_OutputIsSilence
      }
    }
    return 0
  }

  /// Gives as many buffers as both sides have; the rest of the puller's is silence.
  @_noLocks @inline(never)
  private func deliverMismatched(
    to list: UnsafeMutablePointer<AudioBufferList>,
    _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>?, _ start: Int, _ frameCount: Int
  ) -> OSStatus {
    let buffers = unsafe graphBuffers(list)
    let bytesPerFrame = unsafe pointee.bytesPerFrame
    for index in 0..<(unsafe Int(list.pointee.mNumberBuffers)) {
      guard let target = unsafe buffers[index].mData else { return kAudio_ParamError }
      let room = unsafe Int(buffers[index].mDataByteSize)
      if unsafe index < pointee.bufferCount {
        let bytes = min(room, frameCount &* bytesPerFrame)
        unsafe graphCopy(pointee.memory[index] + start &* bytesPerFrame, target, bytes)
      } else {
        unsafe graphClear(target, room)
      }
    }
    return 0
  }
}

/// Sets bytes to zero. Context: render.
@_noLocks @inline(__always)
func graphClear(_ target: UnsafeMutableRawPointer, _ count: Int) {
  unsafe SampleCopy.clear(
    target.assumingMemoryBound(to: Float.self), count: count &>> 2)
  var rest = count & ~3
  while rest < count {
    unsafe target.storeBytes(of: 0, toByteOffset: rest, as: UInt8.self)
    rest &+= 1
  }
}
