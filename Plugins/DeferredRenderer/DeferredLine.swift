// The blocks of input between the thread that pulls them and the render thread that plays them.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
import CAudioToolbox
import RealtimeSupport
import Synchronization

/// A ring of blocks, each pulled as a whole by the first thread that needs it. That is the pulling one, or the
/// render thread when it needs a block that nobody has begun.
///
/// Frame n of the output is frame n − `latency` of the input, independent of the pulling thread and the
/// slice size.
@safe struct DeferredLine: ~Copyable {
  let block: Int
  let latency: Int
  private let wait: Int
  private let channelCount: Int
  private let maximumPull: Int
  private let slotCount: Int
  private let samples: UnsafeMutablePointer<Float>
  private let rows: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  private let statuses: UnsafeMutablePointer<OSStatus>
  private let silences: UnsafeMutablePointer<Bool>
  /// Output frames that were rendered since the start.
  private let position = Atomic(0)
  /// Blocks that were pulled.
  private let made = Atomic(0)
  /// Held by the thread that pulls.
  private let isPulling = Atomic(false)
  /// Whether `input` and `origin` are there, which change no more until a reset.
  private let hasBegun = Atomic(false)
  private var input: DetachedInput?
  private var origin = 0.0

  /// Context: control.
  init(_ format: RenderFormat, _ settings: DeferredSettings) {
    block = Int(settings.pullSize)
    latency = settings.latency
    wait = Int(settings.waitFrames)
    channelCount = format.channelCount
    maximumPull = format.maximumFrames
    slotCount = (latency + format.maximumFrames) / block + 3
    let count = slotCount * block * max(channelCount, 1)
    unsafe samples = .allocate(capacity: count)
    unsafe samples.initialize(repeating: 0, count: count)
    unsafe rows = .allocate(capacity: max(channelCount, 1))
    unsafe rows.initialize(repeating: samples, count: max(channelCount, 1))
    unsafe statuses = .allocate(capacity: slotCount)
    unsafe statuses.initialize(repeating: 0, count: slotCount)
    unsafe silences = .allocate(capacity: slotCount)
    unsafe silences.initialize(repeating: true, count: slotCount)
  }

  deinit {
    unsafe samples.deallocate()
    unsafe rows.deallocate()
    unsafe statuses.deallocate()
    unsafe silences.deallocate()
  }

  /// Begins anew. Context: control.
  mutating func reset() {
    hasBegun.store(false, ordering: .relaxed)
    while isPulling.exchange(true, ordering: .acquiring) {}
    position.store(0, ordering: .relaxed)
    made.store(0, ordering: .relaxed)
    input = nil
    isPulling.store(false, ordering: .releasing)
  }

  /// Pulls a block if one may be pulled by now and nobody else does; false if not. Context: the pulling thread.
  mutating func pullAhead() -> Bool {
    // Nothing is held to find that there is nothing to do: the render thread waits for nobody.
    guard isDue, !isPulling.exchange(true, ordering: .acquiring) else { return false }
    defer { isPulling.store(false, ordering: .releasing) }
    guard isDue else { return false }
    pull(made.load(ordering: .relaxed))
    return true
  }

  /// Whether the next block may be pulled by now. Context: any.
  var isDue: Bool {
    @_noLocks get {
      guard hasBegun.load(ordering: .acquiring) else { return false }
      return made.load(ordering: .acquiring) * block + wait <= position.load(ordering: .acquiring)
    }
  }

  /// Renders one slice; silence where a pull that is under way on the other thread is late. Context: render.
  @_noLocks mutating func play(_ slice: borrowing RenderSlice) {
    let start = position.load(ordering: .relaxed)
    if !hasBegun.load(ordering: .relaxed) { begin(slice) }
    let end = start + slice.frameCount
    let last = end - 1 - latency
    let isComplete = last < 0 || complete(last / block)
    var isSilent = true
    var frame = start
    while frame < end {
      let place = frame - latency
      let run =
        place < 0 ? min(-place, end - frame) : min(block - place % block, end - frame)
      let index = place < 0 ? -1 : place / block
      let isReady = index >= 0 && (isComplete || index < made.load(ordering: .acquiring))
      let slot = isReady ? index % slotCount : 0
      if isReady, unsafe statuses[slot] != 0 {
        position.store(end, ordering: .releasing)
        return unsafe slice.fail(statuses[slot])
      }
      if isReady, unsafe !silences[slot] { isSilent = false }
      for channel in 0..<channelCount {
        let output = unsafe slice.channel(channel) + (frame - start)
        if isReady {
          unsafe SampleCopy.copy(
            from: memory(slot, channel) + place % block, to: output, count: run)
        } else {
          unsafe SampleCopy.clear(output, count: run)
        }
      }
      frame += run
    }
    position.store(end, ordering: .releasing)
    if isSilent { slice.markOutputSilent() }
  }

  /// Stores the inputs and the time of the first slice.
  @_noLocks private mutating func begin(_ slice: borrowing RenderSlice) {
    origin = slice.sampleTime
    input = slice.detachedInput()
    hasBegun.store(true, ordering: .releasing)
  }

  /// Pulls the blocks up to one, if no thread has; false if the other thread is in the middle of one.
  @_noLocks private mutating func complete(_ index: Int) -> Bool {
    while made.load(ordering: .acquiring) <= index {
      guard !isPulling.exchange(true, ordering: .acquiring) else { return false }
      let next = made.load(ordering: .relaxed)
      if next <= index { pull(next) }
      isPulling.store(false, ordering: .releasing)
    }
    return true
  }

  /// Pulls a block, in as many parts as a pull may have frames.
  @_noLocks private mutating func pull(_ index: Int) {
    let slot = index % slotCount
    var status: OSStatus = 0
    var isSilent = true
    var done = 0
    while done < block, status == 0, let input {
      let count = min(block - done, maximumPull)
      for channel in 0..<channelCount {
        unsafe rows[channel] = unsafe memory(slot, channel) + done
      }
      status = unsafe input.pull(
        bus: 0, sampleTime: origin + Double(index * block + done), frameCount: count, into: rows)
      if !input.isSilent(bus: 0) { isSilent = false }
      done += count
    }
    unsafe statuses[slot] = status
    unsafe silences[slot] = isSilent
    made.store(index + 1, ordering: .releasing)
  }

  @_noLocks private func memory(_ slot: Int, _ channel: Int) -> UnsafeMutablePointer<Float> {
    unsafe samples + (channel * slotCount + slot) * block
  }
}
