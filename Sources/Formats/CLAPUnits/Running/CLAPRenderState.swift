// The render state of one CLAP instance, and its rendering.
// SPDX-License-Identifier: Apache-2.0

internal import AuricleSDK
internal import CForeignPlugIns
internal import ForeignPlugIns
internal import RealtimeSupport
internal import Synchronization

/// The kernel that the SDK renders: a gate, and the instance behind it.
@safe struct CLAPRenderCell: ~Copyable {
  let gate = RenderGate()
  let state: UnsafeMutablePointer<CLAPRenderState>

  init(_ state: UnsafeMutablePointer<CLAPRenderState>) { unsafe self.state = unsafe state }

  /// Renders one slice; a slice at a closed gate is silent. Context: render.
  @_noLocks mutating func process(_ slice: borrowing RenderSlice) {
    guard gate.enter() else {
      for channel in 0..<slice.channelCount {
        unsafe SampleCopy.clear(slice.channel(channel), count: slice.frameCount)
      }
      return
    }
    unsafe state.pointee.process(slice)
    gate.leave()
  }
}

/// Runs an instance on a slice: the function that the SDK calls.
let processCLAP: KernelProcess = { state, slice in
  unsafe state.assumingMemoryBound(to: CLAPRenderCell.self).pointee.process(
    slice.assumingMemoryBound(to: RenderSlice.self).pointee)
}

/// The render state of an instance. Made and freed by `CLAPInstance`.
@safe struct CLAPRenderState: ~Copyable {
  let run: UnsafeMutablePointer<AuricleCLAPRun>
  private var slots: CLAPSlots
  /// The change count of the values that the plug-in has; initially invalid.
  private let valuesSeen = Atomic<UInt>(.max)
  /// The buffers of the input buses, then those of the output buses, and their channels.
  private let buffers: UnsafeMutablePointer<AuricleCLAPBuffer>
  private let channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>
  private let inputCount: Int
  private let outputCount: Int
  private let receivesMessages: Bool
  /// Frames of latency that the plug-in last reported; written by the main thread while nothing runs.
  var latencyFrames = 0.0
  private var latencyShown = 0

  /// Messages of a slice beside the values of parameters.
  private static let messageCount = 1024
  /// Events of ramps in a slice.
  private static var rampEventCount: Int { @_noLocks get { 2048 } }

  init(
    _ object: CLAPObject, _ description: CLAPDescription, _ layout: CLAPPorts,
    _ format: RenderFormat, _ slots: CLAPSlots
  ) {
    self.slots = slots
    receivesMessages = !description.noteInputs.isEmpty
    let buses = layout.inputs + layout.outputs
    let channelCount = buses.reduce(0) { $0 + Int($1.channelCount) }
    inputCount = layout.inputs.count
    outputCount = layout.outputs.count
    unsafe buffers = .allocate(capacity: max(buses.count, 1))
    unsafe channels = .allocate(capacity: max(channelCount, 1))
    unsafe channels.initialize(repeating: nil, count: max(channelCount, 1))
    var first = 0
    for (place, bus) in buses.enumerated() {
      unsafe (buffers + place).initialize(to: AuricleCLAPBuffer())
      unsafe buffers[place].data32 = unsafe channels + first
      unsafe buffers[place].channel_count = bus.channelCount
      first += Int(bus.channelCount)
    }
    unsafe run = .allocate(capacity: 1)
    unsafe run.initialize(to: AuricleCLAPRun())
    let capacity =
      slots.table.count + Self.messageCount + (slots.table.count > 0 ? Self.rampEventCount : 0)
    unsafe run.pointee.plugin = unsafe object.plugin
    unsafe run.pointee.host = unsafe object.host
    unsafe run.pointee.events = .allocate(capacity: capacity)
    unsafe run.pointee.event_capacity = UInt32(capacity)
    unsafe run.pointee.sent = .allocate(capacity: Int(kCLAPOutputEvents))
    unsafe run.pointee.sent_capacity = UInt32(kCLAPOutputEvents)
    unsafe run.pointee.exclusive = .allocate(capacity: Int(kCLAPExclusiveBytes))
    let dialects = description.dialects
    unsafe run.pointee.sends_notes = dialects.sendsNotes ? 1 : 0
    unsafe run.pointee.sends_midi = dialects.sendsMIDI ? 1 : 0
    unsafe run.pointee.is_offline = format.isOffline ? 1 : 0
    unsafe run.pointee.rate = format.sampleRate
    unsafe auricle_clap_prepare_run(run)
    unsafe run.pointee.process.inputs = unsafe UnsafePointer(buffers)
    unsafe run.pointee.process.outputs = unsafe buffers + inputCount
    unsafe run.pointee.process.input_count = UInt32(inputCount)
    unsafe run.pointee.process.output_count = UInt32(outputCount)
  }

  /// Renders one slice. Context: render.
  @_noLocks mutating func process(_ slice: borrowing RenderSlice) {
    slots.receive()
    let changes = slots.values.changeCount
    if changes != valuesSeen.load(ordering: .relaxed) {
      valuesSeen.store(changes, ordering: .relaxed)
      unsafe slots.send(run, in: copy slice)
    }
    let rampCount = slice.hasScheduledValues ? slots.findRamps(slice) : 0
    if rampCount > 0 {
      sendRamps(rampCount, slice)
    } else if receivesMessages {
      _ = sendMessages(slice, from: 0, before: slice.frameCount)
    }
    noteTransport(slice)
    connect(slice)
    let isSound = unsafe auricle_clap_process(run, UInt32(truncatingIfNeeded: slice.frameCount))
    silence(slice, from: isSound ? outputCount : 0)
    if unsafe run.pointee.sent_count > 0 { receive(slice) }
    if unsafe auricle_clap_fetch_dirty(run.pointee.host) { slice.reportStateChange() }
    // A restart may change the latency.
    let latency = Int(latencyFrames)
    if latency != latencyShown {
      latencyShown = latency
      slice.reportLatency(frames: min(latency, 10_000_000))
    }
  }

  /// Connects the buffers to the slice's memory.
  @_noLocks private func connect(_ slice: borrowing RenderSlice) {
    for bus in 0..<inputCount {
      let buffer = unsafe buffers[bus]
      for channel in 0..<Int(unsafe buffer.channel_count) {
        unsafe buffer.data32[channel] = unsafe slice.input(bus: bus, channel: channel)
      }
    }
    for bus in 0..<outputCount {
      let buffer = unsafe buffers[inputCount + bus]
      for channel in 0..<Int(unsafe buffer.channel_count) {
        unsafe buffer.data32[channel] = unsafe slice.output(bus: bus, channel: channel)
      }
    }
  }

  /// Clears the buses that the plug-in does not fill.
  @_noLocks private func silence(_ slice: borrowing RenderSlice, from first: Int) {
    var bus = first
    while bus < slice.outputCount {
      for channel in 0..<slice.outputChannelCount(bus: bus) {
        unsafe SampleCopy.clear(slice.output(bus: bus, channel: channel), count: slice.frameCount)
      }
      bus += 1
    }
  }

  /// Adds messages, and between them the values of ramps, in the order of their frames.
  @_noLocks @inline(never) private func sendRamps(_ count: Int, _ slice: borrowing RenderSlice) {
    let step = max(slice.frameCount * count / Self.rampEventCount, 1)
    var message = 0
    var frame = 0
    while frame < slice.frameCount {
      if receivesMessages { message = sendMessages(slice, from: message, before: frame + 1) }
      unsafe slots.sendRamps(at: frame, run)
      frame += step
    }
    if receivesMessages { _ = sendMessages(slice, from: message, before: slice.frameCount) }
  }

  /// Adds the messages before a frame; the index of the next one.
  @_noLocks private func sendMessages(
    _ slice: borrowing RenderSlice, from first: Int, before frame: Int
  ) -> Int {
    var index = first
    while index < slice.midiEventCount {
      let event = slice.midiEvent(index)
      guard event.frame < frame else { break }
      if event.byteCount > 0 {
        unsafe auricle_clap_add_message(
          run, UInt32(clamping: event.frame), event.bytes, UInt32(clamping: event.byteCount))
      }
      index += 1
    }
    return index
  }

  /// Notes where the host is in its song; a host that does not know leaves the plug-in free-running.
  @_noLocks private func noteTransport(_ slice: borrowing RenderSlice) {
    guard let time = slice.beatAndTempo() else {
      unsafe run.pointee.process.transport = nil
      return
    }
    let frames = Double(slice.cycleOffset)
    let beat = unsafe time.beat + frames * time.tempo / 60 / run.pointee.rate
    let place = slice.musicalTimeLocation()
    let state = slice.transportState()
    unsafe auricle_clap_note_song(run, beat, time.tempo)
    if let place {
      unsafe auricle_clap_note_bar(
        run, place.barDownBeat, UInt16(clamping: Int(place.signatureNumerator)),
        UInt16(clamping: Int(place.signatureDenominator)))
    }
    if let state {
      unsafe auricle_clap_note_transport(
        run, (state.sampleInTimeLine + frames) / run.pointee.rate, state.isPlaying,
        state.isRecording == true)
      if state.isCycling {
        unsafe auricle_clap_note_loop(run, state.cycleStartBeat, state.cycleEndBeat)
      }
    }
  }

  /// Passes on the messages and values that the plug-in sent.
  @_noLocks @inline(never) private func receive(_ slice: borrowing RenderSlice) {
    for index in 0..<Int(unsafe run.pointee.sent_count) {
      let event = unsafe run.pointee.sent + index
      if unsafe event.pointee.header.space == 0,
        unsafe event.pointee.header.type == UInt16(kCLAPEvent_ParameterValue)
      {
        unsafe noteValue(event)
        continue
      }
      var port: UInt32 = 0
      if let bytes = unsafe auricle_clap_message(run, event, &port) {
        unsafe slice.sendMIDI(
          output: Int(port), frame: Int(event.pointee.header.time), bytes,
          count: Int(run.pointee.message_size))
      }
    }
    unsafe auricle_clap_forget_sent(run)
  }

  /// Notes the value of a parameter as a whole; those of single notes are the plug-in's own.
  @_noLocks private func noteValue(_ event: UnsafeMutablePointer<AuricleCLAPAnyEvent>) {
    let value = unsafe event.pointee.value
    guard unsafe value.note_id < 0, unsafe value.key < 0 else { return }
    unsafe slots.note(value.value, of: value.parameter)
  }

  /// Whether the host has set values since the last slice. Context: any.
  var hasValuesToSend: Bool { slots.values.changeCount != valuesSeen.load(ordering: .relaxed) }

  /// Passes values that the plug-in does not have yet to one that does not process, and records the ones that it
  /// sends.
  ///
  /// Context: control, while nothing renders.
  mutating func flush(_ parameters: UnsafePointer<AuricleCLAPParameters>?) {
    slots.receive()
    valuesSeen.store(slots.values.changeCount, ordering: .relaxed)
    unsafe slots.send(run)
    unsafe auricle_clap_flush(run, parameters)
    for index in 0..<Int(unsafe run.pointee.sent_count) {
      let event = unsafe run.pointee.sent + index
      guard unsafe event.pointee.header.space == 0,
        unsafe event.pointee.header.type == UInt16(kCLAPEvent_ParameterValue)
      else { continue }
      unsafe noteValue(event)
    }
    unsafe auricle_clap_forget_sent(run)
  }

  /// Passes values that an inactive plug-in lacks; the first slice brings those that it passes over.
  ///
  /// Context: the main thread of plug-ins.
  mutating func bringValues(to object: CLAPObject, _ parameters: [CLAPParameter]) {
    guard slots.lacksValues else { return }
    unsafe flush(object.table("clap.params", AuricleCLAPParameters.self))
    slots.know(object.values(of: parameters))
    valuesSeen.store(.max, ordering: .relaxed)
  }

  /// Frees the memory. Context: control, when nothing renders any more.
  func free() {
    unsafe run.pointee.events.deallocate()
    unsafe run.pointee.sent.deallocate()
    unsafe run.pointee.exclusive.deallocate()
    unsafe run.deallocate()
    slots.free()
    unsafe buffers.deallocate()
    unsafe channels.deallocate()
  }
}
