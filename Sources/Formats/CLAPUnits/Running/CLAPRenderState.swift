// The render state of one CLAP instance, and its rendering.
// SPDX-License-Identifier: Apache-2.0

internal import AuricleSDK
internal import CForeignPlugIns
internal import ForeignPlugIns
internal import RealtimeSupport

/// A parameter on the render thread.
struct CLAPSlot: BitwiseCopyable {
  var id: UInt32
  /// The default, exact and as the SDK has it.
  var exact: Double
  var published: Float
  /// The value that the plug-in is known to have.
  var known: Float
  var isMeter: Bool
}

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

/// Runs an instance on a slice: what the SDK calls.
let processCLAP: KernelProcess = { state, slice in
  unsafe state.assumingMemoryBound(to: CLAPRenderCell.self).pointee.process(
    slice.assumingMemoryBound(to: RenderSlice.self).pointee)
}

/// The render state of an instance. Made and freed by `CLAPInstance`.
@safe struct CLAPRenderState: ~Copyable {
  private let run: UnsafeMutablePointer<AuricleCLAPRun>
  private let values: ParameterStore
  /// The change count of the values that the plug-in has; initially invalid.
  private var valuesSeen = UInt.max
  private let slots: RenderTable<CLAPSlot>
  /// The buffers of the input buses, then those of the output buses, and their channels.
  private let buffers: UnsafeMutablePointer<AuricleCLAPBuffer>
  private let channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>
  private let inputCount: Int
  private let outputCount: Int
  private let dialects: UInt32
  private let hasOutputs: Bool

  /// Messages of a slice beside the parameters.
  private static let messageCount = 1024

  init(
    _ object: CLAPObject, _ description: CLAPDescription, _ format: RenderFormat,
    _ known: [UInt32: Double]
  ) {
    values = format.values
    dialects = description.dialects
    hasOutputs = !description.outputs.isEmpty
    slots = RenderTable(
      description.parameters.map { parameter in
        let published = parameter.definition(clumpID: 0).defaultValue
        return CLAPSlot(
          id: parameter.id, exact: parameter.defaultValue, published: published,
          known: Float(known[parameter.id] ?? parameter.defaultValue),
          isMeter: parameter.isMeter)
      })
    let buses = description.inputs + description.outputs
    let channelCount = buses.reduce(0) { $0 + Int($1.channelCount) }
    inputCount = description.inputs.count
    outputCount = description.outputs.count
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
    let capacity = slots.count + Self.messageCount
    unsafe run.pointee.plugin = unsafe object.plugin
    unsafe run.pointee.host = unsafe object.host
    unsafe run.pointee.events = .allocate(capacity: capacity)
    unsafe run.pointee.event_capacity = UInt32(capacity)
    unsafe run.pointee.sent = .allocate(capacity: Int(kCLAPOutputEvents))
    unsafe run.pointee.sent_capacity = UInt32(kCLAPOutputEvents)
    unsafe auricle_clap_prepare_run(run)
    unsafe run.pointee.process.inputs = unsafe UnsafePointer(buffers)
    unsafe run.pointee.process.outputs = unsafe buffers + inputCount
    unsafe run.pointee.process.input_count = UInt32(inputCount)
    unsafe run.pointee.process.output_count = UInt32(outputCount)
  }

  /// Renders one slice. Context: render.
  @_noLocks mutating func process(_ slice: borrowing RenderSlice) {
    let changes = values.changeCount
    if changes != valuesSeen {
      valuesSeen = changes
      sendValues()
    }
    if dialects != 0 { sendMessages(slice) }
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
    let isSound = unsafe auricle_clap_process(run, UInt32(truncatingIfNeeded: slice.frameCount))
    if !isSound || !hasOutputs {
      for bus in 0..<slice.outputCount {
        for channel in 0..<slice.outputChannelCount(bus: bus) {
          unsafe SampleCopy.clear(
            slice.output(bus: bus, channel: channel), count: slice.frameCount)
        }
      }
    }
    if unsafe run.pointee.sent_count > 0 { receive(slice) }
  }

  /// Sends the values that the plug-in does not have yet.
  @_noLocks @inline(never) private func sendValues() {
    for place in 0..<slots.count {
      let slot = unsafe slots.elements + place
      let value = values.value(at: place)
      guard unsafe value != slot.pointee.known, unsafe !slot.pointee.isMeter else { continue }
      unsafe slot.pointee.known = value
      unsafe auricle_clap_add_value(
        run, slot.pointee.id,
        value == slot.pointee.published ? slot.pointee.exact : Double(value))
    }
  }

  @_noLocks private func sendMessages(_ slice: borrowing RenderSlice) {
    for index in 0..<slice.midiEventCount {
      let event = slice.midiEvent(index)
      guard event.byteCount > 0 else { continue }
      unsafe auricle_clap_add_message(
        run, UInt32(clamping: event.frame), event.bytes, UInt32(clamping: event.byteCount),
        dialects)
    }
  }

  /// Passes on the messages and values that the plug-in sent.
  @_noLocks @inline(never) private func receive(_ slice: borrowing RenderSlice) {
    for index in 0..<Int(unsafe run.pointee.sent_count) {
      let event = unsafe run.pointee.sent + index
      if unsafe event.pointee.header.type == UInt16(kCLAPEvent_ParameterValue),
        unsafe event.pointee.header.space == 0
      {
        note(unsafe event.pointee.value.parameter, unsafe event.pointee.value.value)
        continue
      }
      if let bytes = unsafe auricle_clap_message(run, event) {
        unsafe slice.sendMIDI(
          frame: Int(event.pointee.header.time), bytes, count: Int(run.pointee.message_size))
      }
    }
    unsafe run.pointee.sent_count = 0
  }

  @_noLocks private func note(_ id: UInt32, _ value: Double) {
    for place in 0..<slots.count {
      let slot = unsafe slots.elements + place
      guard unsafe slot.pointee.id == id else { continue }
      unsafe slot.pointee.known = Float(value)
      values.setMeter(Float(value), at: place)
      return
    }
  }

  /// Notes the values that the plug-in has after a state. Context: control, while nothing renders.
  func note(_ known: [UInt32: Double], of parameters: [CLAPParameter]) {
    for (place, parameter) in parameters.enumerated() {
      guard let value = known[parameter.id] else { continue }
      unsafe slots.elements[place].known = Float(value)
    }
  }

  /// Whether the plug-in is active; one that is not stays silent.
  var isActive: Bool { unsafe run.pointee.is_active != 0 }

  /// Notes whether the plug-in is active. Context: control, while nothing renders.
  func setActive(_ isActive: Bool) { unsafe run.pointee.is_active = isActive ? 1 : 0 }

  /// Stops the plug-in, if it was started. Context: control, while nothing renders.
  func stop() { unsafe auricle_clap_stop(run) }

  /// Calls the plug-in as its audio thread. Context: control, while nothing renders.
  func onAudioThread(_ body: () -> Void) {
    unsafe auricle_clap_enter_audio(run)
    body()
    unsafe auricle_clap_leave_audio(run)
  }

  /// Frees the memory. Context: control, when nothing renders any more.
  func free() {
    unsafe run.pointee.events.deallocate()
    unsafe run.pointee.sent.deallocate()
    unsafe run.deallocate()
    slots.free()
    unsafe buffers.deallocate()
    unsafe channels.deallocate()
  }
}
