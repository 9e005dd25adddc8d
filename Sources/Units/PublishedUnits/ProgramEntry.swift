// The entry of a component that a program publishes: a text file in the manner of desktop entries.
// SPDX-License-Identifier: Apache-2.0

package import AudioTypes
package import CAudioToolbox
import Glibc
import HostSystem

/// A component of a program: its description, name and version, and how the program is started.
///
/// The file has a group `[Audio Component]` with lines `Key=Value`: Type, Subtype, Manufacturer, Name, Version, and where
/// they are known Exec, Icon, URL and Comment; that of a running program also has Process and Socket.
package struct ProgramEntry: Sendable, Equatable {
  /// Type, subtype and manufacturer; the rest is 0.
  package var description: AudioComponentDescription
  /// The name, by convention "Maker: Unit".
  package var name: String
  /// The version, 0xMMMMmmbb.
  package var version: UInt32
  /// Program and arguments; empty where it cannot be started.
  package var command: [String] = []
  /// PNG files, each with its whole path.
  package var icons: [String] = []
  /// The URL that brings the program to the front; empty for that of its file.
  package var url = ""
  /// Free text about it.
  package var comment = ""
  /// The process that runs; 0 for an installed entry.
  package var process: Int32 = 0
  /// The socket of that process.
  package var socket = ""
  /// The file that it was read from.
  package var path = ""

  /// The types that a program can publish.
  package static let types: Set<OSType> = [
    kAudioUnitType_RemoteEffect, kAudioUnitType_RemoteGenerator, kAudioUnitType_RemoteInstrument,
    kAudioUnitType_RemoteMusicEffect,
  ]
  private static let group = "[Audio Component]"
  private static let mostBytes = 1 << 16

  /// Describes a component.
  package init(_ description: AudioComponentDescription, name: String, version: UInt32) {
    self.description = AudioComponentDescription(
      componentType: description.componentType, componentSubType: description.componentSubType,
      componentManufacturer: description.componentManufacturer, componentFlags: 0,
      componentFlagsMask: 0)
    (self.name, self.version) = (name, version)
  }

  /// Reads a file.
  ///
  /// - Throws: `.badData` with the line and what it should say.
  ///
  /// Context: control.
  package init(path: String) throws(AuricleError) {
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { throw systemError(errno, "read", path) }
    defer { close(file) }
    guard let bytes = FileTransfer.readAll(file, limit: Self.mostBytes) else {
      throw systemError(EFBIG, "read", path)
    }
    try self.init(text: String(decoding: bytes, as: UTF8.self), path: path)
  }

  /// Reads the text of a file.
  ///
  /// - Throws: As `init(path:)`.
  ///
  /// Context: any.
  package init(text: String, path: String) throws(AuricleError) {
    var values: [String: String] = [:]
    var isInside = false
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      let line = line.trimmingSpaces
      if line.isEmpty || line.hasPrefix("#") { continue }
      if line.hasPrefix("[") {
        isInside = line == Self.group
        continue
      }
      guard isInside else { continue }
      guard let sign = line.firstIndex(of: "=") else {
        throw Self.fault(path, "line \(index + 1) has no \"=\": write Key=Value")
      }
      values[line[..<sign].trimmingSpaces] = line[line.index(after: sign)...].trimmingSpaces
    }
    guard !values.isEmpty else { throw Self.fault(path, "there is no group \(Self.group)") }
    let codes = try ["Type", "Subtype", "Manufacturer"].map { (key) throws(AuricleError) in
      // Spaces at the end of a line are nobody's: those of a code are put back.
      let text = values[key].map { $0 + String(repeating: " ", count: max(0, 4 - $0.utf8.count)) }
      guard let code = text.flatMap({ FourCharacterCode($0) }), code.rawValue != 0 else {
        throw Self.fault(path, "\(key) is not a code of four characters")
      }
      return code.rawValue
    }
    guard Self.types.contains(codes[0]) else {
      throw Self.fault(path, "Type is not one of aurg, auri, aurx and aurm")
    }
    guard let name = values["Name"], !name.isEmpty else {
      throw Self.fault(path, "there is no Name")
    }
    guard let version = Self.version(values["Version"] ?? "1.0.0") else {
      throw Self.fault(path, "Version is not like 1.2.0")
    }
    let description = AudioComponentDescription(
      componentType: codes[0], componentSubType: codes[1], componentManufacturer: codes[2],
      componentFlags: 0, componentFlagsMask: 0)
    self.init(description, name: name, version: version)
    command = try Self.words(values["Exec"] ?? "", path)
    let folder = Path.folder(of: path)
    icons = (values["Icon"] ?? "").split(separator: ";").map {
      Path.isFromRoot(String($0)) ? String($0) : Path.joining(folder, String($0))
    }
    comment = values["Comment"] ?? ""
    url = values["URL"] ?? ""
    process = values["Process"].flatMap { Int32($0) } ?? 0
    socket = values["Socket"] ?? ""
    self.path = path
  }

  private static func fault(_ path: String, _ what: String) -> AuricleError {
    AuricleError(.badData, "\(path): \(what)")
  }

  /// The version of "1.2.3", or of a number.
  package static func version(_ text: String) -> UInt32? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false).map { UInt32($0) }
    guard (1...3).contains(parts.count), !parts.contains(nil) else { return nil }
    let numbers = parts.compactMap(\.self) + [0, 0]
    if parts.count == 1, numbers[0] > 0xFFFF { return numbers[0] }
    guard numbers[0] <= 0xFFFF, numbers[1] <= 0xFF, numbers[2] <= 0xFF else { return nil }
    return numbers[0] << 16 | numbers[1] << 8 | numbers[2]
  }

  /// The words of a command line; quotes keep words together, and a backslash the next character.
  private static func words(_ text: String, _ path: String) throws(AuricleError) -> [String] {
    var words: [String] = []
    var word: String?
    var quote: Character?
    var rest = text[...]
    while let next = rest.popFirst() {
      switch next {
      case "\\" where quote != "'":
        guard let kept = rest.popFirst() else { throw fault(path, "Exec ends with a backslash") }
        word = (word ?? "") + String(kept)
      case _ where next == quote: quote = nil
      case "\"" where quote == nil, "'" where quote == nil: (quote, word) = (next, word ?? "")
      case " " where quote == nil, "\t" where quote == nil:
        if let done = word { words.append(done) }
        word = nil
      default: word = (word ?? "") + String(next)
      }
    }
    guard quote == nil else { throw fault(path, "Exec has a quote without its end") }
    return words + [word].compactMap(\.self)
  }

  /// The text of the file.
  package var text: String {
    func code(_ value: UInt32) -> String { FourCharacterCode(rawValue: value).description }
    var lines = [
      Self.group, "Type=\(code(description.componentType))",
      "Subtype=\(code(description.componentSubType))",
      "Manufacturer=\(code(description.componentManufacturer))", "Name=\(Self.line(name))",
      "Version=\(version >> 16).\(version >> 8 & 0xFF).\(version & 0xFF)",
    ]
    if !icons.isEmpty { lines.append("Icon=\(Self.line(icons.joined(separator: ";")))") }
    if !url.isEmpty { lines.append("URL=\(Self.line(url))") }
    if !comment.isEmpty { lines.append("Comment=\(Self.line(comment))") }
    if process != 0 { lines.append("Process=\(process)") }
    if !socket.isEmpty { lines.append("Socket=\(Self.line(socket))") }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func line(_ text: String) -> String { text.replacing("\n", with: " ") }

  /// The three codes in a row, which no other component has.
  package var identity: String {
    [
      description.componentType, description.componentSubType, description.componentManufacturer,
    ].map { Hexadecimal.text(UInt64($0)).suffix(8) }.joined(separator: "-")
  }

  /// Whether both are of one component.
  package func isSame(as other: AudioComponentDescription) -> Bool {
    description.componentType == other.componentType
      && description.componentSubType == other.componentSubType
      && description.componentManufacturer == other.componentManufacturer
  }

  package static func == (left: ProgramEntry, right: ProgramEntry) -> Bool {
    left.text == right.text && left.command == right.command && left.path == right.path
  }
}

extension StringProtocol {
  /// The text without spaces and tabs at its ends.
  fileprivate var trimmingSpaces: String {
    var text = Substring(self)
    func isSpace(_ character: Character) -> Bool {
      character == " " || character == "\t" || character == "\r"
    }
    while let first = text.first, isSpace(first) { text.removeFirst() }
    while let last = text.last, isSpace(last) { text.removeLast() }
    return String(text)
  }
}
