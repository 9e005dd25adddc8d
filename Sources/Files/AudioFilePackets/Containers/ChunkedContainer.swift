// The common part of containers of chunks.
// SPDX-License-Identifier: Apache-2.0

import AudioFileSyntax

/// A container whose sound is one chunk among others.
protocol ChunkedContainer: Container {
  /// The code of the chunk of the sound.
  static var soundCode: UInt32 { get }

  /// The bytes in front of the first chunk, for a file whose chunks have `byteCount` bytes.
  static func master(_ file: PacketFile, byteCount: Int64) -> [UInt8]

  /// The bytes before the sound in its chunk.
  static func soundPrefix(_ file: PacketFile) -> [UInt8]

  /// The chunks in front of the sound of a new file.
  static func firstChunks(_ file: PacketFile) throws(AudioFileFailure) -> [(UInt32, [UInt8])]

  /// The form of the chunks.
  static func scheme(_ file: PacketFile) -> ChunkScheme

  /// Writes the sizes that depend on the sound, beside those of the chunks: numbers of frames.
  static func writeCounts(_ file: PacketFile) throws(AudioFileFailure)
}

extension ChunkedContainer {
  static func soundPrefix(_ file: PacketFile) -> [UInt8] { [] }

  static func begin(_ file: PacketFile) throws(AudioFileFailure) {
    file.chunks = ChunkMap(scheme(file))
    try file.layOut(try firstChunks(file).map { (code: $0.0, body: $0.1) })
  }

  static func finish(_ file: PacketFile) throws(AudioFileFailure) {
    try file.flushSoundSize()
    // The zero behind a sound of an odd number of bytes. Readers of Wave64 play padding there as
    // sound.
    if let chunks = file.chunks, let place = chunks.soundIndex, chunks.soundIsLast,
      chunks.scheme != .wave64
    {
      let entry = chunks.entries[place]
      let padding = Int(chunks.scheme.padded(entry.byteCount) - entry.byteCount)
      if padding > 0 {
        try file.bytes.write(
          [UInt8](repeating: 0, count: padding), at: entry.body + entry.byteCount)
      }
    }
  }

  /// Writes the size of the sound, of the whole, and the counts.
  static func writeSizes(_ file: PacketFile) throws(AudioFileFailure) {
    guard let chunks = file.chunks, let place = chunks.soundIndex, let last = chunks.entries.last
    else { return }
    let entry = chunks.entries[place]
    let scheme = chunks.scheme
    try file.bytes.write(
      scheme.header(soundCode, min(entry.byteCount, scheme.maximumSize)),
      at: entry.body - scheme.headerSize)
    let isLast = place == chunks.entries.count - 1
    let lastSize = isLast ? entry.byteCount : last.byteCount
    let end = last.body + (isLast && scheme == .wave64 ? lastSize : scheme.padded(lastSize))
    try file.bytes.write(master(file, byteCount: end), at: 0)
    try writeCounts(file)
  }
}
