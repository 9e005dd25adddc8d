// Makes the render state of an instance from the plug-in's description and its memory.
// SPDX-License-Identifier: Apache-2.0

internal import AuricleSDK
internal import CLilv
internal import ForeignPlugIns
internal import LV2Bundles
internal import RealtimeSupport
internal import Synchronization

extension LV2RenderState {
  /// Makes the render state. Context: control.
  init(
    _ descriptor: UnsafePointer<LV2_Descriptor>, _ handle: LV2_Handle,
    _ description: LV2PluginDescription, _ layout: LV2BusLayout, _ format: RenderFormat,
    _ memory: LV2PortMemory, blocks: FixedBlocks, worker: UnsafePointer<LV2_Worker_Interface>?,
    isBypassed: UnsafeMutablePointer<Atomic<Bool>>, workQueue: UnsafeMutablePointer<LV2WorkQueue>,
    events: LV2EventPlaces
  ) {
    let ports = description.parameterPorts.enumerated().filter { $0.element.kind == .control }
    let steppedPorts = ports.filter { $0.element.isInput && $0.element.isStepped }
    unsafe self.init(
      descriptor: descriptor, handle: handle, controls: memory.controls, values: format.values,
      parameters: RenderTable(
        PlaceRange.covering(
          ports.filter { $0.element.isInput && !$0.element.isStepped }.map(\.offset))),
      meters: RenderTable(
        PlaceRange.covering(ports.filter { !$0.element.isInput }.map(\.offset))),
      stepped: RenderTable(
        steppedPorts.map { $0.element.stepped(place: $0.offset, sampleRate: format.sampleRate) }),
      inputs: RenderTable(memory.inputs), outputs: RenderTable(memory.outputs),
      hasTriggers: steppedPorts.contains { $0.element.isTrigger },
      passesThrough: layout.passesThrough, hasVoltages: !memory.voltages.isEmpty,
      hasAtoms: !memory.atoms.isEmpty, isOffline: format.isOffline, blocks: blocks,
      worker: worker,
      enabledSlot: memory.slot(of: .enabled, in: description),
      latencySlot: memory.slot(of: .latency, in: description),
      voltages: RenderTable(memory.voltages), atoms: RenderTable(memory.atoms),
      atomInputs: RenderTable(memory.atoms.filter(\.isInput)),
      atomOutputs: RenderTable(memory.atoms.filter { !$0.isInput }), isBypassed: isBypassed,
      workQueue: workQueue, events: events)
  }
}

extension LV2PortMemory {
  /// Sets the control inputs to their parameters' values, for code that reads them before the first slice.
  func setControls(_ description: LV2PluginDescription, _ format: RenderFormat) {
    for (place, port) in description.parameterPorts.enumerated()
    where port.kind == .control && port.isInput {
      let value = format.values.value(at: place)
      guard port.isStepped else {
        unsafe controls[place] = value
        continue
      }
      let stepped = port.stepped(place: 0, sampleRate: format.sampleRate)
      unsafe controls[place] = stepped.step(value)
      stepped.points.free()
    }
  }
}
