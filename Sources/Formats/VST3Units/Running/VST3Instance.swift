// An instance of a plug-in: makes, restores, sets up, activates and frees it.
// SPDX-License-Identifier: Apache-2.0

internal import AuricleSDK
internal import CForeignPlugIns
internal import ForeignPlugIns
internal import PlugInGuard
internal import RealtimeSupport

/// The settings that an instance begins with, before values that the host has set since.
enum VST3Beginning: Equatable {
  case fresh
  case state(VST3State, isProject: Bool)
  /// The number of a program.
  case program(Int)
}

/// An active plug-in, and the state of its rendering.
///
/// Everything of it happens on the main thread of plug-ins, which alone closes the gate.
@safe final class VST3Instance {
  let object: VST3Object
  /// The state of the render thread.
  let render: UnsafeMutablePointer<VST3RenderState>
  let description: VST3Description
  private let format: RenderFormat
  /// The normalised values that the controller shows, by place.
  private var shown: [Double] = []
  /// Closes the gate around a body; set by the owner.
  var whileClosed: (() -> Void) -> Void = { $0() }

  /// Loads, makes, restores, sets up and activates a plug-in.
  ///
  /// - Parameters:
  ///   - beginning: Its first settings.
  ///   - isSet: Whether the host has set a parameter, by its place, since it chose these.
  ///
  /// Context: control. Other plug-ins wait meanwhile.
  init(
    _ description: VST3Description, binary: String, _ format: RenderFormat,
    beginning: VST3Beginning, isSet: (Int) -> Bool
  ) throws(PlugInFailure) {
    if format.isOffline { Repeatability.seedRandomNumbers() }
    let (object, run, channels) = unsafe try PlugInLifeCycle.performOnMainThread {
      () throws(PlugInFailure) in
      let object = try VST3Instance.load(description, binary, format)
      do throws(PlugInFailure) {
        if case .state(let state, let isProject) = beginning {
          guard FreshMemory.during({ object.restoreState(state, isProject: isProject) }) else {
            throw PlugInFailure(
              reason: "it refused the state of its preset or saved settings: choose another",
              isOfBinary: false)
          }
        }
        let setup = VST3Setup(object, description, format)
        let layout = try setup.arrange()
        let isDouble = try setup.setUp()
        try setup.activate()
        object.settle()
        let (run, channels) = unsafe try setup.makeRun(layout, isDouble: isDouble)
        return unsafe (object, run, channels)
      } catch {
        object.leaveLoop()
        throw error
      }
    }
    self.object = object
    self.description = description
    self.format = format
    let needs = VST3Instance.needs(of: object)
    unsafe render = .allocate(capacity: 1)
    unsafe render.initialize(
      to: VST3RenderState(
        run, description, format, channels, needs: needs, application: object.loop))
    PlugInLifeCycle.performOnMainThread { () -> Void in begin(beginning, isSet) }
  }

  /// Opens the module, and makes a plug-in. Context: the main thread of plug-ins.
  private static func load(
    _ description: VST3Description, _ binary: String, _ format: RenderFormat
  ) throws(PlugInFailure) -> VST3Object {
    let library = try Heartbeat.during(.load) { () throws(PlugInFailure) in
      try VST3Library(path: binary)
    }
    LibraryMemory.note()
    if format.isOffline { Repeatability.estimatePlans() }
    let made = FreshMemory.during {
      Result { () throws(PlugInFailure) in
        try Heartbeat.during(.instantiate) { () throws(PlugInFailure) in
          try VST3Object(
            library, classID: description.classID, isOffline: format.isOffline)
        }
      }
    }
    let object = try made.get()
    object.settle()
    return object
  }

  /// The parts of the context that a plug-in asks for; all of one that is older than the question.
  private static func needs(of object: VST3Object) -> UInt32 {
    guard let requirements = unsafe object.plugin.pointee.requirements else { return .max }
    return PlugInLifeCycle.performOnMainThread { () -> UInt32 in
      unsafe requirements.pointee.table.pointee.get(requirements)
    }
  }

  /// Selects the first program, and learns the values that the plug-in has. Context: the main thread of plug-ins.
  private func begin(_ beginning: VST3Beginning, _ isSet: (Int) -> Bool) {
    noteLatency()
    let kept = Set(description.parameters.indices.filter(isSet))
    refresh { beginning != .fresh && !kept.contains($0) }
    if case .program(let number) = beginning { select(number) { !kept.contains($0) } }
    // A plug-in applies the effects of a value, such as its latency, before the first slice.
    unsafe render.pointee.flush(frames: 0)
    object.settle()
    restart(isRunning: false)
    object.restartHandler = { [unowned self] in whileClosed { restart(isRunning: true) } }
  }

  /// Reads the values that the controller shows; those of some places become the unit's.
  ///
  /// - Parameter onlyChanged: Whether values that it showed before are left as the unit has them.
  private func refresh(onlyChanged: Bool = false, publish: (Int) -> Bool) {
    let run = unsafe render.pointee.run
    let before = onlyChanged ? shown : []
    shown = description.parameters.enumerated().map { place, parameter in
      let value = object.value(parameter.id) ?? parameter.defaultValue
      if before.indices.contains(place), before[place] == value { return value }
      let slot = unsafe run.pointee.slots + place
      let plain = description.parameters[place].plain(of: value, object)
      unsafe slot.pointee.published = plain
      unsafe slot.pointee.exact = value
      unsafe slot.pointee.known = plain
      if publish(place) || parameter.isMeter {
        if parameter.isMeter {
          format.values.setMeter(plain, at: place)
        } else {
          format.values.setValue(plain, at: place)
        }
      }
      return value
    }
  }

  /// Shows the controller the unit's values, of which the processor has been sent.
  private func informController() {
    let run = unsafe render.pointee.run
    for (place, parameter) in description.parameters.enumerated() {
      let slot = unsafe run.pointee.slots + place
      let value = unsafe auricle_vst3_normalise(slot, format.values.value(at: place))
      guard shown.indices.contains(place), shown[place] != value else { continue }
      shown[place] = value
      object.setValue(parameter.id, value)
    }
  }

  /// Selects a program, and reads the values that it set.
  private func select(_ number: Int, publish: (Int) -> Bool) {
    guard let id = description.programParameter else { return }
    let last = description.programs.count - 1
    let value = last > 0 ? Double(number) / Double(last) : 0
    informController()
    object.setValue(id, value)
    unsafe render.pointee.flush(program: (id, value))
    object.settle()
    refresh(publish: publish)
  }

  /// Reads the latency of an active plug-in.
  private func noteLatency() {
    guard unsafe object.plugin.pointee.is_active,
      let processor = unsafe object.plugin.pointee.processor
    else { return }
    unsafe render.pointee.setLatency(processor.pointee.table.pointee.latency(processor))
  }

  /// Deactivates and activates the plug-in; one that then refuses fails from here on.
  private func reactivate() {
    unsafe auricle_vst3_deactivate(object.plugin)
    let isActive = unsafe auricle_vst3_activate(object.plugin)
    unsafe render.pointee.run.pointee.is_active = isActive
    noteLatency()
  }

  /// Does the restarts that the plug-in asked for, while nothing renders. Context: the main thread of plug-ins.
  ///
  /// - Parameter isRunning: Whether slices were rendered: a new latency then cuts no file in two.
  private func restart(isRunning: Bool) {
    let wanted = unsafe auricle_vst3_fetch_restarts(object.plugin.pointee.handler, .max)
    guard wanted != 0 else { return }
    func wants(_ flags: some BinaryInteger) -> Bool { wanted & UInt32(flags) != 0 }
    let isCut = !(isRunning && format.isOffline)
    if wants(kVST3Restart_Reload | kVST3Restart_Buses) || isCut && wants(kVST3Restart_Latency) {
      reactivate()
    } else if wants(kVST3Restart_Latency) {
      noteLatency()
    }
    if wants(kVST3Restart_Values | kVST3Restart_Reload) {
      refresh(onlyChanged: true) { _ in true }
    }
    let setup = VST3Setup(object, description, format)
    if wants(kVST3Restart_Assignments) { unsafe setup.assign(render.pointee.run) }
    if wants(kVST3Restart_Expressions) { unsafe setup.express(render.pointee.run) }
  }

  // Actions of the unit's core; each closes the gate on the main thread of plug-ins.

  /// Runs a body on the main thread of plug-ins while nothing renders.
  private func perform<Value>(_ body: () -> Value) -> Value {
    PlugInLifeCycle.performOnMainThread { () -> Value in
      var value: Value?
      whileClosed { value = body() }
      return value ?? body()
    }
  }

  /// Restores a state, and reads the values that it set; false when the plug-in refused it.
  func restore(_ state: VST3State, isProject: Bool) -> Bool {
    perform {
      guard object.restoreState(state, isProject: isProject) else { return false }
      object.settle()
      refresh { _ in true }
      // The host's own doing.
      _ = unsafe auricle_vst3_fetch_dirty(render.pointee.run.pointee.handler)
      return true
    }
  }

  /// Selects a program, and reads the values that it set.
  func select(program number: Int) { perform { select(number) { _ in true } } }

  /// The present state, with the values of the unit; nil when the plug-in has none.
  func saveState() -> VST3State? {
    perform {
      unsafe render.pointee.flushForSaving()
      object.settle()
      informController()
      return object.saveState()
    }
  }

  /// A value as the plug-in writes it.
  func text(place: Int, _ value: Float) -> String? {
    PlugInLifeCycle.performOnMainThread { () -> String? in
      let slot = unsafe render.pointee.run.pointee.slots + place
      return object.text(
        ofParameter: description.parameters[place].id, unsafe auricle_vst3_normalise(slot, value))
    }
  }

  /// The value that the plug-in reads in a text.
  func value(place: Int, text: String) -> Float? {
    PlugInLifeCycle.performOnMainThread { () -> Float? in
      let parameter = description.parameters[place]
      return object.value(ofParameter: parameter.id, text: text).map {
        parameter.plain(of: $0, object)
      }
    }
  }

  /// Forgets the past while nothing renders.
  ///
  /// Stopping and starting the processing is ignored by some, so it is deactivated as well.
  func reset() {
    perform {
      unsafe VST3Setup.forgetNotes(render.pointee.run)
      reactivate()
    }
  }

  /// Seconds of tail; infinite for one that never ends, nil when the plug-in names none.
  ///
  /// Many that ring on name none: the end is then found by the silence.
  var tailSeconds: Double? {
    guard let processor = unsafe object.plugin.pointee.processor else { return nil }
    let frames = PlugInLifeCycle.performOnMainThread { () -> UInt32 in
      unsafe processor.pointee.table.pointee.tail(processor)
    }
    if frames == 0 { return nil }
    return frames == UInt32(kVST3_InfiniteTail) ? .infinity : Double(frames) / format.sampleRate
  }

  deinit {
    PlugInLifeCycle.performOnMainThread { () -> Void in
      object.leaveLoop()
      unsafe auricle_vst3_deactivate(object.plugin)
    }
    unsafe render.pointee.free()
    unsafe render.deinitialize(count: 1)
    unsafe render.deallocate()
  }
}

extension VST3Parameter {
  /// The plain value of a normalised one, as a host has it. Context: the main thread of plug-ins.
  func plain(of value: Double, _ object: VST3Object) -> Float {
    if steps > 0 {
      let index = min((value * (Double(steps) + 1)).rounded(.down), Double(steps))
      return Float(low + index)
    }
    return isPlain ? Float(object.plain(id, value)) : Float(value)
  }
}
