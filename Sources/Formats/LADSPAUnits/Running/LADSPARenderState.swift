// The render state of one LADSPA instance, and its rendering.
// SPDX-License-Identifier: Apache-2.0

internal import AuricleSDK
internal import CForeignPlugIns
internal import ForeignPlugIns
internal import RealtimeSupport
internal import Synchronization

/// An audio port, its channel, and its current memory.
@safe struct LADSPAAudioPort: BitwiseCopyable {
  var port: UInt
  var bus: Int
  var channel: Int
  /// The memory of the port where a plug-in reads beyond its ports; nil to use that of the slice.
  var own: UnsafeMutablePointer<Float>?
  var connected: UnsafeMutablePointer<Float>?
}

/// A parameter whose default the SDK rounds otherwise than the plug-in's own formula.
struct LADSPAExactDefault: BitwiseCopyable {
  /// Index of the parameter.
  var place: Int
  /// The value of a fresh instance, and the port's value from then on.
  var published: Float
  var exact: Float
}

/// The kernel that the SDK renders: a gate, and the current instance behind it.
@safe struct LADSPARenderCell: ~Copyable {
  let gate = RenderGate()
  /// The current instance; changed while the gate is closed.
  var state: UnsafeMutablePointer<LADSPARenderState>

  init(_ state: UnsafeMutablePointer<LADSPARenderState>) { unsafe self.state = unsafe state }

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
let processLADSPA: KernelProcess = { state, slice in
  unsafe state.assumingMemoryBound(to: LADSPARenderCell.self).pointee.process(
    slice.assumingMemoryBound(to: RenderSlice.self).pointee)
}

/// The render state of an instance. Made and freed by `LADSPAInstance`.
@safe struct LADSPARenderState: ~Copyable {
  let descriptor: UnsafePointer<AuricleLADSPADescriptor>
  let handle: UnsafeMutableRawPointer
  /// Values of control ports: those of parameters by index, then that of the latency.
  private let controls: UnsafeMutablePointer<Float>
  /// The memory that was allocated for control ports.
  private let controlMemory: UnsafeMutablePointer<Float>
  /// The parameters' values by index; read here without a call.
  private let values: ParameterStore
  /// The change count of the values that the ports have; initially invalid.
  private var valuesSeen = UInt.max
  private let parameters: RenderTable<PlaceRange>
  private let meters: RenderTable<PlaceRange>
  private let exacts: RenderTable<LADSPAExactDefault>
  private let inputs: RenderTable<LADSPAAudioPort>
  private let outputs: RenderTable<LADSPAAudioPort>
  private let passesThrough: Bool
  /// The memory of all ports of a plug-in that reads beyond them; nil for others.
  private let arena: UnsafeMutablePointer<Float>?
  /// The stack below the last run, which the next run finds there again.
  private let stack: UnsafeMutableRawPointer
  /// Whether runs must not depend on uninitialized memory.
  private let isOffline: Bool
  /// The index in `controls` of the latency, or -1.
  private let latencySlot: Int
  /// The latency in frames reported after the last run, or -1 before the first. Any thread may read it.
  private let reportedLatency = Atomic<Int>(-1)
  private var latencyHistory = LatencyHistory()

  /// Makes the state, and connects the control ports. Context: control.
  init(
    _ descriptor: UnsafePointer<AuricleLADSPADescriptor>, _ handle: UnsafeMutableRawPointer,
    _ description: LADSPADescription, _ buses: LADSPABuses, _ format: RenderFormat
  ) {
    unsafe self.descriptor = unsafe descriptor
    unsafe self.handle = unsafe handle
    let list = description.parameters
    // Some read a control port as if it were audio: they find zeros, and no other memory.
    let count = list.count + 1 + format.maximumFrames
    unsafe controlMemory = .allocate(capacity: count)
    unsafe controlMemory.initialize(repeating: 0, count: count)
    let arena = LADSPAPortArena(description, maximumFrames: format.maximumFrames)
    let memory = unsafe arena?.controls(list.map(\.index)) ?? controlMemory
    unsafe controls = unsafe memory
    values = format.values
    let rate = format.sampleRate
    let exactDefaults = list.enumerated().filter { $0.element.port.isInput }.map {
      LADSPAExactDefault(
        place: $0.offset, published: $0.element.publishedDefault(sampleRate: rate),
        exact: $0.element.port.defaultValue(scale: Float(rate)))
    }.filter { $0.exact != $0.published }
    exacts = RenderTable(exactDefaults)
    let places = list.enumerated()
    parameters = RenderTable(
      PlaceRange.covering(places.filter { $0.element.port.isInput }.map(\.offset)))
    meters = RenderTable(
      PlaceRange.covering(places.filter { !$0.element.port.isInput }.map(\.offset)))
    unsafe self.arena = unsafe arena?.memory
    inputs = RenderTable(
      buses.inputs.enumerated().flatMap { bus, ports in
        ports.enumerated().map { channel, port in
          unsafe LADSPAAudioPort(
            port: UInt(port), bus: bus, channel: channel, own: arena?.port(port), connected: nil)
        }
      })
    outputs = RenderTable(
      buses.output.enumerated().map { channel, port in
        unsafe LADSPAAudioPort(
          port: UInt(port), bus: 0, channel: channel, own: arena?.port(port), connected: nil)
      })
    passesThrough = buses.passesThrough
    unsafe stack = .allocate(byteCount: Int(kAuricleStackSize), alignment: 16)
    unsafe stack.initializeMemory(as: UInt8.self, repeating: 0, count: Int(kAuricleStackSize))
    isOffline = format.isOffline
    latencySlot = description.latencyPort == nil ? -1 : list.count
    for (place, parameter) in places {
      unsafe auricle_ladspa_connect(descriptor, handle, UInt(parameter.index), memory + place)
    }
    if let port = description.latencyPort {
      unsafe auricle_ladspa_connect(descriptor, handle, UInt(port), memory + list.count)
    }
    // For code that reads them before the first slice.
    loadValues()
  }

  /// Renders one slice. Context: render.
  @_noLocks mutating func process(_ slice: borrowing RenderSlice) {
    let changes = values.changeCount
    if changes != valuesSeen {
      valuesSeen = changes
      loadValues()
    }
    connectPorts(slice)
    // The SDK restores the floating-point control word once a slice.
    if isOffline {
      unsafe auricle_ladspa_run_repeatably(descriptor, handle, UInt(slice.frameCount), stack)
    } else {
      unsafe auricle_ladspa_run(descriptor, handle, UInt(slice.frameCount))
    }
    if unsafe arena != nil { copyOutputs(slice) }
    if latencySlot >= 0 {
      latencyHistory.add(latencyNow, slice.frameCount)
      reportedLatency.store(latencyHistory.reported, ordering: .releasing)
      // The unit's property has the exact value; here only the change is reported.
      slice.reportLatency(frames: min(latencyHistory.reported, 10_000_000))
    } else if reportedLatency.load(ordering: .relaxed) < 0 {
      reportedLatency.store(0, ordering: .releasing)
    }
    if outputs.count == 0 { fillOutput(slice) }
    for index in 0..<meters.count {
      let range = unsafe meters.elements[index]
      unsafe values.setMeters(range.first, count: range.count, from: controls + range.first)
    }
  }

  /// Copies changed parameters to their control ports.
  @_noLocks @inline(never) private func loadValues() {
    for index in 0..<parameters.count {
      let range = unsafe parameters.elements[index]
      unsafe values.get(range.first, count: range.count, into: controls + range.first)
    }
    for index in 0..<exacts.count {
      let entry = unsafe exacts.elements[index]
      if unsafe controls[entry.place] == entry.published {
        unsafe controls[entry.place] = entry.exact
      }
    }
  }

  /// Connects audio ports to the slice's memory if that has moved, or fills memory of their own.
  @_noLocks private func connectPorts(_ slice: borrowing RenderSlice) {
    for index in 0..<inputs.count {
      let entry = unsafe inputs.elements + index
      var memory = unsafe slice.input(bus: entry.pointee.bus, channel: entry.pointee.channel)
      if let own = unsafe entry.pointee.own {
        unsafe SampleCopy.copy(from: memory, to: own, count: slice.frameCount)
        unsafe memory = unsafe own
      }
      if unsafe entry.pointee.connected != memory { unsafe connect(entry, memory) }
    }
    for index in 0..<outputs.count {
      let entry = unsafe outputs.elements + index
      var memory = unsafe slice.output(bus: 0, channel: entry.pointee.channel)
      if let own = unsafe entry.pointee.own { unsafe memory = unsafe own }
      if unsafe entry.pointee.connected != memory { unsafe connect(entry, memory) }
    }
  }

  /// Copies the outputs from memory of their own to the slice.
  @_noLocks private func copyOutputs(_ slice: borrowing RenderSlice) {
    for index in 0..<outputs.count {
      let entry = unsafe outputs.elements[index]
      guard let own = unsafe entry.own else { continue }
      unsafe SampleCopy.copy(
        from: own, to: slice.output(bus: 0, channel: entry.channel), count: slice.frameCount)
    }
  }

  @_noLocks private func connect(
    _ entry: UnsafeMutablePointer<LADSPAAudioPort>, _ memory: UnsafeMutablePointer<Float>
  ) {
    unsafe entry.pointee.connected = unsafe memory
    unsafe auricle_ladspa_connect(descriptor, handle, entry.pointee.port, memory)
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

  /// The current value of the plug-in's latency port.
  private var latencyNow: Int {
    @_noLocks get {
      guard latencySlot >= 0 else { return 0 }
      let reported = unsafe controls[latencySlot]
      guard reported > 0 else { return 0 }
      // Implausible values are passed on, as far as they can be represented, for the host to judge.
      return reported < 1e15 ? Int(reported + 0.5) : 1_000_000_000_000_000
    }
  }

  /// Inherits the latency that another instance of the plug-in, made in the same way, reported.
  ///
  /// Context: control, while nothing runs either of them.
  mutating func inheritLatency(from other: borrowing LADSPARenderState) {
    guard latencySlot >= 0, other.hasRun else { return }
    latencyHistory.inherit(other.latencyHistory)
    reportedLatency.store(latencyHistory.reported, ordering: .releasing)
  }

  /// Latency in frames, as last reported. Context: any.
  var latencyFrames: Double { Double(max(reportedLatency.load(ordering: .acquiring), 0)) }

  /// Whether anything was rendered. Context: any.
  var hasRun: Bool { reportedLatency.load(ordering: .acquiring) >= 0 }

  /// Whether the plug-in has reported `latencyFrames`.
  var latencyIsKnown: Bool { latencySlot < 0 || hasRun }

  /// Frees the tables. Context: control, when nothing renders any more.
  func free() {
    unsafe controlMemory.deallocate()
    unsafe arena?.deallocate()
    unsafe stack.deallocate()
    parameters.free()
    meters.free()
    exacts.free()
    inputs.free()
    outputs.free()
  }
}
