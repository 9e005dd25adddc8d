// Makes an instance: checks its requirements, loads its binary, makes its handle.
// SPDX-License-Identifier: Apache-2.0

internal import AuricleSDK
internal import CLilv
internal import ForeignPlugIns
internal import HostSystem
internal import LV2Bundles
internal import PlugInGuard
internal import RealtimeSupport

extension LV2Instance {
  /// Refuses plug-ins with unsupported requirements.
  static func check(_ description: LV2PluginDescription) throws(LV2Failure) {
    for feature in description.requiredFeatures where !LV2FeatureSet.known.contains(feature) {
      throw LV2Failure(
        reason: "it requires the feature <\(feature)>, which Auricle does not provide")
    }
    for option in description.requiredOptions where !LV2FeatureSet.knownOptions.contains(option) {
      throw LV2Failure(reason: "it requires the option <\(option)>, which Auricle does not provide")
    }
    for port in description.ports where port.kind == .unknown && !port.isOptional {
      throw LV2Failure(
        reason: "its port \"\(port.symbol)\" is of a kind Auricle does not know: "
          + port.classes.joined(separator: ", "))
    }
  }

  /// Sends a new instance its first messages and has it do the work they request: a file set before the start
  /// is loaded from the first frame on.
  ///
  /// For that the plug-in runs once over silence, and its output is discarded. By the specification a run of
  /// no frames would do, but it confuses plug-ins that plan their work by the length of a run.
  ///
  /// A plug-in whose job then fails receives the texts again as a state: some accept a file in no other way.
  func deliver(
    _ messages: [[UInt8]], _ texts: [(property: LV2PatchProperty, text: String)] = []
  ) {
    let frames = longestRun
    if unsafe render.pointee.hasRun { disconnect() }
    let events = unsafe render.pointee.events
    guard !messages.isEmpty, events.patchInput >= 0 else {
      for message in messages { rings.send(message) }
      return
    }
    let (descriptor, handle) = unsafe (render.pointee.descriptor, render.pointee.handle)
    let atoms = unsafe render.pointee.atoms
    let buffer = unsafe atoms.elements[events.patchInput]
    for message in messages {
      guard
        let body = unsafe buffer.append(frame: 0, type: events.urids.object, size: message.count)
      else {
        rings.send(message)
        continue
      }
      unsafe message.withUnsafeBytes {
        if let start = $0.baseAddress { unsafe auricle_copy(body, start, message.count) }
      }
    }
    unsafe features.workQueue.pointee.failureCount = 0
    PlugInLifeCycle.perform { () -> Void in
      unsafe auricle_lv2_run_guarded(descriptor, handle, UInt32(frames))
      unsafe LV2WorkQueue.drain(features.workQueue)
      if let worker = unsafe render.pointee.worker { unsafe auricle_lv2_end_run(worker, handle) }
      if unsafe features.workQueue.pointee.failureCount > 0,
        let state = LV2State.holding(texts, of: plugin.description.uri, in: plugin.world)
      {
        put(state)
      }
    }
    for index in 0..<atoms.count { unsafe atoms.elements[index].prepare() }
    let outputs = unsafe render.pointee.outputs
    for index in 0..<outputs.count {
      unsafe outputs.elements[index].block?.update(repeating: 0, count: frames)
    }
  }

  /// Loads the binary and makes the handle.
  static func instantiate(
    _ description: LV2PluginDescription, sampleRate: Double, isOffline: Bool,
    _ features: UnsafePointer<UnsafePointer<LV2_Feature>?>
  ) throws(LV2Failure) -> (UnsafePointer<LV2_Descriptor>, LV2_Handle) {
    unsafe try PlugInLifeCycle.perform {
      () throws(LV2Failure) -> (UnsafePointer<LV2_Descriptor>, LV2_Handle) in
      let library = try Heartbeat.during(.load) { () throws(LV2Failure) in
        try LV2Library(path: description.binaryPath)
      }
      let descriptor = unsafe try library.descriptor(
        of: description.uri, bundlePath: description.bundlePath, features: features)
      LibraryMemory.note()
      guard let instantiate = unsafe descriptor.pointee.instantiate,
        unsafe descriptor.pointee.connect_port != nil, unsafe descriptor.pointee.run != nil
      else { throw LV2Failure(reason: "its descriptor lacks a function") }
      if isOffline { Repeatability.estimatePlans() }
      guard
        let handle = unsafe (description.bundlePath + "/").withFileName({ path in
          unsafe FreshMemory.during {
            unsafe Heartbeat.during(.instantiate) {
              unsafe instantiate(descriptor, sampleRate, path, features)
            }
          }
        })
      else { throw LV2Failure(reason: "it refused to be instantiated at \(sampleRate) Hz") }
      return unsafe (descriptor, handle)
    }
  }
}

extension LV2RenderState {
  /// Frees the tables. Context: control, when nothing renders any more.
  func free() {
    inputs.free()
    outputs.free()
    voltages.free()
    parameters.free()
    for index in 0..<stepped.count { unsafe stepped.elements[index].points.free() }
    stepped.free()
    meters.free()
    for index in 0..<atoms.count { unsafe atoms.elements[index].free() }
    atoms.free()
    atomInputs.free()
    atomOutputs.free()
    events.free()
  }
}

extension LV2Port {
  /// Whether the port accepts only some values, or is a trigger.
  var isStepped: Bool { isInteger || isEnumeration || isToggled || isTrigger }

  /// The port for the render thread; the caller frees its points.
  func stepped(place: Int, sampleRate: Double) -> LV2SteppedPort {
    LV2SteppedPort(
      place: place,
      points: RenderTable(isEnumeration ? scalePoints.map(\.value).sorted() : []),
      isToggled: isToggled, isTrigger: isTrigger,
      rest: initialValue(sampleRate: sampleRate))
  }
}
