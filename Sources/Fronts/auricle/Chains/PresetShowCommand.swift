// `auricle preset show`: a preset for reading, as its file, or as JSON.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AudioComponents
import AudioTypes
import AuricleHost
import ChainPresets
import CommandOutput
import Foundation
import RunReports

/// Shows a preset.
struct PresetShow: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Print a preset.",
    discussion: """
      Text includes the details of parameters that the units report. YAML is the file as it was \
      written, to begin your own with.

      EXAMPLES:
        auricle preset show podcast-voice
        auricle preset show podcast-voice --format yaml > mine.yaml
      """)

  /// The format of a preset.
  enum Format: String, ExpressibleByArgument, CaseIterable {
    case text
    case yaml
    case json
  }

  @Option(
    help: ArgumentHelp(
      "Print a description, the file itself, or JSON.", valueName: "text|yaml|json"))
  var format = Format.text

  @Argument(
    help: ArgumentHelp("The preset's name, or its file.", valueName: "name|file"),
    completion: .presets)
  var preset: String

  func run() throws {
    let host = HostPlaces()
    let path = try host.presets.path(of: preset)
    let preset = try ChainPreset(path: path)
    switch format {
    case .json: StandardStreams.writeResult(preset.indentedJSON + "\n")
    case .text:
      try SandboxedCommand.run(PlugInProcessFiles(presets: [path])) {
        // Missing units are shown as written.
        let resolved = try? ResolvedChain(preset, in: host.makeRegistry())
        let text = resolved?.renderedText(heading: path) ?? preset.renderedText(heading: path)
        StandardStreams.writeResult(
          TextWidth.wrapped(TerminalText.lines(text), at: TextTable.lineWidth))
      }
    case .yaml:
      let bytes = FileManager.default.contents(atPath: path) ?? Data()
      StandardStreams.writeResult(String(decoding: bytes, as: UTF8.self))
    }
  }
}
