// One instance of an author's unit beside its render state: parameters, model, and the making of units.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox
import Synchronization

/// The state that the closures of an instance share.
///
/// @unchecked Sendable because everything that changes is reached under the instance's lock.
@safe final class UnitContext<Unit: AuricleUnit & ~Copyable>: @unchecked Sendable {
  let parameters = Unit.Parameters()
  let handles: [ParameterHandle]
  private(set) var state = Unit.State()
  /// The sets of the buses, their cells, and how many there are; made when the instance is.
  private var inputs: BusParameters<Unit.InputParameters>
  private var outputs: BusParameters<Unit.OutputParameters>
  private var busHandles: [ParameterHandle] = []
  private var format: RenderFormat?
  private var runner: UnsafeMutablePointer<UnitRunner>?

  init() {
    handles = parameters.handles
    unsafe inputs = BusParameters(.allocate(capacity: 1), count: 0)
    unsafe outputs = BusParameters(.allocate(capacity: 1), count: 0)
  }

  deinit {
    (handles + busHandles).forEach { $0.deallocate() }
    unsafe inputs.sets.deallocate()
    unsafe outputs.sets.deallocate()
  }

  /// Makes the parameters those of an instance.
  func bind(to table: ParameterTable) {
    for (place, handle) in handles.enumerated() { handle.bind(to: table.values, at: place) }
    unsafe inputs.sets.deallocate()
    unsafe outputs.sets.deallocate()
    inputs = makeSets(table, kAudioUnitScope_Input)
    outputs = makeSets(table, kAudioUnitScope_Output)
  }

  private func makeSets<Set: ParameterSet>(
    _ table: ParameterTable, _ scope: AudioUnitScope
  ) -> BusParameters<Set> {
    let count = table.capacity(scope)
    let sets = UnsafeMutablePointer<Set>.allocate(capacity: max(count, 1))
    for element in 0..<count {
      let set = Set()
      for (place, handle) in set.handles.enumerated() {
        handle.bind(to: table.values, at: table.firstIndex(scope, element) + place)
        busHandles.append(handle)
      }
      unsafe (sets + element).initialize(to: set)
    }
    return unsafe BusParameters(sets, count: count)
  }

  /// Makes a unit of the parameters and the model as they are.
  private func makeUnit(
    _ format: RenderFormat, _ state: Unit.State
  ) throws(UnitRefusal) -> UnsafeMutableRawPointer {
    let unit = try Unit(
      UnitSetup(
        format: format, parameters: parameters, inputParameters: inputs,
        outputParameters: outputs, state: state))
    let memory = UnsafeMutablePointer<Unit>.allocate(capacity: 1)
    unsafe memory.initialize(to: unit)
    return UnsafeMutableRawPointer(memory)
  }

  private static func free(_ unit: UnsafeMutableRawPointer?) {
    guard let unit = unsafe unit?.assumingMemoryBound(to: Unit.self) else { return }
    unsafe unit.deinitialize(count: 1)
    unsafe unit.deallocate()
  }

  /// Initialises.
  func create(_ format: RenderFormat) throws(UnitRefusal) -> UnsafeMutableRawPointer {
    let unit = unsafe try makeUnit(format, state)
    let made = UnsafeMutablePointer<UnitRunner>.allocate(capacity: 1)
    unsafe made.initialize(
      to: UnitRunner(unit, handles + busHandles, sampleRate: format.sampleRate))
    unsafe runner = unsafe made
    self.format = format
    return UnsafeMutableRawPointer(made)
  }

  /// Uninitialises.
  func destroy() {
    guard let runner = unsafe runner else { return }
    unsafe Self.free(runner.pointee.unit.load(ordering: .acquiring))
    unsafe Self.free(runner.pointee.pending.load(ordering: .acquiring))
    unsafe Self.free(runner.pointee.retired.load(ordering: .acquiring))
    unsafe runner.deinitialize(count: 1)
    unsafe runner.deallocate()
    unsafe self.runner = nil
    format = nil
  }

  /// The unit that renders; nil while the instance is not initialised.
  var unit: UnsafeMutablePointer<Unit>? {
    unsafe runner?.pointee.unit.load(ordering: .acquiring)?.assumingMemoryBound(to: Unit.self)
  }

  /// The unit that renders, or the one that replaces it at the next slice.
  var latest: UnsafeMutablePointer<Unit>? {
    unsafe runner?.pointee.pending.load(ordering: .acquiring)?.assumingMemoryBound(to: Unit.self)
      ?? unit
  }

  /// Clears the history.
  func reset() {
    unsafe runner?.pointee.reset()
    unsafe unit?.pointee.reset()
  }

  /// Puts another model in force; while the instance is initialised, a new unit replaces the current one.
  func setState(_ state: Unit.State, of instance: UnitInstance) throws(UnitRefusal) {
    if let runner = unsafe runner, let format {
      let next = unsafe try makeUnit(format, state)
      let latency = unsafe unit?.pointee.latencyFrames ?? 0
      let nextLatency = unsafe next.assumingMemoryBound(to: Unit.self).pointee.latencyFrames
      unsafe Self.free(runner.pointee.retired.exchange(nil, ordering: .acquiringAndReleasing))
      unsafe Self.free(runner.pointee.pending.exchange(next, ordering: .acquiringAndReleasing))
      if latency != nextLatency { instance.propertyChanged(kAudioUnitProperty_Latency) }
    }
    self.state = state
  }

  /// Runs the action of a property; a refusal becomes the host's status, and its reason is kept.
  func attempt(
    on instance: UnitInstance, _ body: (UnitAccess<Unit>) throws(UnitRefusal) -> Void
  ) -> OSStatus {
    do throws(UnitRefusal) {
      try body(UnitAccess(instance, self))
      return 0
    } catch {
      instance.failureReason = error.reason
      return error.status
    }
  }
}
