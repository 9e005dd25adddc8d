// An instance of a plug-in: makes, restores, activates and frees it.
// SPDX-License-Identifier: Apache-2.0

internal import AuricleSDK
internal import CForeignPlugIns
internal import ForeignPlugIns
internal import PlugInGuard
internal import RealtimeSupport

/// An active plug-in, and the state of its rendering.
@safe final class CLAPInstance {
  let object: CLAPObject
  /// The state of the render thread.
  let render: UnsafeMutablePointer<CLAPRenderState>
  private let description: CLAPDescription
  private let format: RenderFormat
  /// Frames of latency, as reported since the last activation.
  private(set) var latencyFrames = 0.0

  /// Loads, makes, restores and activates a plug-in.
  ///
  /// Context: control. Other plug-ins wait meanwhile.
  init(
    _ description: CLAPDescription, path: String, _ format: RenderFormat, state: [UInt8]?
  ) throws(PlugInFailure) {
    if format.isOffline { Repeatability.seedRandomNumbers() }
    let object = try CLAPInstance.load(description, path, format)
    if let state {
      guard
        PlugInLifeCycle.perform({ () -> Bool in
          defer { object.pump() }
          return FreshMemory.during { object.restoreState(state) }
        })
      else {
        throw PlugInFailure(
          reason: "it refused the state of its preset or saved settings: choose another",
          isOfBinary: false)
      }
    }
    self.object = object
    self.description = description
    self.format = format
    let values = PlugInLifeCycle.perform { () -> [UInt32: Double] in
      object.values(of: description.parameters)
    }
    unsafe render = .allocate(capacity: 1)
    unsafe render.initialize(to: CLAPRenderState(object, description, format, values))
    try activate()
  }

  /// Loads the file, and makes a plug-in.
  private static func load(
    _ description: CLAPDescription, _ path: String, _ format: RenderFormat
  ) throws(PlugInFailure) -> CLAPObject {
    try PlugInLifeCycle.perform { () throws(PlugInFailure) -> CLAPObject in
      let library = try Heartbeat.during(.load) { () throws(PlugInFailure) in
        try CLAPLibrary(path: path)
      }
      LibraryMemory.note()
      if format.isOffline { Repeatability.estimatePlans() }
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
        _ = unsafe set(object.plugin, format.isOffline ? 1 : 0)
      }
      object.pump()
      return object
    }
  }

  /// Activates the plug-in, and reads its latency.
  private func activate() throws(PlugInFailure) {
    let isActive = PlugInLifeCycle.perform { () -> Bool in
      let activate = unsafe object.plugin.pointee.activate
      guard
        FreshMemory.during({
          unsafe activate?(
            object.plugin, format.sampleRate, 1, UInt32(clamping: format.maximumFrames)) ?? false
        })
      else { return false }
      object.pump()
      if let table = unsafe object.table("clap.latency", AuricleCLAPFrames.self),
        let get = unsafe table.pointee.get
      {
        latencyFrames = Double(unsafe get(object.plugin))
      }
      return true
    }
    unsafe render.pointee.setActive(isActive)
    guard isActive else {
      throw PlugInFailure(
        reason: "it refused to be activated at \(format.sampleRate) Hz with slices of up to "
          + "\(format.maximumFrames) frames", isOfBinary: false)
    }
  }

  /// Seconds of tail; infinite for one that never ends, nil when the plug-in has no answer.
  var tailSeconds: Double? {
    guard let table = unsafe object.table("clap.tail", AuricleCLAPFrames.self),
      let get = unsafe table.pointee.get
    else { return nil }
    let frames = PlugInLifeCycle.perform { () -> UInt32 in unsafe get(object.plugin) }
    return frames >= 0x7FFF_FFFF ? .infinity : Double(frames) / format.sampleRate
  }

  /// Restores a state while nothing renders, and reads the values that it set.
  func restore(_ state: [UInt8], into values: ParameterStore) -> Bool {
    PlugInLifeCycle.perform { () -> Bool in
      guard object.restoreState(state) else { return false }
      object.pump()
      let known = object.values(of: description.parameters)
      for (place, parameter) in description.parameters.enumerated() {
        guard let value = known[parameter.id] else { continue }
        values.setValue(Float(value), at: place)
      }
      unsafe render.pointee.note(known, of: description.parameters)
      return true
    }
  }

  /// Forgets the past while nothing renders; a plug-in that asked for it is activated anew.
  func reset() {
    let wantsRestart = unsafe object.host.pointee.wants_restart != 0
    unsafe object.host.pointee.wants_restart = 0
    PlugInLifeCycle.perform { () -> Void in
      if wantsRestart {
        deactivate()
      } else if let reset = unsafe object.plugin.pointee.reset {
        unsafe render.pointee.onAudioThread { unsafe reset(object.plugin) }
      }
    }
    if wantsRestart { try? activate() }
  }

  /// Stops and deactivates the plug-in, if it is active. Call it inside `PlugInLifeCycle.perform`.
  private func deactivate() {
    guard unsafe render.pointee.isActive else { return }
    unsafe render.pointee.stop()
    unsafe object.plugin.pointee.deactivate?(object.plugin)
    unsafe render.pointee.setActive(false)
  }

  deinit {
    PlugInLifeCycle.perform { () -> Void in deactivate() }
    unsafe render.pointee.free()
    unsafe render.deinitialize(count: 1)
    unsafe render.deallocate()
  }
}
