// The plan of a live chain: a preset matched with the installed units, and the notes that each stage is sent.
// SPDX-License-Identifier: Apache-2.0

import AudioComponents
import AuricleHost
import CAudioToolbox
import ChainPresets

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
    resolved = try ResolvedChain(playing: Self.chain(preset), in: registry)
    channels =
      preset.instruments.isEmpty ? resolved.stages.map { _ in .max } : Self.channels(preset)
  }

  /// Whether a chain begins with an instrument, so that it needs no sound that comes in. Opens nothing.
  static func isBand(_ preset: ChainPreset?, _ registry: AudioComponentRegistry) -> Bool {
    guard let preset else { return false }
    guard preset.instruments.isEmpty else { return true }
    let first = preset.allUnits.first.flatMap { try? registry.resolve($0.unit.value) }
    return first?.description.componentType == kAudioUnitType_MusicDevice
  }

  /// Makes a chain with instruments as branches that begin with one, and the rest behind their sum.
  private static func chain(_ preset: ChainPreset) -> ChainPreset {
    guard !preset.instruments.isEmpty else { return preset }
    let parts = preset.instruments.map { [ChainEntry.unit($0.unit)] + $0.effects }
    let first =
      parts.count == 1
      ? parts[0] : [.parallel(ParallelEntry(branches: parts.map { BranchEntry(entries: $0) }))]
    return preset.part(first + preset.bus)
  }

  /// A channel goes to all instruments that name it. Where none does, it goes to instruments that name no channel.
  private static func channels(_ preset: ChainPreset) -> [UInt16] {
    let named = preset.instruments.map { instrument in
      instrument.channels.reduce(UInt16(0)) { $0 | 1 << UInt16($1 - 1) }
    }
    let rest = ~named.reduce(0, |)
    var found: [UInt16] = []
    for (instrument, mask) in zip(preset.instruments, named) {
      let count = 1 + instrument.effects.flatMap(\.units).count
      found += [UInt16](repeating: instrument.channels.isEmpty ? rest : mask, count: count)
    }
    return found + preset.bus.flatMap(\.units).map { _ in .max }
  }
}
