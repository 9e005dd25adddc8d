// `auricle plugin export`: units as plug-ins of other formats.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AudioTypes
import AuricleHost
import CommandOutput
import Foundation
import PluginProjects

/// Exports units.
struct PluginExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Export units as LV2, CLAP or VST3 plug-ins for other hosts.",
    discussion: """
      A bundle holds the unit's own binary and the libraries that it needs, each under a name of its build; the run time of \
      Swift comes along for units in Swift alone. It needs no Auricle where it is used.

      Effects, instruments, generators, panners and MIDI processors can be exported. A bundle that is there is replaced.

      EXAMPLES:
        auricle plugin export aufx:wtrm:Demo --format lv2 --output dist/
        auricle plugin export "Peak Limiter" Delay --name Rack --format lv2,clap
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

  @Argument(help: ArgumentHelp("Units, which come into one bundle.", valueName: "unit"))
  var units: [String]

  func run() throws {
    let formats = try ExportFormat.list(format)
    let installation = AuricleInstallation()
    let exported = try units.map { name in
      let unit = try installation.component(named: name)
      guard let path = unit.path, unit.source == "built-in" || unit.source == "native" else {
        throw AuricleError(
          .badData,
          "\(unit.name) (\(unit.identity)) cannot be exported: it is no native unit, but comes from \(unit.source)")
      }
      return try ExportedUnit(bundle: path, identity: unit.identity)
    }
    let export = try PluginExport(exported, name: name)
    for format in formats {
      try PathResult.write([export.write(format, to: output)], as: .text)
    }
  }
}

/// Describes an exported bundle: `plugin export` starts it, since units may crash it.
struct PluginDescribeExport: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "describe-export", abstract: "Print the files of a bundle that its adapter writes.",
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
