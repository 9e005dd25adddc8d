// The slices that a player plays: handed over without locks, sorted by their time, played to the frame.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
import CAudioToolbox
import RealtimeSupport
import Synchronization

typealias SlicePointer = UnsafeMutablePointer<ScheduledAudioSlice>

/// The start of a player's time.
enum PlayStart: UInt32 {
  case none, now, sampleTime, hostTime
}

/// Shared by the threads of one player; lives as long as its instance.
///
/// A slice waits in the caller's memory; `mReserved2` links it to the next one.
@safe struct SliceQueue: ~Copyable {
  /// The lock of the list: the render thread never waits for it.
  private let isBusy = Atomic(false)
  private let arrived = unsafe Atomic<SlicePointer?>(nil)
  private let startKind = Atomic<UInt32>(0)
  private let startBits = Atomic<UInt64>(0)
  /// Frames since the start up to the last rendered one; −1 before it.
  let playTime = Atomic<Double>(-1)
  /// The mark of slices that are wanted back, in `mReserved`; 0 for none.
  let recalled = Atomic<UInt32>(0)
  var first: SlicePointer?
  private(set) var current: SlicePointer?
  /// Frame of the current slice that comes next.
  private var place = 0
  /// Sample time at which the player's time is 0; nil before the start.
  private var origin: Double?

  /// Frames of the current slice that were played. Context: render.
  var framesBegun: Int {
    @_noLocks get { unsafe current == nil ? 0 : place }
  }

  /// Hands a slice over. Context: control.
  func add(_ slice: SlicePointer) {
    unsafe slice.pointee.mFlags &= ~3 & ~UInt32(kScheduledAudioSliceFlag_BeganToRenderLate)
    var head = unsafe arrived.load(ordering: .relaxed)
    while true {
      unsafe slice.pointee.mReserved2 = UnsafeMutableRawPointer(head)
      let (isDone, found) = unsafe arrived.compareExchange(
        expected: head, desired: slice, ordering: .acquiringAndReleasing)
      if isDone { return }
      unsafe head = found
    }
  }

  /// Sets the start of the player's time, from the next render on. Context: control.
  func setStart(_ kind: PlayStart, bits: UInt64) {
    startBits.store(bits, ordering: .relaxed)
    startKind.store(kind.rawValue, ordering: .releasing)
  }

  /// Ends all slices, and forgets the start. Context: control.
  mutating func clear() {
    hold()
    startKind.store(0, ordering: .relaxed)
    playTime.store(-1, ordering: .relaxed)
    origin = nil
    collectArrived()
    if let ended = unsafe current { unsafe finish(ended) }
    unsafe current = nil
    while let next = unsafe popFirst() { unsafe finish(next) }
    recalled.store(0, ordering: .releasing)
    letGo()
  }

  /// Holds the list, for a moment. Context: control.
  func hold() {
    while isBusy.exchange(true, ordering: .acquiring) {}
  }

  @_noLocks func letGo() { isBusy.store(false, ordering: .releasing) }

  /// Holds the list; false if another thread has it for longer than a moment.
  @_noLocks private func mayTouch(_ waits: Bool) -> Bool {
    var turns = waits ? Int.max : 64
    while isBusy.exchange(true, ordering: .acquiring) {
      turns -= 1
      if turns == 0 { return false }
    }
    return true
  }

  /// Plays into the output of a slice of the host; says whether it is all silence.
  ///
  /// - Parameter waits: Whether it waits, as offline, for a thread that has the list.
  @_noLocks mutating func play(
    _ output: borrowing RenderSlice, from offset: Int, _ count: Int, sampleRate: Double,
    waits: Bool
  ) -> Bool {
    for channel in 0..<output.channelCount {
      unsafe SampleCopy.clear(output.channel(channel) + offset, count: count)
    }
    guard mayTouch(waits) else { return true }
    defer { letGo() }
    collectArrived()
    withdraw()
    let now = output.sampleTime + Double(offset)
    readStart(now, output, offset, sampleRate)
    guard let origin else { return true }
    var position = Int(max(-9e15, min(9e15, now - origin)))
    let end = position + count
    var isSilent = true
    if position < 0 { position = min(0, end) }
    while position < end {
      let run = nextRun(position, end)
      if let playing = unsafe current {
        unsafe copy(playing, to: output, offset + position - (end - count), run)
        isSilent = false
        place += run
      }
      position += run
      turn(position)
    }
    playTime.store(Double(max(end, -1)), ordering: .relaxed)
    return isSilent
  }

  /// Sets the origin where a start was asked for.
  @_noLocks private mutating func readStart(
    _ now: Double, _ output: borrowing RenderSlice, _ offset: Int, _ sampleRate: Double
  ) {
    let kind = startKind.exchange(0, ordering: .acquiring)
    guard kind != 0 else { return }
    let bits = startBits.load(ordering: .relaxed)
    if kind == PlayStart.sampleTime.rawValue {
      origin = Double(Int64(max(-9e15, min(9e15, Double(bitPattern: bits)))))
    } else if kind == PlayStart.hostTime.rawValue, let host = output.hostTime {
      let ahead = Double(Int64(bitPattern: bits &- host)) * sampleRate / 1e9
      let frames = RealtimeMath.round(max(-9e15, min(9e15, ahead)))
      origin = output.sampleTime - Double(output.cycleOffset) + frames
    } else {
      origin = now
    }
  }
}

// The list.
extension SliceQueue {
  /// Sorts in the slices that were handed over.
  @_noLocks mutating func collectArrived() {
    var list = unsafe arrived.exchange(nil, ordering: .acquiringAndReleasing)
    var ordered: SlicePointer?
    while let slice = unsafe list {
      unsafe list = next(slice)
      unsafe link(slice, ordered)
      unsafe ordered = unsafe slice
    }
    while let slice = unsafe ordered {
      unsafe ordered = next(slice)
      unsafe insert(slice)
    }
  }

  /// A slice of a time goes before the first of a later time; one without goes to the end.
  @_noLocks private mutating func insert(_ slice: SlicePointer) {
    let time = unsafe Self.time(slice)
    var before: SlicePointer?
    var after = unsafe first
    while let other = unsafe after {
      if let time, let late = unsafe Self.time(other), late > time { break }
      unsafe before = unsafe other
      unsafe after = next(other)
    }
    unsafe link(slice, after)
    if let before = unsafe before {
      unsafe link(before, slice)
    } else {
      unsafe first = unsafe slice
    }
  }

  @_noLocks func next(_ slice: SlicePointer) -> SlicePointer? {
    unsafe slice.pointee.mReserved2?.assumingMemoryBound(to: ScheduledAudioSlice.self)
  }

  @_noLocks func link(_ slice: SlicePointer, _ other: SlicePointer?) {
    unsafe slice.pointee.mReserved2 = UnsafeMutableRawPointer(other)
  }

  /// The first slice with a flag and a time before an end; one without a time only where it is the first.
  @_noLocks private func firstWaiting(_ flag: UInt32, before end: Int) -> SlicePointer? {
    var slice = unsafe first
    if let waiting = unsafe slice, unsafe Self.time(waiting) == nil {
      return unsafe Self.has(waiting, flag) ? slice : nil
    }
    while let waiting = unsafe slice, let time = unsafe Self.time(waiting), time < end {
      if unsafe Self.has(waiting, flag) { return unsafe waiting }
      unsafe slice = next(waiting)
    }
    return nil
  }

  @_noLocks mutating func popFirst() -> SlicePointer? {
    guard let slice = unsafe first else { return nil }
    unsafe first = next(slice)
    unsafe link(slice, nil)
    return unsafe slice
  }

  /// The frame of the player's time at which a slice wants to begin; nil where it follows the one before.
  @_noLocks private static func time(_ slice: SlicePointer) -> Int? {
    guard unsafe slice.pointee.mTimeStamp.mFlags & kAudioTimeStampSampleTimeValid != 0 else {
      return nil
    }
    return unsafe Int(max(-9e15, min(9e15, slice.pointee.mTimeStamp.mSampleTime)))
  }

  @_noLocks private static func has(_ slice: SlicePointer, _ flag: UInt32) -> Bool {
    unsafe slice.pointee.mFlags & flag != 0
  }
}

// Playing.
extension SliceQueue {
  /// Frames until something else begins; makes a slice the current one whose time has come.
  @_noLocks private mutating func nextRun(_ position: Int, _ end: Int) -> Int {
    while true {
      if let playing = unsafe current {
        let left = unsafe Int(playing.pointee.mNumberFrames) - place
        var run = min(left, end - position)
        if let waiting = unsafe firstWaiting(kScheduledAudioSliceFlag_Interrupt, before: end) {
          let time = unsafe Self.time(waiting) ?? position
          if time <= position {
            unsafe finish(playing)
            unsafe current = nil
            continue
          }
          run = min(run, time - position)
        }
        return max(run, 1)
      }
      guard let waiting = unsafe first else { return end - position }
      if let time = unsafe Self.time(waiting), time > position {
        return min(time, end) - position
      }
      _ = unsafe popFirst()
      unsafe begin(waiting, position)
    }
  }

  /// Makes a slice the current one, behind the frames for which it is late.
  @_noLocks private mutating func begin(_ slice: SlicePointer, _ position: Int) {
    let frames = unsafe Int(slice.pointee.mNumberFrames)
    var late = unsafe max(0, position - (Self.time(slice) ?? position))
    if late > 0 { unsafe slice.pointee.mFlags |= kScheduledAudioSliceFlag_BeganToRenderLate }
    if unsafe Self.has(slice, kScheduledAudioSliceFlag_Loop), frames > 0 { late %= frames }
    guard late < frames else { return unsafe finish(slice) }
    unsafe slice.pointee.mFlags |= kScheduledAudioSliceFlag_BeganToRender
    unsafe current = unsafe slice
    place = late
  }

  /// Ends the current slice where it is over, or lets it begin again.
  @_noLocks private mutating func turn(_ position: Int) {
    guard let playing = unsafe current, unsafe place >= Int(playing.pointee.mNumberFrames) else {
      return
    }
    if unsafe Self.has(playing, kScheduledAudioSliceFlag_Loop) {
      let waiting = unsafe firstWaiting(
        kScheduledAudioSliceFlag_InterruptAtLoop, before: position + 1)
      if unsafe waiting == nil {
        place = 0
        return
      }
    }
    unsafe current = nil
    unsafe finish(playing)
  }

  @_noLocks private func copy(
    _ slice: SlicePointer, to output: borrowing RenderSlice, _ offset: Int, _ count: Int
  ) {
    guard let list = unsafe slice.pointee.mBufferList else { return }
    for channel in 0..<output.channelCount {
      guard let samples = unsafe Self.samples(list, channel) else { continue }
      unsafe SampleCopy.copy(
        from: samples + place, to: output.channel(channel) + offset, count: count)
    }
  }

  /// The samples of a channel; nil where the list has none.
  @_noLocks static func samples(
    _ list: UnsafeMutablePointer<AudioBufferList>, _ channel: Int
  ) -> UnsafePointer<Float>? {
    guard unsafe channel < Int(list.pointee.mNumberBuffers) else { return nil }
    let buffers = unsafe UnsafeRawPointer(list) + 8
    let buffer = unsafe buffers.load(
      fromByteOffset: channel * MemoryLayout<AudioBuffer>.stride, as: AudioBuffer.self)
    return unsafe UnsafePointer(buffer.mData?.assumingMemoryBound(to: Float.self))
  }

  /// Marks a slice as done. The memory is the caller's again.
  @_noLocks func finish(_ slice: SlicePointer) {
    let procedure = unsafe slice.pointee.mCompletionProc
    let data = unsafe slice.pointee.mCompletionProcUserData
    unsafe slice.pointee.mFlags |= kScheduledAudioSliceFlag_Complete
    guard let procedure = unsafe procedure else { return }
    // Door out of checked code: the caller's completion.
    unsafe _unsafePerformance { unsafe procedure(data, slice) }
  }
}
