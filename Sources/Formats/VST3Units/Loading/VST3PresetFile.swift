// Presets of VST3 as files: their chunks, and the folders in which hosts search for them.
// SPDX-License-Identifier: Apache-2.0

internal import ForeignPlugIns
internal import Glibc
internal import HostSystem

/// A preset: the class that it is of, and the state.
struct VST3PresetFile: Equatable {
  static let ending = ".vstpreset"
  /// A file of more is refused.
  private static let limit = 1 << 28

  /// The class of the component, 32 hexadecimal digits.
  var classID: String
  var state = VST3State()
  /// Data of one program, which begins with the identifier of its list; empty without.
  var program: [UInt8] = []
  /// Data about the preset in XML; empty without.
  var information: [UInt8] = []

  init(classID: String, state: VST3State) {
    self.classID = classID
    self.state = state
  }

  /// Reads bytes; a failure is the end of a sentence about the file.
  init(_ bytes: [UInt8]) throws(PlugInFailure) {
    func damaged(_ reason: String) -> PlugInFailure {
      PlugInFailure(reason: reason, isOfBinary: false)
    }
    func number<Number: FixedWidthInteger & BitwiseCopyable>(_ place: Int, as type: Number.Type)
      -> Number
    {
      Number(
        littleEndian: unsafe bytes.withUnsafeBytes {
          unsafe $0.loadUnaligned(fromByteOffset: place, as: type)
        })
    }
    guard bytes.count >= 48, bytes.starts(with: Array("VST3".utf8)) else {
      throw damaged("it is no preset of VST3")
    }
    guard number(4, as: Int32.self) == 1 else {
      throw damaged("it is a preset of version \(number(4, as: Int32.self)), which is not known")
    }
    classID = VST3ClassID.plain(String(decoding: bytes[8..<40], as: UTF8.self))
    let list = number(40, as: Int64.self)
    guard classID.count == 32, list >= 48, list <= Int64(bytes.count - 8),
      bytes[Int(list)...].starts(with: Array("List".utf8))
    else { throw damaged("its list of chunks is damaged") }
    let count = Int(number(Int(list) + 4, as: Int32.self))
    guard (0...128).contains(count), bytes.count - Int(list) - 8 >= count * 20 else {
      throw damaged("its list of chunks is damaged")
    }
    for index in 0..<count {
      let entry = Int(list) + 8 + index * 20
      let (offset, size) = (number(entry + 4, as: Int64.self), number(entry + 12, as: Int64.self))
      guard offset >= 0, size >= 0, offset <= Int64(bytes.count),
        size <= Int64(bytes.count) - offset
      else { throw damaged("a chunk goes beyond its end") }
      let chunk = Array(bytes[Int(offset)..<Int(offset + size)])
      switch String(decoding: bytes[entry..<entry + 4], as: UTF8.self) {
      case "Comp": state.component = chunk
      case "Cont": state.controller = chunk
      case "Prog": program = chunk
      case "Info": information = chunk
      default: break
      }
    }
    guard !state.component.isEmpty || !program.isEmpty else {
      throw damaged("it holds no state")
    }
  }

  /// Reads a file.
  init(contentsOf path: String) throws(PlugInFailure) {
    guard let file = FileDescriptor(ifReadable: path, O_RDONLY | O_NONBLOCK),
      let bytes = FileTransfer.readAll(file.number, limit: Self.limit)
    else { throw PlugInFailure(reason: "it cannot be read", isOfBinary: false) }
    try self.init(bytes)
  }

  /// The bytes of the file.
  var encoded: [UInt8] {
    var chunks: [(id: String, bytes: [UInt8])] = [("Comp", state.component)]
    if !state.controller.isEmpty { chunks.append(("Cont", state.controller)) }
    if !program.isEmpty { chunks.append(("Prog", program)) }
    if !information.isEmpty { chunks.append(("Info", information)) }
    func little(_ value: some FixedWidthInteger) -> [UInt8] {
      unsafe withUnsafeBytes(of: value.littleEndian) { unsafe Array($0) }
    }
    let size = chunks.reduce(0) { $0 + $1.bytes.count }
    var bytes =
      Array("VST3".utf8) + little(Int32(1)) + Array(classID.utf8) + little(Int64(48 + size))
    var entries: [UInt8] = []
    for chunk in chunks {
      entries +=
        Array(chunk.id.utf8) + little(Int64(bytes.count)) + little(Int64(chunk.bytes.count))
      bytes += chunk.bytes
    }
    return bytes + Array("List".utf8) + little(Int32(chunks.count)) + entries
  }

  /// The data about a preset of a plug-in.
  static func information(_ description: VST3Description, name: String) -> [UInt8] {
    func escaped(_ text: String) -> String {
      let names: [Character: String] = ["&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;"]
      return text.map { names[$0] ?? String($0) }.joined()
    }
    let attributes = [
      ("MediaType", "VstPreset"), ("PlugInName", description.name),
      ("PlugInVendor", description.vendor),
      ("PlugInCategory", description.categories.joined(separator: "|")), ("Name", name),
    ]
    let lines = attributes.map {
      "\t<Attr id=\"\($0.0)\" value=\"\(escaped($0.1))\" type=\"string\" flags=\"writeProtected\"/>\n"
    }
    return Array(
      "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<MetaInfo>\n\(lines.joined())</MetaInfo>\n".utf8)
  }
}

/// The folders of presets.
enum VST3PresetFolders {
  /// A preset that is installed.
  struct Entry {
    var name: String
    var path: String
    var folder: String

    /// The preset as a URI.
    var uri: String { VST3PresetFolders.uri(of: path) }
  }

  /// A path as a URI.
  static func uri(of path: String) -> String {
    var uri = "file://"
    for byte in path.utf8 {
      let isPlain =
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & 0xDF) && byte < 0x80
        || "/-._~".utf8.contains(byte)
      let digits = String(byte, radix: 16, uppercase: true)
      uri += isPlain ? String(Unicode.Scalar(byte)) : "%" + (digits.count < 2 ? "0" : "") + digits
    }
    return uri
  }

  /// The path that a URI names; nil for one of another scheme.
  static func path(of uri: String) -> String? {
    guard uri.hasPrefix("file://") else { return uri.hasPrefix("/") ? uri : nil }
    let text = Array(uri.utf8.dropFirst(7))
    var bytes: [UInt8] = []
    var place = 0
    while place < text.count {
      let digits = text[place...].dropFirst().prefix(2)
      if text[place] == UInt8(ascii: "%"), digits.count == 2,
        let byte = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
      {
        bytes.append(byte)
        place += 3
      } else {
        bytes.append(text[place])
        place += 1
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The folders that all plug-ins share, those of the user first.
  static var standard: [String] {
    (userRoot.map { [$0] } ?? []) + ["/usr/share/vst3/presets", "/usr/local/share/vst3/presets"]
  }

  private static var userRoot: String? { environment("HOME").map { $0 + "/.vst3/presets" } }

  /// The folder of the user's presets of a plug-in; nil without a home folder.
  static func user(maker: String, name: String) -> String? {
    userRoot.map { "\($0)/\(plain(maker))/\(plain(name))" }
  }

  /// A name as that of a folder.
  private static func plain(_ name: String) -> String {
    let text = name.split(separator: "/", omittingEmptySubsequences: false).joined(separator: "-")
    return text.isEmpty || text.hasPrefix(".") ? "_" + text : text
  }

  /// The presets of a plug-in: the user's, the system's, those of its bundle; sorted by name in each folder.
  static func presets(of description: VST3Description, _ bundle: VST3Bundle) -> [Entry] {
    var folders = standard.map {
      "\($0)/\(plain(PlugInText.maker(description.vendor)))/\(plain(description.name))"
    }
    if let resources = bundle.resources { folders += [resources, resources + "/Presets"] }
    var entries: [Entry] = []
    for folder in folders {
      for name in SearchFolders.names(in: folder) where name.hasSuffix(VST3PresetFile.ending) {
        entries.append(
          Entry(
            name: String(name.dropLast(VST3PresetFile.ending.count)), path: folder + "/" + name,
            folder: folder))
      }
    }
    return entries
  }
}
