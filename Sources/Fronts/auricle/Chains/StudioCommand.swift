// `auricle studio`: a local page to find, build, hear, run and play.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AudioTypes
import CommandOutput
import Foundation
import HostSystem
import RunReports

/// Serves the studio's page.
struct StudioCommand: CheckedCommand {
  static let configuration = CommandConfiguration(
    commandName: "studio",
    abstract: "Serve a local page to find units, build chains, process files and play live.",
    discussion: """
      Prints the address of a page on this machine, with a token that admits the browser, and \
      serves it until Ctrl-C. The page finds units, builds chains and saves them as presets, plays \
      files before and after a chain at equal loudness, runs folders of files as "auricle process" \
      does, and plays live.

      The page reads and writes files below the named folders alone, by default the working \
      folder. Programs of other users and pages of other sites do not get in. Plug-ins run in \
      separate processes without the rights of the user. Chains that are not saved are kept \
      between two starts. With --port, open pages go on after a restart.

      EXAMPLES:
        auricle studio
        auricle studio interviews/ results/ --open
        auricle studio --port 8100 --read-only archive/
      """)

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The port on 127.0.0.1; 0 for any that is free. Default: 0.", valueName: "port"),
    transform: NumberRange.whole(0...UInt16.max))
  var port: UInt16 = 0

  @Flag(help: "Open the page in a browser, where there is one.")
  var open = false

  @Flag(help: "Save nothing, run nothing, and play nothing live.")
  var readOnly = false

  @Argument(
    help: ArgumentHelp(
      "Folders whose files the page may use. Default: the working folder.", valueName: "folder"),
    completion: .directory)
  var folders: [String] = []

  func check() throws {
    if folders.contains("") { throw ValidationError("The name of a folder is empty.") }
  }

  func run() throws {
    let opens = open
    let named = folders.isEmpty ? ["."] : folders
    try StudioService.run(folders: named, port: port, isReadOnly: readOnly) { address in
      StandardStreams.writeResult(address + "\n")
      if opens { Self.show(address) }
    }
  }

  /// Opens an address in the user's browser; what that says is of no interest.
  private static func show(_ address: String) {
    let launch = ProcessLaunch("/usr/bin/env", ["xdg-open", address])
    let (_, error) = launch.start()
    if error != 0 { StandardStreams.writeMessage("note: no browser was found; open the address") }
  }
}
