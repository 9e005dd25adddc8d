// The core of one VST3 unit: its definition, and its instance while it is initialised.
// SPDX-License-Identifier: Apache-2.0

internal import AudioTypes
internal import AuricleSDK
internal import CAudioToolbox
internal import ForeignPlugIns
internal import RealtimeSupport

/// The core of one VST3 unit, shared by the closures that the SDK calls.
///
/// @unchecked Sendable because mutable state is accessed only by control threads under the unit instance's
/// lock, which the SDK holds during all procedures and properties.
@safe final class VST3UnitCore: @unchecked Sendable {
  let description: VST3Description
  let identifier: String
  let bundle: VST3Bundle
  /// The installed presets, which come before the programs in number.
  let presets: [VST3PresetFolders.Entry]
  /// The instance while the unit is initialised.
  private(set) var instance: VST3Instance?
  /// The settings that an instance begins with, and the unit's values when these were chosen.
  private var beginning = VST3Beginning.fresh
  private var valuesThen: [Float] = []
  private var cell: UnsafeMutablePointer<VST3RenderCell>?
  /// The work that the cell refers to.
  private var work: VST3Work?
  private var lastLatency = 0.0
  private var lastTail: Double?

  init(_ description: VST3Description, identifier: String, bundle: VST3Bundle) {
    self.description = description
    self.identifier = identifier
    self.bundle = bundle
    presets = VST3PresetFolders.presets(of: description, bundle)
  }

  /// Makes the interface of a new instance. Initialize opens the plug-in's file.
  func makeUnit(
    _ component: AudioComponentDescription
  ) -> UnsafeMutablePointer<AudioComponentPlugInInterface> {
    let (parameters, clumpNames) = description.definitions
    var definition = UnitDefinition(
      parameters: parameters, channelCapabilities: description.channelCapabilities,
      inputs: description.inputDefinitions, outputs: description.outputDefinitions,
      clumpNames: clumpNames, properties: properties, processesInPlace: false)
    definition.midiOutputs = description.eventOutputs
    definition.receivesNoteNumbers = !description.eventInputs.isEmpty
    definition.supportsMPE = description.hasNoteExpression
    definition.state = stateDefinition
    definition.parameterText = { _, id, value in self.text(of: value, id) }
    definition.parameterValue = { _, id, text in self.value(of: text, id) }
    // A plug-in may report another latency while it runs.
    definition.maximumLatencySeconds = 4
    let names = presets.map(\.name) + description.programs
    if !names.isEmpty {
      definition.furtherPresetNames = { _ in names }
      definition.selectPreset = { unit, number in self.select(number, in: unit) }
    }
    return unsafe makeAudioUnit(definition, procedures, component)
  }

  /// The procedures by which the SDK drives the plug-in.
  private var procedures: KernelProcedures {
    unsafe KernelProcedures(
      create: { format throws(KernelProcedures.Failure) in try unsafe self.create(format) },
      destroy: { _ in self.destroy() }, reset: { _ in self.instance?.reset() },
      latencyFrames: { _ in self.latencyFrames },
      tailSeconds: { _ in self.instance.map { $0.tailSeconds } ?? self.lastTail },
      process: processVST3)
  }

  /// Frames of latency, as last reported.
  private var latencyFrames: Double {
    // The signal that passes by a plug-in without an output has no latency.
    if description.passesThrough { return 0 }
    return instance.map { unsafe $0.render.pointee.latencyFrames } ?? lastLatency
  }

  /// A value as the plug-in writes it, while it is loaded.
  private func text(of value: Float, _ id: UInt32) -> String? {
    guard let place = description.parameters.firstIndex(where: { $0.id == id }) else { return nil }
    return instance?.text(place: place, value)
  }

  /// The value that the plug-in reads in a text, while it is loaded.
  private func value(of text: String, _ id: UInt32) -> Float? {
    guard let place = description.parameters.firstIndex(where: { $0.id == id }) else { return nil }
    return instance?.value(place: place, text: text)
  }

  private func create(
    _ format: RenderFormat
  ) throws(KernelProcedures.Failure) -> UnsafeMutableRawPointer {
    let then = valuesThen
    do throws(PlugInFailure) {
      let made = try VST3Instance(
        description, binary: bundle.binary, format, beginning: beginning,
        isSet: { then.indices.contains($0) && then[$0] != format.values.value(at: $0) })
      let cell = UnsafeMutablePointer<VST3RenderCell>.allocate(capacity: 1)
      let work = VST3Work(made.object, sampleRate: format.sampleRate)
      unsafe cell.initialize(to: VST3RenderCell(made.render, work))
      self.work = work
      let address = UInt(bitPattern: cell)
      made.whileClosed = { body in
        guard let cell = unsafe UnsafeMutablePointer<VST3RenderCell>(bitPattern: address) else {
          return body()
        }
        unsafe cell.pointee.gate.whileClosed(body)
      }
      instance = made
      unsafe self.cell = unsafe cell
      return UnsafeMutableRawPointer(cell)
    } catch { throw error.ofKernel }
  }

  private func destroy() {
    lastLatency = latencyFrames
    lastTail = instance?.tailSeconds
    work = nil
    instance = nil
    unsafe cell?.deinitialize(count: 1)
    unsafe cell?.deallocate()
    unsafe cell = nil
  }

  /// Makes the plug-in begin with settings, now or when an instance is made.
  ///
  /// - Returns: False when the plug-in refuses them.
  private func begin(with wanted: VST3Beginning, in unit: UnitInstance) -> Bool {
    switch wanted {
    case .fresh: break
    case .state(let state, let isProject):
      if let instance, !instance.restore(state, isProject: isProject) { return false }
    case .program(let number): instance?.select(program: number)
    }
    beginning = wanted
    valuesThen = (0..<description.parameters.count).map { unit.values.value(at: $0) }
    return true
  }

  /// Selects one of the presets and programs by its number.
  private func select(_ number: Int, in unit: UnitInstance) -> OSStatus {
    if presets.indices.contains(number) { return loadPreset(presets[number].path, into: unit) }
    let program = number - presets.count
    guard description.programs.indices.contains(program) else {
      return kAudioUnitErr_InvalidPropertyValue
    }
    if let place = description.parameters.firstIndex(where: {
      $0.id == description.programParameter
    }) {
      let low = description.parameters[place].low
      unit.values.setValue(Float(low + Double(program)), at: place)
    }
    return begin(with: .program(program), in: unit) ? 0 : kAudioUnitErr_InvalidPropertyValue
  }

  /// Loads a `.vstpreset` file; one of another plug-in is refused.
  func loadPreset(_ place: String, into unit: UnitInstance) -> OSStatus {
    let status = kAudioUnitErr_InvalidPropertyValue
    guard let path = VST3PresetFolders.path(of: place) else {
      return unit.refuse(status, "\"\(place)\" is no .vstpreset file")
    }
    do throws(PlugInFailure) {
      let preset = try VST3PresetFile(contentsOf: path)
      guard
        preset.classID == description.classID
          || description.formerClasses.contains(preset.classID)
      else {
        return unit.refuse(
          status,
          "the preset \(path) is of the plug-in \(VST3ClassID.scheme)\(preset.classID), not of "
            + identifier)
      }
      guard !preset.state.component.isEmpty else {
        return unit.refuse(
          status, "the preset \(path) holds data of one program alone, which is not read")
      }
      guard begin(with: .state(preset.state, isProject: false), in: unit) else {
        return unit.refuse(status, "the plug-in refused the preset \(path)")
      }
      return 0
    } catch { return unit.refuse(status, "the preset \(path) cannot be used: \(error.reason)") }
  }

  /// The present state; nil where there is none.
  var state: VST3State? {
    if let saved = instance?.saveState() { return saved }
    guard case .state(let state, _) = beginning else { return nil }
    return state
  }

  /// The part of a saved state besides parameters.
  private var stateDefinition: StateDefinition {
    StateDefinition(
      save: { _, saved in
        guard let state = self.state else { return 0 }
        saved.set(StateKey.classID, string: self.description.classID)
        saved.set(StateKey.component, data: state.component)
        if !state.controller.isEmpty { saved.set(StateKey.controller, data: state.controller) }
        return 0
      },
      restore: { unit, saved in
        guard let component = saved.data(StateKey.component) else { return 0 }
        let id = saved.string(StateKey.classID) ?? self.description.classID
        guard id == self.description.classID || self.description.formerClasses.contains(id) else {
          return kAudioUnitErr_InvalidPropertyValue
        }
        let state = VST3State(
          component: component, controller: saved.data(StateKey.controller) ?? [])
        return self.begin(with: .state(state, isProject: true), in: unit)
          ? 0 : kAudioUnitErr_InvalidPropertyValue
      })
  }

  /// Keys of a saved state.
  private enum StateKey {
    static let classID = "vst3-class"
    static let component = "vst3-component"
    static let controller = "vst3-controller"
  }
}
