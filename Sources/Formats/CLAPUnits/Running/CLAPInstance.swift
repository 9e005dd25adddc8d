// An instance of a plug-in: makes, restores, activates, restarts and frees it.
// SPDX-License-Identifier: Apache-2.0

internal import AuricleSDK
internal import CForeignPlugIns
internal import ForeignPlugIns
internal import PlugInGuard
internal import RealtimeSupport

/// The settings with which an instance begins.
struct CLAPBeginning {
  /// A state of the plug-in; nil for none.
  var state: [UInt8]?
  /// A preset, for an instance without a state.
  var preset: CLAPPreset?
}

/// An active plug-in, and the state of its rendering.
///
/// @unchecked Sendable because the main thread of plug-ins accesses it while control threads wait, or under
/// `audioCalls`; the state of the render thread is behind a pointer.
@safe final class CLAPInstance: @unchecked Sendable {
  /// A plug-in that asks for it again and again is restarted this often where the sound waits for it.
  private static let mostRestarts = 16

  let object: CLAPObject
  /// The state of the render thread.
  let render: UnsafeMutablePointer<CLAPRenderState>
  private let description: CLAPDescription
  private let layout: CLAPPorts
  private let format: RenderFormat
  private let readings: SPSCRing
  private let places: [UInt32: Int]
  private var restartCount = 0
  /// Whether the next reset restarts the plug-in.
  private var isRestartDue = false

  /// Loads, makes, restores and activates a plug-in.
  ///
  /// Context: control. Other plug-ins wait meanwhile.
  init(
    _ description: CLAPDescription, path: String, _ format: RenderFormat,
    _ beginning: CLAPBeginning
  ) throws(PlugInFailure) {
    guard
      let layout = description.layout(
        inputs: format.inputChannelCounts, outputs: format.outputChannelCounts)
    else {
      throw PlugInFailure(
        reason: "it has no layout of ports for \(format.inputChannelCounts) channels in and "
          + "\(format.outputChannelCounts) out", isOfBinary: false)
    }
    if format.isOffline { Repeatability.seedRandomNumbers() }
    let object = try CLAPInstance.load(description, path, isOffline: format.isOffline)
    let readings = SPSCRing(
      minimumCapacity: (2 * description.parameters.count + 16) * MemoryLayout<CLAPReading>.stride)
    var known: [UInt32: Double] = [:]
    var cookies: [UInt32: UInt] = [:]
    try PlugInLifeCycle.performOnMainThread { () throws(PlugInFailure) -> Void in
      try object.begin(with: beginning)
      try object.select(layout, of: description)
      known = object.values(of: description.parameters)
      cookies = object.cookies(of: description.parameters)
    }
    (self.object, self.description, self.layout) = (object, description, layout)
    (self.format, self.readings) = (format, readings)
    places = Dictionary(
      description.parameters.enumerated().map { ($0.element.id, $0.offset) },
      uniquingKeysWith: { first, _ in first })
    let slots = CLAPSlots(
      description.parameters, known: known, cookies: cookies, values: format.values,
      readings: readings.consumer)
    unsafe render = .allocate(capacity: 1)
    unsafe render.initialize(to: CLAPRenderState(object, description, layout, format, slots))
    try PlugInLifeCycle.performOnMainThread { () throws(PlugInFailure) -> Void in
      // The latency may depend on them.
      unsafe render.pointee.bringValues(to: object, description.parameters)
      try activate()
      object.loop.serve = { [unowned self] requests in serve(requests) }
      object.loop.settleAtFirst()
      object.loop.setLive(!format.isOffline, sampleRate: format.sampleRate)
    }
  }

  /// Loads the file, and makes a plug-in, which knows whether it renders offline.
  static func load(
    _ description: CLAPDescription, _ path: String, isOffline: Bool
  ) throws(PlugInFailure) -> CLAPObject {
    try PlugInLifeCycle.performOnMainThread { () throws(PlugInFailure) -> CLAPObject in
      let library = try Heartbeat.during(.load) { () throws(PlugInFailure) in
        try CLAPLibrary(path: path)
      }
      LibraryMemory.note()
      if isOffline { Repeatability.estimatePlans() }
      let made = FreshMemory.during {
        Result { () throws(PlugInFailure) in
          try Heartbeat.during(.instantiate) { () throws(PlugInFailure) in
            try CLAPObject(library, id: description.id)
          }
        }
      }
      let object = try made.get()
      if let table = unsafe object.table("clap.render", AuricleCLAPRender.self),
        let set = unsafe table.pointee.set
      {
        _ = unsafe set(object.plugin, isOffline ? 1 : 0)
      }
      object.loop.pump()
      return object
    }
  }

  /// Activates the plug-in, and reads its latency.
  ///
  /// Context: the main thread of plug-ins.
  private func activate() throws(PlugInFailure) {
    // It is the restart that the plug-in asked for before.
    _ = unsafe auricle_clap_requests(object.host, UInt32(kCLAPRequest_Restart))
    let isActive = object.activate(
      sampleRate: format.sampleRate, maximumFrames: format.maximumFrames)
    unsafe render.pointee.run.pointee.is_active = isActive ? 1 : 0
    guard isActive else {
      throw PlugInFailure(
        reason: "it refused to be activated at \(format.sampleRate) Hz with slices of up to "
          + "\(format.maximumFrames) frames", isOfBinary: false)
    }
    object.loop.pump()
    unsafe render.pointee.latencyFrames = object.latencyFrames
  }

  /// Frames of latency, as reported since the last activation.
  var latencyFrames: Double { unsafe render.pointee.latencyFrames }

  /// Seconds of tail; infinite for one that never ends, nil when the plug-in has no answer.
  var tailSeconds: Double? {
    guard let table = unsafe object.table("clap.tail", AuricleCLAPFrames.self),
      let get = unsafe table.pointee.get
    else { return nil }
    let frames = PlugInLifeCycle.performOnMainThread { () -> UInt32 in unsafe get(object.plugin) }
    return frames >= 0x7FFF_FFFF ? .infinity : Double(frames) / format.sampleRate
  }

  // Requests of the plug-in.

  /// Serves requests of the plug-in, and returns the ones that have to wait.
  ///
  /// Context: the main thread of plug-ins.
  private func serve(_ requests: UInt32) -> UInt32 {
    if requests & UInt32(kCLAPRequest_Information | kCLAPRequest_Values) != 0 {
      readValues(withCookies: requests & UInt32(kCLAPRequest_Information) != 0)
    }
    guard requests & UInt32(kCLAPRequest_Restart) != 0 else { return 0 }
    if waitsForReset {
      isRestartDue = true
      return 0
    }
    return restartOnceStopped() ? 0 : UInt32(kCLAPRequest_Restart)
  }

  /// Whether a restart waits for the next reset, because it would cost a part of a file.
  ///
  /// So do one that is asked for in the first slice with the known latency, and those of a plug-in that asks for ever.
  private var waitsForReset: Bool {
    guard format.isOffline else { return false }
    let time = unsafe Int(render.pointee.run.pointee.process.steady_time)
    return restartCount >= Self.mostRestarts
      || ((1...format.maximumFrames).contains(time) && object.latencyFrames == latencyFrames)
  }

  /// Restarts a plug-in once the render thread has stopped it; false while it has not.
  private func restartOnceStopped() -> Bool {
    let run = unsafe render.pointee.run
    guard unsafe auricle_clap_pause(run) == UInt32(kCLAPPause_Stopped) else {
      unsafe auricle_clap_set_pause(run, UInt32(kCLAPPause_Wanted))
      return false
    }
    restartCount += 1
    audioSafe { restart() }
    unsafe auricle_clap_set_pause(run, UInt32(kCLAPPause_None))
    return true
  }

  private func audioSafe(_ body: () -> Void) { object.audioCalls.locked(body) }

  /// Deactivates and activates a plug-in that does not process.
  private func restart() {
    guard unsafe render.pointee.run.pointee.is_active != 0 else { return }
    object.deactivate()
    unsafe render.pointee.run.pointee.is_active = 0
    try? activate()
    readValues(withCookies: true)
  }

  /// Reads the values that the plug-in has, for the host and the render thread.
  ///
  /// Context: the main thread of plug-ins.
  private func readValues(withCookies: Bool) {
    let known = object.values(of: description.parameters)
    let cookies = withCookies ? object.cookies(of: description.parameters) : [:]
    for (id, value) in known {
      guard let place = places[id] else { continue }
      let cookie = withCookies ? cookies[id] ?? 0 : nil
      guard
        readings.producer.push(CLAPReading(place: place, value: value, cookie: cookie))
      else { return }
      format.values.setMeter(Float(value), at: place)
    }
  }

  // Requests of the host.

  /// Restores a state or a preset while nothing renders, and reads the values that it set; the reason when the
  /// plug-in refused it.
  func restore(_ beginning: CLAPBeginning) -> String? {
    PlugInLifeCycle.performOnMainThread { () -> String? in
      do throws(PlugInFailure) {
        try object.begin(with: beginning)
        readValues(withCookies: false)
        // The host's own doing.
        _ = unsafe auricle_clap_fetch_dirty(object.host)
        return nil
      } catch { return error.reason }
    }
  }

  /// The state for a preset; nil when the plug-in has none, or could not save it.
  func save() -> [UInt8]? {
    PlugInLifeCycle.performOnMainThread { () -> [UInt8]? in object.saveState(.preset) }
  }

  /// Passes values to an active plug-in that does not process, while nothing renders.
  func flush() {
    guard unsafe render.pointee.run.pointee.is_active != 0 else { return }
    let table = unsafe object.table("clap.params", AuricleCLAPParameters.self)
    PlugInLifeCycle.perform { () -> Void in
      audioSafe { unsafe render.pointee.flush(table) }
    }
  }

  /// Forgets the past while nothing renders; a plug-in that asked for it is activated anew.
  func reset() {
    let isWanted = unsafe auricle_clap_requests(object.host, UInt32(kCLAPRequest_Restart)) != 0
    let wantsRestart = isWanted || isRestartDue
    isRestartDue = false
    if wantsRestart { stop() }
    guard wantsRestart else {
      PlugInLifeCycle.perform { () -> Void in
        audioSafe {
          guard unsafe render.pointee.run.pointee.is_active != 0 else { return }
          unsafe auricle_clap_enter_audio(object.host)
          unsafe object.plugin.pointee.reset?(object.plugin)
          unsafe auricle_clap_leave_audio(object.host)
        }
      }
      return
    }
    PlugInLifeCycle.performOnMainThread { () -> Void in
      restart()
      unsafe auricle_clap_set_pause(render.pointee.run, UInt32(kCLAPPause_None))
    }
  }

  /// Stops the plug-in, if it processes, on this thread as its audio thread.
  private func stop() {
    PlugInLifeCycle.perform { () -> Void in
      audioSafe { unsafe auricle_clap_stop(render.pointee.run) }
    }
  }

  /// Stops and deactivates the plug-in, when nothing renders any more; call it before the instance is freed.
  func end() {
    stop()
    PlugInLifeCycle.performOnMainThread { () -> Void in
      object.loop.serve = nil
      if unsafe render.pointee.run.pointee.is_active != 0 { object.deactivate() }
      unsafe render.pointee.run.pointee.is_active = 0
    }
  }

  deinit {
    unsafe render.pointee.free()
    unsafe render.deinitialize(count: 1)
    unsafe render.deallocate()
  }
}

extension CLAPObject {
  /// Restores a state, or loads a preset.
  ///
  /// Context: the main thread of plug-ins.
  func begin(with beginning: CLAPBeginning) throws(PlugInFailure) {
    if let state = beginning.state {
      let isRestored = FreshMemory.during { restoreState(state, .preset) }
      loop.pump()
      // One without anything to save may refuse what it saves itself.
      guard isRestored || saveState(.preset) == state else {
        throw PlugInFailure(
          reason: "it refused the state of its preset or saved settings: choose another",
          isOfBinary: false)
      }
    } else if let preset = beginning.preset, let reason = load(preset) {
      throw PlugInFailure(
        reason: "it refused its preset \"\(preset.name)\" (\(reason)): choose another",
        isOfBinary: false)
    }
  }

  /// Selects a layout of ports, and activates its ports for samples of 32 bits.
  ///
  /// Context: the main thread of plug-ins, while it is inactive.
  func select(_ layout: CLAPPorts, of description: CLAPDescription) throws(PlugInFailure) {
    if let id = layout.id, layout != description.ports,
      let table = unsafe table("clap.audio-ports-config", AuricleCLAPConfigurations.self),
      unsafe table.pointee.select?(plugin, id) != true
    {
      throw PlugInFailure(
        reason: "it refused the layout of ports \(id), which it offers", isOfBinary: false)
    }
    guard
      let table = unsafe table(
        "clap.audio-ports-activation/2", draft: "clap.audio-ports-activation/draft-2",
        AuricleCLAPPortActivation.self), let activate = unsafe table.pointee.set_active
    else { return }
    for (buses, isInput) in [(layout.inputs, true), (layout.outputs, false)] {
      for index in buses.indices {
        _ = unsafe activate(plugin, isInput, UInt32(index), true, 32)
      }
    }
  }
}
