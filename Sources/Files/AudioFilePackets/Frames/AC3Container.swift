// AC-3 and Enhanced AC-3: a frame, with its extension frames, is a packet.
// SPDX-License-Identifier: Apache-2.0

import AudioFileSyntax
import CAudioToolbox

/// A file of Dolby's frames.
enum AC3Container: FrameContainer {
  static let types: [AudioFileTypeID] = [kAudioFileAC3Type]
  static let headerSize = AC3Header.size
  static let firstByte: UInt8 = 0x0B

  static func type(ofFrame header: [UInt8]) -> AudioFileTypeID { kAudioFileAC3Type }

  static func frameLength(_ header: [UInt8]) -> Int? { AC3Header(header)?.byteCount }

  static func read(_ file: PacketFile) throws(AudioFileFailure) {
    guard let (offset, bytes) = try firstFrame(file.bytes), let header = AC3Header(bytes),
      let format = header.format
    else { throw .broken }
    file.format = format
    try frame(file, from: offset)
    file.ends = StreamEnds(priming: AC3Header.priming)
    file.scanner = scanner(header)
  }

  private static func scanner(_ header: AC3Header) -> any FrameScanner {
    header.isEnhanced
      ? SubstreamScanner() : HeaderScanner(container: self, largestSize: 3840)
  }

  /// Reads frames that are the sound of a file of another kind, from their first one.
  static func readInside(_ file: PacketFile) throws(AudioFileFailure) {
    let bytes = try file.bytes.bytes(at: file.soundOffset, count: headerSize)
    guard let header = AC3Header(bytes), let format = header.format else { throw .dataFormat }
    file.format = format
    file.ends = StreamEnds(priming: AC3Header.priming)
    findFrames(file, scanner(header))
  }

  static func begin(_ file: PacketFile) throws(AudioFileFailure) { file.table = PacketTable() }
}

/// Puts a frame of Enhanced AC-3 and the ones that extend it into one packet.
struct SubstreamScanner: FrameScanner {
  let largestSize: UInt32 = 4096 * 9

  func next(
    _ bytes: BufferedStore, _ from: Int64, end: Int64
  ) throws(AudioFileFailure) -> FoundFrame? {
    let plain = HeaderScanner(container: AC3Container.self, largestSize: largestSize)
    guard var found = try plain.next(bytes, from, end: end) else { return nil }
    while true {
      let place = found.start + Int64(found.size)
      let header = AC3Header(try bytes.bytes(at: place, count: AC3Header.size))
      guard let header, header.isExtension, place + Int64(header.byteCount) <= end else { break }
      found.size += UInt32(header.byteCount)
    }
    return found
  }
}
