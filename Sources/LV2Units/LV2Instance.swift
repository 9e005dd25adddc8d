// Instantiating a plug-in, connecting its ports, and freeing it again.
// SPDX-License-Identifier: Apache-2.0

internal import AuricleSDK
internal import CLilv
internal import RealtimeSupport

/// An instantiated plug-in: owns the render state and everything the plug-in's ports point at.
@safe final class LV2Instance {
  /// What the render thread sees.
  let render: UnsafeMutablePointer<LV2RenderState>
  private let plugin: LV2Plugin
  private let features: LV2FeatureSet
  private let log: LV2Log
  private let controls: UnsafeMutablePointer<Float>
  private var blocks: [UnsafeMutablePointer<Float>] = unsafe []

  /// Frames a run of `plugin` must have at every time; 0 when any number will do.
  static func blockFrames(
    of plugin: LV2PluginDescription, maximumFrames: Int
  ) -> Int {
    guard plugin.requiredFeatures.contains(where: LV2FeatureSet.fixedBlockFeatures.contains) else {
      return 0
    }
    var frames = 64
    while frames * 2 <= min(max(maximumFrames, 64), 8192) { frames *= 2 }
    return frames
  }

  /// Loads, instantiates, connects, restores the state and activates.
  ///
  /// Context: control. Other plug-ins wait meanwhile.
  init(
    _ plugin: LV2Plugin, _ layout: LV2BusLayout, _ format: RenderFormat, state: LV2State?
  ) throws(LV2Failure) {
    let description = plugin.description
    for feature in description.requiredFeatures where !LV2FeatureSet.known.contains(feature) {
      throw LV2Failure(
        reason: "it requires the feature <\(feature)>, which Auricle does not provide")
    }
    for port in description.ports where port.kind == .unknown && !port.isOptional {
      throw LV2Failure(
        reason: "its port \"\(port.symbol)\" is of a kind Auricle does not know: "
          + port.classes.joined(separator: ", "))
    }
    let blockFrames = LV2Instance.blockFrames(
      of: description, maximumFrames: format.maximumFrames)
    let longest = Int32(blockFrames > 0 ? blockFrames : format.maximumFrames)
    let log = LV2Log(name: description.name)
    let features = LV2FeatureSet(
      sampleRate: format.sampleRate,
      blocks: LV2BlockLengths(
        minimum: blockFrames > 0 ? longest : 1, maximum: longest, nominal: longest,
        isFixed: blockFrames > 0), log: log)
    let queue = unsafe features.workQueue

    let made = unsafe try LV2LifeCycle.perform {
      () throws(LV2Failure) -> (UnsafePointer<LV2_Descriptor>, LV2_Handle) in
      let library = try LV2Library(path: description.binaryPath)
      let descriptor = unsafe try library.descriptor(
        of: description.uri, bundlePath: description.bundlePath, features: features.array)
      guard let instantiate = unsafe descriptor.pointee.instantiate,
        unsafe descriptor.pointee.connect_port != nil, unsafe descriptor.pointee.run != nil
      else { throw LV2Failure(reason: "its descriptor lacks a function") }
      guard
        let handle = unsafe (description.bundlePath + "/").withCString({ path in
          unsafe LV2FreshMemory.during {
            unsafe instantiate(descriptor, format.sampleRate, path, features.array)
          }
        })
      else { throw LV2Failure(reason: "it refused to be instantiated at \(format.sampleRate) Hz") }
      return unsafe (descriptor, handle)
    }
    let (descriptor, handle) = unsafe made
    let worker = unsafe descriptor.pointee.extension_data?(LV2Names.worker + "interface")
    unsafe queue.pointee.interface = unsafe worker?.assumingMemoryBound(
      to: LV2_Worker_Interface.self)
    unsafe queue.pointee.instance = unsafe handle

    self.plugin = plugin
    self.log = log
    self.features = features
    let count = description.ports.map { $0.index + 1 }.max() ?? 0
    unsafe controls = .allocate(capacity: max(count, 1))
    unsafe controls.initialize(repeating: 0, count: max(count, 1))
    var owned: [UnsafeMutablePointer<Float>] = unsafe []
    func block(frames: Int) -> UnsafeMutablePointer<Float> {
      let memory = unsafe UnsafeMutableRawPointer.allocate(
        byteCount: frames * 4 + 64, alignment: 64
      )
      .assumingMemoryBound(to: Float.self)
      unsafe memory.initialize(repeating: 0, count: frames)
      unsafe owned.append(memory)
      return unsafe memory
    }
    func audioPorts(_ buses: [LV2BusLayout.Bus]) -> [LV2AudioPort] {
      buses.enumerated().flatMap { bus, entry in
        entry.ports.enumerated().map { channel, port in
          unsafe LV2AudioPort(
            port: UInt32(port), bus: bus, channel: channel, connected: nil,
            block: blockFrames > 0 ? block(frames: blockFrames) : nil)
        }
      }
    }
    let inputs = audioPorts(layout.inputs)
    let outputs = audioPorts(layout.outputs)

    // Every port is connected before anything else is called, audio ports to memory that serves
    // until the first slice: some plug-ins touch their ports when they are activated.
    let scratch = unsafe block(frames: max(Int(longest), 64))
    var atoms: [LV2AtomBuffer] = []
    for port in description.ports {
      var memory: UnsafeMutableRawPointer?
      switch port.kind {
      case .control:
        unsafe controls[port.index] =
          switch port.role {
          case .enabled: 1
          case .freeWheeling: format.isOffline ? 1 : 0
          case .latency: 0
          case .ordinary: port.isInput ? port.initialValue(sampleRate: format.sampleRate) : 0
          }
        unsafe memory = UnsafeMutableRawPointer(controls + port.index)
      case .audio:
        let own = unsafe (inputs + outputs).first { Int($0.port) == port.index }?.block
        unsafe memory = UnsafeMutableRawPointer(own ?? scratch)
      case .cv:
        if !port.isOptional {
          unsafe memory = UnsafeMutableRawPointer(block(frames: max(Int(longest), 64)))
        }
      case .atom:
        let atom = LV2AtomBuffer(isInput: port.isInput, minimumSize: port.minimumSize)
        atoms.append(atom)
        unsafe memory = atom.memory
      case .unknown: break
      }
      unsafe auricle_lv2_connect(descriptor, handle, UInt32(port.index), memory)
    }
    unsafe blocks = unsafe owned

    let places = description.parameterPorts.enumerated()
    unsafe render = .allocate(capacity: 1)
    unsafe render.initialize(
      to: LV2RenderState(
        descriptor: descriptor, handle: handle, controls: controls, inputs: LV2Table(inputs),
        outputs: LV2Table(outputs),
        parameters: LV2Table(
          places.filter { $0.element.isInput }.map {
            LV2ControlPort(port: $0.element.index, place: $0.offset)
          }),
        meters: LV2Table(
          places.filter { !$0.element.isInput }.map {
            LV2ControlPort(port: $0.element.index, place: $0.offset)
          }),
        atoms: LV2Table(atoms), workQueue: queue, worker: queue.pointee.interface,
        latencyPort: description.ports.first { $0.role == .latency }?.index ?? -1,
        passesThrough: layout.passesThrough, blockFrames: blockFrames))
    for port in description.parameterPorts.enumerated() where port.element.isInput {
      unsafe controls[port.element.index] = format.values.value(at: port.offset)
    }
    LV2LifeCycle.perform { () -> Void in
      unsafe LV2WorkQueue.drain(queue)
      if description.loadsDefaultState,
        let initial = LV2State(uri: description.uri, in: plugin.world)
      {
        unsafe initial.restore(descriptor, handle, features: features.array)
        unsafe LV2WorkQueue.drain(queue)
      }
      if let state {
        unsafe state.restore(descriptor, handle, features: features.array)
        unsafe LV2WorkQueue.drain(queue)
      }
      if let activate = unsafe descriptor.pointee.activate {
        LV2FreshMemory.during { unsafe activate(handle) }
      }
      unsafe LV2WorkQueue.drain(queue)
    }
  }

  /// Puts a preset's state into the running instance. Context: control, not rendering.
  func restore(_ state: LV2State) {
    let (descriptor, handle) = unsafe (render.pointee.descriptor, render.pointee.handle)
    LV2LifeCycle.perform { () -> Void in
      unsafe state.restore(descriptor, handle, features: features.array)
      unsafe LV2WorkQueue.drain(render.pointee.workQueue)
    }
  }

  /// Forgets history as far as the plug-in does. Context: control, not rendering.
  func reset() {
    let (descriptor, handle) = unsafe (render.pointee.descriptor, render.pointee.handle)
    LV2LifeCycle.perform { () -> Void in
      unsafe descriptor.pointee.deactivate?(handle)
      unsafe descriptor.pointee.activate?(handle)
      unsafe LV2WorkQueue.drain(render.pointee.workQueue)
    }
    unsafe render.pointee.blockPosition = 0
    let frames = unsafe render.pointee.blockFrames
    for table in unsafe [render.pointee.inputs, render.pointee.outputs] {
      for index in 0..<table.count {
        unsafe table.elements[index].block?.update(repeating: 0, count: frames)
      }
    }
  }

  deinit {
    let (descriptor, handle) = unsafe (render.pointee.descriptor, render.pointee.handle)
    LV2LifeCycle.perform { () -> Void in
      unsafe descriptor.pointee.deactivate?(handle)
      unsafe descriptor.pointee.cleanup?(handle)
    }
    unsafe render.pointee.inputs.free()
    unsafe render.pointee.outputs.free()
    unsafe render.pointee.parameters.free()
    unsafe render.pointee.meters.free()
    for index in 0..<(unsafe render.pointee.atoms.count) {
      unsafe render.pointee.atoms.elements[index].free()
    }
    unsafe render.pointee.atoms.free()
    unsafe render.deallocate()
    unsafe controls.deallocate()
    unsafe blocks.forEach { unsafe $0.deallocate() }
  }
}
