// Chunks: set, changed, removed, before and behind a sound, which stays unchanged.
// SPDX-License-Identifier: Apache-2.0

import AudioFilePackets
import CAudioToolbox
import TestSupport
import Testing

@Suite struct ChunkTests {
  private static let types = ["WAVE", "AIFF", "caff", "W64f", "RF64"]

  private func format(_ type: String) -> AudioStreamBasicDescription {
    linear(type == "AIFF" ? 14 : 12, bits: 16, channels: 2)
  }

  @Test(
    "Chunks behind a sound keep it from growing until the file is optimized", arguments: types,
    [true, false])
  func optimizing(type: String, alignsSound: Bool) throws {
    let store = MemoryStore()
    let format = format(type)
    let sound = samples(format, frames: 20_001, seed: 5)
    let file = try PacketFile.create(
      store, type: code(type), format: format, alignsSound: alignsSound)
    let (first, second) = (code("abcd"), code("zzzz"))
    try file.setChunk(first, 0, Array("before".utf8))
    try file.write(sound)
    #expect(file.isOptimized)
    let long = [UInt8](repeating: 7, count: 5001)
    try file.setChunk(second, 0, long)
    try file.setChunk(second, 1, [1])
    try file.setChunk(first, 0, Array("longer than before".utf8))
    #expect(!file.isOptimized)
    #expect(throws: AudioFileFailure.chunk) { try file.setChunk(second, 3, [1]) }
    #expect(throws: AudioFileFailure.notOptimized) { try file.write([1, 2, 3, 4], from: 20_001) }
    // Existing bytes may be overwritten.
    try file.write(Array(sound[..<400]))
    try file.optimize()
    #expect(file.isOptimized)
    try file.write([1, 2, 3, 4], from: 20_001)
    try file.flush()

    let again = try PacketFile.open(MemoryStore(store.bytes), isWritable: true)
    #expect(try again.chunkBytes(first) == Array("longer than before".utf8))
    #expect(try again.chunkBytes(second, 0) == long)
    #expect(try again.chunkBytes(second, 1) == [1])
    #expect(try again.allPackets().flatMap { $0 } == sound + [1, 2, 3, 4])
    try again.removeChunk(second, 0)
    #expect(try again.chunkCount(second) == 1)
    #expect(try again.chunkBytes(second) == [1])
    #expect(throws: AudioFileFailure.chunk) { try again.chunkBytes(second, 1) }
  }

  @Test("The track number of a WAVE is found in either place that programs put it, and kept in one")
  func trackNumber() throws {
    let store = MemoryStore()
    let file = try PacketFile.create(store, type: code("WAVE"), format: format("WAVE"))
    try file.setChunk(
      code("LIST"), 0, Array("INFOIPRT".utf8) + [5, 0, 0, 0] + Array("3/12\0\0".utf8))
    var info = try file.storedInfo()
    #expect(info["track number"] == "3/12")
    info["track number"] = "4/12"
    try file.setInfo(info)
    #expect(try file.storedInfo()["track number"] == "4/12")
    #expect(!(try file.chunkBytes(code("LIST"))).contains("IPRT".utf8))
  }

  /// An ID3 tag with a title, a picture and a number that a program keeps in a comment.
  private func tag(version: UInt8, isProtected: Bool) -> [UInt8] {
    func frame(_ name: String, _ body: [UInt8]) -> [UInt8] {
      let count = UInt8(body.count)
      return Array(name.utf8) + (version == 2 ? [0, 0, count] : [0, 0, 0, count, 0, 0]) + body
    }
    let (title, comment, picture) =
      version == 2 ? ("TT2", "COM", "PIC") : ("TIT2", "COMM", "APIC")
    var body = frame(title, Array("\0Old".utf8))
    body += frame(comment, Array("\0engiTunNORM\0 0001".utf8))
    body += frame(comment, Array("\0eng\0Old words".utf8))
    body += frame(picture, [0] + Array("PNG\u{3}\0".utf8) + [0xFF, 0xE0, 1, 2, 3])
    if isProtected { body = body.flatMap { $0 == 0xFF ? [0xFF, 0] : [$0] } }
    let head = Array("ID3".utf8) + [version, 0, isProtected ? 0x80 : 0, 0, 0, 0]
    return head + [UInt8(body.count)] + body
  }

  @Test(
    "New texts leave pictures and other frames of a tag where they are",
    arguments: ["WAVE", "AIFF"],
    [2, 3, 4] as [UInt8])
  func pictures(type: String, version: UInt8) throws {
    for isProtected in version < 4 ? [false, true] : [false] {
      let store = MemoryStore()
      let file = try PacketFile.create(store, type: code(type), format: format(type))
      let name = code(type == "WAVE" ? "id3 " : "ID3 ")
      let tag = tag(version: version, isProtected: isProtected)
      try file.setChunk(name, 0, tag)
      var info = try file.storedInfo()
      #expect(info["title"] == "Old" && info["comments"] == "Old words")
      // Texts that stay as they are change nothing.
      try file.setInfo(info)
      #expect(try file.chunkBytes(name) == tag)
      info["title"] = "New"
      try file.setInfo(info)
      let again = try PacketFile.open(MemoryStore(store.bytes))
      let found = try again.storedInfo()
      #expect(found["title"] == "New" && found["comments"] == "Old words")
      let kept = try again.chunkBytes(name)
      #expect(kept.contains([0xFF, 0xE0, 1, 2, 3]) && kept.contains("iTunNORM".utf8))
      #expect(!kept.contains((version == 2 ? "TT2" : "TIT2").utf8))
      #expect(kept.contains("Old words".utf8))
    }
  }

  @Test("Random edits of chunks: each has its last content, and the sound stays", arguments: types)
  func randomEdits(type: String) throws {
    for seed in 1...20 as ClosedRange<UInt64> {
      var random = SeededGenerator(seed: seed)
      let store = MemoryStore()
      let format = format(type)
      let sound = samples(format, frames: 3000, seed: seed)
      var file = try PacketFile.create(
        store, type: code(type), format: format, alignsSound: seed % 2 == 0)
      let codes = ["aaaa", "bbbb", "cccc"].map(code)
      var wanted: [UInt32: [[UInt8]]] = [:]
      for step in 0..<40 {
        if step == 10 { try file.write(sound) }
        let code = codes.randomElement(using: &random) ?? codes[0]
        let count = wanted[code]?.count ?? 0
        switch Int.random(in: 0..<6, using: &random) {
        case 0 where count > 0:
          let index = Int.random(in: 0..<count, using: &random)
          try file.removeChunk(code, index)
          wanted[code]?.remove(at: index)
        case 1: try file.optimize()
        case 2 where step > 10:
          try file.flush()
          file = try PacketFile.open(store, isWritable: true)
        default:
          let index = Int.random(in: 0...count, using: &random)
          let body = (0..<Int.random(in: 0..<300, using: &random)).map { _ in
            UInt8.random(in: 0...255, using: &random)
          }
          try file.setChunk(code, index, body)
          if index == count {
            wanted[code, default: []].append(body)
          } else {
            wanted[code]?[index] = body
          }
        }
        for code in codes {
          let found = try (0..<file.chunkCount(code)).map { try file.chunkBytes(code, $0) }
          try #require(found == wanted[code] ?? [], "seed \(seed), step \(step)")
        }
      }
      try file.flush()
      let again = try PacketFile.open(MemoryStore(store.bytes))
      #expect(try again.allPackets().flatMap { $0 } == sound, "seed \(seed)")
    }
  }

  @Test("Markers, regions and texts come back", arguments: ["WAVE", "AIFF", "caff"])
  func contents(type: String) throws {
    let store = MemoryStore()
    let file = try PacketFile.create(store, type: code(type), format: format(type))
    try file.write(samples(format(type), frames: 500, seed: 2))
    var marks = SoundMarks()
    marks.marks = [
      SoundMark(identifier: 1, frame: 10, name: "intro"),
      SoundMark(identifier: 2, frame: 400, name: "Größe"),
    ]
    try file.setMarks(marks, regions: false)
    if type == "caff" {
      marks.regions = [
        SoundRegion(identifier: 9, name: "loop", flags: 3, marks: marks.marks.map { $0 })
      ]
      try file.setMarks(marks, regions: true)
    }
    var info = SoundInfo()
    info["title"] = "A title"
    info["artist"] = "Somebody, später"
    try file.setInfo(info)
    try file.flush()
    let again = try PacketFile.open(MemoryStore(store.bytes), isWritable: true)
    #expect(try again.marks() == marks)
    #expect(try again.storedInfo()["title"] == "A title")
    #expect(try again.storedInfo()["artist"] == "Somebody, später")
    try again.setMarks(SoundMarks(), regions: false)
    #expect(try again.marks().marks.isEmpty)
    #expect(try again.packetCount() == 500)
  }

  @Test("Sizes of RF64 that end with an odd byte stay in front of the chunks")
  func oddSizes() throws {
    let store = MemoryStore()
    let file = try PacketFile.create(store, type: code("RF64"), format: format("RF64"))
    let sound = samples(format("RF64"), frames: 50, seed: 2)
    try file.write(sound)
    try file.flush()
    var bytes = store.bytes
    #expect(bytes[12..<16].elementsEqual("ds64".utf8))
    bytes[16] = 24
    #expect(throws: AudioFileFailure.broken) { try PacketFile.open(MemoryStore(bytes)) }
    bytes[16] = 28 + 7
    bytes.insert(contentsOf: [UInt8](repeating: 0, count: 8), at: 20 + 28)
    let odd = MemoryStore(bytes)
    let again = try PacketFile.open(odd, isWritable: true)
    try again.setChunk(code("abcd"), 0, [1, 2, 3])
    try again.optimize()
    try again.flush()
    let last = try PacketFile.open(MemoryStore(odd.bytes))
    #expect(try last.chunkBytes(code("abcd")) == [1, 2, 3])
    #expect(try last.allPackets().flatMap { $0 } == sound)
  }

  @Test("A file that was opened to read is not changed")
  func reading() throws {
    let store = MemoryStore()
    let file = try PacketFile.create(store, type: kAudioFileCAFType, format: format("caff"))
    try file.write(samples(format("caff"), frames: 5, seed: 2))
    try file.flush()
    let again = try PacketFile.open(MemoryStore(store.bytes))
    #expect(throws: AudioFileFailure.permission) { try again.setChunk(code("abcd"), 0, [1]) }
    #expect(throws: AudioFileFailure.permission) { try again.write([0, 0, 0, 0]) }
    #expect(throws: AudioFileFailure.permission) { try again.optimize() }
  }
}
