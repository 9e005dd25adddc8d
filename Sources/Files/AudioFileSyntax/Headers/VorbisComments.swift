// The texts of Vorbis, Opus and FLAC: names and values.
// SPDX-License-Identifier: Apache-2.0

/// A list of texts `NAME=value`, behind the name of its writer.
package struct VorbisComments {
  /// The writer of the list.
  package var vendor: [UInt8]
  /// The texts, as they are stored.
  package var entries: [[UInt8]] = []

  /// An empty list.
  package init() { vendor = Array("Auricle".utf8) }

  /// Reads a list as far as it goes.
  package init(_ bytes: some Sequence<UInt8>) {
    var reader = ByteReader(bytes, bigEndian: false)
    vendor = reader.bytes(Int(reader.u32()))
    let count = min(Int(reader.u32()), reader.remaining / 4)
    for _ in 0..<count where reader.remaining >= 4 {
      let entry = reader.bytes(Int(reader.u32()))
      if !reader.isPastEnd { entries.append(entry) }
    }
  }

  /// The list as it is stored.
  package var bytes: [UInt8] {
    var writer = ByteWriter(bigEndian: false)
    writer.put(UInt32(vendor.count))
    writer.put(bytes: vendor)
    writer.put(UInt32(entries.count))
    for entry in entries {
      writer.put(UInt32(entry.count))
      writer.put(bytes: entry)
    }
    return writer.bytes
  }

  /// Names here and names of Core Audio's dictionary; of several for one, the first is written.
  private static let names: [(name: String, key: String)] = [
    ("TITLE", "title"), ("ARTIST", "artist"), ("ALBUM", "album"), ("COMPOSER", "composer"),
    ("GENRE", "genre"), ("TRACKNUMBER", "track number"), ("DATE", "year"),
    ("COPYRIGHT", "copyright"), ("ISRC", "ISRC"), ("COMMENT", "comments"),
    ("DESCRIPTION", "comments"), ("LYRICIST", "lyricist"), ("ENCODER", "source encoder"),
    ("SUBTITLE", "subtitle"), ("BPM", "tempo"),
  ]

  private static func key(_ entry: [UInt8]) -> (key: String, text: String)? {
    let text = String(decoding: entry, as: UTF8.self)
    guard let equal = text.firstIndex(of: "=") else { return nil }
    let name = text[..<equal].uppercased()
    guard let key = names.first(where: { $0.name == name })?.key else { return nil }
    return (key, String(text[text.index(after: equal)...]))
  }

  /// Names of Core Audio's dictionary and their texts; of several texts for one, the first.
  package var texts: [(key: String, text: String)] {
    var seen: Set<String> = []
    return entries.compactMap(Self.key).filter { seen.insert($0.key).inserted }
  }

  /// Replaces the texts that have a name of Core Audio's.
  package mutating func set(_ texts: [(key: String, text: String)]) {
    let new = texts.compactMap { key, text in
      Self.names.first { $0.key == key }.map { Array("\($0.name)=\(text)".utf8) }
    }
    entries = new + entries.filter { Self.key($0) == nil }
  }
}
