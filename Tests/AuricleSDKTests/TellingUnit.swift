// A unit with everything that properties can report: names, clumps, meters, metas, a response, plots.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import AuricleSDK
import CAudioToolbox
import RealtimeSupport
import TestUnits

/// Multiplies by its gain, slowly enough to be measured.
private struct SlowKernel: UnitKernel, ~Copyable {
  init(_ format: RenderFormat) {}
  mutating func reset() {}
  @_noLocks mutating func process(_ slice: borrowing RenderSlice) {
    for channel in 0..<slice.channelCount {
      let samples = unsafe slice.channel(channel)
      for frame in 0..<slice.frameCount {
        var sum: Float = 0
        for step in 0..<200 { sum += Float(step) }
        unsafe samples[frame] *= slice.parameter(0) + sum * 1e-12
      }
    }
  }
}

/// A unit with everything that properties can report.
enum ReportingUnit {
  /// Opens one of a type.
  static func open(
    _ type: OSType = kAudioUnitType_MusicEffect, capabilities: [ChannelCapability]? = nil
  ) throws -> AudioUnit {
    var mode = ParameterDefinition(
      id: 1, name: "operating mode", unit: kAudioUnitParameterUnit_Indexed, range: 0...2,
      defaultValue: 0, valueNames: ["soft", "medium", "hard"], clumpID: 4)
    mode.dependents = [0]
    var level = ParameterDefinition(
      id: 2, name: "level", unit: kAudioUnitParameterUnit_Decibels, range: -120...0,
      defaultValue: -120,
      isMeter: true
    ).plotted(updatesPerSecond: 20, seconds: 3)
    level.display = kAudioUnitParameterFlag_DisplayCubed
    var transient = ParameterDefinition(
      id: 3, name: "audition", unit: kAudioUnitParameterUnit_Boolean, range: 0...1, defaultValue: 0)
    transient.isOmittedFromPresets = true
    var definition = UnitDefinition(
      parameters: [
        ParameterDefinition(
          id: 0, name: "gain", unit: kAudioUnitParameterUnit_LinearGain, range: 0...4,
          defaultValue: 1
        ),
        mode, level, transient,
      ], channelCapabilities: capabilities, clumpNames: [4: "Operation"],
      frequencyResponse: { unit, hertz in hertz < 1000 ? Double(unit.values.value(at: 0)) : 0.25 })
    definition.overviewParameters = [1, 0]
    var description = AudioComponentDescription()
    description.componentType = type
    return unsafe try withUnsafePointer(to: &description) { pointer in
      unsafe try TestUnits.open(
        "everything",
        makeAudioUnit(SlowKernel.self, definition, pointer) {
          unsafe runKernel(SlowKernel.self, $0, $1)
        })
    }
  }
}
