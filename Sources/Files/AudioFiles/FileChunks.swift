// Chunks of WAV, RF64, AIFF and CAF that the file library does not know: read, and appended.
// SPDX-License-Identifier: Apache-2.0

import AudioFileParsing
import Glibc

/// The chunks of a file beside those of its sound.
struct FileChunks {
  /// Names and contents, in their order.
  private(set) var chunks: [(name: String, bytes: [UInt8])] = []
  /// Names of chunks whose content is not known here, each once.
  private(set) var unknown: [String] = []
  /// Whether it is a file of the RIFF family whose numbers begin with the low byte.
  private(set) var isLittleEndian = false

  private static let wanted: Set<String> = Set(
    ["id3 ", "ID3 ", "iXML", "LIST", "cue ", "MARK", "INST", "APPL", "ANNO", "COMT"]
      + AudioFileMetadata.FurtherChunk.allCases.map(\.rawValue))

  /// No chunk is larger: 64 MiB.
  private static let mostBytes = 64 << 20

  /// Reads the chunks of a file; nil for kinds that have none.
  init?(_ stream: FileStream, _ container: AudioContainer) {
    let wanted = Self.wanted
    switch container {
    case .wav, .wavex, .rf64:
      let magic = stream.bytes(at: 0, count: 4)
      let isBig = magic.elementsEqual("RIFX".utf8)
      isLittleEndian = !isBig
      var position = 12
      var wide: Int?
      for _ in 0..<10_000 {
        guard let (name, size) = Self.header(stream, at: position, bigEndian: isBig) else { break }
        if name == "ds64" {
          wide = SizeWalk.integer(stream, at: position + 16, bytes: 8, bigEndian: false)
        }
        var length = size
        if name == "data", size == 0xFFFF_FFFF { length = wide ?? size }
        if wanted.contains(name) { add(stream, name, position + 8, length) }
        guard length >= 0, length < stream.length else { break }
        note(stream, name, position + 8, length, isAIFF: false)
        position += 8 + length + (length & 1)
      }
    case .aiff:
      for chunk in SizeWalk.chunks(of: stream, from: 12, bigEndian: true) {
        if wanted.contains(chunk.name) { add(stream, chunk.name, chunk.start, chunk.size) }
        note(stream, chunk.name, chunk.start, chunk.size, isAIFF: true)
      }
    // The chunks of CAF are read where its packets are.
    case .caf: return
    default: return nil
    }
  }

  private static func header(
    _ stream: FileStream, at position: Int, bigEndian: Bool
  ) -> (name: String, size: Int)? {
    let name = stream.bytes(at: position, count: 4)
    guard name.count == 4,
      let size = SizeWalk.integer(stream, at: position + 4, bytes: 4, bigEndian: bigEndian)
    else { return nil }
    return (String(decoding: name, as: UTF8.self), size)
  }

  /// Notes a whole chunk that is of no known kind.
  private mutating func note(
    _ stream: FileStream, _ name: String, _ start: Int, _ size: Int, isAIFF: Bool
  ) {
    // A list has the name of its kind.
    let kind = String(decoding: stream.bytes(at: start, count: 4), as: UTF8.self)
    let isList = name == "LIST" && !isAIFF && !["INFO", "adtl"].contains(kind)
    let name = isList ? kind : name
    guard size > 0, start + size <= stream.length, unknown.count < 8, !unknown.contains(name),
      UnknownChunks.isUnknown(
        name, isAIFF: isAIFF, start: stream.bytes(at: start, count: min(size, 4)))
    else { return }
    unknown.append(name)
  }

  private mutating func add(_ stream: FileStream, _ name: String, _ start: Int, _ size: Int) {
    guard size > 0, size <= Self.mostBytes, start + size <= stream.length, chunks.count < 100
    else { return }
    chunks.append((name, stream.bytes(at: start, count: size)))
  }

  /// The ID3 tag.
  var id3: [UInt8]? {
    chunks.first { $0.name == "id3 " || $0.name == "ID3 " }?.bytes
  }

  /// The texts of marks (`LIST` of `adtl`).
  var markTexts: [UInt8]? {
    chunks.first { $0.name == "LIST" && $0.bytes.starts(with: "adtl".utf8) }?.bytes
  }

  /// A chunk that is carried over as it is.
  subscript(name: String) -> [UInt8]? { chunks.first { $0.name == name }?.bytes }
}

extension FileStream {
  /// Adds a chunk behind the last of a complete file and corrects the size of the whole; false when
  /// the file cannot hold it.
  func append(chunk name: String, _ bytes: [UInt8], _ container: AudioContainer) -> Bool {
    let magic = self.bytes(at: 0, count: 4)
    let isWide = magic.elementsEqual("RF64".utf8)
    let isBig = magic.elementsEqual("RIFX".utf8) || container == .aiff
    let start = length + (length & 1)
    let end = start + 8 + bytes.count + (bytes.count & 1)
    guard isWide || end - 8 < 0xFFFF_FFFF, bytes.count < 0x7FFF_FFFF else { return false }
    var tail: [UInt8] = length & 1 == 1 ? [0] : []
    tail += Array(name.utf8) + Self.number(bytes.count, 4, bigEndian: isBig) + bytes
    if bytes.count & 1 == 1 { tail.append(0) }
    guard put(tail, at: length) else { return false }
    let size = end - 8
    return isWide
      ? put(Self.number(size, 8, bigEndian: false), at: 20)
      : put(Self.number(size, 4, bigEndian: isBig), at: 4)
  }

  private static func number(_ value: Int, _ count: Int, bigEndian: Bool) -> [UInt8] {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    return bigEndian ? bytes.reversed() : bytes
  }

  private func put(_ bytes: [UInt8], at offset: Int) -> Bool {
    _ = seek(offset, SEEK_SET)
    return unsafe bytes.withUnsafeBytes { raw in
      unsafe raw.baseAddress.map { unsafe write(from: $0, raw.count) == raw.count } ?? true
    }
  }

  /// Measures the length of the file again, after other code wrote into it.
  func measure() {
    var status = stat()
    if unsafe fstat(descriptor, &status) == 0 { setLength(Int(status.st_size)) }
  }
}
