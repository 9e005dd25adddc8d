// The blocks of input between the thread that pulls them and the render thread that plays them.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
import CAudioToolbox
import RealtimeSupport
import Synchronization

/// A ring of blocks, each pulled as a whole by whichever thread comes first: the pulling one, or the render thread
/// when it needs what nobody has begun.
///
/// Frame n of the output is frame n − `latency` of the input, whoever pulled it and whatever the slices are.
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
    while isPulling.exchange(true, ordering: .acquiring) {}
    position.store(0, ordering: .relaxed)
    made.store(0, ordering: .relaxed)
    input = nil
    isPulling.store(false, ordering: .releasing)
  }

  /// Pulls a block if one may be pulled by now and nobody else does; false if not. Context: the pulling thread.
  mutating func pullAhead() -> Bool {
    guard !isPulling.exchange(true, ordering: .acquiring) else { return false }
    defer { isPulling.store(false, ordering: .releasing) }
    let index = made.load(ordering: .relaxed)
    guard input != nil, index * block + wait <= position.load(ordering: .acquiring) else {
      return false
    }
    pull(index)
    return true
  }

  /// Whether the pulling thread has something to do. Context: render.
  var hasWork: Bool {
    @_noLocks get {
      made.load(ordering: .relaxed) * block + wait <= position.load(ordering: .relaxed)
    }
  }

  /// Renders one slice. Context: render.
  ///
  /// - Parameter patience: How long a pull that is under way is waited for (ns).
  @_noLocks mutating func play(_ slice: borrowing RenderSlice, patience: UInt64) {
    let start = position.load(ordering: .relaxed)
    if start == 0, input == nil { begin(slice) }
    let end = start + slice.frameCount
    let last = end - 1 - latency
    let isComplete = last < 0 || waitFor(last / block, patience)
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

  /// Takes the inputs and the time of the first slice.
  @_noLocks private mutating func begin(_ slice: borrowing RenderSlice) {
    // Nobody pulls without an input, but a look at whether there is one may be under way.
    while isPulling.exchange(true, ordering: .acquiring) {}
    origin = slice.sampleTime
    input = slice.detachedInput()
    isPulling.store(false, ordering: .releasing)
  }

  /// Has the blocks up to one pulled; false if a pull that is under way takes too long.
  @_noLocks private mutating func waitFor(_ index: Int, _ patience: UInt64) -> Bool {
    guard made.load(ordering: .acquiring) <= index else { return true }
    let end = RenderClock.nanoseconds() &+ patience
    while made.load(ordering: .acquiring) <= index {
      if !isPulling.exchange(true, ordering: .acquiring) {
        let next = made.load(ordering: .relaxed)
        if next <= index { pull(next) }
        isPulling.store(false, ordering: .releasing)
      } else if RenderClock.nanoseconds() > end {
        return false
      }
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
