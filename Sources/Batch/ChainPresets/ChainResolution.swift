// Matches a preset with the installed components: opens every unit once, reports all mistakes at once.
// SPDX-License-Identifier: Apache-2.0

public import AudioComponents
import AudioTypes
import AudioUnits
import CAudioToolbox

extension ResolvedChain {
  /// Finds a preset's components, with their parameters and presets.
  ///
  /// Each component is opened once, not initialized, and closed again.
  ///
  /// - Parameters:
  ///   - preset: The preset to resolve.
  ///   - registry: The installed components.
  ///   - formats: The containers and encodings there are; `nil` leaves those unchecked.
  /// - Throws: All mismatches at once; a component that is not installed has the kind `missingComponent`.
  ///
  /// Context: control.
  public init(
    _ preset: ChainPreset, in registry: AudioComponentRegistry, formats: FormatNames? = nil
  ) throws(PresetErrors) {
    try self.init(preset, in: registry, formats: formats, skipsUnnamedUnits: false)
  }

  /// Finds the components of a chain that begins with an instrument, which is sent notes.
  ///
  /// - Throws: As the other initializer.
  ///
  /// Context: control.
  package init(
    playing preset: ChainPreset, in registry: AudioComponentRegistry
  ) throws(PresetErrors) {
    try self.init(
      preset, in: registry, formats: nil, skipsUnnamedUnits: false, sendsNotes: true)
  }

  init(
    _ preset: ChainPreset, in registry: AudioComponentRegistry, formats: FormatNames?,
    skipsUnnamedUnits: Bool, sendsNotes: Bool = false
  ) throws(PresetErrors) {
    var resolver = ChainResolver(
      preset: preset, registry: registry, skipsUnnamedUnits: skipsUnnamedUnits)
    resolver.sendsNotes = sendsNotes
    // One with mistakes may be meant for notes.
    if !preset.instruments.isEmpty, !skipsUnnamedUnits {
      resolver.add(
        "the preset plays instruments, which need notes: use auricle render with MIDI files, or auricle live with --midi",
        at: nil)
    }
    let stages = resolver.stages()
    let noises = preset.noises.compactMap { resolver.noise($0) }
    // A preset from a file was checked when it was read.
    if preset.source == nil { resolver.diagnostics += preset.structureProblems() }
    if let formats { resolver.diagnostics += preset.problems(with: formats) }
    guard resolver.diagnostics.isEmpty else { throw PresetErrors(resolver.diagnostics) }
    self.init(preset: preset, stages: stages, noises: noises)
  }
}

extension PresetErrors {
  /// Adds the mismatches of the readable part, so that a mistake in one line does not hide a missing unit in
  /// another.
  ///
  /// - Parameters:
  ///   - registry: The installed components.
  ///   - formats: The containers and encodings there are; `nil` leaves those unchecked.
  ///
  /// Context: control.
  public func joined(
    with registry: AudioComponentRegistry, formats: FormatNames? = nil
  ) -> PresetErrors {
    guard let preset = readable else { return self }
    do throws(PresetErrors) {
      _ = try ResolvedChain(
        preset, in: registry, formats: formats, skipsUnnamedUnits: true,
        sendsNotes: !preset.instruments.isEmpty)
      return self
    } catch {
      return PresetErrors(diagnostics + error.diagnostics)
    }
  }
}

/// A sentence in the form diagnostics have: no capital "No", no full stop.
private func asClause(_ sentence: String) -> String {
  var text = sentence.hasPrefix("No ") ? "no " + sentence.dropFirst(3) : sentence
  if text.hasSuffix(".") { text.removeLast() }
  return text
}

/// The facts that were read from an opened component.
struct UnitFacts {
  var inputBuses: [String]
  var outputBuses: [String]
  var parameters: [UnitParameter]
  /// Settings that are texts, such as the paths of impulse files.
  var texts: [UnitTextProperty] = []
  var factoryPresets: [(number: Int, name: String)]
  var presetURIs: [String]
  /// Whether presets beyond these can be named by URI.
  var loadsPresetsByURI: Bool
}

/// Matches entries with components and collects mismatches.
struct ChainResolver {
  let preset: ChainPreset
  let registry: AudioComponentRegistry
  /// Whether units without a name are skipped: they were reported when the text was read.
  let skipsUnnamedUnits: Bool
  /// The bus names of labelled units, for side chains.
  var outputBuses: [String: [String]] = [:]
  var diagnostics: [PresetDiagnostic] = []
  var known: [ObjectIdentifier: Result<UnitFacts, AuricleError>] = [:]

  /// Whether units are sent notes.
  var sendsNotes = false

  init(preset: ChainPreset, registry: AudioComponentRegistry, skipsUnnamedUnits: Bool) {
    self.preset = preset
    self.registry = registry
    self.skipsUnnamedUnits = skipsUnnamedUnits
  }

  mutating func add(
    _ message: String, kind: PresetDiagnostic.Kind? = nil, at position: SourcePosition?,
    cause: AuricleError.Cause? = nil
  ) {
    let fallback: PresetDiagnostic.Kind = preset.source == nil ? .usage : .preset
    diagnostics.append(
      PresetDiagnostic(
        message, kind: kind ?? fallback, at: position, in: preset.source, cause: cause))
  }

  mutating func stages() -> [ResolvedStage] {
    let units = preset.units
    for entry in units {
      guard let name = entry.label, let component = try? registry.resolve(entry.unit.value),
        case .success(let facts) = self.facts(of: component)
      else { continue }
      outputBuses[name] = facts.outputBuses
    }
    return zip(units, preset.isInRow).compactMap { stage($0, isInRow: $1) }
  }

  private mutating func stage(_ entry: UnitEntry, isInRow: Bool) -> ResolvedStage? {
    if skipsUnnamedUnits, entry.unit.value.isEmpty { return nil }
    let component: AudioComponent
    do throws(AuricleError) {
      component = try registry.resolve(entry.unit.value)
    } catch {
      let kind: PresetDiagnostic.Kind? =
        switch error.category {
        case .unavailable: .missingComponent
        case .badData: .preset
        default: nil
        }
      add(asClause(error.message), kind: kind, at: entry.unit.position, cause: error.cause)
      return nil
    }
    let facts: UnitFacts
    switch self.facts(of: component) {
    case .success(let found): facts = found
    case .failure(let error):
      add(asClause(error.message), kind: .missingComponent, at: entry.unit.position)
      return nil
    }
    if isInRow { refuseDeaf(entry, facts, of: component) }
    let choice = entry.preset.flatMap { self.choice($0, facts, of: component) }
    let (texts, written) = texts(entry, facts)
    let (parameters, randoms) = settings(written, facts, of: component)
    let curves = automation(entry, facts, settings: parameters)
    return ResolvedStage(
      component: component, label: entry.label ?? component.name, preset: choice,
      parameters: parameters, texts: texts.sorted { $0.property.uri < $1.property.uri },
      randoms: randoms,
      automation: curves.sorted { Self.isBefore($0.parameter, $1.parameter) },
      sideChains: sideChains(entry, facts, of: component),
      outputBus: outputBus(entry, facts, of: component), allParameters: facts.parameters,
      isBypassed: entry.isBypassed, mix: entry.mix)
  }

  /// Orders a stage's settings as the unit orders its parameters.
  ///
  /// A file and its canonical form then set and draw the same values, however a preset orders them.
  private static func isBefore(_ left: UnitParameter, _ right: UnitParameter) -> Bool {
    (left.scope, left.element, left.id) < (right.scope, right.element, right.id)
  }

  private mutating func settings(
    _ written: [ParameterSetting], _ facts: UnitFacts, of component: AudioComponent
  ) -> ([ResolvedParameter], [ResolvedRandom]) {
    // Without a position in a file, the message needs the unit's name.
    let prefix = preset.source == nil ? "\(component.name): " : ""
    var settings: [ResolvedParameter] = []
    var randoms: [ResolvedRandom] = []
    // The further settings are there for messages that suggest a name.
    let known = facts.parameters + facts.texts.compactMap(\.parameter)
    for setting in written {
      do throws(PresetErrors) {
        let found: ResolvedParameter
        if let random = setting.random {
          let drawn = try setting.resolved(
            random, among: known, source: preset.source)
          randoms.append(ResolvedRandom(index: settings.count, source: drawn.source))
          found = ResolvedParameter(parameter: drawn.parameter, value: drawn.middle)
        } else {
          found = try setting.resolved(among: known, source: preset.source)
        }
        let isTwice = settings.contains {
          $0.id == found.id && $0.scope == found.scope && $0.element == found.element
        }
        if isTwice {
          add(
            "\(prefix)the parameter \(quoted(found.parameter.name)) is set twice",
            at: setting.name.position)
        }
        settings.append(found)
      } catch {
        diagnostics += error.diagnostics.map { diagnostic in
          var diagnostic = diagnostic
          diagnostic.message = prefix + diagnostic.message
          return diagnostic
        }
      }
    }
    let order = settings.indices.sorted {
      Self.isBefore(settings[$0].parameter, settings[$1].parameter)
    }
    let drawn = order.enumerated().compactMap { place, old in
      randoms.first { $0.index == old }.map { ResolvedRandom(index: place, source: $0.source) }
    }
    return (order.map { settings[$0] }, drawn)
  }

  /// Opens a component once and reads the facts that a preset may name.
  private mutating func facts(of component: AudioComponent) -> Result<UnitFacts, AuricleError> {
    let key = ObjectIdentifier(component)
    if let result = known[key] { return result }
    let result: Result<UnitFacts, AuricleError>
    do throws(AuricleError) {
      let unit = try component.instantiate()
      var parameters = try unit.parameters()
      for scope in [kAudioUnitScope_Input, kAudioUnitScope_Output] {
        parameters += (try? unit.parameters(scope: scope, element: 0)) ?? []
      }
      var facts = UnitFacts(
        inputBuses: busNames(of: unit, scope: kAudioUnitScope_Input),
        outputBuses: busNames(of: unit, scope: kAudioUnitScope_Output),
        parameters: parameters, texts: unit.textProperties,
        factoryPresets: unit.factoryPresets, presetURIs: unit.presetURIs,
        loadsPresetsByURI: unit.loadsPresetsByURI)
      if unit.mayFollowSampleRate(parameters),
        let complete = try? unit.completeRanges(of: parameters)
      {
        facts.parameters.replaceSubrange(complete.indices, with: complete)
      }
      result = .success(facts)
    } catch { result = .failure(error) }
    known[key] = result
    return result
  }

  /// Finds one of the unit's presets: by URI, by name in any case, or by number.
  private mutating func choice(
    _ wanted: Located<String>, _ facts: UnitFacts, of component: AudioComponent
  ) -> ResolvedPreset? {
    let presets = facts.factoryPresets
    func choice(_ index: Int) -> ResolvedPreset {
      let uri = facts.presetURIs.indices.contains(index) ? facts.presetURIs[index] : nil
      return ResolvedPreset(number: presets[index].number, name: presets[index].name, uri: uri)
    }
    let text = wanted.value
    if text.lowercased().hasSuffix(".aupreset") { return presetFile(wanted, of: component) }
    if [".ttl", ".vstpreset"].contains(where: text.lowercased().hasSuffix), !text.contains("://") {
      return presetDataFile(wanted, facts, of: component)
    }
    if let index = facts.presetURIs.firstIndex(of: text) {
      if presets.indices.contains(index) { return choice(index) }
      return ResolvedPreset(number: nil, name: text, uri: text)
    }
    let alike = presets.indices.filter { comparableName(presets[$0].name) == comparableName(text) }
    let exact = alike.filter { presets[$0].name == text }
    if exact.count == 1 { return choice(exact[0]) }
    if alike.count == 1 { return choice(alike[0]) }
    if alike.count > 1 {
      let numbers = alike.map { String(presets[$0].number) }
      add(
        "\(quoted(text)) is the name of \(alike.count) presets of \(component.name); "
          + "give the number: \(alternatives(numbers))", at: wanted.position)
      return nil
    }
    if let path = userPreset(text, of: component) {
      return presetFile(Located(path, at: wanted.position), of: component)
    }
    if let number = Int(text), let index = presets.firstIndex(where: { $0.number == number }) {
      return choice(index)
    }
    var hint = "; it has none"
    if !presets.isEmpty || !facts.presetURIs.isEmpty {
      hint = suggestion(for: text, in: presets.map(\.name) + facts.presetURIs)
      if hint.isEmpty {
        let names = presets.prefix(12).map { quoted($0.name) }
        hint = "; it has \(alternatives(names, joinedBy: "and"))\(presets.count > 12 ? " …" : "")"
      }
    }
    add("\(component.name) has no preset \(quoted(text))\(hint)", at: wanted.position)
    return nil
  }
}
