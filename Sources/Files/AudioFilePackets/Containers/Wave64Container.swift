// Wave64: WAVE with codes of 16 bytes and sizes of 64 bits.
// SPDX-License-Identifier: Apache-2.0

import AudioFileSyntax
import CAudioToolbox

/// Sony's long form of WAVE.
enum Wave64Container: ChunkedContainer {
  static let types: [AudioFileTypeID] = [kAudioFileWave64Type]
  static let soundCode = UInt32(code: "data")
  private static let masterSize: Int64 = 40
  private static let riff: [UInt8] = [
    0x72, 0x69, 0x66, 0x66, 0x2E, 0x91, 0xCF, 0x11, 0xA5, 0xD6, 0x28, 0xDB, 0x04, 0xC1, 0x00, 0x00,
  ]

  static func scheme(_ file: PacketFile) -> ChunkScheme { .wave64 }

  static func type(of head: [UInt8]) -> AudioFileTypeID? {
    head.starts(with: riff) && head.code(at: 24) == UInt32(code: "wave")
      ? kAudioFileWave64Type : nil
  }

  static func read(_ file: PacketFile) throws(AudioFileFailure) {
    try locate(file)
    guard let format = try file.chunk("fmt ") else { throw file.missing }
    try WaveFormat.read(format, file)
  }

  static func locate(_ file: PacketFile) throws(AudioFileFailure) {
    let map = try ChunkMap(
      .wave64, walking: file.bytes, from: masterSize, soundCode: soundCode)
    guard let place = map.soundIndex else { throw .broken }
    file.chunks = map
    file.soundOffset = map.entries[place].body
    file.soundByteCount = map.entries[place].byteCount
  }

  static func master(_ file: PacketFile, byteCount: Int64) -> [UInt8] {
    var writer = ByteWriter(bigEndian: false)
    writer.put(bytes: riff)
    writer.put(byteCount)
    writer.put(bytes: ChunkScheme.wave64Code(UInt32(code: "wave")))
    return writer.bytes
  }

  static func firstChunks(_ file: PacketFile) throws(AudioFileFailure) -> [(UInt32, [UInt8])] {
    [(UInt32(code: "fmt "), try WaveFormat.bytes(file))]
  }

  static func writeCounts(_ file: PacketFile) throws(AudioFileFailure) {}
}
