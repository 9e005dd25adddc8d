// `auricle plugin`: the parent of the commands for plug-in authors, and `plugin new`.
// SPDX-License-Identifier: Apache-2.0

package import ArgumentParser
import AudioTypes
import CommandOutput
import PluginProjects
import RunReports

/// The parent of the commands about plug-ins of one's own.
package struct PluginCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "plugin",
    abstract: "Create, bundle, develop and export plug-ins.",
    discussion: """
      The guide, "Writing plug-ins", goes from nothing to a package.

      EXAMPLES:
        auricle plugin new "Warm Tremolo" --language c --subtype wtrm \\
          --manufacturer Demo
        auricle plugin bundle --binary unit.so --plist Info.plist \\
          --output Unit.component
        auricle plugin dev
        auricle plugin export aufx:wtrm:Demo --format lv2,clap,vst3 --output dist/
      """,
    subcommands: [
      PluginNew.self, PluginBundle.self, PluginDev.self, PluginExportCommand.self,
      PluginReadEntries.self, PluginDescribeExport.self,
    ])

  package init() {}
}

/// Makes a project.
struct PluginNew: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "new", abstract: "Create the project of a new plug-in.",
    discussion: """
      The folder has a source, an Info.plist if the language needs one, a README and a Makefile \
      with the targets all, validate, check, install and clean. Nothing is loaded from the \
      network.

      The languages are swift (on AuricleSDK), auv3 (Swift, a class of AUAudioUnit), c and c++ (on \
      Auricle/AuricleUnit.h) and audiounitsdk (C++ on Apple's AudioUnitSDK, which you check out \
      yourself). The manufacturer is your own code, with a capital letter in it; the subtype is \
      your code for the unit, and must never change.

      EXAMPLES:
        auricle plugin new "Warm Tremolo" --language c --subtype wtrm \\
          --manufacturer Demo
        cd warm-tremolo && make && make validate && make install
        auricle list aufx:wtrm
      """)

  @Option(
    help: ArgumentHelp(
      "The language of the source.", valueName: "swift|auv3|c|c++|audiounitsdk"),
    completion: .list(["swift", "auv3", "c", "c++", "audiounitsdk"]))
  var language: String

  @Option(
    help: ArgumentHelp(
      """
      The type of the unit: aufx is an effect, augn a generator, aumu an instrument; in Swift also aumf, a \
      music effect, and aumi, a MIDI processor.
      """,
      valueName: "code"), completion: .list(["aufx", "aumf", "aumu", "augn", "aumi"]))
  var type = "aufx"

  @Option(help: ArgumentHelp("The subtype: four characters.", valueName: "code"))
  var subtype: String

  @Option(
    help: ArgumentHelp("The manufacturer: four characters, one a capital.", valueName: "code"))
  var manufacturer: String

  @Option(
    help: ArgumentHelp(
      "The folder to create. Default: one named after the unit.", valueName: "folder"),
    completion: .directory)
  var output: String?

  @Argument(
    help: ArgumentHelp("The name of the unit, such as \"Warm Tremolo\".", valueName: "name"))
  var name: String

  func run() throws {
    let description = try ProjectDescription(
      title: name, language: language, type: type, subtype: subtype, manufacturer: manufacturer)
    let files = try ProjectTemplate(description, SDKPlaces()).write(to: output)
    try PathResult.write(files, as: .text)
    if description.isNamedByCode {
      StandardStreams.writeMessage(
        "auricle: '\(TerminalText.plain(name))' has no letter from A to Z, so its sources are named "
          + description.identifier)
    }
    let folder = output ?? description.folderName
    StandardStreams.writeMessage(
      "auricle: next: cd \(TerminalText.plain(folder)) && make && make validate && make install")
  }
}
