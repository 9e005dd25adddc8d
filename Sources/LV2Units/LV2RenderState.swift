// All that the render thread touches of one LV2 instance, and the rendering itself.
// SPDX-License-Identifier: Apache-2.0

internal import AuricleSDK
internal import CLilv

/// An audio port, its channel, and where it is connected now.
@safe struct LV2AudioPort {
  var port: UInt32
  var bus: Int
  var channel: Int
  var connected: UnsafeMutablePointer<Float>?
  /// The block of a plug-in that needs blocks of one size; else nil.
  var block: UnsafeMutablePointer<Float>?
}

/// A control port and the place of its parameter.
struct LV2ControlPort {
  var port: Int
  var place: Int
}

/// A list of plain values with a fixed address.
@safe struct LV2Table<Element: BitwiseCopyable> {
  let elements: UnsafeMutablePointer<Element>
  let count: Int

  init(_ list: [Element]) {
    count = list.count
    unsafe elements = .allocate(capacity: max(count, 1))
    for (index, element) in list.enumerated() {
      unsafe (elements + index).initialize(to: element)
    }
  }

  func free() { unsafe elements.deallocate() }
}

/// The render thread's view of an instance. Made and freed by `LV2Instance`.
@safe struct LV2RenderState {
  let descriptor: UnsafePointer<LV2_Descriptor>
  let handle: LV2_Handle
  /// One value a port; control ports are connected here.
  let controls: UnsafeMutablePointer<Float>
  let inputs: LV2Table<LV2AudioPort>
  let outputs: LV2Table<LV2AudioPort>
  let parameters: LV2Table<LV2ControlPort>
  let meters: LV2Table<LV2ControlPort>
  let atoms: LV2Table<LV2AtomBuffer>
  let workQueue: UnsafeMutablePointer<LV2WorkQueue>
  let worker: UnsafePointer<LV2_Worker_Interface>?
  /// Index of the port that reports the latency, or -1.
  let latencyPort: Int
  let passesThrough: Bool
  /// Frames of every run for a plug-in that needs blocks of one size; else 0.
  let blockFrames: Int
  /// Frames gathered of the block that is being filled.
  var blockPosition = 0
  /// Whether anything was rendered: before it, many plug-ins report no latency.
  var hasRun = false

  /// Renders one slice. Context: render.
  @_noLocks mutating func process(_ slice: borrowing RenderSlice) {
    for index in 0..<parameters.count {
      let entry = unsafe parameters.elements[index]
      unsafe controls[entry.port] = slice.parameter(entry.place)
    }
    if blockFrames > 0 {
      processBlocks(slice)
    } else {
      connectPorts(slice)
      run(slice.frameCount)
    }
    if passesThrough || outputs.count == 0 { fillOutput(slice) }
    for index in 0..<meters.count {
      let entry = unsafe meters.elements[index]
      unsafe slice.setMeter(entry.place, controls[entry.port])
    }
  }

  /// Runs the plug-in and then what it left for its worker.
  @_noLocks private mutating func run(_ frameCount: Int) {
    for index in 0..<atoms.count { unsafe atoms.elements[index].prepare() }
    unsafe auricle_lv2_run(descriptor, handle, UInt32(truncatingIfNeeded: frameCount))
    hasRun = true
    guard let worker = unsafe worker else { return }
    if unsafe !workQueue.pointee.isIdle {
      // Door out of checked code: offline, the plug-in's jobs are done here and waited for.
      unsafe _unsafePerformance { unsafe LV2WorkQueue.drain(workQueue) }
    }
    unsafe auricle_lv2_end_run(worker, handle)
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

  /// Gathers blocks of one size; the output comes one block later.
  @_noLocks private mutating func processBlocks(_ slice: borrowing RenderSlice) {
    var done = 0
    while done < slice.frameCount {
      let count = min(slice.frameCount - done, blockFrames - blockPosition)
      for index in 0..<inputs.count {
        let entry = unsafe inputs.elements[index]
        let memory = unsafe slice.input(bus: entry.bus, channel: entry.channel)
        if let block = unsafe entry.block {
          unsafe copyFrames(from: memory + done, to: block + blockPosition, count)
        }
      }
      for index in 0..<outputs.count {
        let entry = unsafe outputs.elements[index]
        let memory = unsafe slice.output(bus: entry.bus, channel: entry.channel)
        if let block = unsafe entry.block {
          unsafe copyFrames(from: block + blockPosition, to: memory + done, count)
        }
      }
      done += count
      blockPosition += count
      if blockPosition == blockFrames {
        run(blockFrames)
        blockPosition = 0
      }
    }
  }

  /// The output of a plug-in that makes no audio: its input, or silence.
  @_noLocks private func fillOutput(_ slice: borrowing RenderSlice) {
    let heard = passesThrough ? slice.inputChannelCount : 0
    for channel in 0..<slice.channelCount {
      let memory = unsafe slice.channel(channel)
      if channel < heard {
        unsafe copyFrames(
          from: slice.input(bus: 0, channel: channel), to: memory, slice.frameCount)
      } else {
        for frame in 0..<slice.frameCount { unsafe memory[frame] = 0 }
      }
    }
  }

  /// Frames by which the output lags the input, as last reported. Context: control.
  var latencyFrames: Double {
    let reported = latencyPort >= 0 ? unsafe Double(controls[latencyPort]) : 0
    return Double(blockFrames) + (reported.isFinite && reported > 0 ? reported.rounded() : 0)
  }

  /// Whether `latencyFrames` is what the plug-in says, rather than what it has not said yet.
  var latencyIsKnown: Bool { latencyPort < 0 || hasRun }
}

/// Copies samples between memories that do not overlap. Context: render.
@_noLocks private func copyFrames(
  from source: UnsafeMutablePointer<Float>, to target: UnsafeMutablePointer<Float>, _ count: Int
) {
  for frame in 0..<count { unsafe target[frame] = source[frame] }
}

/// Runs an instance on a slice: what the SDK calls.
let processLV2: KernelProcess = { state, slice in
  unsafe state.assumingMemoryBound(to: LV2RenderState.self).pointee.process(
    slice.assumingMemoryBound(to: RenderSlice.self).pointee)
}
