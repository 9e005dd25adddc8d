// The render state of one VST3 instance, and its rendering.
// SPDX-License-Identifier: Apache-2.0

internal import AuricleSDK
internal import CAudioToolbox
internal import CForeignPlugIns
internal import ForeignPlugIns
internal import RealtimeSupport
internal import Synchronization

/// A channel of the plug-in, in the order of its buses and arrangements.
struct VST3Channel: BitwiseCopyable {
  var bus: Int
  /// The channel in the layout of the unit's bus.
  var channel: Int
  var isInput: Bool
}

/// The kernel that the SDK renders: a gate, and the current instance behind it.
@safe struct VST3RenderCell: ~Copyable {
  let gate = RenderGate()
  let state: UnsafeMutablePointer<VST3RenderState>
  /// The work that a plug-in asks for while it renders offline; the unit's core keeps it.
  private let work: UnsafeMutableRawPointer

  init(_ state: UnsafeMutablePointer<VST3RenderState>, _ work: VST3Work) {
    unsafe self.state = unsafe state
    unsafe self.work = unsafe Unmanaged.passUnretained(work).toOpaque()
  }

  /// Renders one slice; a slice at a closed gate is silent. Context: render.
  @_noLocks mutating func process(_ slice: borrowing RenderSlice) {
    guard gate.enter() else {
      for channel in 0..<slice.channelCount {
        unsafe SampleCopy.clear(slice.channel(channel), count: slice.frameCount)
      }
      return
    }
    unsafe state.pointee.process(slice)
    let hasWork = unsafe state.pointee.isOffline && state.pointee.hasWork
    gate.leave()
    // Offline there is time: messages and restarts are done with before the next slice, the same in every run.
    guard hasWork else { return }
    let work = unsafe work
    let frames = slice.frameCount
    unsafe _unsafePerformance { unsafe performVST3Work(work, frames) }
  }
}

/// Runs an instance on a slice: the function that the SDK calls.
let processVST3: KernelProcess = { state, slice in
  unsafe state.assumingMemoryBound(to: VST3RenderCell.self).pointee.process(
    slice.assumingMemoryBound(to: RenderSlice.self).pointee)
}

/// Does the work of a plug-in's main thread. Context: render, offline.
@inline(never) private func performVST3Work(_ work: UnsafeMutableRawPointer, _ frames: Int) {
  unsafe Unmanaged<VST3Work>.fromOpaque(work).takeUnretainedValue().perform(frames)
}

/// The work of a plug-in's main thread, as an offline render thread has it done.
final class VST3Work: Sendable {
  private let object: VST3Object
  private let sampleRate: Double

  init(_ object: VST3Object, sampleRate: Double) {
    self.object = object
    self.sampleRate = sampleRate
  }

  /// Serves timers, messages and restarts, after frames of sound. Context: render, offline.
  func perform(_ frames: Int) {
    PlugInMainThread.run { object.serve(time: UInt64(Double(frames) / sampleRate * 1e9)) }
  }
}

/// The render state of an instance. Made and freed by `VST3Instance`.
@safe struct VST3RenderState: ~Copyable {
  let run: UnsafeMutablePointer<AuricleVST3Run>
  let isOffline: Bool
  private let application: UnsafePointer<AuricleVST3Application>
  private let values: ParameterStore
  /// The change count of the values that the processor has; initially invalid.
  private var valuesSeen = UInt.max
  private let channels: RenderTable<VST3Channel>
  private let passesThrough: Bool
  private let hasOutputs: Bool
  /// Bits of kVST3Needs_….
  private let needs: UInt32
  /// Memory for slices without a host: zeros in, and an output that nobody reads.
  private let scratch: UnsafeMutablePointer<Float>
  /// Latency in frames; any thread may read it.
  private let latency = Atomic<Int>(0)
  private var reportedLatency = -1

  /// Frames of a slice that brings values to a plug-in while nothing renders.
  private static let flushFrames = 64

  /// Adopts a run that is set up. Context: control.
  init(
    _ run: UnsafeMutablePointer<AuricleVST3Run>, _ description: VST3Description,
    _ format: RenderFormat, _ channels: [VST3Channel], needs: UInt32,
    application: UnsafePointer<AuricleVST3Application>
  ) {
    unsafe self.application = unsafe application
    unsafe self.run = unsafe run
    isOffline = format.isOffline
    values = format.values
    self.channels = RenderTable(channels)
    passesThrough = description.passesThrough
    hasOutputs = !description.outputs.isEmpty
    self.needs = needs
    unsafe scratch = .allocate(capacity: 2 * format.maximumFrames)
    unsafe scratch.initialize(repeating: 0, count: 2 * format.maximumFrames)
  }

  /// Renders one slice. Context: render.
  @_noLocks mutating func process(_ slice: borrowing RenderSlice) {
    fillContext(slice)
    let changes = values.changeCount
    if changes != valuesSeen {
      valuesSeen = changes
      if slice.hasScheduledValues, slice.frameCount > 1 { holdScheduledValues(slice) }
      sendValues(marking: true)
    }
    performEdits()
    sendMessages(slice)
    for index in 0..<channels.count {
      let entry = unsafe channels.elements[index]
      unsafe run.pointee.floats[index] =
        unsafe entry.isInput
        ? slice.input(bus: entry.bus, channel: entry.channel)
        : slice.output(bus: entry.bus, channel: entry.channel)
    }
    guard unsafe run.pointee.is_active else { return fail(slice) }
    let frames = Int32(truncatingIfNeeded: slice.frameCount)
    let result = unsafe auricle_vst3_process(run, frames, slice.inputIsSilent)
    // Some return that they did nothing, and have; the others failed.
    if result != 0, result != Int32(kVST3_False) { fail(slice) }
    if !hasOutputs { fillOutput(slice) }
    receive(slice)
    reportLatency(slice)
    if unsafe auricle_vst3_fetch_dirty(run.pointee.handler) { slice.reportStateChange() }
  }

  /// A plug-in that fails makes no sound, and the render fails.
  @_noLocks @inline(never) private func fail(_ slice: borrowing RenderSlice) {
    for bus in 0..<slice.outputCount {
      for channel in 0..<slice.outputChannelCount(bus: bus) {
        unsafe SampleCopy.clear(
          slice.output(bus: bus, channel: channel), count: slice.frameCount)
      }
    }
    slice.fail(kAudioUnitErr_CannotDoInCurrentContext)
  }

  /// The output of a plug-in that makes no audio: its input, or silence.
  @_noLocks private func fillOutput(_ slice: borrowing RenderSlice) {
    let count = passesThrough ? slice.inputChannelCount : 0
    for channel in 0..<slice.channelCount {
      let memory = unsafe slice.channel(channel)
      if channel < count {
        unsafe SampleCopy.copy(
          from: slice.input(bus: 0, channel: channel), to: memory, count: slice.frameCount)
      } else {
        unsafe SampleCopy.clear(memory, count: slice.frameCount)
      }
    }
  }

  /// Sends the values that the processor does not have yet; they may be noted as known to it.
  @_noLocks @inline(never) private func sendValues(marking: Bool) {
    for place in 0..<Int(unsafe run.pointee.slot_count) {
      let slot = unsafe run.pointee.slots + place
      let value = values.value(at: place)
      guard unsafe value != slot.pointee.known, unsafe !slot.pointee.is_meter else { continue }
      guard
        unsafe auricle_vst3_add_value(run, slot.pointee.id, 0, auricle_vst3_normalise(slot, value))
      else { continue }
      if marking { unsafe slot.pointee.known = value }
    }
  }

  /// Sends a second point, at the last frame, for each value that the host scheduled.
  ///
  /// The value is there at once and stays: plug-ins glide to a single point, as to a knob that is turned.
  @_noLocks @inline(never) private func holdScheduledValues(_ slice: borrowing RenderSlice) {
    let last = Int32(clamping: slice.frameCount - 1)
    for place in 0..<Int(unsafe run.pointee.slot_count) {
      let slot = unsafe run.pointee.slots + place
      let value = values.value(at: place)
      guard unsafe value != slot.pointee.known, unsafe !slot.pointee.is_meter,
        slice.parameterIsScheduled(place)
      else { continue }
      _ = unsafe auricle_vst3_add_value(
        run, slot.pointee.id, last, auricle_vst3_normalise(slot, value))
    }
  }

  /// Sends the controller's edits, as if the host had set them.
  @_noLocks private func performEdits() {
    var edit = AuricleVST3Edit()
    while unsafe auricle_vst3_next_edit(run.pointee.handler, &edit) {
      guard unsafe auricle_vst3_add_value(run, edit.parameter, 0, edit.value) else { return }
      note(edit.parameter, edit.value)
    }
  }

  @_noLocks private func sendMessages(_ slice: borrowing RenderSlice) {
    for index in 0..<slice.midiEventCount {
      let event = slice.midiEvent(index)
      guard event.byteCount > 0 else { continue }
      unsafe auricle_vst3_add_message(
        run, Int32(clamping: event.frame), event.bytes, UInt32(clamping: event.byteCount))
    }
  }

  /// Passes on the plug-in's messages and values, and records the controllers that messages moved.
  @_noLocks private func receive(_ slice: borrowing RenderSlice) {
    if let events = unsafe auricle_vst3_sent_events(run) {
      for index in 0..<Int(unsafe run.pointee.events_out.count) {
        unsafe pass(events + index, to: slice)
      }
    }
    unsafe noteQueues(unsafe run.pointee.changes_in, ofMessages: true)
    unsafe noteQueues(unsafe run.pointee.changes_out, ofMessages: false)
    reportValues()
    unsafe auricle_vst3_clear_lists(run)
  }

  /// Keeps the values that the processor sent for the controller, which may restart the plug-in by one.
  @_noLocks private func reportValues() {
    for index in 0..<Int(unsafe run.pointee.changes_out.count) {
      let queue = unsafe run.pointee.changes_out.queues[index]
      guard unsafe queue.count > 0 else { continue }
      let place = unsafe Int(auricle_vst3_slot(run, queue.parameter))
      guard unsafe place < 0 || run.pointee.slots[place].is_reported else { continue }
      unsafe auricle_vst3_report(
        run.pointee.handler, queue.parameter, queue.points[Int(queue.count) - 1].value)
    }
  }

  /// Passes on a message that the plug-in sent.
  @_noLocks private func pass(
    _ event: UnsafePointer<AuricleVST3Event>, to slice: borrowing RenderSlice
  ) {
    guard let bytes = unsafe auricle_vst3_message(run, event) else { return }
    let frame = min(max(Int(unsafe event.pointee.offset), 0), slice.frameCount - 1)
    unsafe slice.sendMIDI(
      output: Int(event.pointee.bus), frame: frame, bytes, count: Int(run.pointee.message_size))
  }

  @_noLocks private func noteQueues(_ changes: AuricleVST3OwnChanges, ofMessages: Bool) {
    for index in 0..<Int(unsafe changes.count) {
      let queue = unsafe changes.queues[index]
      guard unsafe queue.is_message == ofMessages, unsafe queue.count > 0 else { continue }
      unsafe note(queue.parameter, queue.points[Int(queue.count) - 1].value)
    }
  }

  /// Notes a value that the processor has of itself.
  @_noLocks private func note(_ id: UInt32, _ value: Double) {
    let place = unsafe Int(auricle_vst3_slot(run, id))
    guard place >= 0 else { return }
    let slot = unsafe run.pointee.slots + place
    let plain = unsafe auricle_vst3_plain(slot, value)
    unsafe slot.pointee.known = plain
    values.setMeter(plain, at: place)
  }

  /// Reports a latency that changed, where no main thread does.
  @_noLocks private mutating func reportLatency(_ slice: borrowing RenderSlice) {
    if isOffline,
      unsafe auricle_vst3_fetch_restarts(run.pointee.handler, UInt32(kVST3Restart_Latency)) != 0
    {
      latency.store(Int(unsafe auricle_vst3_latency(run)), ordering: .releasing)
    }
    let frames = min(latency.load(ordering: .acquiring), 10_000_000)
    guard frames != reportedLatency else { return }
    reportedLatency = frames
    slice.reportLatency(frames: frames)
  }

  /// Fills the parts of the context that the plug-in asks for, as the host knows them.
  @_noLocks private func fillContext(_ slice: borrowing RenderSlice) {
    guard let context = unsafe auricle_vst3_context(run) else { return }
    var state: UInt32 = UInt32(kVST3Context_Continuous)
    unsafe context.pointee.project_samples = Int64(slice.sampleTime)
    if needs & UInt32(kVST3Needs_Transport | kVST3Needs_Cycle) != 0 {
      state |= unsafe fillTransport(context, slice)
    } else {
      state |= UInt32(kVST3Context_Playing)
    }
    if needs & UInt32(kVST3Needs_Tempo | kVST3Needs_Music) != 0, let now = slice.beatAndTempo() {
      unsafe context.pointee.tempo = now.tempo
      let offset = unsafe Double(slice.cycleOffset) / context.pointee.sample_rate * now.tempo / 60
      unsafe context.pointee.music = now.beat + offset
      state |= UInt32(kVST3Context_Tempo | kVST3Context_Music)
    }
    if needs & UInt32(kVST3Needs_Signature | kVST3Needs_Bar) != 0,
      let place = slice.musicalTimeLocation()
    {
      unsafe context.pointee.numerator = Int32(place.signatureNumerator)
      unsafe context.pointee.denominator = Int32(clamping: place.signatureDenominator)
      unsafe context.pointee.bar = place.barDownBeat
      state |= UInt32(kVST3Context_Signature | kVST3Context_Bar)
    }
    if needs & UInt32(kVST3Needs_SystemTime) != 0, let time = slice.hostTime {
      unsafe context.pointee.system_time = Int64(clamping: time)
      state |= UInt32(kVST3Context_SystemTime)
    }
    unsafe context.pointee.state = state
  }

  @_noLocks private func fillTransport(
    _ context: UnsafeMutablePointer<AuricleVST3Context>, _ slice: borrowing RenderSlice
  ) -> UInt32 {
    // A host without a transport plays.
    guard let transport = slice.transportState() else { return UInt32(kVST3Context_Playing) }
    var state: UInt32 = 0
    if transport.isPlaying { state |= UInt32(kVST3Context_Playing) }
    if transport.isRecording == true { state |= UInt32(kVST3Context_Recording) }
    unsafe context.pointee.project_samples =
      Int64(transport.sampleInTimeLine) + Int64(slice.cycleOffset)
    if transport.isCycling {
      state |= UInt32(kVST3Context_Cycle | kVST3Context_CycleBounds)
      unsafe context.pointee.cycle_start = transport.cycleStartBeat
      unsafe context.pointee.cycle_end = transport.cycleEndBeat
    }
    return state
  }

  /// Whether anything may wait for the main thread. Context: render.
  var hasWork: Bool {
    @_noLocks get { unsafe auricle_vst3_has_work(run.pointee.handler, application) }
  }

  /// Latency in frames. Context: any.
  var latencyFrames: Double { Double(latency.load(ordering: .acquiring)) }

  /// Notes the latency. Context: control.
  func setLatency(_ frames: UInt32) { latency.store(Int(frames), ordering: .releasing) }

  /// Brings values to the processor by a slice of silence, or of no frames. Context: control, while nothing renders.
  ///
  /// - Parameters:
  ///   - frames: The frames of the slice; some plug-ins do not see values without any.
  ///   - first: A parameter that comes alone, such as a program, and its normalised value.
  func flush(frames: Int, _ first: (id: UInt32, value: Double)? = nil) {
    if let first {
      guard unsafe auricle_vst3_add_value(run, first.id, 0, first.value) else { return }
    } else {
      sendValues(marking: frames > 0)
      guard unsafe run.pointee.changes_in.count > 0 else { return }
    }
    let maximum = unsafe Int(run.pointee.maximum_frames)
    let count = min(frames, maximum)
    unsafe scratch.update(repeating: 0, count: count)
    for index in 0..<channels.count {
      unsafe run.pointee.floats[index] =
        unsafe channels.elements[index].isInput
        ? scratch : scratch + maximum
    }
    _ = unsafe auricle_vst3_process(run, Int32(count), true)
    unsafe run.pointee.context.continuous_samples -= Int64(count)
    unsafe noteQueues(unsafe run.pointee.changes_out, ofMessages: false)
    reportValues()
    unsafe auricle_vst3_clear_lists(run)
  }

  /// Sends values that the plug-in lacks, before it is asked for its state.
  func flushForSaving() { flush(frames: Self.flushFrames) }

  /// Selects a program, alone.
  func flush(program: (id: UInt32, value: Double)) { flush(frames: Self.flushFrames, program) }

  /// Frees the memory. Context: control, when nothing renders any more.
  func free() {
    unsafe auricle_vst3_free_run(run)
    channels.free()
    unsafe scratch.deallocate()
  }
}
