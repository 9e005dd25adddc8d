// Sets a plug-in up for a format: arrangements, sample size, activation, and the memory of its run.
// SPDX-License-Identifier: Apache-2.0

internal import AuricleSDK
internal import CForeignPlugIns
internal import ForeignPlugIns

/// The steps from a plug-in that was made to one that renders. Context: the main thread of plug-ins.
struct VST3Setup {
  private let object: VST3Object
  private let description: VST3Description
  private let format: RenderFormat

  init(_ object: VST3Object, _ description: VST3Description, _ format: RenderFormat) {
    self.object = object
    self.description = description
    self.format = format
  }

  /// Checks that the buses are the ones that were read, and arranges them.
  func arrange() throws(PlugInFailure) -> VST3Layout {
    guard let component = unsafe object.plugin.pointee.component else {
      throw PlugInFailure(reason: "it has no component")
    }
    for (direction, buses) in [
      (kVST3_Input, description.inputs), (kVST3_Output, description.outputs),
    ] {
      let count = unsafe component.pointee.table.pointee.bus_count(
        component, Int32(kVST3_Audio), Int32(direction))
      guard count == Int32(buses.count) else {
        throw PlugInFailure(
          reason:
            "it has \(count) buses where it had \(buses.count) when it was read: read it anew "
            + "with auricle scan")
      }
    }
    let inputs = format.inputChannelCounts.first ?? 0
    let outputs = description.passesThrough ? 0 : format.outputChannelCounts.first ?? 0
    guard
      let layout = description.layout(
        inputs: inputs, outputs: outputs, tag: format.outputLayoutTag)
    else {
      throw PlugInFailure(
        reason: "it has no layout of \(inputs) channels in and \(outputs) out", isOfBinary: false)
    }
    guard let found = object.arrange(description, layout),
      description.inputs.isEmpty
        || found.input.nonzeroBitCount == layout.input.nonzeroBitCount,
      description.outputs.isEmpty
        || found.output.nonzeroBitCount == layout.output.nonzeroBitCount
    else {
      throw PlugInFailure(
        reason: "it refused a layout that it had accepted when it was read: read it anew with "
          + "auricle scan", isOfBinary: false)
    }
    return layout
  }

  /// Sets the processor up; whether it works in double precision only.
  func setUp() throws(PlugInFailure) -> Bool {
    guard let processor = unsafe object.plugin.pointee.processor else {
      throw PlugInFailure(reason: "it processes no audio")
    }
    let table = unsafe processor.pointee.table.pointee
    let isSingle = unsafe table.can_process(processor, Int32(kVST3_Sample32)) == 0
    let isDouble = unsafe !isSingle && table.can_process(processor, Int32(kVST3_Sample64)) == 0
    var setup = AuricleVST3Setup(
      mode: Int32(format.isOffline ? kVST3_Offline : kVST3_Realtime),
      sample_size: Int32(isDouble ? kVST3_Sample64 : kVST3_Sample32),
      maximum_frames: Int32(clamping: format.maximumFrames), sample_rate: format.sampleRate)
    guard unsafe table.set_up(processor, &setup) == 0 else {
      throw PlugInFailure(
        reason:
          "it refused \(format.sampleRate) Hz with slices of up to \(format.maximumFrames) frames",
        isOfBinary: false)
    }
    return isDouble
  }

  /// Activates the buses and the processor.
  func activate() throws(PlugInFailure) {
    unsafe auricle_vst3_activate_buses(object.plugin)
    let plugin = unsafe UInt(bitPattern: object.plugin)
    let isActive = FreshMemory.during {
      unsafe auricle_vst3_activate(UnsafeMutablePointer(bitPattern: plugin))
    }
    guard isActive else {
      throw PlugInFailure(reason: "it refused to be activated", isOfBinary: false)
    }
  }

  /// Makes the memory of the run, and the channels that it has.
  func makeRun(
    _ layout: VST3Layout, isDouble: Bool
  ) throws(PlugInFailure) -> (UnsafeMutablePointer<AuricleVST3Run>, [VST3Channel]) {
    let inputs = channels(of: description.inputs, layout.input, isInput: true)
    let outputs = channels(of: description.outputs, layout.output, isInput: false)
    let buses = inputs + outputs
    let all = buses.flatMap { $0 }
    let count = Int32(description.parameters.count)
    let known = unsafe object.controller.map { unsafe $0.pointee.table.pointee.parameter_count($0) }
    guard
      let run = unsafe auricle_vst3_make_run(
        Int32(all.count), Int32(buses.count), count, max(min(known ?? 0, 65_536), count),
        Int32(clamping: format.maximumFrames), isDouble)
    else { throw PlugInFailure(reason: "there is no memory for it", isOfBinary: false) }
    unsafe run.pointee.processor = unsafe object.plugin.pointee.processor
    unsafe run.pointee.handler = unsafe object.plugin.pointee.handler
    unsafe run.pointee.input_channels = Int32(inputs.reduce(0) { $0 + $1.count })
    unsafe run.pointee.process.mode = Int32(format.isOffline ? kVST3_Offline : kVST3_Realtime)
    unsafe run.pointee.process.input_count = Int32(inputs.count)
    unsafe run.pointee.process.output_count = Int32(outputs.count)
    unsafe run.pointee.process.inputs = unsafe run.pointee.buffers
    unsafe run.pointee.process.outputs = unsafe run.pointee.buffers + inputs.count
    var first = 0
    for (index, bus) in buses.enumerated() {
      unsafe run.pointee.buffers[index].channel_count = Int32(bus.count)
      unsafe run.pointee.buffers[index].channels = unsafe run.pointee.channels + first
      first += bus.count
    }
    unsafe run.pointee.context.sample_rate = format.sampleRate
    unsafe run.pointee.context.tempo = 120
    unsafe run.pointee.context.numerator = 4
    unsafe run.pointee.context.denominator = 4
    unsafe run.pointee.is_live = !format.isOffline
    unsafe run.pointee.sends_events = !description.eventInputs.isEmpty
    unsafe run.pointee.is_active = true
    unsafe addSlots(to: run)
    unsafe assign(run)
    unsafe express(run)
    return unsafe (run, all)
  }

  /// The channels of each bus in the order of the plug-in.
  private func channels(of buses: [VST3Bus], _ first: UInt64, isInput: Bool) -> [[VST3Channel]] {
    buses.enumerated().map { bus, entry in
      let order = VST3Arrangement(bus == 0 ? first : entry.arrangement).order
      var channels = order.map { _ in VST3Channel(bus: bus, channel: 0, isInput: isInput) }
      for (channel, place) in order.enumerated() { channels[place].channel = channel }
      return channels
    }
  }

  private func addSlots(to run: UnsafeMutablePointer<AuricleVST3Run>) {
    for (place, parameter) in description.parameters.enumerated() {
      let slot = unsafe run.pointee.slots + place
      unsafe slot.pointee.id = parameter.id
      unsafe slot.pointee.steps = parameter.steps
      unsafe slot.pointee.low = parameter.low
      unsafe slot.pointee.high = parameter.high
      unsafe slot.pointee.published = parameter.publishedDefault
      unsafe slot.pointee.exact = min(max(parameter.defaultValue, 0), 1)
      unsafe slot.pointee.known = parameter.publishedDefault
      unsafe slot.pointee.is_meter = parameter.isMeter
      // While the sound waits nobody looks at a controller's meters.
      unsafe slot.pointee.is_reported =
        !parameter.isMeter || parameter.has(kVST3Parameter_Hidden) || !format.isOffline
      guard parameter.shape == VST3Parameter.Shape.curve.rawValue else { continue }
      let curve = unsafe auricle_vst3_make_curve()
      guard let curve = unsafe curve else { continue }
      for index in 0..<Int(kVST3CurvePoints) {
        unsafe curve[index] = object.plain(
          parameter.id, Double(index) / Double(kVST3CurvePoints - 1))
      }
      unsafe slot.pointee.curve = unsafe UnsafePointer(curve)
    }
    unsafe auricle_vst3_sort_slots(run)
  }

  /// Reads which parameters messages of MIDI move.
  func assign(_ run: UnsafeMutablePointer<AuricleVST3Run>) {
    if unsafe auricle_vst3_make_assignments(run) {
      unsafe auricle_vst3_fill_assignments(
        object.plugin, run.pointee.assignments, run.pointee.positions)
    }
    if let id = description.programParameter {
      unsafe run.pointee.program_parameter = id
      unsafe run.pointee.program_steps = Int32(description.programs.count - 1)
    }
  }

  /// Reads which types of expression the plug-in has for notes of their own channel.
  func express(_ run: UnsafeMutablePointer<AuricleVST3Run>) {
    func type(_ id: some BinaryInteger) -> UInt32 {
      unsafe auricle_vst3_has_expression(object.plugin, UInt32(id)) ? UInt32(id) : .max
    }
    unsafe run.pointee.zones.tuning = type(kVST3Expression_Tuning)
    unsafe run.pointee.zones.pressure = unsafe auricle_vst3_expression_of(
      object.plugin, UInt32(kVST3Physical_Pressure))
    let vertical = unsafe auricle_vst3_expression_of(object.plugin, UInt32(kVST3Physical_Vertical))
    unsafe run.pointee.zones.vertical =
      vertical == .max ? type(kVST3Expression_Brightness) : vertical
  }

  /// Forgets the notes that are held.
  static func forgetNotes(_ run: UnsafeMutablePointer<AuricleVST3Run>) {
    unsafe auricle_vst3_forget_notes(run)
  }
}
