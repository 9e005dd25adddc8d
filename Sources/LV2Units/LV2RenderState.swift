// All that the render thread touches of one LV2 instance, and the rendering itself.
// SPDX-License-Identifier: Apache-2.0

internal import AuricleSDK
internal import CLilv
internal import Glibc
internal import RealtimeSupport
internal import Synchronization

/// The render thread's view of an instance. Made and freed by `LV2Instance`.
@safe struct LV2RenderState {
  let descriptor: UnsafePointer<LV2_Descriptor>
  let handle: LV2_Handle
  /// The parameters' values by their places; read here without a call.
  let values: ParameterStore
  /// One value a port; control ports are connected here.
  let controls: UnsafeMutablePointer<Float>
  var inputs: LV2Table<LV2AudioPort>
  var outputs: LV2Table<LV2AudioPort>
  var voltages: LV2Table<LV2VoltagePort>
  var parameters: LV2Table<LV2ControlPort>
  var stepped: LV2Table<LV2SteppedPort>
  var meters: LV2Table<LV2ControlPort>
  var atoms: LV2Table<LV2AtomBuffer>
  var events: LV2EventPlaces
  let workQueue: UnsafeMutablePointer<LV2WorkQueue>
  let worker: UnsafePointer<LV2_Worker_Interface>?
  /// Whether the host bypasses the unit; asked when `enabledPort` is at least 0.
  let isBypassed: UnsafeMutablePointer<Atomic<Bool>>
  /// Index of the port that switches the processing on, or -1.
  let enabledPort: Int
  /// Index of the port that reports the latency, or -1.
  let latencyPort: Int
  let passesThrough: Bool
  /// Frames of every run for a plug-in that needs blocks of one size; else 0.
  let blockFrames: Int
  /// Frames gathered of the block that is being filled.
  var blockPosition = 0
  /// The frames of latency told after the last run, or -1 before the first: many plug-ins report
  /// none before it. Any thread may ask.
  let toldLatency: UnsafeMutablePointer<Atomic<Int>>
  /// What the latency port said, and what an instance before this one told.
  var latencyHistory = LV2LatencyHistory()
  /// Whether the slice at hand made the plug-in run.
  var ranInSlice = false

  /// Renders one slice. Context: render.
  @_noLocks mutating func process(_ slice: borrowing RenderSlice) {
    ranInSlice = false
    for index in 0..<parameters.count {
      let entry = unsafe parameters.elements[index]
      unsafe controls[entry.port] = values.value(at: entry.place)
    }
    for index in 0..<stepped.count {
      let entry = unsafe stepped.elements + index
      unsafe controls[entry.pointee.port] = entry.pointee.step(
        values.value(at: entry.pointee.place))
    }
    if enabledPort >= 0 {
      unsafe controls[enabledPort] = isBypassed.pointee.load(ordering: .relaxed) ? 0 : 1
    }
    if atoms.count > 0 { beginEvents(slice) }
    if blockFrames > 0 {
      processBlocks(slice)
    } else {
      connectPorts(slice)
      fillVoltages(slice, from: 0, at: 0, slice.frameCount)
      if atoms.count > 0 { takeEvents(slice, from: 0, slice.frameCount, at: 0) }
      run(slice.frameCount)
      if events.outputs.count > 0 {
        giveEvents(slice, from: 0, slice.frameCount, at: 0)
        if events.hears { hearPlugIn(slice) }
      }
    }
    if passesThrough || outputs.count == 0 { fillOutput(slice) }
    for index in 0..<meters.count {
      let entry = unsafe meters.elements[index]
      unsafe values.setValue(controls[entry.port], at: entry.place)
    }
    if latencyPort >= 0, ranInSlice {
      let reported = latencyHistory.told
      if reported < 10_000_000 { slice.reportLatency(frames: blockFrames + reported) }
    }
    for index in 0..<stepped.count {
      let entry = unsafe stepped.elements + index
      if unsafe entry.pointee.isTrigger, ranInSlice {
        unsafe slice.setMeter(entry.pointee.place, entry.pointee.rest)
      }
    }
  }

  /// Runs the plug-in and then what it left for its worker.
  @_noLocks private mutating func run(_ frameCount: Int) {
    for index in 0..<atoms.count {
      if unsafe !atoms.elements[index].isInput { unsafe atoms.elements[index].prepare() }
    }
    guard let worker = unsafe worker else {
      if blockFrames > 0 {
        unsafe auricle_lv2_run_guarded(descriptor, handle, UInt32(truncatingIfNeeded: frameCount))
      } else {
        // What becomes of rounding and denormals is put right once a slice, by the SDK.
        unsafe auricle_lv2_run(descriptor, handle, UInt32(truncatingIfNeeded: frameCount))
      }
      finishRun(frameCount)
      return
    }
    let thread = unsafe _unsafePerformance { UInt(pthread_self()) }
    unsafe workQueue.pointee.runningThread.store(thread, ordering: .relaxed)
    unsafe auricle_lv2_run_guarded(descriptor, handle, UInt32(truncatingIfNeeded: frameCount))
    unsafe workQueue.pointee.runningThread.store(0, ordering: .relaxed)
    finishRun(frameCount)
    if let realtime = unsafe workQueue.pointee.realtime {
      unsafe realtime.deliver(worker, handle)
    } else if unsafe !workQueue.pointee.isIdle {
      // Door out of checked code: offline, the plug-in's jobs are done here and waited for.
      unsafe _unsafePerformance { unsafe LV2WorkQueue.drain(workQueue) }
    }
    unsafe auricle_lv2_end_run(worker, handle)
  }

  @_noLocks private mutating func finishRun(_ frameCount: Int) {
    if latencyPort >= 0 { latencyHistory.add(latencyNow, frameCount) }
    unsafe toldLatency.pointee.store(latencyHistory.told, ordering: .releasing)
    ranInSlice = true
    for index in 0..<atoms.count {
      if unsafe atoms.elements[index].isInput { unsafe atoms.elements[index].prepare() }
    }
  }

  /// Connects audio ports to the slice's memory where that has moved.
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

  /// Puts parameters and signals of control voltages into the ports' own memory.
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

  /// Gathers blocks of one size; the output comes one block later.
  @_noLocks private mutating func processBlocks(_ slice: borrowing RenderSlice) {
    var done = 0
    while done < slice.frameCount {
      let count = min(slice.frameCount - done, blockFrames - blockPosition)
      for index in 0..<inputs.count {
        let entry = unsafe inputs.elements[index]
        let memory = unsafe slice.input(bus: entry.bus, channel: entry.channel)
        if let block = unsafe entry.block {
          unsafe SampleCopy.copy(from: memory + done, to: block + blockPosition, count: count)
        }
      }
      fillVoltages(slice, from: done, at: blockPosition, count)
      for index in 0..<outputs.count {
        let entry = unsafe outputs.elements[index]
        let memory = unsafe slice.output(bus: entry.bus, channel: entry.channel)
        if let block = unsafe entry.block {
          unsafe SampleCopy.copy(from: block + blockPosition, to: memory + done, count: count)
        }
      }
      if atoms.count > 0 {
        takeEvents(slice, from: done, count, at: blockPosition)
        giveEvents(slice, from: blockPosition, count, at: done)
      }
      done += count
      blockPosition += count
      if blockPosition == blockFrames {
        run(blockFrames)
        blockPosition = 0
        if events.hears { hearPlugIn(slice) }
      }
    }
  }

  /// The output of a plug-in that makes no audio: its input, or silence.
  @_noLocks private func fillOutput(_ slice: borrowing RenderSlice) {
    let heard = passesThrough ? slice.inputChannelCount : 0
    for channel in 0..<slice.channelCount {
      let memory = unsafe slice.channel(channel)
      if channel < heard {
        unsafe SampleCopy.copy(
          from: slice.input(bus: 0, channel: channel), to: memory, count: slice.frameCount)
      } else {
        unsafe SampleCopy.clear(memory, count: slice.frameCount)
      }
    }
  }

  /// What the plug-in's port says at this moment.
  private var latencyNow: Int {
    @_noLocks get {
      guard latencyPort >= 0 else { return 0 }
      let reported = unsafe controls[latencyPort]
      guard reported > 0 else { return 0 }
      // Lies are passed on, for the host to judge, as far as there are numbers for them.
      return reported < 1e15 ? Int(reported + 0.5) : 1_000_000_000_000_000
    }
  }

  /// Takes over what another instance of the plug-in, made in the same way, told of its latency.
  ///
  /// Context: control, while nothing runs either of them.
  mutating func inheritLatency(from other: LV2RenderState) {
    guard latencyPort >= 0, other.hasRun else { return }
    latencyHistory.inherit(other.latencyHistory)
    unsafe toldLatency.pointee.store(latencyHistory.told, ordering: .releasing)
  }

  /// Frames by which the output lags the input, as last reported. Context: any.
  var latencyFrames: Double {
    let told = unsafe toldLatency.pointee.load(ordering: .acquiring)
    return Double(blockFrames) + Double(told < 0 ? latencyNow : told)
  }

  /// Whether anything was rendered. Context: any.
  var hasRun: Bool { unsafe toldLatency.pointee.load(ordering: .acquiring) >= 0 }

  /// Whether `latencyFrames` is what the plug-in says, rather than what it has not said yet.
  var latencyIsKnown: Bool { latencyPort < 0 || hasRun }
}
