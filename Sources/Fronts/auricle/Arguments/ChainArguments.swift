// The options that name a chain: a preset, or units in series.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AudioTypes
import AuricleHost
import ChainPresets
import PluginCommands
import ResultSettings
import RunLedgers

/// A preset by name or file, or the units of a chain.
struct ChainArguments: ParsableArguments {
  @Option(
    name: [.customShort("p"), .customLong("preset")],
    help: ArgumentHelp("An installed preset, or a preset file.", valueName: "name|file"),
    completion: .presets)
  var presets: [String] = []

  /// The named preset.
  var preset: String? { presets.first }

  @Option(
    name: .customLong("unit"),
    help: ArgumentHelp(
      "A unit of the chain: type:subtype:manufacturer, LV2 URI or name. Repeat for more.",
      valueName: "unit"),
    completion: .units,
    transform: OrderedOption.init)
  var units: [OrderedOption] = []

  @OptionGroup var formatOfNames: UnitFormatArguments

  @Option(
    name: .customLong("unit-preset"),
    help: ArgumentHelp(
      "A preset of the preceding unit: factory preset (name, number), LV2 preset (URI), .aupreset file.",
      valueName: "preset"),
    completion: .unitPresets,
    transform: OrderedOption.init)
  var unitPresets: [OrderedOption] = []

  @Option(
    name: .customLong("set"),
    help: ArgumentHelp(
      "A parameter of the preceding unit, by name, symbol or id; the value may have a unit.",
      valueName: "name=value"),
    completion: .settings,
    transform: OrderedOption.init)
  var settings: [OrderedOption] = []

  @Option(
    name: .customLong("mix"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Wet/dry mix of the preceding unit: 0 to 1, or %.",
      valueName: "part"),
    transform: OrderedOption.init)
  var mixes: [OrderedOption] = []

  /// Refuses options that exclude each other, and a run that asks for nothing.
  ///
  /// - Parameter changesFiles: Whether results are to differ from their inputs without any unit.
  func check(changesFiles: Bool) throws {
    try checkWords()
    if preset == nil, units.isEmpty, !changesFiles {
      throw ValidationError(
        "Name a chain (--preset NAME, or --unit NAME, repeated for more), or options for "
          + "results, such as --loudness -16, --sample-rate 48k or --container flac.")
    }
  }

  /// Refuses conflicting options, whether a chain is named or not.
  func checkWords() throws {
    if presets.count > 1 {
      throw ValidationError(
        "--preset takes one preset, not \(presets.count): write one that has the units of all.")
    }
    if preset?.isEmpty == true { throw ValidationError("The name of the preset is empty.") }
    for (name, options) in ordered where options.contains(where: \.text.isEmpty) {
      throw ValidationError("The text of --\(name) is empty.")
    }
    if formatOfNames.format != nil, units.isEmpty {
      throw ValidationError("--format-of belongs to a --unit: name it, too.")
    }
    try formatOfNames.check(names: units.map(\.text))
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
          "\(name) \(option.text) comes before the first --unit; write it after its unit.")
      }
    }
    for (name, options) in [("--unit-preset", unitPresets), ("--mix", mixes)] {
      let owners = options.map { option in units.lastIndex { $0.place < option.place } }
      guard Set(owners).count < owners.count else { continue }
      throw ValidationError("\(name) is given twice for one unit: leave one out.")
    }
  }

  /// The options whose order matters, by name.
  private var ordered: [(name: String, options: [OrderedOption])] {
    [("unit", units), ("unit-preset", unitPresets), ("set", settings), ("mix", mixes)]
  }

  /// The named chain, with each option applied to the unit before it; nil without one.
  ///
  /// - Throws: `PresetErrors` for a `--set` that is no assignment, `.usage` for a `--mix` out of range.
  func request() throws -> ChainRequest? {
    if let preset { return .preset(preset) }
    guard !units.isEmpty else { return nil }
    var entries = units.map {
      (place: $0.place, entry: UnitEntry(unit: formatOfNames.named($0.text)))
    }
    func owner(of option: OrderedOption) -> Int {
      entries.lastIndex { $0.place < option.place } ?? 0
    }
    for option in settings {
      let setting = try ParameterSetting(assignment: option.text)
      let owner = owner(of: option)
      guard !entries[owner].entry.parameters.contains(where: { $0.name == setting.name }) else {
        throw AuricleError(
          .usage, "--set \(setting.name.value) is given twice for one unit: leave one out")
      }
      entries[owner].entry.parameters.append(setting)
    }
    for option in unitPresets { entries[owner(of: option)].entry.preset = Located(option.text) }
    for option in mixes { entries[owner(of: option)].entry.mix = try Self.part(option.text) }
    return .units(entries.map(\.entry))
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
