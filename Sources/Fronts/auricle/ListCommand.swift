// `auricle list`: every unit that is installed.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AudioComponents
import AudioTypes

/// Lists components.
struct ListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List the units that are installed.",
    discussion: """
      One line a unit: type, subtype, manufacturer, source (built-in, native or lv2) and name. \
      Types are aufx (effect), aumf (effect with MIDI), aumu (instrument), augn (generator), aumi \
      (MIDI), aumx (mixer), aufc (converter). No plug-in is opened for it.

      EXAMPLES:
        auricle list
        auricle list aufx --search reverb
        auricle list aufx:*:appl
        auricle list --format json
      """)

  @Argument(
    help: ArgumentHelp(
      "Only units of this type, subtype and manufacturer; * or nothing for any.",
      valueName: "type[:subtype[:manufacturer]]"))
  var pattern: String?

  @Option(
    help: ArgumentHelp(
      "Only units with this text in their name, tags or URI, in any case.", valueName: "text"))
  var search: String?

  @Option(help: ArgumentHelp("Print columns, or one JSON array.", valueName: "text|json"))
  var format = OutputFormat.text

  func run() throws {
    let pattern = try pattern.map { text throws(AuricleError) in try ComponentPattern(text) }
    let registry = Host().makeRegistry()
    for problem in registry.problems {
      StandardStreams.writeMessage("auricle: \(TerminalText.plain(problem.description))")
    }
    var components = registry.matching(pattern ?? ComponentPattern())
    if let search { components = components.filter { Self.matches($0, search.lowercased()) } }
    switch format {
    case .json: try JSONResult.write(components.map(ComponentLine.init))
    case .text: StandardStreams.writeResult(Self.table(components))
    }
    if components.isEmpty, format == .text {
      StandardStreams.writeMessage("auricle: no unit matches")
    }
  }

  private static func matches(_ component: AudioComponent, _ text: String) -> Bool {
    if component.name.lowercased().contains(text) { return true }
    if component.location.uri?.lowercased().contains(text) == true { return true }
    if component.triple.lowercased().contains(text) { return true }
    return component.tags.contains { $0.lowercased().contains(text) }
  }

  private static func table(_ components: [AudioComponent]) -> String {
    var table = TextTable([.left, .left, .left, .left, .left])
    for component in components {
      table.add([
        component.description.type.description, component.description.subtype.description,
        component.description.manufacturer.description, component.origin.rawValue,
        TerminalText.plain(component.name),
      ])
    }
    return table.text()
  }
}

/// A component, as `list --format json` prints it.
struct ComponentLine: Codable, Sendable {
  var type: String
  var subtype: String
  var manufacturer: String
  var name: String
  var version: String
  var source: String
  var uri: String?
  var path: String?
  var tags: [String]

  init(_ component: AudioComponent) {
    type = component.description.type.description
    subtype = component.description.subtype.description
    manufacturer = component.description.manufacturer.description
    name = component.name
    version = component.versionText
    source = component.origin.rawValue
    uri = component.location.uri
    path = uri == nil ? component.location.path : nil
    tags = component.tags
  }
}
