// The instruments of a preset matched with the installed units, each with its effects, and the chain behind all.
// SPDX-License-Identifier: Apache-2.0

package import AudioComponents
package import AudioTypes
package import ChainPresets
package import FileRendering
package import ResultSettings

/// The instruments that play a song.
package struct ResolvedBand: Sendable {
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
    _ preset: ChainPreset, in registry: AudioComponentRegistry, formats: FormatNames
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
        try ResolvedChain(preset.part(entries), in: registry, formats: formats)
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
    var figures: [DrawnFigure] = []
    for (index, part) in parts.enumerated() {
      figures += part.instrument.drawnFigures(request.part(Self.instrument(index + 1)))
      figures += part.effects?.drawnFigures(request.part(Self.effects(index + 1))) ?? []
    }
    return figures + (bus?.drawnFigures(request.part("bus")) ?? [])
  }

  /// The same where its voice says a text; see `SpeechSettings.preset(before:)`.
  func saying(_ text: String) -> ResolvedBand {
    var band = self
    for index in parts[0].instrument.stages[0].texts.indices
    where parts[0].instrument.stages[0].texts[index].settingIndex == 0 {
      band.parts[0].instrument.stages[0].texts[index].text = text
    }
    return band
  }

  /// Opens all units once, to find out whether they can be. Context: control.
  ///
  /// - Throws: The units' errors.
  package func open(_ song: SongSettings) throws(AuricleError) {
    _ = try SongMix(
      self, SongEvents(),
      ChainSpecification(
        sampleRate: song.sampleRate, channelCount: song.channelCount,
        maximumFrameCount: SongInstrument.sliceFrames), tailSeconds: 0)
  }

  /// The names of parts, by which they draw.
  static func instrument(_ number: Int) -> String { "instrument \(number)" }
  static func effects(_ number: Int) -> String { "effects \(number)" }
}
