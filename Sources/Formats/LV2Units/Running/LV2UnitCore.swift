// The core of one LV2 unit: its instance while it is initialised, and the state that outlives it.
// SPDX-License-Identifier: Apache-2.0

internal import AudioTypes
internal import AuricleSDK
internal import CAudioToolbox
internal import ForeignPlugIns
internal import LV2Bundles
internal import RealtimeSupport
internal import Synchronization

/// The core of one LV2 unit, shared by the closures that the SDK calls.
///
/// @unchecked Sendable because mutable state is accessed only by control threads under the unit instance's
/// lock, which the SDK holds during all procedures and properties.
@safe final class LV2UnitCore: @unchecked Sendable {
  let plugin: LV2Plugin
  let layout: LV2BusLayout
  /// Whether a plug-in that bypasses itself is bypassed.
  let isBypassed: UnsafeMutablePointer<Atomic<Bool>>
  /// The instance while the unit is initialised.
  private(set) var instance: LV2Instance?
  /// The state to restore when an instance is made.
  var pendingState: LV2State?
  /// The program to select when an instance is made.
  var pendingProgram: LV2Program?
  /// Initial values of number properties, by index.
  var knownNumbers: [Float]
  /// Texts of properties by their URIs, as set or reported.
  var texts: [String: String] = [:]
  /// The texts set since the last state, in order.
  var textsToSet: [(uri: String, text: String)] = []
  private var loadedPrograms: [LV2Program] = []
  /// Values of options by their URIs, set while the unit ran.
  var options: [String: String] = [:]
  private var cell: UnsafeMutablePointer<LV2RenderCell>?
  private var format: RenderFormat?
  private var lastLatency: Double = 0
  /// The message that a window read last.
  let windowMessage = LV2WindowMessage()

  init(_ plugin: LV2Plugin) {
    self.plugin = plugin
    layout = LV2BusLayout(plugin.description)
    knownNumbers = plugin.description.numberProperties.map {
      $0.parameter(id: 0, clumpID: 0).defaultValue
    }
    unsafe isBypassed = .allocate(capacity: 1)
    unsafe isBypassed.initialize(to: Atomic(false))
  }

  deinit {
    unsafe isBypassed.deinitialize(count: 1)
    unsafe isBypassed.deallocate()
  }

  /// The functions by which the SDK drives the plug-in.
  var procedures: KernelProcedures {
    unsafe KernelProcedures(
      create: { format throws(KernelProcedures.Failure) in try unsafe self.create(format) },
      destroy: { _ in self.destroy() }, reset: { _ in self.reset() },
      latencyFrames: { _ in self.latencyFrames }, tailSeconds: { _ in nil }, process: processLV2)
  }

  /// Frames of latency, as last reported.
  private var latencyFrames: Double {
    // The signal that bypasses a plug-in without an output has no latency, with any report of the plug-in.
    if layout.passesThrough { return 0 }
    return instance.map { unsafe $0.render.pointee.latencyFrames } ?? lastLatency
  }

  /// Whether the plug-in has reported its latency.
  var latencyIsKnown: Bool {
    instance.map { unsafe $0.render.pointee.latencyIsKnown } ?? false
  }

  /// The plug-in's programs, which follow the presets of its data; from its instance if there is one.
  var programs: [LV2Program] {
    let known = instance == nil ? plugin.furtherPrograms : []
    return known.isEmpty ? plugin.further(loadedPrograms) : known
  }

  private func makeInstance(_ format: RenderFormat) throws(LV2Failure) -> LV2Instance {
    let properties = plugin.description.textProperties
    let texts = textsToSet.compactMap { entry in
      properties.first { $0.uri == entry.uri }.map { (property: $0, text: entry.text) }
    }
    let messages = texts.map { LV2MessageRings.setting($0.property, to: $0.text) }
    let made = unsafe try LV2Instance(
      plugin, layout, format,
      LV2Beginnings(
        state: pendingState, knownNumbers: knownNumbers, messages: messages, texts: texts),
      isBypassed: isBypassed)
    loadedPrograms = made.programs
    if !options.isEmpty { _ = made.setOptions(options) }
    if let program = pendingProgram { made.select(program) }
    return made
  }

  private func create(
    _ format: RenderFormat
  ) throws(KernelProcedures.Failure) -> UnsafeMutableRawPointer {
    do throws(LV2Failure) {
      let made = try makeInstance(format)
      let cell = UnsafeMutablePointer<LV2RenderCell>.allocate(capacity: 1)
      unsafe cell.initialize(
        to: LV2RenderCell(made.render, outputChannelCounts: format.outputChannelCounts))
      instance = made
      self.format = format
      unsafe self.cell = unsafe cell
      return UnsafeMutableRawPointer(cell)
    } catch {
      throw KernelProcedures.Failure(
        status: error.isOfBinary
          ? OSStatus(kAuricleErr_BinaryCannotLoad) : kAudioUnitErr_FailedInitialization,
        reason: error.reason)
    }
  }

  private func destroy() {
    lastLatency = latencyFrames
    instance = nil
    format = nil
    unsafe cell?.deinitialize(count: 1)
    unsafe cell?.deallocate()
    unsafe cell = nil
  }

  /// Replaces the instance by a fresh one.
  ///
  /// Deactivating and activating would do if all plug-ins cleared their state then; many do not. So the
  /// instance is replaced by one made in the same way.
  private func reset() {
    guard let format, let cell = unsafe cell, let old = instance,
      unsafe old.render.pointee.hasRun
    else { return }
    guard let made = try? makeInstance(format) else { return }
    unsafe cell.pointee.whileClosed {
      unsafe made.render.pointee.inheritLatency(from: old.render.pointee)
      unsafe cell.pointee.state = unsafe made.render
    }
    instance = made
  }

  /// Runs a body while nothing is rendered; at once when the unit is not initialised.
  func whileClosed(_ body: () -> Void) {
    guard let cell = unsafe cell else { return body() }
    unsafe cell.pointee.whileClosed(body)
  }

  /// Restores a state: port values and properties at once, the rest now or when an instance is made, which
  /// fails if the plug-in refuses it.
  ///
  /// - Returns: `kAudioUnitErr_InvalidPropertyValue` when the plug-in refused it now; it then keeps the port
  ///   values, and is made again without the rest.
  func apply(_ state: LV2State, to unit: UnitInstance) -> OSStatus {
    let description = plugin.description
    var places: [String: Int] = [:]
    for (place, port) in description.parameterPorts.enumerated() where port.isInput {
      places[port.symbol] = place
    }
    for (symbol, value) in state.portValues {
      guard let place = places[symbol] else { continue }
      let port = description.parameterPorts[place]
      let (low, high, _) = port.completeRange
      let scale = port.isScaledBySampleRate ? Float(unit.sampleRate) : 1
      unit.values.setValue(
        port.hasStrictBounds ? min(max(value, low * scale), high * scale) : value, at: place)
    }
    let values = state.values(of: description.properties)
    var changes: [(index: Int, value: Float)] = []
    for (index, property) in description.numberProperties.enumerated() {
      guard let value = values.numbers[property.uri] else { continue }
      knownNumbers[index] = value
      changes.append((index, value))
      unit.values.setValue(value, at: description.parameterPorts.count + index)
    }
    for (uri, text) in values.texts {
      texts[uri] = text
      textsToSet.removeAll { $0.uri == uri }
    }
    guard state.hasProperties else { return 0 }
    let former = pendingState
    pendingState = state
    guard let instance, let cell = unsafe cell else { return 0 }
    guard unsafe instance.restore(state, cell) else {
      pendingState = former
      return kAudioUnitErr_InvalidPropertyValue
    }
    // Texts of the state need not be sent to the plug-in again.
    unsafe cell.pointee.whileClosed {
      let slots = unsafe instance.render.pointee.events.patches
      for change in changes { unsafe slots.elements[change.index].known = change.value }
    }
    return 0
  }

  /// The current state, with the values of control ports.
  func capture(_ unit: UnitInstance, mode: LV2StatePaths.Mode) -> LV2State? {
    var values: [String: Float] = [:]
    for (place, port) in plugin.description.parameterPorts.enumerated()
    where port.isInput && port.kind == .control {
      values[port.symbol] = unit.values.value(at: place)
    }
    if let instance { return instance.capture(values, mode: mode) }
    return unsafe LV2State.capture(
      plugin, nil, nil, features: nil, paths: LV2StatePaths(), portValues: values, mode: mode)
  }

  /// Receives the texts that the plug-in reported.
  func receiveTexts() {
    guard let instance else { return }
    for (key, text) in instance.rings.receive() {
      guard
        let property = plugin.description.textProperties.first(where: {
          URIDMap.shared.number($0.uri) == key
        })
      else { continue }
      // A file that is still being loaded is reported as empty.
      if text.isEmpty, textsToSet.contains(where: { $0.uri == property.uri }) { continue }
      texts[property.uri] = text
    }
  }

  /// Sets a text property or an option, named by its URI or symbol; false when there is none.
  func setText(_ name: String, _ text: String) -> Bool {
    let properties = plugin.description.textProperties
    guard
      let property = properties.first(where: { $0.uri == name })
        ?? properties.first(where: { $0.symbol == name }), property.isWritable
    else {
      let description = plugin.description
      guard
        let option = description.settableOptions.first(where: {
          $0 == name || description.symbol(ofOption: $0) == name
        })
      else { return false }
      return setOptions([option: text])
    }
    texts[property.uri] = text
    textsToSet.removeAll { $0.uri == property.uri }
    textsToSet.append((property.uri, text))
    return instance?.rings.send(LV2MessageRings.setting(property, to: text)) ?? true
  }
}
