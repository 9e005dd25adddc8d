// `auricle preset export`: a chain preset as a folder with everything it needs beside its units.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AuricleHost
import CommandOutput
import Foundation

/// Exports a chain preset.
struct PresetExport: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Write a chain preset as a folder for another machine.",
    discussion: """
      The folder contains the preset, your own presets of its units with their files, the files \
      that parameters name, such as impulse responses, and the audio files of side chains. \
      SHA256SUMS lists them: "auricle preset check FOLDER" (or sha256sum -c) finds any that have \
      changed. "process --preset ./FOLDER" uses the folder. The units themselves must be installed \
      on the other machine.

      EXAMPLES:
        auricle preset export podcast-voice podcast/
        auricle preset check podcast/
      """)

  @Option(help: ArgumentHelp("Print text, or one JSON array.", valueName: "text|json"))
  var format = OutputFormat.text

  @Argument(
    help: ArgumentHelp("The preset's name, or its file.", valueName: "name|file"),
    completion: .presets)
  var preset: String

  @Argument(
    help: ArgumentHelp("The folder to create; it must be new or empty."),
    completion: .directory)
  var folder: String

  func run() throws {
    var allowed = PlugInProcessFiles(presets: [preset])
    allowed.writable = [folder]
    let isNew = !FileManager.default.fileExists(atPath: folder)
    do {
      try SandboxedCommand.run(allowed, export)
    } catch {
      // Only an empty folder is removed.
      if isNew { unsafe rmdir(folder) }
      throw error
    }
  }

  private func export() throws {
    let files = try AuricleInstallation().export(preset: preset, to: folder)
    let lead = folder.hasSuffix("/") ? folder : folder + "/"
    try PathResult.write(files.map { lead + $0 }, as: format)
  }
}
