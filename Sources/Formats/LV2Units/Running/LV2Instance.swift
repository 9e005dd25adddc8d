// An instance of a plug-in: makes, connects, restores and frees it.
// SPDX-License-Identifier: Apache-2.0

internal import AuricleSDK
internal import CLilv
internal import ForeignPlugIns
internal import LV2Bundles
internal import PlugInGuard
internal import RealtimeSupport
internal import Synchronization

/// The initial state of an instance besides its format.
struct LV2Beginnings {
  /// A state to restore after the plug-in's own default state.
  var state: LV2State?
  /// Values of number properties that the plug-in has after that, by index.
  var knownNumbers: [Float]
  /// Messages that set texts.
  var messages: [[UInt8]]
  /// The same texts with their properties.
  var texts: [(property: LV2PatchProperty, text: String)]
}

/// An instantiated plug-in: owns the render state and all memory of the plug-in's ports.
@safe final class LV2Instance {
  /// The state of the render thread.
  let render: UnsafeMutablePointer<LV2RenderState>
  let features: LV2FeatureSet
  let paths: LV2StatePaths
  /// Messages to the plug-in, and texts from it.
  let rings: LV2MessageRings
  let plugin: LV2Plugin
  private let log: LV2Log
  private let memory: LV2PortMemory
  /// The most frames of a run.
  let longestRun: Int
  private var thread: LV2WorkThread?

  /// Frames that every run of `plugin` must have; 0 for any number.
  static func blockFrames(of plugin: LV2PluginDescription, maximumFrames: Int) -> Int {
    let isPowerOfTwo = maximumFrames & (maximumFrames - 1) == 0
    guard
      plugin.requiredFeatures.contains(where: LV2PluginDescription.fixedBlockFeatures.contains)
        || plugin.mindsBlockLengths && !isPowerOfTwo
    else { return 0 }
    return FixedBlocks.powerOfTwo(maximumFrames: maximumFrames)
  }

  /// Loads, instantiates, connects, restores the state and activates.
  ///
  /// Context: control. Other plug-ins wait meanwhile.
  init(
    _ plugin: LV2Plugin, _ layout: LV2BusLayout, _ format: RenderFormat,
    _ beginnings: LV2Beginnings, isBypassed: UnsafeMutablePointer<Atomic<Bool>>
  ) throws(LV2Failure) {
    let description = plugin.description
    try LV2Instance.check(description)
    let blockFrames = LV2Instance.blockFrames(
      of: description, maximumFrames: format.maximumFrames)
    let longest = blockFrames > 0 ? blockFrames : format.maximumFrames
    self.plugin = plugin
    longestRun = longest
    log = LV2Log(name: description.name, thread: format.isOffline ? nil : LV2LogWriter())
    paths = LV2StatePaths()
    features = LV2FeatureSet(
      sampleRate: format.sampleRate,
      blocks: LV2BlockLengths(
        minimum: blockFrames > 0 ? Int32(longest) : 1, maximum: Int32(longest),
        nominal: Int32(longest), isFixed: blockFrames > 0), log: log, paths: paths)
    rings = LV2MessageRings()
    let queue = unsafe features.workQueue
    if format.isOffline { Repeatability.seedRandomNumbers() }
    let (descriptor, handle) = unsafe try LV2Instance.instantiate(
      description, sampleRate: format.sampleRate, isOffline: format.isOffline, features.array)
    unsafe features.setInstance(descriptor, handle)
    let worker = unsafe descriptor.pointee.extension_data?(LV2Names.worker + "interface")?
      .assumingMemoryBound(to: LV2_Worker_Interface.self)
    unsafe queue.pointee.interface = unsafe worker
    unsafe queue.pointee.instance = unsafe handle
    if unsafe !format.isOffline && worker != nil {
      thread = unsafe LV2WorkThread(queue)
      unsafe queue.pointee.realtime = thread?.ends
    }

    // Every port is connected before anything else is called, audio ports to temporary memory until the first
    // slice: some plug-ins access their ports when they are activated.
    memory = LV2PortMemory(
      description, layout, sampleRate: format.sampleRate, isOffline: format.isOffline,
      blockFrames: blockFrames, longest: longest)
    unsafe memory.connect(descriptor, handle)
    unsafe render = unsafe UnsafeMutableRawPointer.allocate(
      byteCount: MemoryLayout<LV2RenderState>.stride, alignment: 64
    ).bindMemory(to: LV2RenderState.self, capacity: 1)
    unsafe render.initialize(
      to: LV2RenderState(
        descriptor, handle, description, layout, format, memory,
        blocks: FixedBlocks(frameCount: blockFrames), worker: worker, isBypassed: isBypassed,
        workQueue: queue,
        events: memory.events(description, rings, beginnings.knownNumbers, format.sampleRate)))
    memory.setControls(description, format)
    try begin(beginnings)
  }

  /// Restores the state, activates, and sends pending messages.
  private func begin(_ beginnings: LV2Beginnings) throws(LV2Failure) {
    let description = plugin.description
    let queue = unsafe features.workQueue
    let (descriptor, handle) = unsafe (render.pointee.descriptor, render.pointee.handle)
    var refusal: String?
    PlugInLifeCycle.perform { () -> Void in
      unsafe LV2WorkQueue.drain(queue)
      if description.loadsDefaultState,
        let initial = LV2State.read(
          uri: description.uri, in: plugin.world, bundle: description.bundlePath)
      {
        // A plug-in that refuses its own default state keeps its initial one.
        if let why = put(initial) { log.warn("it refused its own default state (\(why))") }
      }
      if let state = beginnings.state { refusal = put(state) }
      if let activate = unsafe descriptor.pointee.activate {
        FreshMemory.during { unsafe activate(handle) }
      }
      unsafe LV2WorkQueue.drain(queue)
    }
    if let refusal {
      throw LV2Failure(
        reason: "it refused the state of its preset or saved settings (\(refusal)): choose another")
    }
    deliver(beginnings.messages, beginnings.texts)
  }

  /// Disconnects the ports from the memory of the last slice, which may be freed. Call it while nothing
  /// renders.
  func disconnect() {
    let (inputs, outputs) = unsafe (render.pointee.inputs, render.pointee.outputs)
    for index in 0..<inputs.count { unsafe inputs.elements[index].connected = nil }
    for index in 0..<outputs.count { unsafe outputs.elements[index].connected = nil }
    unsafe memory.connect(render.pointee.descriptor, render.pointee.handle)
  }

  /// Puts a state into the instance, and its worker's answers. Call it inside `PlugInLifeCycle.perform`,
  /// while nothing runs the instance.
  ///
  /// - Returns: Why the plug-in refused it; nil when it accepted it.
  @discardableResult
  func put(_ state: LV2State) -> String? {
    let (descriptor, handle) = unsafe (render.pointee.descriptor, render.pointee.handle)
    let refusal = unsafe state.restore(
      descriptor, handle, plugin, features: features.stateArray, paths: paths)
    unsafe LV2WorkQueue.drain(features.workQueue)
    return refusal
  }

  /// Restores a preset's state in the running instance.
  ///
  /// A plug-in with thread-safe restore keeps running meanwhile; others are silent.
  ///
  /// - Returns: Whether the plug-in accepted it; if not, its log says why.
  ///
  /// Context: control.
  func restore(_ state: LV2State, _ cell: UnsafeMutablePointer<LV2RenderCell>) -> Bool {
    let (descriptor, handle) = unsafe (render.pointee.descriptor, render.pointee.handle)
    var refusal: String?
    PlugInLifeCycle.perform { () -> Void in
      if plugin.description.supports(LV2Names.state + "threadSafeRestore") {
        refusal = unsafe state.restore(
          descriptor, handle, plugin, features: features.stateArray, paths: paths)
        unsafe cell.pointee.whileClosed { unsafe LV2WorkQueue.drain(features.workQueue) }
      } else {
        unsafe cell.pointee.whileClosed { refusal = put(state) }
      }
    }
    if let refusal { log.warn("it refused a state (\(refusal))") }
    let problems = paths.problems
    if let first = problems.first {
      log.warn("a preset names \(first), which is outside of its folder: refused")
    }
    unsafe render.pointee.events.asksForAll.pointee.store(true, ordering: .relaxed)
    return refusal == nil
  }

  /// Sends a message of a window to an input port; false when the port takes none, or has no room.
  ///
  /// Context: control; it may be rendering.
  func send(_ body: [UInt8], type: UInt32, port: UInt32) -> Bool {
    guard let place = memory.eventPlace(ofInput: port), body.count <= 8 << 10 else { return false }
    return rings.send(body, type: type, place: place)
  }

  /// Has messages copied for a window from now on. Context: control; it may be rendering.
  func watch() { unsafe render.pointee.events.isWatched.pointee.store(true, ordering: .relaxed) }

  /// The instance's state. Context: control; it may be rendering.
  func capture(_ portValues: [String: Float], mode: LV2StatePaths.Mode) -> LV2State? {
    let (descriptor, handle) = unsafe (render.pointee.descriptor, render.pointee.handle)
    return PlugInLifeCycle.perform {
      unsafe LV2State.capture(
        plugin, descriptor, handle, features: features.stateArray, paths: paths,
        portValues: portValues, mode: mode)
    }
  }

  deinit {
    // The work thread must not be in the plug-in when it is freed.
    unsafe features.workQueue.pointee.realtime = nil
    thread = nil
    let (descriptor, handle) = unsafe (render.pointee.descriptor, render.pointee.handle)
    PlugInLifeCycle.perform { () -> Void in
      unsafe descriptor.pointee.deactivate?(handle)
      ZeroedMemory.pausing { () -> Void in unsafe descriptor.pointee.cleanup?(handle) }
    }
    unsafe render.pointee.free()
    unsafe render.deinitialize(count: 1)
    unsafe render.deallocate()
  }
}
