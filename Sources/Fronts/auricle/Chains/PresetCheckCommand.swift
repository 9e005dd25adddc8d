// `auricle preset check`: reports all mistakes in preset files.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AudioComponents
import AudioTypes
import AuricleHost
import ChainPresets
import CommandOutput
import Foundation
import LiveSound
import RunReports
import SongPlaying

/// Checks presets.
struct PresetCheck: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Report all mistakes in preset files.",
    discussion: """
      Checks the text, that every unit is installed, that it has the named parameters, that their \
      values are in range, and the controllers and programs of a midi block; in an exported \
      folder, that every file is unchanged. Each fault is shown as file:line:column with the line \
      itself.

      EXAMPLES:
        auricle preset check mine.yaml
        auricle preset check --text-only presets/*.yaml
      """)

  @Flag(help: "Check only the text, on a machine without the units.")
  var textOnly = false

  @Option(help: ArgumentHelp("Print text, or one JSON array of files.", valueName: "text|json"))
  var format = OutputFormat.text

  @Argument(
    help: ArgumentHelp(
      "Preset files, names of presets, or exported folders.", valueName: "file|name|folder"),
    completion: .presets)
  var files: [String]

  func run() throws {
    guard !textOnly else { return try checkAll() }
    let limit = Duration.seconds(120 + 10 * files.count)
    let folders = files.filter(ExportManifest.isExport)
    try SandboxedCommand.run(
      PlugInProcessFiles(presets: files, folders: folders), timeLimit: limit, checkAll)
  }

  private func checkAll() throws {
    let host = HostPlaces()
    let registry = textOnly ? nil : host.makeRegistry()
    var lines: [CheckLine] = []
    var worst: AuricleError.Category?
    for var file in files {
      if ExportManifest.isExport(file) {
        let problems = ExportManifest.problems(in: file)
        if !problems.isEmpty {
          lines.append(CheckLine(file: file, errors: problems.map(CheckLine.Fault.init)))
          if format == .text {
            for problem in problems { StandardStreams.writeMessage(TerminalText.plain(problem)) }
          }
          worst = .badData
          continue
        }
        if !file.hasSuffix("/") { file += "/" }
      }
      do throws(PresetErrors) {
        try Self.check(file, of: host.presets, in: registry)
        lines.append(CheckLine(file: file, errors: []))
        if format == .text {
          StandardStreams.writeResult("\(TerminalText.plain(file)): in order\n")
        }
      } catch {
        lines.append(CheckLine(file: file, errors: error.diagnostics.map(CheckLine.Fault.init)))
        if format == .text {
          StandardStreams.writeMessage(PresetFailure.text(error))
        }
        worst = worst == .badData ? .badData : error.category
      }
    }
    if format == .json { try JSONResult.write(lines) }
    if let worst { throw ExitCode(worst.rawValue) }
  }

  /// Checks a preset against the installed units, or its syntax alone.
  private static func check(
    _ file: String, of presets: PresetLibrary, in registry: AudioComponentRegistry?
  ) throws(PresetErrors) {
    let preset: ChainPreset
    do throws(PresetErrors) {
      preset = try presets.preset(file)
    } catch {
      throw registry.map { error.joined(with: $0, formats: .files) } ?? error
    }
    let refused = preset.refusedFiles(with: .files)
    guard let registry else {
      let problems = preset.problems(with: .files) + refused
      if !problems.isEmpty { throw PresetErrors(problems) }
      return
    }
    do throws(PresetErrors) {
      if !preset.instruments.isEmpty {
        _ = try ResolvedEnsemble(preset, in: registry)
      } else if preset.playsNotes(in: registry) {
        _ = try ResolvedChain(playing: preset, in: registry)
      } else {
        _ = try ResolvedChain(preset, in: registry, formats: .files)
      }
    } catch {
      throw PresetErrors(error.diagnostics + refused)
    }
    let problems = try ControllerMap.problems(of: preset, registry, presets) + refused
    if !problems.isEmpty { throw PresetErrors(problems) }
  }
}

/// The result for a file, as `preset check --format json` prints it.
private struct CheckLine: Encodable {
  struct Fault: Encodable {
    var line: Int?
    var column: Int?
    var message: String

    init(_ diagnostic: PresetDiagnostic) {
      line = diagnostic.position?.line
      column = diagnostic.position?.column
      message = diagnostic.message
    }

    init(_ message: String) { self.message = message }
  }

  var file: String
  var errors: [Fault]
}
