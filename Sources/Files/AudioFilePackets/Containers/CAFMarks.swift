// Markers, regions and their names in CAF: 'mark', 'regn', 'strg'.
// SPDX-License-Identifier: Apache-2.0

import AudioFileSyntax
import CAudioToolbox

/// Markers refer to their names by number; the names are in a chunk of their own.
enum CAFMarks {
  private static let markSize = 28

  private static func read(_ reader: inout ByteReader, _ names: [UInt32: String]) -> SoundMark {
    let type = reader.u32()
    let frame = reader.double()
    let identifier = reader.u32()
    let parts = reader.bytes(4)
    let time = SMPTEBytes(parts: parts, offset: reader.u32())
    var mark = SoundMark(
      identifier: Int32(bitPattern: identifier), frame: frame, name: names[identifier] ?? "")
    mark.type = type
    mark.time = time
    mark.channel = UInt16(clamping: reader.u32())
    return mark
  }

  private static func put(_ mark: SoundMark, _ writer: inout ByteWriter) {
    writer.put(mark.type)
    writer.put(mark.frame)
    writer.put(mark.identifier)
    writer.put(bytes: mark.time.parts)
    writer.put(mark.time.offset)
    writer.put(UInt32(mark.channel))
  }

  private static func names(_ file: PacketFile) throws(AudioFileFailure) -> [UInt32: String] {
    guard let bytes = try file.chunk("strg") else { return [:] }
    var reader = ByteReader(bytes, bigEndian: true)
    let count = min(Int(reader.u32()), reader.remaining / 12)
    let texts = 4 + 12 * count
    var names: [UInt32: String] = [:]
    for _ in 0..<count {
      let identifier = reader.u32()
      let offset = reader.s64()
      guard offset >= 0, offset < Int64(bytes.count - texts) else { continue }
      names[identifier] = StoredText.text(bytes[(texts + Int(offset))...])
    }
    return names
  }

  static func read(_ file: PacketFile) throws(AudioFileFailure) -> SoundMarks {
    var marks = SoundMarks()
    let names = try names(file)
    if let bytes = try file.chunk("mark") {
      var reader = ByteReader(bytes, bigEndian: true)
      marks.timeType = reader.u32()
      let count = min(Int(reader.u32()), reader.remaining / markSize)
      for _ in 0..<count { marks.marks.append(read(&reader, names)) }
    }
    if let bytes = try file.chunk("regn") {
      var reader = ByteReader(bytes, bigEndian: true)
      if try file.chunk("mark") == nil { marks.timeType = reader.u32() } else { reader.skip(4) }
      let count = min(Int(reader.u32()), reader.remaining / 12)
      for _ in 0..<count where reader.remaining >= 12 {
        let (identifier, flags) = (reader.u32(), reader.u32())
        let inner = min(Int(reader.u32()), reader.remaining / markSize)
        var region = SoundRegion(
          identifier: identifier, name: names[identifier] ?? "", flags: flags, marks: [])
        for _ in 0..<inner { region.marks.append(read(&reader, names)) }
        marks.regions.append(region)
      }
    }
    return marks
  }

  /// Stores the markers, or the regions, and the names of both.
  static func write(
    _ file: PacketFile, _ new: SoundMarks, regions: Bool
  ) throws(AudioFileFailure) {
    var all = try read(file)
    all.timeType = new.timeType
    if regions { all.regions = new.regions } else { all.marks = new.marks }
    try writeNames(file, all)
    var writer = ByteWriter(bigEndian: true)
    writer.put(all.timeType)
    if regions {
      writer.put(UInt32(all.regions.count))
      for region in all.regions {
        writer.put(region.identifier)
        writer.put(region.flags)
        writer.put(UInt32(region.marks.count))
        for mark in region.marks { put(mark, &writer) }
      }
    } else {
      writer.put(UInt32(all.marks.count))
      for mark in all.marks { put(mark, &writer) }
    }
    let code = UInt32(code: regions ? "regn" : "mark")
    if (regions ? all.regions.isEmpty : all.marks.isEmpty) {
      if try file.chunkCount(code) > 0 { try file.removeChunk(code, 0) }
    } else {
      try file.setChunk(code, 0, writer.bytes)
    }
  }

  private static func writeNames(
    _ file: PacketFile, _ all: SoundMarks
  ) throws(AudioFileFailure) {
    var names: [(UInt32, String)] = []
    func add(_ identifier: UInt32, _ name: String) {
      guard !name.isEmpty, !names.contains(where: { $0.0 == identifier }) else { return }
      names.append((identifier, name))
    }
    for region in all.regions { add(region.identifier, region.name) }
    for mark in all.marks + all.regions.flatMap(\.marks) {
      add(UInt32(bitPattern: mark.identifier), mark.name)
    }
    let code = UInt32(code: "strg")
    guard !names.isEmpty else {
      if try file.chunkCount(code) > 0 { try file.removeChunk(code, 0) }
      return
    }
    var (writer, texts) = (ByteWriter(bigEndian: true), [UInt8]())
    writer.put(UInt32(names.count))
    for (identifier, name) in names {
      writer.put(identifier)
      writer.put(Int64(texts.count))
      texts += Array(name.utf8) + [0]
    }
    writer.put(bytes: texts)
    try file.setChunk(code, 0, writer.bytes)
  }
}
