// `auricle preset save` and `auricle preset delete`: a user's own presets of single units.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AudioComponents
import AudioTypes
import AudioUnits
import AuricleHost
import ChainPresets
import CommandOutput
import Foundation
import HostSystem
import InstalledComponents
import PluginCommands
import RunReports
import UnitPresets
import Workers

/// Saves the settings of a unit as a preset.
struct PresetSave: CheckedCommand {
  static let configuration = CommandConfiguration(
    commandName: "save", abstract: "Save the settings of a unit as a preset.",
    discussion: """
      For an LV2 plug-in, this makes an LV2 preset: a bundle in ~/.lv2 that every LV2 host finds, \
      with the complete state of the plug-in and its files. For a VST3 plug-in it makes a \
      .vstpreset file in ~/.vst3/presets. For other units it makes an .aupreset file among your \
      own. "auricle info" lists them; "process" and chain presets accept them by \
      name or URI.

      EXAMPLES:
        auricle preset save Warm --unit http://calf.sourceforge.net/plugins/Filter \\
          --set "freq=800 Hz"
        auricle preset save Tight --unit aufx:dcmp:appl --overwrite \\
          --set "threshold=-30 dB"
      """)

  @Option(
    help: ArgumentHelp(
      "The unit: type:subtype:manufacturer, LV2 URI, or name.", valueName: "unit"),
    completion: .units)
  var unit: String

  @OptionGroup var formatOfNames: UnitFormatArguments

  @Option(
    help: ArgumentHelp(
      "The preset to start from: factory preset (name, number), LV2 preset (URI), .aupreset file.",
      valueName: "preset"), completion: .unitPresets)
  var unitPreset: String?

  @Option(
    name: .customLong("set"),
    help: ArgumentHelp(
      "A parameter, by name, symbol or id; the value may have a unit. Repeat for more.",
      valueName: "name=value"), completion: .settings)
  var settings: [String] = []

  @Option(help: ArgumentHelp("The bank of the LV2 preset.", valueName: "name"))
  var bank: String?

  @Flag(help: "Replace a preset of the same name.")
  var overwrite = false

  @Option(help: ArgumentHelp("Print text, or one JSON array.", valueName: "text|json"))
  var format = OutputFormat.text

  @Argument(
    help: ArgumentHelp("The name of the preset.", valueName: "name"),
    transform: UserPresets.withoutEnding)
  var name: String

  func check() throws {
    try formatOfNames.check(names: [unit])
    if name.isEmpty || name.count > 200 || name.unicodeScalars.contains(where: { $0.value < 0x20 })
    {
      throw ValidationError("A preset's name has 1 to 200 characters on one line.")
    }
  }

  func run() throws {
    let host = HostPlaces()
    var files = PlugInProcessFiles(
      texts: settings.compactMap { $0.split(separator: "=", maxSplits: 1).last.map(String.init) }
        + [unitPreset].compactMap(\.self))
    let component = try? host.makeRegistry().resolve(formatOfNames.named(unit))
    let bundles = component.flatMap { component in
      let format = host.formats.format(named: component.origin.format)
      return format?.presetBundles?.userFolder ?? format?.presetFiles(of: component)?.userFolder
    }
    files.writable = [
      bundles ?? UserPresets().folder(ofUnit: component?.name ?? unit)
    ]
    try SandboxedCommand.run(files) { try save(host) }
  }

  private func save(_ host: HostPlaces) throws {
    var entry = UnitEntry(unit: formatOfNames.named(unit))
    entry.preset = unitPreset.map { Located($0) }
    entry.parameters = try settings.map { text throws(PresetErrors) in
      try ParameterSetting(assignment: text)
    }
    let resolved = try ResolvedChain(
      ChainPreset(name: "command line", units: [entry]), in: host.makeRegistry(), formats: .files)
    guard let stage = resolved.stages.first else { return }
    // Before the plug-in's code runs, which may change the environment.
    let bundles = try UserPresetBundles(host, of: stage.component)
    let unit = try stage.makeUnit()
    try stage.configure(unit)
    if let bundles {
      try unit.initializeToSave()
      let saved = try bundles.save(unit, name: name, bank: bank, overwrite: overwrite)
      return try PathResult.write([saved], as: format)
    }
    if bank != nil { throw AuricleError(.usage, "--bank is for presets of LV2 plug-ins") }
    if let files = try UserPresetFiles(host, of: stage.component) {
      try unit.initializeToSave()
      let saved = try files.save(unit, name: name, overwrite: overwrite)
      return try PathResult.write([saved], as: format)
    }
    let folder = UserPresets().folder(ofUnit: stage.component.name)
    try FolderMaker.make(folder)
    let path = folder + "/" + name.replacing("/", with: "-") + ".aupreset"
    if !overwrite, FileManager.default.fileExists(atPath: path) {
      throw AuricleError(.inputOutput, "\(path) exists: give --overwrite to replace it")
    }
    try UnitPreset(of: unit, name: name).write(to: path, overwrite: overwrite)
    try PathResult.write([path], as: format)
  }
}

/// Deletes a user preset.
struct PresetDelete: CheckedCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete", abstract: "Delete one of your own presets of a unit.",
    discussion: """
      Only presets in your own folders are deleted, never those that come with a unit.

      EXAMPLES:
        auricle preset delete Warm --unit http://calf.sourceforge.net/plugins/Filter
      """)

  @Option(
    help: ArgumentHelp(
      "The unit: type:subtype:manufacturer, LV2 URI, or name.", valueName: "unit"))
  var unit: String

  @OptionGroup var formatOfNames: UnitFormatArguments

  @Option(help: ArgumentHelp("Print text, or one JSON array.", valueName: "text|json"))
  var format = OutputFormat.text

  @Argument(
    help: ArgumentHelp("The preset's name or URI.", valueName: "name"),
    transform: UserPresets.withoutEnding)
  var name: String

  func check() throws { try formatOfNames.check(names: [unit]) }

  func run() throws {
    let host = HostPlaces()
    let component = try host.makeRegistry(refusesBlocked: false).resolve(formatOfNames.named(unit))
    if let bundles = try UserPresetBundles(host, of: component) {
      return try PathResult.write([bundles.delete(name)], as: format)
    }
    let path =
      try UserPresetFiles(host, of: component)?.path(name)
      ?? UserPresets().folder(ofUnit: component.name) + "/" + name.replacing("/", with: "-")
      + ".aupreset"
    guard FileIdentity.of(path)?.kind == .file else {
      throw AuricleError(.noInput, "\(component.name) has no preset \"\(name)\" of yours (\(path))")
    }
    do { try FileManager.default.removeItem(atPath: path) } catch {
      throw AuricleError(.inputOutput, "\(path) cannot be deleted")
    }
    try PathResult.write([path], as: format)
  }
}

extension UserPresets {
  /// The name of a preset, also from the name of its file.
  fileprivate static func withoutEnding(_ text: String) -> String {
    let ending = [".aupreset", ".vstpreset"].first { text.hasSuffix($0) }
    return ending.map { String(text.dropLast($0.count)) } ?? text
  }
}
