// iTunes' metadata in MP4 files: titles, and how much an encoder added; titles of QuickTime's films.
// SPDX-License-Identifier: Apache-2.0

import AudioFileSyntax
import CAudioToolbox

/// The items of 'ilst'.
enum MP4Texts {
  private static let keys: [(key: String, code: UInt32)] = [
    ("title", 0xA96E_616D), ("artist", 0xA941_5254), ("album", 0xA961_6C62),
    ("composer", 0xA977_7274), ("genre", 0xA967_656E), ("year", 0xA964_6179),
    ("comments", 0xA963_6D74), ("encoding application", 0xA974_6F6F),
    ("copyright", UInt32(code: "cprt")), ("lyricist", 0xA961_7574),
    ("subtitle", 0xA973_7433),
  ]
  /// The program that made a film of QuickTime.
  private static let filmSoftware: UInt32 = 0xA973_7772
  private static let trackNumber = UInt32(code: "trkn")
  private static let tempo = UInt32(code: "tmpo")
  private static let freeForm = UInt32(code: "----")
  private static let gaplessName = Array("iTunSMPB".utf8)

  /// The items of a film in a file.
  private static func items(
    _ boxes: MP4Boxes, _ movie: MP4Box
  ) throws(AudioFileFailure) -> [MP4Node] {
    guard let list = try boxes.box(["udta", "meta", "ilst"], in: movie) else { return [] }
    return MP4Node.boxes(try boxes.body(list)[...]) ?? []
  }

  /// The texts of a film of QuickTime: behind their size and language.
  private static func filmTexts(_ nodes: [MP4Node]) -> [(key: String, text: String)] {
    nodes.compactMap { node in
      let key =
        node.code == filmSoftware
        ? "encoding application" : keys.first { $0.code == node.code && $0.code >> 24 == 0xA9 }?.key
      var reader = ByteReader(node.body, bigEndian: true)
      let count = Int(reader.u16())
      reader.skip(2)
      guard let key, count > 0, count <= reader.remaining else { return nil }
      return (key, StoredText.text(reader.bytes(count)))
    }
  }

  /// The content of a box of an item: behind a kind and a language, or a version.
  private static func part(_ code: StaticString, _ item: MP4Node, skipping count: Int) -> [UInt8] {
    let parts = MP4Node.boxes(item.body[...]) ?? []
    return Array(parts.first { $0.code == UInt32(code: code) }?.body.dropFirst(count) ?? [])
  }

  private static func isGapless(_ item: MP4Node) -> Bool {
    item.code == freeForm && part("name", item, skipping: 4) == gaplessName
  }

  /// The `iTunSMPB` text: encoder delay and padding, in hexadecimal numbers; nil without one.
  static func gaplessText(_ boxes: MP4Boxes, _ movie: MP4Box) throws(AudioFileFailure) -> String? {
    try items(boxes, movie).first(where: isGapless).map {
      StoredText.text(part("data", $0, skipping: 8))
    }
  }

  static func info(_ file: PacketFile) throws(AudioFileFailure) -> SoundInfo {
    var info = SoundInfo()
    var list: [MP4Node] = []
    var film: [MP4Node] = []
    if let movie = file.movie {
      list = movie.tree["udta", "meta", "ilst"]?.children ?? []
      film = movie.tree["udta"]?.children ?? []
    } else {
      let boxes = MP4Boxes(bytes: file.bytes)
      if let movie = try boxes.movie() {
        list = try items(boxes, movie)
        film = MP4Node.boxes(try boxes.body(boxes.box(["udta"], in: movie))[...]) ?? []
      }
    }
    for (key, text) in filmTexts(film) where !text.isEmpty { info[key] = text }
    for item in list {
      let data = part("data", item, skipping: 8)
      if let key = keys.first(where: { $0.code == item.code })?.key {
        let text = StoredText.text(data)
        if !text.isEmpty { info[key] = text }
      } else if item.code == trackNumber {
        var reader = ByteReader(data, bigEndian: true)
        reader.skip(2)
        let (number, count) = (reader.u16(), reader.u16())
        if number > 0 { info["track number"] = count > 0 ? "\(number)/\(count)" : "\(number)" }
      } else if item.code == tempo {
        var reader = ByteReader(data, bigEndian: true)
        let tempo = reader.u16()
        if tempo > 0 { info["tempo"] = "\(tempo)" }
      }
    }
    return info
  }

  /// The texts of a film whose keys are in a table, without the name that QuickTime puts in front of them.
  static func tableTexts(
    _ boxes: MP4Boxes
  ) throws(AudioFileFailure) -> [(key: String, text: String)] {
    guard let movie = try boxes.movie() else { return [] }
    var found: [(key: String, text: String)] = []
    for way in [["meta"], ["udta", "meta"]] as [[StaticString]] {
      guard let keys = try boxes.box(way + ["keys"], in: movie),
        let list = try boxes.box(way + ["ilst"], in: movie)
      else { continue }
      let names = (MP4Node.boxes(try boxes.body(keys).dropFirst(8)) ?? []).map(\.body)
      for item in MP4Node.boxes(try boxes.body(list)[...]) ?? [] {
        let (index, text) = (Int(item.code) - 1, StoredText.text(part("data", item, skipping: 8)))
        // A kind of 1 is a text.
        guard names.indices.contains(index), part("data", item, skipping: 3).first == 1,
          !text.isEmpty
        else { continue }
        let name = StoredText.text(names[index])
        let own = "com.apple.quicktime."
        found.append((name.hasPrefix(own) ? String(name.dropFirst(own.count)) : name, text))
      }
    }
    return found
  }

  /// An item with a value: 0 for bytes, 1 for a text, 21 for a number.
  private static func item(_ code: UInt32, kind: UInt32, _ value: [UInt8]) -> MP4Node {
    MP4Node(code: code, data(kind, value).bytes)
  }

  private static func data(_ kind: UInt32, _ value: [UInt8]) -> MP4Node {
    .full("data", flags: kind) { writer in
      writer.put(UInt32(0))
      writer.put(bytes: value)
    }
  }

  private static func item(_ key: String, _ text: String) -> MP4Node? {
    if let code = keys.first(where: { $0.key == key })?.code {
      return item(code, kind: 1, Array(text.utf8))
    }
    let numbers = text.split(separator: "/").map { UInt16($0.trimmed) ?? 0 }
    guard let first = numbers.first, first > 0 else { return nil }
    var writer = ByteWriter(bigEndian: true)
    switch key {
    case "track number":
      for value in [0, first, numbers.count > 1 ? numbers[1] : 0, 0] { writer.put(value) }
      return item(trackNumber, kind: 0, writer.bytes)
    case "tempo":
      writer.put(first)
      return item(tempo, kind: 21, writer.bytes)
    default: return nil
    }
  }

  /// Stores texts; those without a place here are left out, and items of other kinds stay.
  static func setInfo(
    _ tree: inout MP4Node, _ info: SoundInfo
  ) throws(AudioFileFailure) {
    let known = keys.map(\.code) + [trackNumber, tempo]
    let new = info.entries.compactMap { item($0.key, $0.text) }
    try change(&tree) { items in
      items = new + items.filter { !known.contains($0.code) }
    }
  }

  /// Stores the encoder's padding.
  static func setGapless(
    _ tree: inout MP4Node, _ trim: AudioFilePacketTableInfo
  ) throws(AudioFileFailure) {
    func hex(_ value: Int64, _ width: Int) -> String {
      let digits = String(value, radix: 16, uppercase: true)
      return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
    let numbers =
      [hex(0, 8), hex(Int64(trim.mPrimingFrames), 8), hex(Int64(trim.mRemainderFrames), 8)]
      + [hex(trim.mNumberValidFrames, 16)] + [String](repeating: hex(0, 8), count: 8)
    let text = " " + numbers.joined(separator: " ")
    func name(_ code: StaticString, _ text: String) -> [UInt8] {
      MP4Node.full(code) { $0.put(bytes: Array(text.utf8)) }.bytes
    }
    let body =
      name("mean", "com.apple.iTunes") + name("name", "iTunSMPB")
      + data(1, Array(text.utf8)).bytes
    try change(&tree) { items in
      items.removeAll(where: isGapless)
      items.append(MP4Node(code: freeForm, body))
    }
  }

  /// Changes the items of a film, and makes the boxes around them where there are none.
  private static func change(
    _ tree: inout MP4Node, _ change: (inout [MP4Node]) -> Void
  ) throws(AudioFileFailure) {
    // Unreadable parts would be lost.
    if let user = tree["udta"], user.children.isEmpty, !user.body.allSatisfy({ $0 == 0 }) {
      throw .unsupported
    }
    var items = tree["udta", "meta", "ilst"]?.children ?? []
    change(&items)
    guard !items.isEmpty || tree["udta", "meta", "ilst"] != nil else { return }
    if tree["udta", "meta"] == nil {
      let handler = MP4Node.full("hdlr") { writer in
        writer.put(UInt32(0))
        writer.put(bytes: "mdirappl".utf8)
        writer.put(bytes: [UInt8](repeating: 0, count: 9))
      }
      if tree["udta"]?.children.isEmpty == true { tree["udta"]?.body = [] }
      tree["udta", "meta"] = MP4Node("meta", [0, 0, 0, 0], [handler])
    }
    tree["udta", "meta", "ilst"] = MP4Node("ilst", [], items)
  }
}

extension Substring {
  /// Without spaces at both ends.
  fileprivate var trimmed: Substring {
    var text = drop { $0 == " " }
    while text.last == " " { text.removeLast() }
    return text
  }
}
