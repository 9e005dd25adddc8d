// Texts of RIFF files (LIST of INFO) that the file library does not read.
// SPDX-License-Identifier: Apache-2.0

extension FileChunks {
  /// The chunks that hold one text each, and the keys that tags have for it.
  private static let infoKeys = [
    "IPRT": "TRACKNUMBER", "IENG": "ENGINEER", "ILNG": "LANGUAGE", "IMED": "MEDIA",
    "ISBJ": "SUBJECT", "ISRC": "SOURCE", "ISRF": "SOURCEFORM", "IKEY": "KEYWORDS",
    "ITCH": "TECHNICIAN", "IARL": "ARCHIVALLOCATION", "ICMS": "COMMISSIONED", "IWRI": "WRITER",
  ]

  /// The texts that the file library reads where their names are in capitals.
  private static let usualKeys = [
    "INAM": "TITLE", "IART": "ARTIST", "IPRD": "ALBUM", "ICMT": "COMMENT", "ICRD": "DATE",
    "IGNR": "GENRE", "ITRK": "TRACKNUMBER", "ICOP": "COPYRIGHT",
  ]

  /// The key of a text by the name of its chunk in any case; the name itself where no key is known.
  private static func key(of name: String) -> String? {
    let known = name.uppercased()
    guard known.utf8.allSatisfy({ (0x21..<0x7F).contains($0) }) else {
      return nil
    }
    // Names of programs do not apply to the result.
    guard !["ISFT", "IENC"].contains(known) else { return nil }
    return infoKeys[known] ?? usualKeys[known] ?? known
  }

  /// Such texts, by the keys of tags.
  var infoTexts: [(key: String, value: String)] {
    chunks.filter { $0.name == "LIST" && $0.bytes.starts(with: "INFO".utf8) }.flatMap {
      Self.infoTexts($0.bytes)
    }
  }

  private static func infoTexts(_ list: [UInt8]) -> [(key: String, value: String)] {
    var found: [(key: String, value: String)] = []
    var position = 4
    while position + 8 <= list.count {
      let name = String(decoding: list[position..<position + 4], as: UTF8.self)
      let size = (0..<4).reduce(0) { $0 | Int(list[position + 4 + $1]) << (8 * $1) }
      let start = position + 8
      guard size <= list.count - start else { break }
      let text = decodedText(Array(list[start..<start + size].prefix { $0 != 0 }))
      if let key = key(of: name), !text.isEmpty { found.append((key, text)) }
      position = start + size + (size & 1)
    }
    return found
  }
}
