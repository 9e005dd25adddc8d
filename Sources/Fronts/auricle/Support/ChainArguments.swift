// The options that name a chain: a preset, or units one after the other.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AudioComponents
import AudioFiles
import AudioTypes
import BatchProcessing
import ChainPresets

/// A preset by name or file, or a chain spelled out.
struct ChainArguments: ParsableArguments {
  @Option(
    name: .customLong("preset"),
    help: ArgumentHelp("A preset that is installed, or a preset file.", valueName: "name|file"),
    completion: .presets)
  var presets: [String] = []

  /// The one that is named.
  var preset: String? { presets.first }

  @Option(
    name: .customLong("unit"),
    help: ArgumentHelp(
      "A unit of the chain: type:subtype:manufacturer, LV2 URI or name. Repeat for more.",
      valueName: "unit"),
    transform: OrderedOption.init)
  var units: [OrderedOption] = []

  @Option(
    name: .customLong("unit-preset"),
    help: ArgumentHelp(
      "A factory preset (name, number), LV2 preset (URI) or .aupreset file for it.",
      valueName: "preset"),
    transform: OrderedOption.init)
  var unitPresets: [OrderedOption] = []

  @Option(
    name: .customLong("set"),
    help: ArgumentHelp(
      "A parameter of the unit before: by name, symbol or id; value with or without unit.",
      valueName: "name=value"),
    transform: OrderedOption.init)
  var settings: [OrderedOption] = []

  @Option(
    name: .customLong("mix"),
    help: ArgumentHelp(
      "How much of the unit before is heard, 0 to 1 or in %; the rest is its input.",
      valueName: "part"),
    transform: OrderedOption.init)
  var mixes: [OrderedOption] = []

  /// Refuses what does not go together.
  func check() throws {
    if presets.count > 1 {
      throw ValidationError(
        "--preset takes one preset, not \(presets.count): write one that has the units of all.")
    }
    if preset?.isEmpty == true { throw ValidationError("The name of the preset is empty.") }
    for (name, options) in ordered where options.contains(where: \.text.isEmpty) {
      throw ValidationError("--\(name) is given an empty text.")
    }
    if preset == nil, units.isEmpty {
      throw ValidationError("Name a chain: --preset NAME, or --unit NAME (repeat for more).")
    }
    try checkWords()
  }

  /// Refuses what does not go together, whether a chain is named or not.
  func checkWords() throws {
    if preset != nil, !units.isEmpty {
      throw ValidationError("Give either --preset or --unit, not both.")
    }
    for (name, options) in [("--set", settings), ("--unit-preset", unitPresets), ("--mix", mixes)] {
      guard let option = options.min(by: { $0.place < $1.place }) else { continue }
      if preset != nil {
        throw ValidationError("\(name) belongs to a --unit; a --preset brings its own values.")
      }
      if units.isEmpty { throw ValidationError("\(name) belongs to a --unit: name it, too.") }
      if let first = units.first, option.place < first.place {
        throw ValidationError(
          "\(name) \(option.text) stands before the first --unit; it belongs behind its unit.")
      }
    }
    for (name, options) in [("--unit-preset", unitPresets), ("--mix", mixes)] {
      let owners = options.map { option in units.lastIndex { $0.place < option.place } }
      guard Set(owners).count < owners.count else { continue }
      throw ValidationError("\(name) is given twice for one unit: leave one out.")
    }
  }

  /// The options whose places matter, by name.
  private var ordered: [(name: String, options: [OrderedOption])] {
    [("unit", units), ("unit-preset", unitPresets), ("set", settings), ("mix", mixes)]
  }

  /// Whether a chain is named at all.
  var namesChain: Bool { preset != nil || !units.isEmpty }

  /// The chain that was read, for processes that are to make the same one, whatever becomes of the
  /// preset's file.
  func source(of preset: ChainPreset) -> ChainSource {
    preset.source.map { .text(name: $0.name, $0.text) } ?? .arguments(words)
  }

  /// The options again, for a process that is to read the same chain.
  var words: [String] {
    if let preset { return ["--preset=\(preset)"] }
    var words: [(place: Int, text: String)] = []
    for (name, options) in ordered {
      words += options.map { ($0.place, "--\(name)=\($0.text)") }
    }
    return words.sorted { $0.place < $1.place }.map(\.text)
  }

  /// The preset named, or one made of the units named; what is wrong with it is thrown, not printed.
  func readPreset(_ host: Host) throws -> ChainPreset {
    if let preset { return try host.presets.preset(preset) }
    var entries = units.map { (place: $0.place, entry: UnitEntry(unit: $0.text)) }
    func owner(of option: OrderedOption) -> Int {
      entries.lastIndex { $0.place < option.place } ?? 0
    }
    for option in settings {
      entries[owner(of: option)].entry.parameters.append(
        try ParameterSetting(assignment: option.text))
    }
    for option in unitPresets { entries[owner(of: option)].entry.preset = Located(option.text) }
    for option in mixes { entries[owner(of: option)].entry.mix = try Self.part(option.text) }
    return ChainPreset(name: "command line", units: entries.map(\.entry))
  }

  /// The preset named, or one made of the units named; what is wrong with it is printed.
  func preset(_ host: Host) throws -> ChainPreset {
    do {
      return try readPreset(host)
    } catch let errors as PresetErrors {
      throw PresetFailure.exit(
        preset == nil ? errors : errors.joined(with: host.makeRegistry(), formats: .files))
    }
  }

  /// Finds what a preset names among what is installed, opening its units in this process.
  func resolve(
    _ preset: ChainPreset, in registry: AudioComponentRegistry
  ) throws -> ResolvedChain {
    do {
      return try ResolvedChain(preset, in: registry, formats: .files)
    } catch {
      throw PresetFailure.exit(error)
    }
  }

  /// Reads `0.3` or `30 %`.
  private static func part(_ text: String) throws(AuricleError) -> Double {
    var number = text[...]
    var scale = 1.0
    if number.hasSuffix("%") {
      number = number.dropLast()
      scale = 0.01
    }
    while number.last == " " { number = number.dropLast() }
    guard let value = Double(number), (0...1).contains(value * scale) else {
      throw AuricleError(.usage, "--mix takes 0 to 1 or 0 % to 100 %, not '\(text)'")
    }
    return value * scale
  }
}

extension FormatNames {
  /// The containers and encodings that files are written in.
  static var files: FormatNames {
    FormatNames(
      containers: AudioContainer.allCases.filter { $0.defaultEncoding != nil }.map(\.name),
      encodings: AudioEncoding.allCases.filter { $0 != .other }.map(\.name),
      isContainer: { AudioContainer(named: $0) != nil },
      isEncoding: { AudioEncoding(named: $0) != nil },
      refusal: { file, output in
        var wanted = DeliverableSettings()
        wanted.container = file.settings.container.flatMap { AudioContainer(named: $0.value) }
        wanted.encoding = file.settings.encoding.flatMap { AudioEncoding(named: $0.value) }
        wanted.sampleRate = file.settings.sampleRate
        wanted.channelCount = file.settings.channelCount
        wanted.bitRate = file.settings.bitRate
        wanted.sharesBitRate = file.name != nil && output.bitRate == wanted.bitRate
        return wanted.refusal
      })
  }
}
