// The instruments of a preset matched with the installed units, each with its effects, and the chain behind all.
// SPDX-License-Identifier: Apache-2.0

package import AudioComponents
package import AudioTypes
package import ChainPresets
package import FileRendering
package import ResultSettings

/// The instruments that play a song.
package struct ResolvedEnsemble: Sendable {
  /// An instrument and its effects.
  package struct Part: Sendable {
    /// Its entry in the preset.
    package let entry: InstrumentEntry
    /// The instrument, a chain of one stage.
    fileprivate(set) var instrument: ResolvedChain
    /// The effects behind it; nil for none.
    package let effects: ResolvedChain?
  }

  /// The instruments, one at least.
  package private(set) var parts: [Part]
  /// The effects behind all; nil for none.
  package let bus: ResolvedChain?

  /// Finds the components: of the `instruments`, or of a chain that begins with an instrument.
  ///
  /// - Throws: All mismatches at once; one of the kind `usage` for a chain without an instrument at its start.
  ///
  /// Context: control.
  package init(
    _ preset: ChainPreset, in registry: AudioComponentRegistry
  ) throws(PresetErrors) {
    var entries = preset.instruments
    if entries.isEmpty, case .unit(let first)? = preset.entries.first {
      var only = InstrumentEntry(unit: first)
      only.effects = Array(preset.entries.dropFirst())
      entries = [only]
    }
    guard !entries.isEmpty else {
      throw PresetErrors([
        PresetDiagnostic(
          "the chain does not begin with an instrument: name one first (auricle list aumu)",
          kind: .usage)
      ])
    }
    var diagnostics: [PresetDiagnostic] = []
    func attempt<Result>(_ body: () throws(PresetErrors) -> Result) -> Result? {
      do throws(PresetErrors) {
        return try body()
      } catch {
        diagnostics += error.diagnostics
        return nil
      }
    }
    func chain(_ entries: [ChainEntry]) -> ResolvedChain? {
      guard !entries.isEmpty else { return nil }
      return attempt { () throws(PresetErrors) in
        try ResolvedChain(preset.part(entries), in: registry)
      }
    }
    parts = entries.compactMap { entry in
      let found = attempt { () throws(PresetErrors) in
        try ResolvedChain(playing: preset.part([.unit(entry.unit)]), in: registry)
      }
      let effects = chain(entry.effects)
      return found.map { Part(entry: entry, instrument: $0, effects: effects) }
    }
    bus = chain(preset.bus)
    guard diagnostics.isEmpty else { throw PresetErrors(diagnostics) }
  }

  /// The random values of a variant, those of all instruments and effects. Context: control.
  package func drawnFigures(_ request: VariantRequest) -> [DrawnFigure] {
    chain(request, sampleRate: request.sampleRate).drawnFigures
  }

  /// All instruments as one chain: branches that meet, each with its effects, and the effects behind their sum.
  ///
  /// - Parameters:
  ///   - variant: The variant to draw, each part by its own key; nil without random values.
  ///   - sampleRate: The rate (Hz) that frequencies are drawn within; nil for any.
  ///   - isTapped: Whether a chain that is made of it keeps the output of each instrument, in `UnitChain.tap`.
  ///
  /// Context: control.
  package func chain(
    _ variant: VariantRequest? = nil, sampleRate: Double? = nil, isTapped: Bool = false
  ) -> ResolvedChain {
    func drawn(_ chain: ResolvedChain, _ part: String) -> ResolvedChain {
      guard let variant else { return chain }
      return chain.variant(
        variant.index, seed: variant.seed, key: "\(variant.key)\u{0}\(part)",
        sampleRate: sampleRate)
    }
    let rows = parts.enumerated().map { index, part in
      [drawn(part.instrument, "instrument \(index + 1)")]
        + (part.effects.map { [drawn($0, "effects \(index + 1)")] } ?? [])
    }
    return ResolvedChain(rows: rows, behind: bus.map { drawn($0, "bus") }, isTapped: isTapped)
  }

  /// The place of the instrument that each stage of the chain belongs to; nil for the effects behind all.
  package var stageParts: [Int?] {
    var places: [Int?] = []
    for (index, part) in parts.enumerated() {
      places += Array(repeating: index, count: 1 + (part.effects?.stages.count ?? 0))
    }
    return places + Array(repeating: nil, count: bus?.stages.count ?? 0)
  }

  /// The same where its voice says a text; see `SpeechSettings.preset(before:)`.
  func saying(_ text: String) -> ResolvedEnsemble {
    var ensemble = self
    for index in parts[0].instrument.stages[0].texts.indices
    where parts[0].instrument.stages[0].texts[index].settingIndex == 0 {
      ensemble.parts[0].instrument.stages[0].texts[index].text = text
    }
    return ensemble
  }

  /// Opens all units once, to find out whether they can be. Context: control.
  ///
  /// - Throws: The units' errors.
  package func open(_ song: SongSettings) throws(AuricleError) {
    _ = try SongPlayer(
      self, SongEvents(),
      ChainSpecification(
        sampleRate: song.sampleRate, channelCount: song.channelCount,
        maximumFrameCount: SongPlayer.sliceFrames), tailSeconds: 0)
  }
}
