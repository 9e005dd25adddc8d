// The plan of a live chain: a preset matched with the installed units, and the notes that each stage is sent.
// SPDX-License-Identifier: Apache-2.0

import AudioComponents
import AuricleHost
import ChainPresets
import SongPlaying

/// A chain, or parallel instruments with their effects and those behind all, as one chain.
struct LivePlan: Sendable {
  /// The stages.
  let resolved: ResolvedChain
  /// The MIDI channels that each stage is sent, bit 0 for channel 1; none where it accepts no notes.
  let channels: [UInt16]
  /// The controllers of the preset, as they are written.
  let controllers: [ParameterSetting]

  /// Finds the components, and opens some.
  ///
  /// - Parameter playsNotes: Whether there is somebody to play notes; without, instruments are refused.
  /// - Throws: All mismatches at once.
  ///
  /// Context: control, behind the sandbox.
  init(
    _ preset: ChainPreset, _ registry: AudioComponentRegistry, playsNotes: Bool
  ) throws(PresetErrors) {
    controllers = preset.controllers
    let preset = preset.levelled(in: registry)
    guard playsNotes else {
      resolved = try ResolvedChain(preset, in: registry, formats: .files)
      channels = resolved.stages.map { _ in 0 }
      return
    }
    guard !preset.instruments.isEmpty else {
      resolved = try ResolvedChain(playing: preset, in: registry)
      channels = resolved.stages.map { _ in .max }
      return
    }
    let ensemble = try ResolvedEnsemble(preset, in: registry)
    resolved = ensemble.chain()
    let played = Self.channels(preset.instruments)
    channels = ensemble.stageParts.map { part in part.map { played[$0] } ?? .max }
  }

  /// A channel goes to all instruments that name it. Where none does, it goes to instruments that name no channel.
  private static func channels(_ instruments: [InstrumentEntry]) -> [UInt16] {
    let named = instruments.map { instrument in
      instrument.channels.reduce(UInt16(0)) { $0 | 1 << UInt16($1 - 1) }
    }
    let rest = ~named.reduce(0, |)
    return zip(instruments, named).map { $0.channels.isEmpty ? rest : $1 }
  }
}
