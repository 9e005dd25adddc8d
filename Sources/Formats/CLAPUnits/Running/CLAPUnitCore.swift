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

  private let description: CLAPDescription
  private let identifier: String
  private let path: String
  private var instance: CLAPInstance?
  private var cell: UnsafeMutablePointer<CLAPRenderCell>?
  private var lastLatency = 0.0
  private var lastTail: Double?
  /// The state to restore when an instance is made.
  private var pendingState: [UInt8]?

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
    let identifier = identifier
    var definition = unsafe UnitDefinition(
      parameters: parameters, channelCapabilities: description.channelCapabilities,
      inputs: description.inputDefinitions, outputs: description.outputDefinitions,
      clumpNames: clumpNames,
      properties: [
        PropertyDefinition(
          id: kAuricleProperty_ComponentIdentifier,
          size: UInt32(MemoryLayout<UnsafeRawPointer>.size),
          read: { _, _, data in
            unsafe data.storeBytes(of: makeCFString(identifier), as: CFStringRef?.self)
            return 0
          })
      ], processesInPlace: false)
    definition.midiOutputs = description.noteOutputs.map(\.name)
    if description.hasState { definition.state = stateDefinition }
    let hasTail = description.hasTail
    return unsafe makeAudioUnit(
      definition,
      KernelProcedures(
        create: { format throws(KernelProcedures.Failure) in try unsafe self.create(format) },
        destroy: { _ in self.destroy() }, reset: { _ in self.reset() },
        latencyFrames: { _ in self.instance?.latencyFrames ?? self.lastLatency },
        tailSeconds: { _ in hasTail ? self.instance?.tailSeconds ?? self.lastTail : nil },
        process: processCLAP), component)
  }

  /// The part of a saved state besides parameters.
  private var stateDefinition: StateDefinition {
    StateDefinition(
      save: { _, saved in
        let state = self.instance.flatMap { instance in
          PlugInLifeCycle.perform { () -> [UInt8]? in instance.object.saveState() }
        }
        guard let state = state ?? self.pendingState else { return 0 }
        saved.set(CLAPUnitCore.idKey, string: self.description.id)
        saved.set(CLAPUnitCore.stateKey, data: state)
        return 0
      },
      restore: { unit, saved in
        guard let state = saved.data(CLAPUnitCore.stateKey) else { return 0 }
        if let id = saved.string(CLAPUnitCore.idKey), id != self.description.id {
          return kAudioUnitErr_InvalidPropertyValue
        }
        return self.restore(state, to: unit)
      })
  }

  /// Restores a state now, or when an instance is made.
  private func restore(_ state: [UInt8], to unit: UnitInstance) -> OSStatus {
    guard let instance, let cell = unsafe cell else {
      pendingState = state
      return 0
    }
    let isRestored = unsafe cell.pointee.gate.whileClosed {
      instance.restore(state, into: unit.values)
    }
    guard isRestored else { return kAudioUnitErr_InvalidPropertyValue }
    pendingState = state
    return 0
  }

  private func create(
    _ format: RenderFormat
  ) throws(KernelProcedures.Failure) -> UnsafeMutableRawPointer {
    do throws(PlugInFailure) {
      let made = try CLAPInstance(description, path: path, format, state: pendingState)
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
