// From an author's unit to the interface that its factory function returns.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox

/// Makes an instance of a unit; the whole body of a factory function.
///
/// ```swift
/// @c(WarmTremoloFactory)
/// public func warmTremoloFactory(_ request: ComponentRequest) -> ComponentInterface? {
///   makeUnit(WarmTremolo.self, request) { render(WarmTremolo.self, $0, $1) }
/// }
/// ```
///
/// The name in `@c` is the one that the Info.plist has as `factoryFunction`. The corresponding Core Audio type is
/// `AudioComponentFactoryFunction`.
///
/// - Parameters:
///   - unit: The unit.
///   - request: The description that the host passed; null for the unit's own.
///   - process: Runs the unit; a closure without captures, which the compiler turns into a C function.
/// - Returns: The interface, whose Close frees everything.
///
/// Context: control.
public func makeUnit<Unit: AuricleUnit & ~Copyable>(
  _ unit: Unit.Type, _ request: ComponentRequest, _ process: KernelProcess
) -> ComponentInterface? {
  let context = UnitContext<Unit>()
  let procedures = unsafe KernelProcedures(
    create: { (format) throws(KernelProcedures.Failure) in unsafe try context.create(format) },
    destroy: { _ in context.destroy() }, reset: { _ in context.reset() },
    latencyFrames: { _ in unsafe Double(context.latest?.pointee.latencyFrames ?? 0) },
    tailSeconds: { _ in unsafe context.latest?.pointee.tailSeconds ?? 0 }, process: process)
  let description =
    unsafe request?.pointee ?? Unit.component.description(type: Unit.componentType)
  return unsafe makeInterface(Unit.definition(context), procedures, description) {
    context.bind(to: $0.table)
  }
}

extension AuricleUnit where Self: ~Copyable {
  /// Returns the definition of an instance, as a host sees it.
  static func definition(_ context: UnitContext<Self>) -> UnitDefinition {
    var definition = UnitDefinition(
      parameters: context.handles.map { $0.declaration.definition },
      factoryPresets: presets.map { $0.definition },
      channelCapabilities: channels.isEmpty ? nil : channels, inputs: inputs, outputs: outputs,
      properties: [entryProperty] + properties.map { $0.make(context) },
      processesInPlace: processesInPlace, skipsSilence: skipsSilence,
      frequencyResponse: response(context))
    definition.inputParameters = declarations(InputParameters())
    definition.outputParameters = declarations(OutputParameters())
    definition.kernelPullsInputs = pullsInputs
    let clumps = context.handles.compactMap { $0.declaration.clump }.map { ($0.id, $0.name) }
    definition.clumpNames = Dictionary(clumps, uniquingKeysWith: { first, _ in first })
    definition.state = state(context)
    arrange(&definition)
    configure(&definition)
    return definition
  }

  /// Returns the definitions of a set that no instance keeps.
  private static func declarations(_ set: some ParameterSet) -> [ParameterDefinition] {
    let handles = set.handles
    defer { handles.forEach { $0.deallocate() } }
    return handles.map { $0.declaration.definition }
  }

  /// The property that carries the unit's entry of an Info.plist.
  private static var entryProperty: PropertyDefinition {
    let (component, type) = (component, componentType)
    return unsafe PropertyDefinition(
      id: kAuricleProperty_ComponentEntry, size: UInt32(MemoryLayout<CFDictionaryRef?>.size),
      read: { _, _, data in
        unsafe data.storeBytes(of: component.makeEntry(type: type), as: CFDictionaryRef?.self)
        return 0
      })
  }

  private static func response(
    _ context: UnitContext<Self>
  ) -> (@Sendable (UnitInstance, Double) -> Double)? {
    let probe = frequencyResponse(
      context.parameters, context.state, frequency: 1000, sampleRate: 44_100)
    guard probe != nil else { return nil }
    return { instance, frequency in
      frequencyResponse(
        context.parameters, context.state, frequency: frequency, sampleRate: instance.sampleRate)
        ?? 1
    }
  }

  /// Returns the saved state of the unit's model; nil without a model.
  private static func state(_ context: UnitContext<Self>) -> StateDefinition? {
    guard State.self != NoModel.self else { return nil }
    return StateDefinition(
      save: { _, state in
        state.set("unit-state-version", integer: State.version)
        state.set("unit-state", state: { context.state.save(to: $0) })
        return 0
      },
      restore: { instance, state in
        guard let saved = state.state("unit-state") ?? (State.readsWhole(state) ? state : nil)
        else { return 0 }
        let version = state.integer("unit-state-version") ?? 1
        guard version <= State.version else {
          instance.failureReason =
            "the state was saved by a newer version of the unit: form \(version), "
            + "of which this one reads up to \(State.version); install the newer unit"
          return kAudioUnitErr_InvalidPropertyValue
        }
        return context.attempt(on: instance) { (access) throws(UnitRefusal) in
          try access.setState(State(restoring: saved, version: version))
        }
      })
  }
}
