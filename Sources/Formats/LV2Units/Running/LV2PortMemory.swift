// The memory behind the ports of one instance.
// SPDX-License-Identifier: Apache-2.0

internal import AuricleSDK
internal import CLilv
internal import ForeignPlugIns
internal import LV2Bundles
internal import RealtimeSupport
internal import Synchronization

/// Owns the memory of control, audio and CV ports; event buffers belong to the render state.
@safe final class LV2PortMemory {
  /// One value for each control port: those of parameters first, by index.
  let controls: UnsafeMutablePointer<Float>
  /// Indices into `controls` by port index.
  private var slots: [Int: Int] = [:]
  private(set) var inputs: [LV2AudioPort] = []
  private(set) var outputs: [LV2AudioPort] = []
  private(set) var voltages: [LV2VoltagePort] = []
  private(set) var atoms: [LV2AtomBuffer] = []
  /// Ports of the event buffers, in their order.
  private var atomPorts: [LV2Port] = []
  private var connections: [(port: UInt32, memory: UnsafeMutableRawPointer?)] = unsafe []
  private var blocks: [UnsafeMutablePointer<Float>] = unsafe []

  init(
    _ description: LV2PluginDescription, _ layout: LV2BusLayout, sampleRate: Double,
    isOffline: Bool, blockFrames: Int, longest: Int
  ) {
    let places = description.parameterPorts
    for (place, port) in places.enumerated() { slots[port.index] = place }
    var count = places.count
    for port in description.ports where port.kind == .control && slots[port.index] == nil {
      slots[port.index] = count
      count += 1
    }
    unsafe controls = unsafe UnsafeMutableRawPointer.allocate(
      byteCount: count * MemoryLayout<Float>.stride + 64, alignment: 64
    ).assumingMemoryBound(to: Float.self)
    unsafe controls.initialize(repeating: 0, count: count)
    inputs = audioPorts(layout.inputs, isInput: true, firstBus: 0, blockFrames)
    outputs = audioPorts(
      layout.outputs, isInput: false, firstBus: layout.firstOutputBus, blockFrames)
    let silence = unsafe block(frames: max(longest, 64))
    let scratch = unsafe block(frames: max(longest, 64))
    for port in description.ports {
      var memory: UnsafeMutableRawPointer?
      switch port.kind {
      case .control:
        let slot = slots[port.index] ?? 0
        unsafe controls[slot] =
          switch port.role {
          case .enabled: 1
          case .freeWheeling: isOffline ? 1 : 0
          case .latency: 0
          case .ordinary: port.isInput ? port.initialValue(sampleRate: sampleRate) : 0
          }
        unsafe memory = UnsafeMutableRawPointer(controls + slot)
      case .cv where port.isInput:
        guard let place = places.firstIndex(where: { $0.index == port.index }) else { break }
        let own = unsafe block(frames: max(longest, 64))
        unsafe voltages.append(
          LV2VoltagePort(
            place: place,
            bus: layout.inputs.firstIndex { $0.isCV && $0.ports == [port.index] } ?? -1,
            block: own))
        unsafe memory = UnsafeMutableRawPointer(own)
      case .audio, .cv:
        let own = unsafe (inputs + outputs).first { Int($0.port) == port.index }?.block
        unsafe memory = UnsafeMutableRawPointer(own ?? (port.isInput ? silence : scratch))
      case .atom, .event:
        let atom = LV2AtomBuffer(
          isInput: port.isInput, minimumSize: port.minimumSize, isEvents: port.kind == .event)
        atoms.append(atom)
        atomPorts.append(port)
        unsafe memory = atom.memory
      case .unknown: break
      }
      unsafe connections.append((UInt32(port.index), memory))
    }
  }

  deinit {
    unsafe controls.deallocate()
    unsafe blocks.forEach { unsafe $0.deallocate() }
  }

  /// The index in `controls` of the first port with a role; -1 when there is none.
  func slot(of role: LV2Port.Role, in description: LV2PluginDescription) -> Int {
    description.ports.first { $0.role == role }.flatMap { slots[$0.index] } ?? -1
  }

  /// Connects every port.
  func connect(_ descriptor: UnsafePointer<LV2_Descriptor>, _ handle: LV2_Handle) {
    for index in unsafe connections.indices {
      let (port, memory) = unsafe connections[index]
      unsafe auricle_lv2_connect(descriptor, handle, port, memory)
    }
  }

  private func block(frames: Int) -> UnsafeMutablePointer<Float> {
    let memory = unsafe UnsafeMutableRawPointer.allocate(byteCount: frames * 4 + 64, alignment: 64)
      .assumingMemoryBound(to: Float.self)
    unsafe memory.initialize(repeating: 0, count: frames)
    unsafe blocks.append(memory)
    return unsafe memory
  }

  private func audioPorts(
    _ buses: [LV2BusLayout.Bus], isInput: Bool, firstBus: Int, _ blockFrames: Int
  ) -> [LV2AudioPort] {
    var ports: [LV2AudioPort] = []
    for (place, bus) in buses.enumerated() {
      // A CV input has separate memory, see `voltages`.
      if bus.isCV && isInput { continue }
      for (channel, port) in bus.ports.enumerated() {
        unsafe ports.append(
          LV2AudioPort(
            port: UInt32(port), bus: firstBus + place, channel: channel, connected: nil,
            block: blockFrames > 0 ? block(frames: blockFrames) : nil))
      }
    }
    return ports
  }

  /// The index of the event buffer of an input port; nil for another port.
  func eventPlace(ofInput port: UInt32) -> Int? {
    atomPorts.firstIndex { $0.index == Int(port) && $0.isInput && $0.kind == .atom }
  }

  /// The event ports.
  func events(
    _ description: LV2PluginDescription, _ rings: LV2MessageRings, _ known: [Float],
    _ sampleRate: Double
  ) -> LV2EventPlaces {
    func place(_ isRight: (LV2Port) -> Bool) -> Int {
      atomPorts.firstIndex { $0.isInput && isRight($0) } ?? -1
    }
    let control = LV2Names.core + "control"
    let midi = place { $0.supportsMIDI }
    var patch = place { $0.supportsPatch && $0.designation == control }
    if patch < 0 { patch = place { $0.supportsPatch } }
    if patch < 0, !description.properties.isEmpty {
      patch = place { $0.designation == control && $0.kind == .atom }
    }
    var midiOutputs = 0
    let outputs = atomPorts.enumerated().filter { !$0.element.isInput }.map { index, port in
      defer { if port.supportsMIDI { midiOutputs += 1 } }
      return LV2EventOutput(
        place: index, midiOutput: port.supportsMIDI ? midiOutputs : -1, port: port.index)
    }
    let firstPlace = description.parameterPorts.count
    let patches = description.numberProperties.enumerated().map { index, property in
      LV2PatchSlot(
        place: firstPlace + index, key: URIDMap.shared.number(property.uri),
        type: URIDMap.shared.number(property.range.typeURI), isWritable: property.isWritable,
        known: known.indices.contains(index) ? known[index] : 0)
    }
    let hasProperties = !description.properties.isEmpty && !outputs.isEmpty
    let asks = UnsafeMutablePointer<Atomic<Bool>>.allocate(capacity: 1)
    unsafe asks.initialize(to: Atomic(hasProperties && patch >= 0))
    let watched = UnsafeMutablePointer<Atomic<Bool>>.allocate(capacity: 1)
    unsafe watched.initialize(to: Atomic(false))
    return unsafe LV2EventPlaces(
      midiInput: midi, patchInput: patch,
      timeInputs: RenderTable(
        atomPorts.indices.filter {
          atomPorts[$0].isInput && atomPorts[$0].supportsTime && atomPorts[$0].kind == .atom
        }), outputs: RenderTable(outputs), patches: RenderTable(patches), inbox: rings.inboxEnd,
      outbox: rings.outboxEnd, windowBox: rings.windowBoxEnd, isWatched: watched,
      asksForAll: asks, sampleRate: sampleRate)
  }
}
