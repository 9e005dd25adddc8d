// The instruments of a preset as one chain: branches that begin with one, and what follows their sum.
// SPDX-License-Identifier: Apache-2.0

extension ChainPreset {
  /// The chain of the instruments: a branch each, with its effects, then the effects behind all. A preset without
  /// instruments stays as it is.
  ///
  /// Context: any.
  package var ensemble: ChainPreset {
    guard !instruments.isEmpty else { return self }
    let parts = instruments.map { [ChainEntry.unit($0.unit)] + $0.effects }
    return part([Self.instruments(parts)] + bus)
  }

  /// Chains side by side that begin with an instrument each.
  ///
  /// Context: any.
  package static func instruments(_ parts: [[ChainEntry]]) -> ChainEntry {
    var entry = ParallelEntry(branches: parts.map { BranchEntry(entries: $0) })
    entry.isEnsemble = true
    return .parallel(entry)
  }

  /// The MIDI channels of each stage of the ensemble, bit 0 for channel 1: an instrument's own, or those that none names.
  ///
  /// Context: any.
  package var ensembleChannels: [UInt16] {
    guard !instruments.isEmpty else { return units.map { _ in .max } }
    let named = instruments.map { instrument in
      instrument.channels.reduce(UInt16(0)) { $0 | 1 << UInt16($1 - 1) }
    }
    let rest = ~named.reduce(0, |)
    var found: [UInt16] = []
    for (instrument, mask) in zip(instruments, named) {
      let count = 1 + instrument.effects.flatMap(\.units).count
      found += [UInt16](repeating: instrument.channels.isEmpty ? rest : mask, count: count)
    }
    return found + bus.flatMap(\.units).map { _ in .max }
  }
}

extension ResolvedChain {
  /// A chain of chains that were resolved, and drawn, one by one.
  ///
  /// - Parameters:
  ///   - parts: The chains, in the order of the preset's units.
  ///   - preset: The preset with the entries of all.
  ///
  /// Context: any.
  package init(joining parts: [ResolvedChain], as preset: ChainPreset) {
    self.init(
      preset: preset, stages: parts.flatMap(\.stages), noises: parts.flatMap(\.noises))
    drawnValues = parts.flatMap(\.drawnValues)
  }
}
