// `auricle plugin export`: units as plug-ins of other formats.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AudioTypes
import AuricleHost
import CommandOutput
import Foundation
import PluginProjects

/// Exports units.
struct PluginExportCommand: CheckedCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Export units as LV2, CLAP or VST3 plug-ins for other hosts.",
    discussion: """
      A bundle contains the unit's own binary and the libraries that it needs, for units in Swift \
      also its run time. Auricle is not needed where the bundle is used.

      A chain preset becomes one plug-in, whose parameters are those of its stages. Its units must \
      be native and in series; branches, side chains and automation are refused.

      Effects, instruments, generators, panners and MIDI processors can be exported. An existing \
      bundle is replaced.

      EXAMPLES:
        auricle plugin export aufx:wtrm:Demo --format lv2 --output dist/
        auricle plugin export "Peak Limiter" Delay --name Rack --format lv2,clap
        auricle plugin export --preset podcast-voice --format clap --output dist/
      """)

  @Option(help: ArgumentHelp("Formats, with commas between them.", valueName: "lv2,clap,vst3"))
  var format = "lv2,clap,vst3"

  @Option(
    help: ArgumentHelp("The folder in which the bundles are made.", valueName: "folder"),
    completion: .directory)
  var output = "."

  @Option(
    help: ArgumentHelp(
      "The name of the bundles. Default: the title of the unit.", valueName: "name"))
  var name: String?

  @Option(
    help: ArgumentHelp(
      "A chain preset to make one plug-in of. Repeat for more.", valueName: "name|file"))
  var preset: [String] = []

  @OptionGroup var formatOfNames: UnitFormatArguments

  @Argument(help: ArgumentHelp("Units for the bundle.", valueName: "unit"))
  var units: [String] = []

  func check() throws { try formatOfNames.check(names: units) }

  func run() throws {
    let formats = try ExportFormat.list(format)
    let installation = AuricleInstallation()
    let exported = try units.map {
      try Self.unit(installation.component(named: formatOfNames.named($0)))
    }
    let chains = try preset.map { name in
      let chain = try installation.exportedChain(preset: name)
      return try ExportedStages(
        title: chain.name, maker: chain.author, summary: chain.summary, tags: chain.tags,
        version: chain.version,
        stages: chain.stages.map {
          ExportedStages.Stage(
            unit: try Self.unit($0.component), label: $0.label, mix: $0.mix, state: $0.state)
        })
    }
    let export = try PluginExport(exported, chains: chains, name: name)
    for format in formats {
      try PathResult.write([export.write(format, to: output)], as: .text)
    }
  }

  /// A native unit, by its bundle.
  private static func unit(_ line: ComponentLine) throws(AuricleError) -> ExportedUnit {
    guard let path = line.path, line.source == "built-in" || line.source == "native" else {
      throw AuricleError(
        .badData,
        "\(line.name) (\(line.identity)) cannot be exported: it is no native unit, but comes from \(line.source)"
      )
    }
    return try ExportedUnit(bundle: path, identity: line.identity)
  }
}

/// Describes an exported bundle: `plugin export` starts it, since units may crash it.
struct PluginDescribeExport: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "describe-export",
    abstract: "Print the files of a bundle that its adapter writes.",
    shouldDisplay: false)

  @Argument(help: "The adapter in its bundle.")
  var file: String

  func run() throws {
    let folder = (file as NSString).deletingLastPathComponent
    HostPlaces().enterSandboxAtFirstPlugIn(
      PlugInProcessFiles(folders: [folder.isEmpty ? "." : folder]))
    do throws(AuricleError) {
      StandardStreams.writeResult(try ExportDescription.read(from: file))
    } catch {
      // The parent prints it.
      guard error.category == .badData else { throw error }
      StandardStreams.writeResult(error.message)
      throw ExitCode(Int32(error.category.rawValue))
    }
  }
}
