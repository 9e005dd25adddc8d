// `auricle preset`: what chains there are, what they say, whether they are right.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AudioComponents
import AudioTypes
import ChainPresets
import Foundation

/// The parent of the commands about presets.
struct PresetCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "preset",
    abstract: "List, show, check and export chain presets; save presets of units.",
    discussion: """
      A preset is a YAML file that names units, their parameters, and what becomes of the output. \
      Those that ship are called by name; your own stand in ~/.config/auricle/presets, or are named \
      by their path.

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
    commandName: "list", abstract: "List the presets that can be called by name.",
    discussion: """
      EXAMPLES:
        auricle preset list
        auricle preset list --format json
      """)

  @Option(help: ArgumentHelp("Print columns, or one JSON array.", valueName: "text|json"))
  var format = OutputFormat.text

  func run() throws {
    let entries = Host().presets.entries()
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
    StandardStreams.writeResult(table.text())
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

/// Shows a preset.
struct PresetShow: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Print a preset.",
    discussion: """
      As text, with what its units tell of their parameters; as YAML, the file as it is written: a \
      start for one of your own.

      EXAMPLES:
        auricle preset show podcast-voice
        auricle preset show podcast-voice --format yaml > mine.yaml
      """)

  /// How a preset is shown.
  enum Format: String, ExpressibleByArgument, CaseIterable {
    case text
    case yaml
    case json
  }

  @Option(
    help: ArgumentHelp(
      "Print it for reading, as its file, or as JSON.", valueName: "text|yaml|json"))
  var format = Format.text

  @Argument(
    help: ArgumentHelp("The preset's name, or its file.", valueName: "name|file"),
    completion: .presets)
  var preset: String

  func run() throws {
    do throws(PresetErrors) {
      let host = Host()
      let path = try host.presets.path(of: preset)
      let preset = try ChainPreset(path: path)
      switch format {
      case .json: StandardStreams.writeResult(preset.indentedJSON + "\n")
      case .text:
        // What is not installed is shown as it is written.
        let resolved = try? ResolvedChain(preset, in: host.makeRegistry())
        let text = resolved?.renderedText(heading: path) ?? preset.renderedText(heading: path)
        StandardStreams.writeResult(TerminalText.lines(text))
      case .yaml:
        let bytes = FileManager.default.contents(atPath: path) ?? Data()
        StandardStreams.writeResult(String(decoding: bytes, as: UTF8.self))
      }
    } catch {
      throw PresetFailure.exit(error)
    }
  }
}

/// Checks presets.
struct PresetCheck: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Tell everything that is wrong with preset files.",
    discussion: """
      Checks the text, that every unit is installed, that it has the parameters named, and that \
      their values are in range; of an exported folder, that every file is as it was. Each fault is told as file:line:column with the line itself.

      EXAMPLES:
        auricle preset check mine.yaml
        auricle preset check --text-only presets/*.yaml
      """)

  @Flag(help: "Check the text alone, on a machine without the units.")
  var textOnly = false

  @Option(help: ArgumentHelp("Print text, or one JSON array of files.", valueName: "text|json"))
  var format = OutputFormat.text

  @Argument(
    help: ArgumentHelp(
      "Preset files, names of presets, or exported folders.", valueName: "file|name|folder"),
    completion: .presets)
  var files: [String]

  func run() throws {
    let host = Host()
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

  /// Checks a preset against what is installed, or its words alone.
  private static func check(
    _ file: String, of presets: PresetLibrary, in registry: AudioComponentRegistry?
  ) throws(PresetErrors) {
    let preset: ChainPreset
    do throws(PresetErrors) {
      preset = try presets.preset(file)
    } catch {
      throw registry.map { error.joined(with: $0, formats: .files) } ?? error
    }
    if let registry {
      _ = try ResolvedChain(preset, in: registry, formats: .files)
    } else {
      let problems = preset.problems(with: .files)
      if !problems.isEmpty { throw PresetErrors(problems) }
    }
  }
}

/// What was found in a file, as `preset check --format json` prints it.
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

/// How errors of presets leave the program: as they are, one below the other.
enum PresetFailure {
  static func exit(_ errors: PresetErrors) -> ExitCode {
    StandardStreams.writeMessage(text(errors))
    return ExitCode(errors.category.rawValue)
  }

  static func text(_ errors: PresetErrors) -> String {
    // What came from the command line has no file and no place: it is told like any other failure.
    let hasFile = errors.diagnostics.contains { $0.file != nil }
    let text =
      hasFile
      ? errors.description
      : errors.diagnostics.map { "auricle: \($0.message)" }.joined(separator: "\n")
    return TerminalText.lines(text)
  }
}
