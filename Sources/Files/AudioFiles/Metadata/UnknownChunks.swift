// Chunks of an input whose content nothing here knows: they are named, as no result has them.
// SPDX-License-Identifier: Apache-2.0

/// The chunks that are known, or that hold no more than room and pictures of the sound.
enum UnknownChunks {
  private static let riff: Set<String> = [
    "fmt ", "data", "fact", "PEAK", "JUNK", "junk", "PAD ", "pad ", "FLLR", "filr", "ds64", "levl",
    "bext",
    "cart", "smpl", "iXML", "id3 ", "ID3 ", "LIST", "cue ", "axml", "chna", "_PMX", "acid",
  ]
  private static let aiff: Set<String> = [
    "COMM", "SSND", "FVER", "MARK", "INST", "NAME", "AUTH", "(c) ", "ANNO", "COMT", "ID3 ", "id3 ",
    "CHAN", "PEAK", "FLLR",
  ]
  private static let caf: Set<String> = [
    "desc", "data", "pakt", "kuki", "chan", "info", "strg", "mark", "regn", "free", "peak", "ovvw",
    "edct",
  ]

  /// Whether a chunk of WAV or AIFF is unknown.
  ///
  /// - Parameter start: Its first bytes.
  static func isUnknown(_ name: String, isAIFF: Bool, start: [UInt8]) -> Bool {
    guard isText(name) else { return false }
    // The file library keeps the name of a program there.
    if isAIFF { return name == "APPL" ? !start.starts(with: "m3ga".utf8) : !aiff.contains(name) }
    return !riff.contains(name)
  }

  /// Whether a chunk of CAF is unknown.
  static func isUnknownInCAF(_ name: String) -> Bool { isText(name) && !caf.contains(name) }

  /// Whether a name can be one: behind the end of damaged files are other bytes.
  private static func isText(_ name: String) -> Bool {
    name.utf8.count == 4 && name.utf8.allSatisfy { (0x20..<0x7F).contains($0) }
      && name.utf8.contains { $0 != 0x20 }
  }

  /// A code as text.
  static func text(_ code: UInt32) -> String {
    String(decoding: [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: code >> $0) }, as: UTF8.self)
  }
}

extension AudioFileMetadata {
  /// Notes a part that nothing here keeps, once.
  mutating func noteUnread(_ part: String) {
    if !unreadParts.contains(part) { unreadParts.append(part) }
  }

  /// The notes about parts of the input that no result has.
  package var notesOfUnread: [String] {
    let parts = unreadParts.joined(separator: ", ")
    return [noteOfUnknownChunks].compactMap { $0 }
      + (parts.isEmpty ? [] : ["no result has a place for \(parts) of the input: left out"])
  }

  private var noteOfUnknownChunks: String? {
    let names = unknownChunks.map { "\"\($0)\"" }.joined(separator: ", ")
    switch unknownChunks.count {
    case 0: return nil
    case 1: return "the chunk \(names) of the input is of no known kind: left out"
    default: return "the chunks \(names) of the input are of no known kind: left out"
    }
  }
}
