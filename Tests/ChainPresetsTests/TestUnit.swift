// A unit made in code, and a registry that holds it: resolving needs no file on disk.
// SPDX-License-Identifier: Apache-2.0

import AudioComponents
import AudioTypes
import AuricleSDK
import CAudioToolbox
import Synchronization

/// Passes its input on.
struct TestKernel: UnitKernel, ~Copyable {
  init(_ format: RenderFormat) {}
  mutating func reset() {}
  @_noLocks mutating func process(_ slice: borrowing RenderSlice) {}
}

/// The number of times that units of this file were opened.
let openedUnits = Atomic<Int>(0)

private let definition = UnitDefinition(
  parameters: [
    ParameterDefinition(
      id: 0, name: "cutoff frequency", unit: kAudioUnitParameterUnit_Hertz, range: 10...22050,
      defaultValue: 6900),
    ParameterDefinition(
      id: 1, name: "resonance", unit: kAudioUnitParameterUnit_Decibels, range: -20...40,
      defaultValue: 0),
    ParameterDefinition(
      id: 7, name: "mode", unit: kAudioUnitParameterUnit_Indexed, range: 0...2, defaultValue: 0,
      valueNames: ["Low", "Band", "High"]),
    ParameterDefinition(
      id: 1000, name: "level", unit: kAudioUnitParameterUnit_Decibels, range: -120...0,
      defaultValue: -120, isMeter: true),
  ],
  factoryPresets: [
    FactoryPresetDefinition(name: "Soft Rain", values: [0: 500]),
    FactoryPresetDefinition(name: "Storm", values: [0: 5000, 1: 3]),
    FactoryPresetDefinition(name: "storm", values: [0: 6000]),
  ])

/// The filter with a side chain and a second output.
private let sideDefinition = UnitDefinition(
  parameters: definition.parameters,
  inputs: [
    BusDefinition(name: "Input"), BusDefinition(name: "Key", isOptional: true),
    BusDefinition(name: "Second Key", isOptional: true),
  ],
  outputs: [BusDefinition(name: "Output"), BusDefinition(name: "Meter")],
  processesInPlace: false)

/// A registry with filters that work and a component that cannot be opened.
func makeTestRegistry() -> AudioComponentRegistry {
  let filter = unsafe AudioComponent(
    description: AudioComponentDescription(
      componentType: 0x6175_6678, componentSubType: 0x7465_7374, componentManufacturer: 0x4175_7269,
      componentFlags: 0, componentFlagsMask: 0),
    name: "Auricle: Test Filter", version: 0x10000, origin: .native, location: .process, tags: [],
    summary: ""
  ) { description throws(AuricleError) in
    openedUnits.add(1, ordering: .relaxed)
    let plugIn = unsafe withUnsafePointer(to: description) { pointer in
      unsafe makeAudioUnit(TestKernel.self, definition, pointer) { state, slice in
        unsafe runKernel(TestKernel.self, state, slice)
      }
    }
    guard let plugIn = unsafe plugIn else { throw AuricleError(.software, "no interface") }
    return unsafe plugIn
  }
  let side = unsafe AudioComponent(
    description: AudioComponentDescription(
      componentType: 0x6175_6678, componentSubType: 0x7369_6465, componentManufacturer: 0x4175_7269,
      componentFlags: 0, componentFlagsMask: 0),
    name: "Auricle: Side Filter", version: 0x10000, origin: .native, location: .process, tags: [],
    summary: ""
  ) { description throws(AuricleError) in
    let plugIn = unsafe withUnsafePointer(to: description) { pointer in
      unsafe makeAudioUnit(TestKernel.self, sideDefinition, pointer) { state, slice in
        unsafe runKernel(TestKernel.self, state, slice)
      }
    }
    guard let plugIn = unsafe plugIn else { throw AuricleError(.software, "no interface") }
    return unsafe plugIn
  }
  let broken = unsafe AudioComponent(
    description: AudioComponentDescription(
      componentType: 0x6175_6678, componentSubType: 0x6272_6F6B, componentManufacturer: 0x4175_7269,
      componentFlags: 0, componentFlagsMask: 0),
    name: "Auricle: Broken", version: 0x10000, origin: .native, location: .process, tags: [],
    summary: ""
  ) { _ throws(AuricleError) in
    throw AuricleError(.unavailable, "Auricle: Broken: its binary is missing.")
  }
  return AudioComponentRegistry(sources: [TestSource(components: [filter, side, broken])])
}

private struct TestSource: AudioComponentSource {
  var components: [AudioComponent]
  func discover() -> ComponentDiscovery {
    ComponentDiscovery(components: components, problems: [])
  }
}
