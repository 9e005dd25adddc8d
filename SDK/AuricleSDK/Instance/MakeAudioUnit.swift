// From a kernel to the interface that a component's factory returns.
// SPDX-License-Identifier: Apache-2.0

public import CAudioToolbox

/// The memory that the methods of the interface receive as `self`: the interface first, as the host expects.
@safe struct UnitRecord {
  var interface: AudioComponentPlugInInterface
  var render: UnsafeMutablePointer<RenderState>
  let table: ParameterTable
  let midi: MIDIInput?
  let receivesNoteNumbers: Bool
  var instance: Unmanaged<UnitInstance>
}

/// Makes an instance of a unit for a component's factory function.
///
/// For kernels; a unit of `AuricleUnit` is made by `makeUnit(_:_:_:)`.
///
/// ```swift
/// @c(HalverFactory)
/// public func halverFactory(_ request: ComponentRequest) -> ComponentInterface? {
///   unsafe makeAudioUnit(Halver.self, UnitDefinition(parameters: []), request) {
///     unsafe runKernel(Halver.self, $0, $1)
///   }
/// }
/// ```
///
/// - Parameters:
///   - kernel: The type of the unit's DSP state.
///   - definition: The definition of the unit.
///   - description: The description the host passed to the factory.
///   - process: Runs the kernel; a closure without captures:
///     `{ unsafe runKernel(MyKernel.self, $0, $1) }`.
/// - Returns: The interface that the factory returns; its Close frees everything.
///
/// Context: control.
public func makeAudioUnit<Kernel: UnitKernel & ~Copyable>(
  _ kernel: Kernel.Type, _ definition: UnitDefinition,
  _ description: UnsafePointer<AudioComponentDescription>?, _ process: KernelProcess
) -> UnsafeMutablePointer<AudioComponentPlugInInterface>? {
  unsafe makeAudioUnit(definition, description, process) { Kernel($0) }
}

/// Makes an instance of a unit whose kernel needs more than its format, or may refuse it.
///
/// ```swift
/// unsafe makeAudioUnit(definition, request) { state, slice in
///   unsafe runKernel(Halver.self, state, slice)
/// } makeKernel: { (format) throws(KernelProcedures.Failure) in
///   guard format.channelCount == format.inputChannelCount else {
///     throw KernelProcedures.Failure("The output has the channels of the input.")
///   }
///   return Halver(format)
/// }
/// ```
///
/// - Parameters:
///   - definition: The definition of the unit.
///   - description: The description the host passed to the factory.
///   - process: Runs the kernel; a closure without captures.
///   - makeKernel: Makes the DSP state at each initialise; a failure is the host's answer.
/// - Returns: The interface that the factory returns; its Close frees everything.
///
/// Context: control.
public func makeAudioUnit<Kernel: UnitKernel & ~Copyable>(
  _ definition: UnitDefinition, _ description: UnsafePointer<AudioComponentDescription>?,
  _ process: KernelProcess,
  makeKernel: @escaping (RenderFormat) throws(KernelProcedures.Failure) -> Kernel
) -> UnsafeMutablePointer<AudioComponentPlugInInterface>? {
  let procedures = unsafe KernelProcedures(
    create: { (format) throws(KernelProcedures.Failure) in
      let kernel = try makeKernel(format)
      let state = UnsafeMutablePointer<Kernel>.allocate(capacity: 1)
      unsafe state.initialize(to: kernel)
      return UnsafeMutableRawPointer(state)
    },
    destroy: { state in
      let state = unsafe state.assumingMemoryBound(to: Kernel.self)
      unsafe state.deinitialize(count: 1)
      unsafe state.deallocate()
    },
    reset: { unsafe $0.assumingMemoryBound(to: Kernel.self).pointee.reset() },
    latencyFrames: {
      unsafe Double($0?.assumingMemoryBound(to: Kernel.self).pointee.latencyFrames ?? 0)
    },
    tailSeconds: { unsafe $0?.assumingMemoryBound(to: Kernel.self).pointee.tailSeconds ?? 0 },
    process: process)
  return unsafe makeAudioUnit(definition, procedures, description?.pointee)
}

/// Makes an instance of a unit whose kernel is known only at run time.
///
/// - Returns: The interface; its Close frees everything. Where there is no memory for the unit, its
///   Open says so with `kAudio_MemFullError`.
///
/// Context: control.
public func makeAudioUnit(
  _ definition: UnitDefinition, _ procedures: KernelProcedures,
  _ description: AudioComponentDescription?
) -> UnsafeMutablePointer<AudioComponentPlugInInterface> {
  unsafe makeInterface(definition, procedures, description ?? AudioComponentDescription()) { _ in }
}

/// Makes an instance, which `prepare` completes before other code sees it. Context: control.
func makeInterface(
  _ definition: UnitDefinition, _ procedures: KernelProcedures,
  _ description: AudioComponentDescription, prepare: (UnitInstance) -> Void
) -> UnsafeMutablePointer<AudioComponentPlugInInterface> {
  let family = UnitFamily(description.componentType)
  guard
    let memory = UnitMemory(
      acceptsMIDI: family.acceptsMIDI, midiOutputCount: definition.midiOutputs.count)
  else { return unsafe LackOfMemory.interface }
  let instance = UnitInstance(definition, procedures, description, memory)
  prepare(instance)
  let record = UnsafeMutablePointer<UnitRecord>.allocate(capacity: 1)
  unsafe record.initialize(
    to: UnitRecord(
      interface: AudioComponentPlugInInterface(
        Open: openUnit, Close: closeUnit, Lookup: family.lookUp, reserved: nil),
      render: instance.render, table: instance.table,
      midi: instance.render.pointee.midiInput,
      receivesNoteNumbers: definition.receivesNoteNumbers,
      instance: Unmanaged.passRetained(instance)))
  return unsafe UnsafeMutableRawPointer(record).assumingMemoryBound(
    to: AudioComponentPlugInInterface.self)
}

private func openUnit(_ plugIn: UnsafeMutableRawPointer?, _ handle: AudioUnitHandle?) -> OSStatus {
  guard let plugIn = unsafe plugIn else { return kAudio_ParamError }
  unsafe plugIn.assumingMemoryBound(to: UnitRecord.self).pointee.instance._withUnsafeGuaranteedRef {
    unsafe $0.handle = handle
  }
  return 0
}

private func closeUnit(_ plugIn: UnsafeMutableRawPointer?) -> OSStatus {
  guard let plugIn = unsafe plugIn else { return kAudio_ParamError }
  let record = unsafe plugIn.assumingMemoryBound(to: UnitRecord.self)
  unsafe record.pointee.instance.release()
  unsafe record.deinitialize(count: 1)
  unsafe record.deallocate()
  return 0
}
