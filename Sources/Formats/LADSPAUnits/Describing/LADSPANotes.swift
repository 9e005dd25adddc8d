// Facts of plug-ins from RDF files: classes, units, named values, settings.
// SPDX-License-Identifier: Apache-2.0

internal import ForeignPlugIns
internal import Glibc
internal import HostSystem
internal import Synchronization

/// Facts of one plug-in from data files.
struct LADSPANotes: Equatable, Sendable {
  /// The name of its class, without "Plugin".
  var classes: [String] = []
  /// Units of measure by port.
  var units: [Int: String] = [:]
  /// Named values by port.
  var points: [Int: [LADSPAPoint]] = [:]
  var settings: [LADSPASetting] = []
}

/// The RDF files of this machine.
enum LADSPANoteFiles {
  /// The folders of LADSPA_RDF_PATH, otherwise the standard ones.
  static var folders: SearchFolders {
    SearchFolders(
      nil, variable: "LADSPA_RDF_PATH",
      standard: "/usr/local/share/ladspa/rdf:/usr/share/ladspa/rdf")
  }

  /// The files, in search order.
  static var paths: [String] {
    let folders = folders
    return folders.files(ending: ".rdf") + folders.files(ending: ".rdfs")
  }

  private static let known = Mutex<(stamps: [PathStamp], notes: [UInt64: LADSPANotes])>(([], [:]))

  /// The notes by unique identifier, read anew when a file has changed. Context: control.
  static var notes: [UInt64: LADSPANotes] {
    let stamps = paths.map { PathStamp(of: $0) }
    return known.withLock { known in
      if known.stamps != stamps {
        var reading = LADSPANoteReader()
        for stamp in stamps { reading.read(stamp.path) }
        known = (stamps, reading.notes)
      }
      return known.notes
    }
  }
}

/// Reads RDF files, as far as they speak of plug-ins in the ways that are used.
struct LADSPANoteReader {
  private(set) var notes: [UInt64: LADSPANotes] = [:]
  private var plugIn: UInt64?
  private var port: (plugIn: UInt64, index: Int)?
  private var setting: LADSPASetting?
  private var value: Float?

  /// A file of more bytes is left out.
  private static let largestSize = 8 << 20

  /// Reads a file; one that cannot be read, or is something else, adds nothing.
  mutating func read(_ path: String) {
    guard let file = FileDescriptor(ifReadable: path, O_RDONLY | O_NONBLOCK),
      let bytes = FileTransfer.readAll(file.number, limit: Self.largestSize)
    else { return }
    read(bytes)
  }

  /// Reads the text of a file.
  mutating func read(_ bytes: [UInt8]) {
    (plugIn, port, setting, value) = (nil, nil, nil, nil)
    var rest = bytes[...]
    while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
      rest = rest[(start + 1)...]
      if rest.starts(with: "!--".utf8) {
        guard let end = Self.end(ofComment: rest) else { return }
        rest = rest[end...]
        continue
      }
      guard let end = rest.firstIndex(of: UInt8(ascii: ">")) else { return }
      let tag = rest[..<end]
      rest = rest[(end + 1)...]
      guard let first = tag.first, first != UInt8(ascii: "!"), first != UInt8(ascii: "?") else {
        continue
      }
      element(PlugInText.decoded(tag))
    }
  }

  private static func end(ofComment bytes: ArraySlice<UInt8>) -> Int? {
    var at = bytes.startIndex + 3
    while at + 2 < bytes.endIndex {
      if bytes[at..<(at + 3)].elementsEqual("-->".utf8) { return at + 3 }
      at += 1
    }
    return nil
  }

  private mutating func element(_ tag: String) {
    if tag.hasPrefix("/") { return finish(Self.localName(tag.dropFirst())) }
    let isClosed = tag.hasSuffix("/")
    let (name, attributes) = Self.parts(isClosed ? tag.dropLast() : tag[...])
    begin(name, attributes)
    if isClosed { finish(name) }
  }

  private mutating func begin(_ name: String, _ attributes: [String: String]) {
    switch name {
    case "InputControlPort":
      port = attributes["about"].flatMap(Self.port)
    case "hasUnits":
      guard let port, let unit = attributes["resource"] else { return }
      notes[port.plugIn, default: LADSPANotes()].units[port.index] = Self.ontologyName(unit)
    case "Point":
      guard let port, let value = attributes["value"].flatMap(Float.init), value.isFinite,
        let label = attributes["hasLabel"]
      else { return }
      let point = LADSPAPoint(value: value, name: PlugInText.line(label))
      var points = notes[port.plugIn]?.points[port.index] ?? []
      guard !points.contains(where: { $0.value == value }) else { return }
      points.append(point)
      notes[port.plugIn, default: LADSPANotes()].points[port.index] = points.sorted {
        $0.value < $1.value
      }
    case "Default", "Preset":
      setting = LADSPASetting(name: attributes["hasLabel"].map { PlugInText.line($0) } ?? name)
    case "PortValue": value = attributes["value"].flatMap(Float.init)
    case "forPort":
      guard let value, value.isFinite, let port = attributes["resource"].flatMap(Self.port),
        port.plugIn == plugIn
      else { return }
      setting?.values.append(LADSPASetting.Value(port: UInt32(clamping: port.index), value: value))
    default:
      guard name.hasSuffix("Plugin"), let about = attributes["about"],
        let id = UInt64(Self.ontologyName(about))
      else { return }
      plugIn = id
      let kind = String(name.dropLast("Plugin".count))
      var known = notes[id] ?? LADSPANotes()
      if !kind.isEmpty, !known.classes.contains(kind) { known.classes.append(kind) }
      notes[id] = known
    }
  }

  private mutating func finish(_ name: String) {
    switch name {
    case "InputControlPort": port = nil
    case "PortValue": value = nil
    case "Default", "Preset":
      if let setting, !setting.values.isEmpty, let plugIn {
        notes[plugIn, default: LADSPANotes()].settings.append(setting)
      }
      setting = nil
    default: if name.hasSuffix("Plugin") { plugIn = nil }
    }
  }

  /// The plug-in and the index of a port: 1416 and 0 of `&ladspa;1416.0`.
  private static func port(_ text: String) -> (plugIn: UInt64, index: Int)? {
    let parts = ontologyName(text).split(separator: ".")
    guard parts.count == 2, let plugIn = UInt64(parts[0]), let index = Int(parts[1]), index >= 0
    else { return nil }
    return (plugIn, index)
  }

  /// A name of LADSPA's ontology without the rest of its URI.
  private static func ontologyName(_ text: String) -> String {
    for prefix in ["&ladspa;", "http://ladspa.org/ontology#"] where text.hasPrefix(prefix) {
      return String(text.dropFirst(prefix.count))
    }
    return text
  }

  private static func localName(_ text: some StringProtocol) -> String {
    let name = text.prefix { !$0.isWhitespace && $0 != ">" }
    return String(name[(name.lastIndex(of: ":").map(name.index(after:)) ?? name.startIndex)...])
  }

  /// The local name of an element, and its attributes by their local names.
  private static func parts(_ tag: Substring) -> (name: String, attributes: [String: String]) {
    var attributes: [String: String] = [:]
    var rest = tag.drop { !$0.isWhitespace }
    while let equals = rest.firstIndex(of: "=") {
      let name = localName(rest[..<equals].drop(while: \.isWhitespace))
      let after = rest[rest.index(after: equals)...].drop(while: \.isWhitespace)
      guard let quote = after.first, quote == "\"" || quote == "'" else { break }
      let text = after.dropFirst()
      guard let end = text.firstIndex(of: quote) else { break }
      attributes[name] = unescaped(text[..<end])
      rest = text[text.index(after: end)...]
    }
    return (localName(tag), attributes)
  }

  private static func unescaped(_ text: Substring) -> String {
    guard text.contains("&") else { return String(text) }
    return String(text).replacing("&lt;", with: "<").replacing("&gt;", with: ">")
      .replacing("&quot;", with: "\"").replacing("&apos;", with: "'").replacing("&amp;", with: "&")
  }
}
