// The instruments of a preset matched with what is installed, each with its effects, and the effects behind all.
// SPDX-License-Identifier: Apache-2.0

package import AudioComponents
package import AudioTypes
package import ChainPresets
package import FileRendering
package import ResultSettings

/// What plays a song.
package struct ResolvedEnsemble: Sendable {
  /// An instrument and its effects.
  package struct Part: Sendable {
    /// What it plays.
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
  func saying(_ text: String) -> ResolvedEnsemble {
    var ensemble = self
    for index in parts[0].instrument.stages[0].texts.indices
    where parts[0].instrument.stages[0].texts[index].settingIndex == 0 {
      ensemble.parts[0].instrument.stages[0].texts[index].text = text
    }
    return ensemble
  }

  /// The chain of all instruments and effects, with values drawn for a variant; nil without random values.
  ///
  /// Each part draws its own: one more value of one part changes none of another's. Context: control.
  func chain(_ variant: VariantRequest?) -> ResolvedChain {
    func drawn(_ chain: ResolvedChain, _ name: String) -> ResolvedChain {
      guard let request = variant?.part(name) else { return chain }
      return chain.variant(request.index, seed: request.seed, key: request.key)
    }
    var chains: [ResolvedChain] = []
    var entries: [[ChainEntry]] = []
    for (index, part) in parts.enumerated() {
      var own = [drawn(part.instrument, Self.instrument(index + 1))]
      if let effects = part.effects { own.append(drawn(effects, Self.effects(index + 1))) }
      chains += own
      entries.append(own.flatMap(\.preset.entries))
    }
    let last = bus.map { drawn($0, "bus") }
    chains += last.map { [$0] } ?? []
    let preset = parts[0].instrument.preset.part(
      [ChainPreset.instruments(entries)] + (last?.preset.entries ?? []))
    return ResolvedChain(joining: chains, as: preset)
  }

  /// Opens all units once, to find out whether they can be. Context: control.
  ///
  /// - Throws: What they refuse.
  package func open(_ song: SongSettings) throws(AuricleError) {
    _ = try SongPlayer(
      self, SongEvents(),
      ChainSpecification(
        sampleRate: song.sampleRate, channelCount: song.channelCount,
        maximumFrameCount: SongPlayer.sliceFrames), tailSeconds: 0)
  }

  /// The names of parts, by which they draw.
  static func instrument(_ number: Int) -> String { "instrument \(number)" }
  static func effects(_ number: Int) -> String { "effects \(number)" }
}

extension VariantRequest {
  /// The variant of a part of an ensemble.
  func part(_ name: String) -> VariantRequest {
    VariantRequest(index: index, seed: seed, key: "\(key)\u{0}\(name)")
  }
}
