// The render state of one LV2 instance, and its rendering.
// SPDX-License-Identifier: Apache-2.0

internal import AuricleSDK
internal import CLilv
internal import ForeignPlugIns
internal import Glibc
internal import LV2Bundles
internal import RealtimeSupport
internal import Synchronization

/// The render state of an instance. Made and freed by `LV2Instance`.
///
/// Fields that every slice of a simple plug-in accesses come first, in few cache lines.
@safe struct LV2RenderState: ~Copyable {
  let descriptor: UnsafePointer<LV2_Descriptor>
  let handle: LV2_Handle
  /// Values of control ports: first the parameters, by index.
  let controls: UnsafeMutablePointer<Float>
  /// The parameters' values by index; read here without a call.
  let values: ParameterStore
  /// The change count of the values that the ports have; initially invalid.
  var valuesSeen = UInt.max
  /// Indices of parameters that are copied to their ports, and of the ones that are read from ports.
  var parameters: RenderTable<PlaceRange>
  var meters: RenderTable<PlaceRange>
  var stepped: RenderTable<LV2SteppedPort>
  var inputs: RenderTable<LV2AudioPort>
  var outputs: RenderTable<LV2AudioPort>
  let hasTriggers: Bool
  let passesThrough: Bool
  let hasVoltages: Bool
  let hasAtoms: Bool
  /// Whether runs must not depend on uninitialized memory.
  let isOffline: Bool
  /// Whether the current slice made the plug-in run.
  var ranInSlice = false
  /// The runs of a plug-in that needs blocks of one size.
  var blocks: FixedBlocks
  let worker: UnsafePointer<LV2_Worker_Interface>?
  /// The index in `controls` of the enabled port, or -1.
  let enabledSlot: Int
  /// The index in `controls` of the latency port, or -1.
  let latencySlot: Int
  /// The latency in frames reported after the last run, or -1 before the first: many plug-ins report none
  /// before it. Any thread may read it.
  ///
  /// Stored here, not behind a pointer: a value that contains an atomic is never copied for a call.
  let reportedLatency = Atomic<Int>(-1)

  var voltages: RenderTable<LV2VoltagePort>
  var atoms: RenderTable<LV2AtomBuffer>
  /// The same buffers by direction.
  var atomInputs: RenderTable<LV2AtomBuffer>
  var atomOutputs: RenderTable<LV2AtomBuffer>
  /// Whether the host bypasses the unit; read when `enabledSlot` is at least 0.
  let isBypassed: UnsafeMutablePointer<Atomic<Bool>>
  let workQueue: UnsafeMutablePointer<LV2WorkQueue>
  /// The latency reported by the port and by an earlier instance.
  var latencyHistory = LatencyHistory()
  var events: LV2EventPlaces

  /// Renders one slice. Context: render.
  @_noLocks mutating func process(_ slice: borrowing RenderSlice) {
    ranInSlice = false
    setControls()
    if hasAtoms { beginEvents(slice) }
    if blocks.frameCount > 0 {
      processBlocks(slice)
    } else {
      connectPorts(slice)
      if hasVoltages { fillVoltages(slice, from: 0, at: 0, slice.frameCount) }
      if hasAtoms { copyEventsIn(slice, from: 0, slice.frameCount, at: 0) }
      run(slice.frameCount)
      if hasAtoms, events.outputs.count > 0 {
        copyEventsOut(slice, from: 0, slice.frameCount, at: 0)
        receiveMessages(slice)
      }
    }
    if passesThrough || outputs.count == 0 { fillOutput(slice) }
    for index in 0..<meters.count {
      let range = unsafe meters.elements[index]
      unsafe values.setMeters(range.first, count: range.count, from: controls + range.first)
    }
    if latencySlot >= 0, ranInSlice {
      // The unit's property has the exact value; here only the change is reported.
      slice.reportLatency(frames: blocks.frameCount &+ min(latencyHistory.reported, 10_000_000))
    }
    if hasTriggers, ranInSlice { releaseTriggers() }
  }

  /// Copies changed parameters to their control ports.
  @_noLocks @inline(__always) private mutating func setControls() {
    let changes = values.changeCount
    if changes != valuesSeen {
      valuesSeen = changes
      loadValues()
    }
    if enabledSlot >= 0 {
      unsafe controls[enabledSlot] = isBypassed.pointee.load(ordering: .relaxed) ? 0 : 1
    }
  }

  @_noLocks @inline(never) private func loadValues() {
    for index in 0..<parameters.count {
      let range = unsafe parameters.elements[index]
      unsafe values.get(range.first, count: range.count, into: controls + range.first)
    }
    for index in 0..<stepped.count {
      let entry = unsafe stepped.elements + index
      let value = unsafe values.value(at: entry.pointee.place)
      if unsafe value != entry.pointee.last {
        unsafe entry.pointee.last = value
        unsafe entry.pointee.settled = entry.pointee.step(value)
      }
      unsafe controls[entry.pointee.place] = unsafe entry.pointee.settled
    }
  }

  /// Resets triggers to their default.
  @_noLocks @inline(never) private func releaseTriggers() {
    for index in 0..<stepped.count {
      let entry = unsafe stepped.elements + index
      if unsafe entry.pointee.isTrigger {
        unsafe values.setValue(entry.pointee.rest, at: entry.pointee.place)
      }
    }
  }

  /// Runs the plug-in and then its scheduled work.
  @_noLocks @inline(__always) private mutating func run(_ frameCount: Int) {
    if hasAtoms {
      for index in 0..<atomOutputs.count { unsafe atomOutputs.elements[index].prepare() }
    }
    if unsafe worker != nil {
      runWithWorker(frameCount)
    } else {
      if isOffline { auricle_clear_stack() }
      if blocks.frameCount > 0 {
        unsafe auricle_lv2_run_guarded(descriptor, handle, UInt32(truncatingIfNeeded: frameCount))
      } else {
        // The SDK restores the floating-point control word once a slice.
        unsafe auricle_lv2_run(descriptor, handle, UInt32(truncatingIfNeeded: frameCount))
      }
    }
    if latencySlot >= 0 {
      latencyHistory.add(latencyNow, frameCount)
      reportedLatency.store(latencyHistory.reported, ordering: .releasing)
    } else if reportedLatency.load(ordering: .relaxed) < 0 {
      reportedLatency.store(0, ordering: .releasing)
    }
    ranInSlice = true
    if hasAtoms {
      for index in 0..<atomInputs.count { unsafe atomInputs.elements[index].prepare() }
    }
  }

  /// Runs a plug-in that has a worker, and delivers its answers.
  @_noLocks @inline(never) private mutating func runWithWorker(_ frameCount: Int) {
    guard let worker = unsafe worker else { return }
    unsafe workQueue.pointee.runningThread.store(RenderClock.thread(), ordering: .relaxed)
    if isOffline { auricle_clear_stack() }
    unsafe auricle_lv2_run_guarded(descriptor, handle, UInt32(truncatingIfNeeded: frameCount))
    unsafe workQueue.pointee.runningThread.store(0, ordering: .relaxed)
    if let realtime = unsafe workQueue.pointee.realtime {
      unsafe realtime.deliver(worker, handle)
    } else if unsafe !workQueue.pointee.isIdle {
      // Door out of checked code: offline, the plug-in's jobs are done here and waited for.
      let queue = unsafe workQueue
      unsafe _unsafePerformance { unsafe LV2WorkQueue.drain(queue) }
    }
    unsafe auricle_lv2_end_run(worker, handle)
  }

  /// Connects audio ports to the slice's memory if that has moved.
  @_noLocks private func connectPorts(_ slice: borrowing RenderSlice) {
    for index in 0..<inputs.count {
      let entry = unsafe inputs.elements + index
      let memory = unsafe slice.input(bus: entry.pointee.bus, channel: entry.pointee.channel)
      if unsafe entry.pointee.connected != memory { unsafe connect(entry, memory) }
    }
    for index in 0..<outputs.count {
      let entry = unsafe outputs.elements + index
      let memory = unsafe slice.output(bus: entry.pointee.bus, channel: entry.pointee.channel)
      if unsafe entry.pointee.connected != memory { unsafe connect(entry, memory) }
    }
  }

  @_noLocks private func connect(
    _ entry: UnsafeMutablePointer<LV2AudioPort>, _ memory: UnsafeMutablePointer<Float>
  ) {
    unsafe entry.pointee.connected = unsafe memory
    unsafe auricle_lv2_connect(descriptor, handle, entry.pointee.port, memory)
  }

  /// Copies parameters and control voltages to the ports' memory.
  @_noLocks private func fillVoltages(
    _ slice: borrowing RenderSlice, from start: Int, at position: Int, _ count: Int
  ) {
    for index in 0..<voltages.count {
      let entry = unsafe voltages.elements[index]
      let value = slice.parameter(entry.place)
      let block = unsafe entry.block + position
      if entry.bus >= 0 {
        let signal = unsafe slice.input(bus: entry.bus, channel: 0) + start
        for frame in 0..<count { unsafe block[frame] = value + signal[frame] }
      } else {
        for frame in 0..<count { unsafe block[frame] = value }
      }
    }
  }

  /// Collects blocks of one size; the output is one block later.
  @_noLocks private mutating func processBlocks(_ slice: borrowing RenderSlice) {
    var done = 0
    while done < slice.frameCount {
      let count = blocks.stretch(of: slice.frameCount - done)
      let position = blocks.position
      for index in 0..<inputs.count {
        let entry = unsafe inputs.elements[index]
        let memory = unsafe slice.input(bus: entry.bus, channel: entry.channel)
        if let block = unsafe entry.block {
          unsafe blocks.gather(memory + done, into: block, count: count)
        }
      }
      if hasVoltages { fillVoltages(slice, from: done, at: position, count) }
      for index in 0..<outputs.count {
        let entry = unsafe outputs.elements[index]
        let memory = unsafe slice.output(bus: entry.bus, channel: entry.channel)
        if let block = unsafe entry.block {
          unsafe blocks.deliver(block, to: memory + done, count: count)
        }
      }
      if hasAtoms {
        copyEventsIn(slice, from: done, count, at: position)
        copyEventsOut(slice, from: position, count, at: done)
      }
      done += count
      if blocks.advance(by: count) {
        run(blocks.frameCount)
        if hasAtoms { receiveMessages(slice) }
      }
    }
  }

  /// The output of a plug-in that makes no audio: its input, or silence.
  @_noLocks private func fillOutput(_ slice: borrowing RenderSlice) {
    let delivered = passesThrough ? slice.inputChannelCount : 0
    for channel in 0..<slice.channelCount {
      let memory = unsafe slice.channel(channel)
      if channel < delivered {
        unsafe SampleCopy.copy(
          from: slice.input(bus: 0, channel: channel), to: memory, count: slice.frameCount)
      } else {
        unsafe SampleCopy.clear(memory, count: slice.frameCount)
      }
    }
  }
}
