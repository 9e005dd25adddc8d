// What a live chain is made from: a preset matched with what is installed, and who of it is sent which notes.
// SPDX-License-Identifier: Apache-2.0

import AudioComponents
import AuricleHost
import CAudioToolbox
import ChainPresets

/// A chain, or instruments side by side with their effects and what stands behind all, as one chain.
struct LivePlan: Sendable {
  /// The stages.
  let resolved: ResolvedChain
  /// The MIDI channels that each stage is sent, bit 0 for channel 1; those that take no notes are sent none.
  let channels: [UInt16]
  /// The controllers of the preset, as they are written.
  let controllers: [ParameterSetting]
  /// Whether what begins it makes sound by itself, of notes.
  let isBand: Bool

  /// Finds the components.
  ///
  /// - Parameter playsNotes: Whether there is somebody to play notes; without, instruments are refused.
  /// - Throws: All mismatches at once.
  init(_ chain: ChainRequest?, _ host: HostPlaces, playsNotes: Bool) throws {
    let preset = try chain?.read(host.presets) ?? ChainPreset(name: "none", units: [])
    let registry = host.makeRegistry()
    controllers = preset.controllers
    guard playsNotes else {
      resolved = try ResolvedChain(preset, in: registry, formats: .files)
      channels = resolved.stages.map { _ in 0 }
      isBand = false
      return
    }
    resolved = try ResolvedChain(playing: preset.ensemble, in: registry)
    channels = preset.ensembleChannels
    isBand =
      resolved.stages.first?.component.description.componentType == kAudioUnitType_MusicDevice
  }
}
