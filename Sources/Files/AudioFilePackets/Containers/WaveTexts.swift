// Markers ('cue ' with the labels of 'LIST' 'adtl') and texts ('LIST' 'INFO') of WAVE.
// SPDX-License-Identifier: Apache-2.0

import AudioFileSyntax
import CAudioToolbox

/// The texts of a WAVE file.
enum WaveTexts {
  private static let list = UInt32(code: "LIST")
  private static let cue = UInt32(code: "cue ")

  /// Names of the dictionary and the codes of texts in 'INFO'; of several codes of a name, the first is written.
  private static let keys: [(key: String, code: StaticString)] = [
    ("album", "IPRD"), ("artist", "IART"), ("comments", "ICMT"), ("composer", "IMUS"),
    ("copyright", "ICOP"), ("encoding application", "ISFT"), ("genre", "IGNR"),
    ("ISRC", "ISRC"), ("lyricist", "IWRI"), ("recorded date", "ICRD"), ("source encoder", "IENC"),
    ("subtitle", "ISBJ"), ("title", "INAM"), ("track number", "ITRK"),
    ("track number", "IPRT"), ("year", "IYER"),
  ]

  /// The sub-chunks of the list of a kind, and its place among the lists.
  private static func items(
    _ kind: StaticString, _ file: PacketFile
  ) throws(AudioFileFailure) -> (index: Int, items: [(code: UInt32, body: [UInt8])])? {
    for index in 0..<(try file.chunkCount(list)) {
      let bytes = try file.chunkBytes(list, index, count: 1 << 24)
      guard bytes.code(at: 0) == UInt32(code: kind) else { continue }
      var reader = ByteReader(bytes.dropFirst(4), bigEndian: file.chunks?.scheme == .rifx)
      var items: [(code: UInt32, body: [UInt8])] = []
      while reader.remaining >= 8 {
        let code = reader.bytes(4).code(at: 0)
        let count = Int(reader.u32())
        items.append((code, reader.bytes(min(count, reader.remaining))))
        if count & 1 == 1 { reader.skip(1) }
      }
      return (index, items)
    }
    return nil
  }

  private static func setItems(
    _ kind: StaticString, _ file: PacketFile, _ items: [(code: UInt32, body: [UInt8])]
  ) throws(AudioFileFailure) {
    let place = try Self.items(kind, file)?.index
    guard !items.isEmpty else {
      if let place { try file.removeChunk(list, place) }
      return
    }
    var writer = ByteWriter(bigEndian: false)
    writer.put(bytes: [UInt8](code: UInt32(code: kind)))
    for (code, body) in items {
      writer.put(bytes: [UInt8](code: code))
      writer.put(UInt32(body.count))
      writer.put(bytes: body)
      if body.count & 1 == 1 { writer.put(UInt8(0)) }
    }
    let count = try file.chunkCount(list)
    try file.setChunk(list, place ?? count, writer.bytes)
  }

  static func info(_ file: PacketFile) throws(AudioFileFailure) -> SoundInfo {
    // The tag has the longer ones of two sets of texts: INFO's texts complete it.
    var info = try ChunkTags.info(file)
    for (code, body) in try items("INFO", file)?.items ?? [] {
      guard let key = key(code), info[key] == nil else { continue }
      let text = StoredText.text(body)
      if !text.isEmpty { info[key] = text }
    }
    return info
  }

  /// The name of a text in the dictionary; some programs write small letters.
  private static func key(_ code: UInt32) -> String? {
    let letters = [UInt8](code: code).map { (0x61...0x7A).contains($0) ? $0 - 0x20 : $0 }
    return keys.first { UInt32(code: $0.code) == letters.code(at: 0) }?.key
  }

  static func setInfo(_ file: PacketFile, _ info: SoundInfo) throws(AudioFileFailure) {
    // Texts that have no name here stay.
    var items = (try Self.items("INFO", file)?.items ?? []).filter { item in
      key(item.code) == nil
    }
    try ChunkTags.drop(file, but: info)
    for (key, text) in info.entries {
      guard let code = keys.first(where: { $0.key == key })?.code else { continue }
      items.append((UInt32(code: code), Array(text.utf8) + [0]))
    }
    try setItems("INFO", file, items)
  }

  static func marks(_ file: PacketFile) throws(AudioFileFailure) -> SoundMarks {
    var marks = SoundMarks()
    guard let bytes = try file.chunk("cue ") else { return marks }
    let isBig = file.chunks?.scheme == .rifx
    var reader = ByteReader(bytes, bigEndian: isBig)
    let count = Int(reader.u32())
    var names: [UInt32: String] = [:]
    for (code, body) in try items("adtl", file)?.items ?? [] where code == UInt32(code: "labl") {
      var label = ByteReader(body, bigEndian: isBig)
      names[label.u32()] = StoredText.text(body.dropFirst(4))
    }
    for _ in 0..<min(count, reader.remaining / 24) {
      let identifier = reader.u32()
      reader.skip(16)
      let frame = reader.u32()
      marks.marks.append(
        SoundMark(
          identifier: Int32(bitPattern: identifier), frame: Double(frame),
          name: names[identifier] ?? ""))
    }
    return marks
  }

  static func setMarks(_ file: PacketFile, _ marks: SoundMarks) throws(AudioFileFailure) {
    var writer = ByteWriter(bigEndian: false)
    writer.put(UInt32(marks.marks.count))
    var labels: [(code: UInt32, body: [UInt8])] = []
    for mark in marks.marks {
      let frame = UInt32(clamping: Int64(mark.frame.rounded()))
      writer.put(mark.identifier)
      writer.put(frame)
      writer.put(bytes: "data".utf8)
      writer.put(UInt64(0))
      writer.put(frame)
      guard !mark.name.isEmpty else { continue }
      var label = ByteWriter(bigEndian: false)
      label.put(mark.identifier)
      label.put(bytes: Array(mark.name.utf8) + [0])
      labels.append((UInt32(code: "labl"), label.bytes))
    }
    // Notes and other texts of the list stay.
    let others = (try items("adtl", file)?.items ?? []).filter { $0.code != UInt32(code: "labl") }
    try setItems("adtl", file, labels + others)
    if marks.marks.isEmpty {
      if try file.chunkCount(cue) > 0 { try file.removeChunk(cue, 0) }
    } else {
      try file.setChunk(cue, 0, writer.bytes)
    }
  }
}
