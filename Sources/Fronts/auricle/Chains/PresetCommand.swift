// `auricle preset`: the parent of its commands, and the list of chains.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AudioComponents
import AudioTypes
import AuricleHost
import ChainPresets
import CommandOutput
import Foundation
import RunReports

/// The parent of the commands about presets.
struct PresetCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "preset",
    abstract: "List, show, check and export chain presets; save presets of units.",
    discussion: """
      A preset is a YAML file with units, their parameters, and settings for results. Presets that \
      ship have names; your own are in ~/.config/auricle/presets, or are named by their path.

      EXAMPLES:
        auricle preset list
        auricle preset show podcast-voice
        auricle preset check mine.yaml
      """,
    subcommands: [
      PresetList.self, PresetShow.self, PresetCheck.self, PresetExport.self, PresetSave.self,
      PresetDelete.self,
    ])
}

/// Lists presets.
struct PresetList: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List installed presets.",
    discussion: """
      EXAMPLES:
        auricle preset list
        auricle preset list --format json
      """)

  @Option(help: ArgumentHelp("Print columns, or one JSON array.", valueName: "text|json"))
  var format = OutputFormat.text

  func run() throws {
    let entries = HostPlaces().presets.entries()
    for entry in entries {
      if let errors = entry.errors {
        StandardStreams.writeMessage(TerminalText.lines(errors.description))
      }
    }
    if format == .json {
      try JSONResult.write(entries.compactMap(PresetLine.init))
      return
    }
    var table = TextTable([.left, .left])
    for entry in entries {
      guard let preset = entry.preset else { continue }
      table.add([
        TerminalText.plain(entry.name), TerminalText.plain(Self.firstSentence(of: preset)),
      ])
    }
    StandardStreams.writeResult(table.text(wrappedAt: TextTable.lineWidth))
    if table.isEmpty { StandardStreams.writeMessage("auricle: no presets are installed") }
  }

  /// The beginning of the description, or the title.
  private static func firstSentence(of preset: ChainPreset) -> String {
    let line = preset.description.split(separator: "\n").joined(separator: " ")
    guard !line.isEmpty else { return preset.name }
    guard let end = line.firstRange(of: ". ")?.lowerBound else { return line }
    return String(line[..<end])
  }
}

/// A preset, as `preset list --format json` prints it.
private struct PresetLine: Encodable {
  var name: String
  var title: String
  var description: String
  var tags: [String]
  var units: [String]
  var path: String

  init?(_ entry: PresetLibrary.Entry) {
    guard let preset = entry.preset else { return nil }
    name = entry.name
    title = preset.name
    description = preset.description
    tags = preset.tags
    units = preset.units.map(\.unit.value)
    path = entry.path
  }
}
