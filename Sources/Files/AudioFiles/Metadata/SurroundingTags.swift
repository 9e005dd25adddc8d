// Tags of another family around a sound, parts of FLAC that nothing keeps, and the table of keys of QuickTime.
// SPDX-License-Identifier: Apache-2.0

import AudioFilePackets
import AudioFileParsing
import AudioFileSyntax

extension AudioFileMetadata {
  /// The longest tags that are read: 64 MiB.
  private static let mostBytes: Int64 = 64 << 20

  /// Adds the parts of ID3 and APE tags around a sound that its own metadata does not have.
  mutating func adoptSurroundings(of stream: FileStream, sampleRate: Double) {
    guard let around = try? Self.surroundings(of: stream), !around.isEmpty, let tags = FileTags(),
      tags.read(id3: around)
    else { return }
    var found = AudioFileMetadata()
    tags.copy(to: &found, nil, sampleRate: sampleRate)
    let present = Set(allTags.map(\.key))
    for (key, values) in found.tags where !present.contains(key) {
      adopt(key, values, found.spellings[key])
    }
    if pictures.isEmpty { pictures = found.pictures }
    tagParts += found.tagParts
    found.unreadParts.forEach { noteUnread($0) }
    guard cuePoints.isEmpty else { return }
    (cuePoints, hasChapters) = (found.cuePoints, found.hasChapters)
  }

  /// The ID3 tags in front of a sound, and the tags behind it, as one. No reader has texts of an APE tag in front.
  private static func surroundings(of stream: FileStream) throws(AudioFileFailure) -> [UInt8] {
    let bytes = BufferedStore(try FileStore(sharing: stream.descriptor))
    let total = try bytes.byteCount
    let front = min(try TagPlaces.leadingEnd(bytes), total)
    let back = max(front, try TagPlaces.trailingStart(bytes))
    guard front + total - back <= mostBytes else { return [] }
    let before = try bytes.bytes(at: 0, count: Int(front))
    return try (before.starts(with: "ID3".utf8) ? before : [])
      + bytes.bytes(at: back, count: Int(total - back))
  }

  private mutating func adopt(_ key: String, _ values: [String], _ spelling: String?) {
    for value in values { addTag(key, value) }
    if tags[key] != nil, let spelling { spellings[key] = spelling }
  }

  /// Notes the blocks of FLAC that describe discs and belong to programs.
  mutating func noteBlocks(ofFLAC stream: FileStream) {
    var place = stream.bytes(at: 0, count: 4).elementsEqual("fLaC".utf8) ? 4 : Int.max
    for _ in 0..<1000 where place < stream.length {
      let head = stream.bytes(at: place, count: 8)
      guard head.count == 8 else { return }
      switch head[0] & 0x7F {
      case 2: noteUnread("application data (\(UnknownChunks.text(head.code(at: 4))))")
      case 5: noteUnread("the cue sheet")
      default: break
      }
      guard head[0] & 0x80 == 0 else { return }
      place += 4 + head[1..<4].reduce(0) { $0 << 8 | Int($1) }
    }
  }

  /// Adds the texts of a film whose keys are in a table, as QuickTime writes them.
  mutating func adoptTableTexts(ofFilm stream: FileStream) {
    guard let texts = try? PacketFile.tableTexts(of: StoredBytes(stream)) else { return }
    let present = Set(allTags.map(\.key))
    for (name, value) in texts where !present.contains(name.uppercased()) {
      adopt(name.uppercased(), [value], name == name.lowercased() ? nil : name)
    }
  }
}
