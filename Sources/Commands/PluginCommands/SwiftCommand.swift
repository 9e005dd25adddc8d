// `auricle swift`: programs in Swift on Core Audio's modules.
// SPDX-License-Identifier: Apache-2.0

package import ArgumentParser
import AudioTypes
import CommandOutput
import PluginProjects
import RunReports

/// The parent of the commands about programs in Swift.
package struct SwiftCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "swift",
    abstract: "Create programs in Swift that import AVFoundation, AudioToolbox or CoreMIDI.",
    discussion: """
      The guide, "Programs in Swift", lists the modules and their classes.

      EXAMPLES:
        auricle swift new "My Player"
        auricle swift new "Night Render" --kind renderer
      """,
    subcommands: [SwiftNew.self])

  package init() {}
}

/// Makes a program's folder.
struct SwiftNew: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "new", abstract: "Create the project of a new program.",
    discussion: """
      The folder is a Swift package with one source. It depends on the package of Core Audio's \
      modules that is installed with this program; nothing is loaded from the network.

      EXAMPLES:
        auricle swift new "My Player" --kind player
        cd my-player && swift run MyPlayer song.wav
      """)

  @Option(
    help: ArgumentHelp(
      "The kind of program: a player of files, an offline renderer, a synth for MIDI, or an effect of version 3.",
      valueName: "player|renderer|synth|effect"),
    completion: .list(["player", "renderer", "synth", "effect"]))
  var kind = "player"

  @Option(
    help: ArgumentHelp(
      "The folder to create. Default: one named after the program.", valueName: "folder"),
    completion: .directory)
  var output: String?

  @Argument(
    help: ArgumentHelp("The name of the program, such as \"My Player\".", valueName: "name"))
  var name: String

  func run() throws {
    let project = try ProgramProject(name, kind: kind, SDKPlaces())
    try PathResult.write(try project.write(to: output), as: .text)
    StandardStreams.writeMessage(
      "auricle: next: cd \(TerminalText.plain(output ?? project.folderName)) && swift build")
  }
}
