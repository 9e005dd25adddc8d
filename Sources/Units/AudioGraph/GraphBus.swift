// A signal between two nodes as the render thread sees it: buffers, silence, status.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import CAudioToolbox
import RealtimeSupport

/// One output bus of a node, or the result of a step on an edge, within one plan.
@safe struct GraphBus {
  /// The list that the unit receives; its entries are written anew for each slice.
  var list: UnsafeMutablePointer<AudioBufferList>
  /// The memory of each buffer: of the plan, shared with other buses whose signal is over by then.
  /// The same again follows, for when the buffers lie elsewhere for a cycle.
  var memory: UnsafeMutablePointer<UnsafeMutableRawPointer>
  /// Bytes of one buffer; there is room for a guard behind them.
  var capacity: Int
  private var buffers: UInt32
  private var frameBytes: UInt32
  /// Channels in one buffer.
  var channelsPerBuffer: UInt32
  /// The output bus of the unit.
  var element: UInt32
  /// The status of the unit that made this slice.
  var status: OSStatus = 0
  /// The flags of the unit that made this slice.
  var flags: AudioUnitRenderActionFlags = 0

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

  /// Whether the slice is known to be zero.
  var isSilent: Bool {
    @_noLocks @inline(__always) get { flags & kAudioUnitRenderAction_OutputIsSilence != 0 }
    @_noLocks @inline(__always) set {
      flags = newValue ? kAudioUnitRenderAction_OutputIsSilence : 0
    }
  }

  /// Buffers of the list.
  var bufferCount: Int {
    @_noLocks @inline(__always) get { Int(truncatingIfNeeded: buffers) }
  }

  /// Bytes of one frame in one buffer.
  var bytesPerFrame: Int {
    @_noLocks @inline(__always) get { Int(truncatingIfNeeded: frameBytes) }
  }
}

extension UnsafeMutablePointer where Pointee == GraphBus {
  /// Makes the list describe the bus's own memory.
  @_noLocks @inline(__always)
  func prepare(_ frameCount: Int) {
    let list = unsafe pointee.list
    let buffers = unsafe list.buffers
    let memory = unsafe pointee.memory
    let count = unsafe pointee.bufferCount
    let bytes = unsafe UInt32(truncatingIfNeeded: frameCount &* pointee.bytesPerFrame)
    let channels = unsafe pointee.channelsPerBuffer
    unsafe list.pointee.mNumberBuffers = UInt32(truncatingIfNeeded: count)
    // A list has room for one buffer at least, and most have no more.
    unsafe buffers.pointee = AudioBuffer(
      mNumberChannels: channels, mDataByteSize: bytes, mData: memory.pointee)
    var index = 1
    while index < count {
      unsafe buffers[index] = AudioBuffer(
        mNumberChannels: channels, mDataByteSize: bytes, mData: memory[index])
      index &+= 1
    }
  }

  /// Copies the frames that a unit left in its own memory into the memory of the bus.
  @_noLocks @inline(__always)
  func collect(_ frameCount: Int) {
    let buffers = unsafe pointee.list.buffers
    let memory = unsafe pointee.memory
    let count = unsafe pointee.bufferCount
    var index = 0
    while index < count {
      let supplied = unsafe buffers[index].mData
      if unsafe supplied != memory[index] { unsafe collectForeign(index, supplied, frameCount) }
      index &+= 1
    }
  }

  /// The same for the frames of a callback, which is an error where it removed a buffer's memory.
  @_noLocks @inline(__always)
  func receive(_ frameCount: Int) -> OSStatus {
    let buffers = unsafe pointee.list.buffers
    let memory = unsafe pointee.memory
    let count = unsafe pointee.bufferCount
    var index = 0
    while index < count {
      let supplied = unsafe buffers[index].mData
      if unsafe supplied != memory[index] {
        if unsafe supplied == nil { return kAudio_ParamError }
        unsafe collectForeign(index, supplied, frameCount)
      }
      index &+= 1
    }
    return 0
  }

  /// One buffer of `collect`: samples that the unit's memory does not hold are silence.
  @_noLocks @inline(never)
  private func collectForeign(
    _ index: Int, _ supplied: UnsafeMutableRawPointer?, _ frameCount: Int
  ) {
    let wanted = unsafe frameCount &* pointee.bytesPerFrame
    let own = unsafe pointee.memory[index]
    guard let supplied = unsafe supplied else {
      unsafe graphClear(own, wanted)
      return
    }
    let held = unsafe min(
      Int(pointee.list.buffers[index].mDataByteSize), wanted)
    unsafe graphCopy(supplied, own, held)
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

  /// Begins to fetch the first samples: those of a short slice.
  @_noLocks @inline(__always)
  func fetchSamples() {
    let samples = unsafe UInt(bitPattern: pointee.memory.pointee)
    unsafe RenderClock.fetch(UnsafeRawPointer(bitPattern: samples))
    unsafe RenderClock.fetch(UnsafeRawPointer(bitPattern: samples &+ 64))
    unsafe RenderClock.fetch(UnsafeRawPointer(bitPattern: samples &+ 128))
    unsafe RenderClock.fetch(UnsafeRawPointer(bitPattern: samples &+ 192))
  }
}
