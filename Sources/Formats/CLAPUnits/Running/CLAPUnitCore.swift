// The core of one CLAP unit: its definition, its state, and its instance while it is initialised.
// SPDX-License-Identifier: Apache-2.0

internal import AudioTypes
internal import AuricleSDK
internal import CAudioToolbox
internal import ForeignPlugIns
internal import RealtimeSupport

/// The core of one CLAP unit, shared by the closures that the SDK calls.
///
/// @unchecked Sendable because mutable state is accessed only by control threads under the unit instance's
/// lock, which the SDK holds during all procedures and properties.
@safe final class CLAPUnitCore: @unchecked Sendable {
  private static let stateKey = "clap-state"
  private static let idKey = "clap-id"
  private static let presetKey = "clap-preset"
  /// The most seconds of latency that a restart may bring.
  private static let mostLatency = 4.0

  private let description: CLAPDescription
  private let identifier: String
  private let path: String
  private var instance: CLAPInstance?
  private var cell: UnsafeMutablePointer<CLAPRenderCell>?
  private var lastLatency = 0.0
  private var lastTail: Double?
  /// The state or preset with which an instance begins.
  private var beginning = CLAPBeginning()

  init(_ description: CLAPDescription, identifier: String, path: String) {
    self.description = description
    self.identifier = identifier
    self.path = path
  }

  /// Makes the interface of a new instance. Initialize opens the plug-in's file.
  func makeUnit(
    _ component: AudioComponentDescription
  ) -> UnsafeMutablePointer<AudioComponentPlugInInterface> {
    let (parameters, clumpNames) = description.definitions
    var definition = UnitDefinition(
      parameters: parameters, channelCapabilities: description.channelCapabilities,
      inputs: description.inputDefinitions, outputs: description.outputDefinitions,
      clumpNames: clumpNames, properties: properties,
      processesInPlace: description.processesInPlace)
    definition.midiOutputs = description.noteOutputs.map(\.name)
    definition.receivesNoteNumbers = description.dialects.sendsNotes
    if description.has("clap.state") || !description.presets.isEmpty {
      definition.state = stateDefinition
    }
    if description.has("clap.latency") { definition.maximumLatencySeconds = Self.mostLatency }
    if !description.presets.isEmpty {
      let names = description.presets.map(\.name)
      definition.furtherPresetNames = { _ in names }
      definition.selectPreset = { unit, number in self.select(number, in: unit) }
    }
    definition.parameterText = { _, id, value in
      self.withObject { $0.text(of: Double(value), parameter: id) }
    }
    definition.parameterValue = { _, id, text in
      self.withObject { $0.value(of: text, parameter: id) }.map { Float($0) }
    }
    let hasTail = description.has("clap.tail")
    return unsafe makeAudioUnit(
      definition,
      KernelProcedures(
        create: { format throws(KernelProcedures.Failure) in try unsafe self.create(format) },
        destroy: { _ in self.destroy() }, reset: { _ in self.reset() },
        latencyFrames: { _ in self.instance?.latencyFrames ?? self.lastLatency },
        tailSeconds: { _ in hasTail ? self.instance?.tailSeconds ?? self.lastTail : nil },
        process: processCLAP), component)
  }

  private var properties: [PropertyDefinition] {
    let identifier = identifier
    return unsafe [
      PropertyDefinition(
        id: kAuricleProperty_ComponentIdentifier,
        size: UInt32(MemoryLayout<UnsafeRawPointer>.size),
        read: { _, _, data in
          unsafe data.storeBytes(of: makeCFString(identifier), as: CFStringRef?.self)
          return 0
        })
    ]
  }

  /// Asks the plug-in on its main thread; nil while there is no instance.
  private func withObject<Value>(_ body: (CLAPObject) -> Value?) -> Value? {
    guard let instance else { return nil }
    return PlugInLifeCycle.performOnMainThread { () -> Value? in body(instance.object) }
  }

  // States and presets.

  /// The part of a saved state besides parameters.
  private var stateDefinition: StateDefinition {
    StateDefinition(
      save: { _, saved in
        if let instance = self.instance, let cell = unsafe self.cell,
          unsafe instance.render.pointee.hasValuesToSend
        {
          unsafe cell.pointee.gate.whileClosed { instance.flush() }
        }
        saved.set(CLAPUnitCore.idKey, string: self.description.id)
        if let state = self.instance?.save() ?? self.beginning.state {
          saved.set(CLAPUnitCore.stateKey, data: state)
        } else if let preset = self.beginning.preset {
          saved.set(CLAPUnitCore.presetKey, string: preset.name)
        }
        return 0
      },
      restore: { unit, saved in
        if let id = saved.string(CLAPUnitCore.idKey), id != self.description.id {
          return kAudioUnitErr_InvalidPropertyValue
        }
        let name = saved.string(CLAPUnitCore.presetKey)
        let preset = name.flatMap { name in self.description.presets.first { $0.name == name } }
        guard saved.data(CLAPUnitCore.stateKey) != nil || preset != nil else { return 0 }
        return self.restore(
          CLAPBeginning(state: saved.data(CLAPUnitCore.stateKey), preset: preset), in: unit)
      })
  }

  /// Selects a preset, and reads the values that it sets: from the instance, or from one that is made for it.
  private func select(_ number: Int, in unit: UnitInstance) -> OSStatus {
    guard description.presets.indices.contains(number) else {
      return kAudioUnitErr_InvalidPropertyValue
    }
    let beginning = CLAPBeginning(state: nil, preset: description.presets[number])
    if instance != nil { return restore(beginning, in: unit) }
    do throws(PlugInFailure) {
      let object = try CLAPInstance.load(description, path, isOffline: true)
      let values = try PlugInLifeCycle.performOnMainThread {
        () throws(PlugInFailure) -> [UInt32: Double] in
        try object.begin(with: beginning)
        return object.values(of: description.parameters)
      }
      for (place, parameter) in description.parameters.enumerated() {
        guard let value = values[parameter.id] else { continue }
        unit.values.setValue(Float(value), at: place)
      }
      self.beginning = beginning
      return 0
    } catch { return error.ofKernel.status }
  }

  /// Restores a state or a preset now, or when an instance is made.
  private func restore(_ beginning: CLAPBeginning, in unit: UnitInstance) -> OSStatus {
    if let instance, let cell = unsafe cell {
      let refusal = unsafe cell.pointee.gate.whileClosed { instance.restore(beginning) }
      guard refusal == nil else { return kAudioUnitErr_InvalidPropertyValue }
    }
    self.beginning = beginning
    return 0
  }

  // The instance.

  private func create(
    _ format: RenderFormat
  ) throws(KernelProcedures.Failure) -> UnsafeMutableRawPointer {
    do throws(PlugInFailure) {
      let made = try CLAPInstance(description, path: path, format, beginning)
      let cell = UnsafeMutablePointer<CLAPRenderCell>.allocate(capacity: 1)
      unsafe cell.initialize(to: CLAPRenderCell(made.render))
      instance = made
      unsafe self.cell = unsafe cell
      return UnsafeMutableRawPointer(cell)
    } catch { throw error.ofKernel }
  }

  private func destroy() {
    lastLatency = instance?.latencyFrames ?? lastLatency
    lastTail = instance?.tailSeconds
    instance?.end()
    instance = nil
    unsafe cell?.deinitialize(count: 1)
    unsafe cell?.deallocate()
    unsafe cell = nil
  }

  private func reset() {
    guard let instance, let cell = unsafe cell else { return }
    unsafe cell.pointee.gate.whileClosed { instance.reset() }
  }
}
