// Headers of WAVE that are right and that the file library reads otherwise.
// SPDX-License-Identifier: Apache-2.0

import AudioFilePackets
import AudioFileParsing
import CAudioToolbox

/// The header of a WAVE file of linear PCM as the file library has to find it.
///
/// The library measures samples by their bits, not by their part of a frame. It wants the format in front of the
/// sound, and one sound alone.
struct WaveHeader {
  /// The bytes for the library; none where it reads the header right.
  private(set) var patches: [FileStream.Patch] = []
  /// End of the file for the library; nil for its own.
  private(set) var end: Int?

  /// Compares a header with its sound; changes nothing for other files.
  init(_ stream: FileStream, _ file: PacketFile, _ extent: SoundExtent) {
    guard file.type == kAudioFileWAVEType, file.format.mFormatID == kAudioFormatLinearPCM,
      file.format.mFormatFlags & kAudioFormatFlagIsBigEndian == 0,
      extent.length == .stored || extent.length == .open,
      let place = Self.format(stream)
    else { return }
    let (body, soundEnd) = (Int(extent.body), Int(extent.start + extent.byteCount))
    let bits = Int(file.format.mBytesPerFrame / max(file.format.mChannelsPerFrame, 1)) * 8
    let stored = SizeWalk.integer(stream, at: place.start + 14, bytes: 2, bigEndian: false) ?? bits
    if place.start > body {
      // The format behind the sound comes in front of it.
      let format = stream.bytes(at: place.start, count: place.size)
      var head = Array("RIFF".utf8) + Self.number(format.count + soundEnd - body + 20)
      head += Array("WAVEfmt ".utf8) + Self.number(format.count) + format
      head += Array("data".utf8) + Self.number(soundEnd - body)
      patches = [FileStream.Patch(offset: 0, removed: body, bytes: head)]
      end = head.count + soundEnd - body
    } else if (stored + 7) / 8 * 8 < bits, (8...32).contains(bits) {
      let number = [UInt8(bits), 0]
      patches = [FileStream.Patch(offset: place.start + 14, removed: 2, bytes: number)]
    }
    if end == nil, hasMore(stream, behind: soundEnd) { end = soundEnd }
  }

  static func number(_ value: Int) -> [UInt8] {
    let bounded = UInt32(clamping: value)
    return (0..<4).map { UInt8(truncatingIfNeeded: bounded >> UInt32(8 * $0)) }
  }

  /// The place of the format; of several, that of the first.
  static func format(_ stream: FileStream) -> (start: Int, size: Int)? {
    let chunks = SizeWalk.chunks(of: stream, from: 12, bigEndian: false)
    return chunks.first { $0.name == "fmt " && (16...64).contains($0.size) }
      .map { ($0.start, $0.size) }
  }

  /// The chunks in front of the sound that the library reads otherwise: a second format, or second sizes, and
  /// in RF64 a chunk of an odd size, behind which it misses the next.
  static func frontPatches(_ stream: FileStream, _ extent: SoundExtent) -> [FileStream.Patch] {
    let magic = String(decoding: stream.bytes(at: 0, count: 4), as: UTF8.self)
    let isWide = ["RF64", "BW64"].contains(magic)
    guard isWide || ["RIFF", "RIFX"].contains(magic) else { return [] }
    let chunks = SizeWalk.chunks(of: stream, from: 12, bigEndian: magic == "RIFX")
    let sound = chunks.firstIndex { $0.name == "data" && $0.start == Int(extent.body) }
    var patches: [FileStream.Patch] = []
    var found: Set<String> = []
    for chunk in chunks.prefix(sound ?? 0) {
      let isSingle = ["fmt ", "ds64"].contains(chunk.name) && chunk.size >= 16
      if isSingle, !found.insert(chunk.name).inserted {
        patches.append(
          FileStream.Patch(offset: chunk.start - 8, removed: 4, bytes: Array("JUNK".utf8)))
      }
      if isWide, chunk.size & 1 == 1 {
        patches.append(
          FileStream.Patch(offset: chunk.start - 4, removed: 4, bytes: number(chunk.size + 1)))
      }
    }
    return patches
  }

  /// Whether another sound follows.
  private func hasMore(_ stream: FileStream, behind end: Int) -> Bool {
    SizeWalk.chunks(of: stream, from: end + (end & 1), bigEndian: false)
      .contains { $0.name == "data" }
  }
}

extension WaveHeader {
  static func repair(_ repairs: inout FileRepairs) -> String? {
    guard let packets = repairs.packets, let extent = repairs.extent else { return nil }
    let front = frontPatches(repairs.stream, extent)
    repairs.offer(front)
    let header = WaveHeader(repairs.stream, packets, extent)
    repairs.offer(header.patches)
    repairs.libraryEnd = header.end
    return nil
  }
}
