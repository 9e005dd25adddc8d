// The core of one LADSPA unit: its definition, and its instance while it is initialised.
// SPDX-License-Identifier: Apache-2.0

internal import AudioTypes
internal import AuricleSDK
internal import CAudioToolbox
internal import ForeignPlugIns
internal import RealtimeSupport

/// The core of one LADSPA unit, shared by the closures that the SDK calls.
///
/// @unchecked Sendable because mutable state is accessed only by control threads under the unit instance's
/// lock, which the SDK holds during all procedures and properties.
@safe final class LADSPAUnitCore: @unchecked Sendable {
  private let description: LADSPADescription
  private let identifier: String
  private let path: String
  private let buses: LADSPABuses
  private var instance: LADSPAInstance?
  private var cell: UnsafeMutablePointer<LADSPARenderCell>?
  private var format: RenderFormat?
  private var lastLatency = 0.0

  init(_ description: LADSPADescription, identifier: String, path: String) {
    self.description = description
    self.identifier = identifier
    self.path = path
    buses = LADSPABuses(description)
  }

  /// Makes the interface of a new instance. Initialize opens the plug-in's file.
  func makeUnit(
    _ component: AudioComponentDescription
  ) -> UnsafeMutablePointer<AudioComponentPlugInInterface> {
    var definition = UnitDefinition(
      parameters: description.parameters.map(\.definition),
      factoryPresets: description.settings.map { setting in
        FactoryPresetDefinition(
          name: setting.name,
          values: Dictionary(
            setting.values.map { ($0.port, $0.value) }, uniquingKeysWith: { first, _ in first }))
      },
      channelCapabilities: buses.channelCapabilities, inputs: buses.inputDefinitions,
      outputs: buses.outputDefinitions, properties: properties, processesInPlace: false)
    // A plug-in reports its latency while it runs; its bypass has the same latency.
    definition.maximumLatencySeconds = description.latencyPort == nil ? 0 : 4
    return unsafe makeAudioUnit(definition, procedures, component)
  }

  /// The procedures by which the SDK drives the plug-in.
  private var procedures: KernelProcedures {
    unsafe KernelProcedures(
      create: { format throws(KernelProcedures.Failure) in try unsafe self.create(format) },
      destroy: { _ in self.destroy() }, reset: { _ in self.reset() },
      latencyFrames: { _ in self.latencyFrames }, tailSeconds: { _ in nil },
      process: processLADSPA)
  }

  private var properties: [PropertyDefinition] {
    let identifier = identifier
    var definitions = unsafe [
      PropertyDefinition(
        id: kAuricleProperty_ComponentIdentifier,
        size: UInt32(MemoryLayout<UnsafeRawPointer>.size),
        read: { _, _, data in
          unsafe data.storeBytes(of: makeCFString(identifier), as: CFStringRef?.self)
          return 0
        }),
      PropertyDefinition(
        id: kAuricleProperty_LatencyIsKnown, size: 4,
        read: { _, _, data in
          let isKnown = self.instance.map { unsafe $0.render.pointee.latencyIsKnown } ?? false
          unsafe data.storeBytes(of: isKnown ? 1 : 0, as: UInt32.self)
          return 0
        }),
    ]
    if description.parameters.contains(where: \.port.isScaled) {
      unsafe definitions.append(
        PropertyDefinition(
          id: kAuricleProperty_RangesFollowSampleRate, size: 4,
          read: { _, _, data in
            unsafe data.storeBytes(of: 1, as: UInt32.self)
            return 0
          }))
    }
    return definitions
  }

  /// Frames of latency, as last reported.
  private var latencyFrames: Double {
    // The signal that bypasses a plug-in without an output has no latency, with any report of the plug-in.
    if buses.passesThrough { return 0 }
    return instance.map { unsafe $0.render.pointee.latencyFrames } ?? lastLatency
  }

  private func makeInstance(_ format: RenderFormat) throws(PlugInFailure) -> LADSPAInstance {
    try LADSPAInstance(description, path: path, buses, format)
  }

  private func create(
    _ format: RenderFormat
  ) throws(KernelProcedures.Failure) -> UnsafeMutableRawPointer {
    do throws(PlugInFailure) {
      let made = try makeInstance(format)
      let cell = UnsafeMutablePointer<LADSPARenderCell>.allocate(capacity: 1)
      unsafe cell.initialize(to: LADSPARenderCell(made.render))
      instance = made
      self.format = format
      unsafe self.cell = unsafe cell
      return UnsafeMutableRawPointer(cell)
    } catch {
      throw error.ofKernel
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

  /// Replaces the instance by a fresh one: deactivating and activating clears the state of some plug-ins only.
  private func reset() {
    guard let format, let cell = unsafe cell, let old = instance,
      unsafe old.render.pointee.hasRun, let made = try? makeInstance(format)
    else { return }
    unsafe cell.pointee.gate.whileClosed {
      unsafe made.render.pointee.inheritLatency(from: old.render.pointee)
      unsafe cell.pointee.state = unsafe made.render
    }
    instance = made
  }
}
