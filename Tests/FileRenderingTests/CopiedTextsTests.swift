// Texts and marks of files whose packets are copied into another kind: carried over, or named.
// SPDX-License-Identifier: Apache-2.0

import AudioCodecs
import AudioFiles
import AudioTypes
import FileRendering
import FileTestSupport
import Foundation
import ResultSettings
import TestSupport
import Testing

@Suite struct CopiedTextsTests {
  private static let rate = 48_000.0

  /// Texts, a mark and broadcast data.
  private static var metadata: AudioFileMetadata {
    var metadata = AudioFileMetadata()
    metadata.texts = [.title: "Käse", .comment: "Words", .artist: "Zoë"]
    metadata.tags = ["ENGINEER": ["Ann"], "MY OWN NAME": ["mine"]]
    metadata.spellings = ["MY OWN NAME": "My own Name"]
    metadata.cuePoints = [AudioCuePoint(identifier: 1, frame: 2400, name: "Mark")]
    return metadata
  }

  /// A file of a kind with the metadata, a tenth of a second long.
  private func source(
    _ folder: TemporaryFolder, _ container: AudioContainer, _ encoding: AudioEncoding
  ) throws -> String {
    let path = folder("in.\(container.fileExtension)")
    let row = (0..<4800).map { 0.25 * Float(sin(Double($0) * 0.07)) }
    try Sound([row], sampleRate: Self.rate).write(
      to: path, encoding: encoding, metadata: Self.metadata)
    return path
  }

  /// The names of the metadata that a file has.
  private func found(_ path: String) throws -> Set<String> {
    let metadata = try AudioFileReader(path: path).metadata
    var found = Set(
      metadata.texts.filter { Self.metadata.texts[$0.key] == $0.value }.map(\.key.rawValue))
    for (key, values) in Self.metadata.tags where metadata.tags[key] == values { found.insert(key) }
    if metadata.cuePoints.map(\.frame) == [2400] { found.insert("marks") }
    return found
  }

  @Test(
    "Fields that a copy of packets cannot hold are named, and all others are in it",
    arguments: [
      (AudioContainer.wav, AudioEncoding.ulaw), (.opus, .opus), (.mp3, .mpegLayer3), (.m4a, .aac),
      (.caf, .ulaw),
    ])
  func nothingIsLost(_ container: AudioContainer, _ encoding: AudioEncoding) throws {
    guard container != .m4a || CodecLibrary.path != nil else { return }
    let folder = try TemporaryFolder()
    let input = try source(folder, container, encoding)
    let there = try found(input)
    #expect(there.isSuperset(of: ["title", "comment", "artist", "ENGINEER"]), "\(container)")
    for target: AudioContainer in [.wav, .aiff, .caf, .au, .w64, .ogg, .m4a, .aac]
    where target != container {
      guard CodecLibrary.path != nil || ![.m4a, .aac].contains(target) else { continue }
      let output = folder("out.\(target.fileExtension)")
      var settings = JobSettings()
      settings.copiesPackets = true
      settings.deliverables[0].container = target
      let result = try FileBench.run(input, to: [output], settings: settings, units: [])
      let notes = result.notes.joined(separator: "\n")
      for name in there.subtracting(try found(output)) {
        let words = name == "marks" ? ["marks", "cue points"] : [name]
        #expect(
          words.contains { notes.uppercased().contains($0.uppercased()) },
          "\(name) is lost from \(container) to \(target), copied: \(result.isCopied): \(notes)")
      }
    }
  }

  @Test("Opus in a file named .ogg has its texts")
  func opusInOgg() throws {
    let folder = try TemporaryFolder()
    let input = try source(folder, .opus, .opus)
    var settings = JobSettings()
    settings.copiesPackets = true
    settings.deliverables[0].container = .ogg
    let output = folder("out.ogg")
    let result = try FileBench.run(input, to: [output], settings: settings, units: [])
    #expect(result.isCopied)
    #expect(
      try found(output).isSuperset(of: ["title", "comment", "artist", "ENGINEER", "MY OWN NAME"]))
  }

  @Test("Chunks of no known kind are named", arguments: [AudioContainer.wav, .aiff])
  func unknownChunks(_ container: AudioContainer) throws {
    let folder = try TemporaryFolder()
    let input = try source(folder, container, .pcm16)
    var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: input)))
    func size(_ count: Int) -> [UInt8] {
      let bytes = (0..<4).map { UInt8(truncatingIfNeeded: count >> (8 * $0)) }
      return container == .aiff ? bytes.reversed() : bytes
    }
    bytes +=
      Array("MIDI".utf8) + size(4) + [0xF0, 1, 2, 0xF7] + Array("strc".utf8) + size(2) + [1, 2]
    bytes.replaceSubrange(4..<8, with: size(bytes.count - 8))
    try Data(bytes).write(to: URL(fileURLWithPath: input))
    let result = try FileBench.run(
      input, to: [folder("out.wav")], settings: JobSettings(), units: [])
    #expect(result.notes.contains { $0.contains("\"MIDI\", \"strc\"") }, "\(result.notes)")
  }
}
