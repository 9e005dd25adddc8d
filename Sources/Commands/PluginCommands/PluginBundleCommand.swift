// `auricle plugin bundle`: makes a component of a binary from any build system.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AudioTypes
import AuricleHost
import CommandOutput
import Foundation
import PluginProjects

/// Makes a bundle.
struct PluginBundle: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bundle",
    abstract: "Make a component bundle from a shared object and an Info.plist.",
    discussion: """
      A binary whose units use AuricleSDK needs no Info.plist: its units are read from it in a \
      separate process.

      The Info.plist may be one for Xcode: $(EXECUTABLE_NAME), ${PRODUCT_NAME:rfc1034identifier} \
      and the other build variables are expanded. Variables that follow from the bundle's name are \
      known (PRODUCT_NAME, EXECUTABLE_NAME, WRAPPER_NAME …); define the others with --define. A \
      variable without a value is an error that names it.

      Units of the Component Manager are declared in a resource source instead of AudioComponents: \
      --from-r reads it, and the files of its folder that it includes. A unit with the entry point \
      XEntry has the factory function XFactory, which a source gets when it is compiled with \
      "-include Auricle/ComponentEntry.h".

      An existing bundle is replaced.

      EXAMPLES:
        auricle plugin bundle --binary unit.so --plist Info.plist \\
          --output Unit.component --define PRODUCT_BUNDLE_IDENTIFIER=com.example.unit
        auricle plugin bundle --binary Filter.so --from-r Filter.r \\
          --output Filter.component
      """)

  @Option(
    help: ArgumentHelp("The linked shared object.", valueName: "file"),
    completion: .anyFile)
  var binary: String

  @Option(
    help: ArgumentHelp("The Info.plist, with AudioComponents.", valueName: "file"),
    completion: .anyFile)
  var plist: String?

  @Option(
    help: ArgumentHelp(
      "A resource source that declares the units instead of AudioComponents.", valueName: "file.r"),
    completion: .anyFile)
  var fromR: String?

  @Option(help: ArgumentHelp("A build variable. Repeat for more.", valueName: "name=value"))
  var define: [String] = []

  @Option(
    help: ArgumentHelp("The bundle to create, NAME.component.", valueName: "folder"),
    completion: .directory)
  var output: String

  func run() throws {
    var definitions: [String: String] = [:]
    for text in define {
      guard let equals = text.firstIndex(of: "="), equals != text.startIndex else {
        throw AuricleError(.usage, "'\(text)' is no definition: write --define NAME=VALUE")
      }
      definitions[String(text[..<equals])] = String(text[text.index(after: equals)...])
    }
    let source = try BundleSource(
      plist: plist, resource: fromR, binary: binary, program: try SDKPlaces().program,
      definitions: definitions)
    let bundle = try ComponentBundle(binary: binary, source: source, path: output)
    try bundle.write()
    try PathResult.write([output], as: .text)
    StandardStreams.writeMessage("auricle: its units: \(bundle.units.joined(separator: ", "))")
  }
}

/// The command that `plugin bundle` starts to read a binary's units; a binary may crash it.
struct PluginReadEntries: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "read-entries", abstract: "Print what the units of a binary declare.",
    shouldDisplay: false)

  @Argument(help: "The shared object.")
  var binary: String

  func run() throws {
    let folder = binary.contains("/") ? (binary as NSString).deletingLastPathComponent : "."
    HostPlaces().enterSandboxAtFirstPlugIn(
      PlugInProcessFiles(folders: [binary, folder.isEmpty ? "/" : folder]))
    StandardStreams.writeResult(try DeclaredEntries.read(from: binary))
  }
}
