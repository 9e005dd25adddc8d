// A unit that does nothing but play the source of a validation, for connections to inputs.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import CAudioToolbox

/// The state of such a unit; its interface comes first, so that both have one address.
@safe private struct SourceUnitState {
  var interface: AudioComponentPlugInInterface
  var format: AudioStreamBasicDescription
  /// Borrowed from the owner.
  var source: UnsafeMutableRawPointer
}

/// The owner of the unit's memory; the unit keeps it alive.
@safe final class ValidationSourceUnit {
  private let source: ValidationSource
  private let component: UnsafeMutablePointer<OpaqueAudioComponent>
  private let state: UnsafeMutablePointer<SourceUnitState>

  private init(_ source: ValidationSource, _ format: AudioStreamFormat) {
    self.source = source
    unsafe component = .allocate(capacity: 1)
    unsafe component.initialize(to: OpaqueAudioComponent())
    unsafe component.pointee.magic = UInt32(kAuricleComponentMagic)
    unsafe component.pointee.recordSize = UInt32(MemoryLayout<OpaqueAudioComponent>.size)
    unsafe component.pointee.description.componentType = kAudioUnitType_Generator
    let interface = unsafe AudioComponentPlugInInterface(
      Open: { _, _ in 0 }, Close: { _ in 0 }, Lookup: { unsafe sourceMethod($0) }, reserved: nil)
    unsafe state = .allocate(capacity: 1)
    unsafe state.initialize(
      to: SourceUnitState(interface: interface, format: format.asbd, source: source.pointer))
  }

  deinit {
    unsafe state.deallocate()
    unsafe component.deallocate()
  }

  /// Opens a unit with one output that plays a source.
  static func open(
    _ source: ValidationSource, _ format: AudioStreamFormat
  ) throws(AuricleError) -> AudioUnit {
    let owner = ValidationSourceUnit(source, format)
    let plugIn = unsafe UnsafeMutableRawPointer(owner.state)
      .assumingMemoryBound(to: AudioComponentPlugInInterface.self)
    return unsafe try AudioUnit(opening: plugIn, component: owner.component, keeping: owner)
  }
}

/// The method of a selector.
private func sourceMethod(_ selector: Int16) -> AudioComponentMethod? {
  switch selector {
  case Int16(kAudioUnitInitializeSelect), Int16(kAudioUnitUninitializeSelect): unsafe sourceNothing
  case Int16(kAudioUnitGetPropertySelect):
    unsafe unsafeBitCast(sourceGetProperty, to: AudioComponentMethod.self)
  case Int16(kAudioUnitRenderSelect):
    unsafe unsafeBitCast(sourceRender, to: AudioComponentMethod.self)
  default: nil
  }
}

private let sourceNothing: AudioUnitInitializeProc = { _ in 0 }

private func sourceState(
  _ plugIn: UnsafeMutableRawPointer?
) -> UnsafeMutablePointer<SourceUnitState>? {
  unsafe plugIn?.assumingMemoryBound(to: SourceUnitState.self)
}

/// All that a unit which is connected asks of the other.
private let sourceGetProperty: AudioUnitGetPropertyProc = {
  plugIn, property, scope, element, data, size in
  guard let state = unsafe sourceState(plugIn), let data = unsafe data, let size = unsafe size
  else { return kAudio_ParamError }
  guard property == kAudioUnitProperty_StreamFormat else { return kAudioUnitErr_InvalidProperty }
  guard scope == kAudioUnitScope_Output else { return kAudioUnitErr_InvalidScope }
  guard element == 0 else { return kAudioUnitErr_InvalidElement }
  let length = UInt32(MemoryLayout<AudioStreamBasicDescription>.size)
  guard unsafe size.pointee >= length else { return kAudioUnitErr_InvalidPropertyValue }
  unsafe data.storeBytes(of: state.pointee.format, as: AudioStreamBasicDescription.self)
  unsafe size.pointee = length
  return 0
}

/// Context: render.
private let sourceRender: AudioUnitRenderProc = { plugIn, flags, stamp, bus, frames, list in
  guard let state = unsafe sourceState(plugIn) else { return kAudio_ParamError }
  return unsafe ValidationSource.procedure(
    state.pointee.source, flags, stamp, bus, frames, list)
}
