// MPEG audio of layers 1 to 3: a frame is a packet.
// SPDX-License-Identifier: Apache-2.0

import AudioFileSyntax
import CAudioToolbox

/// MP1, MP2 and MP3 files. A first frame that holds a table and no sound is none of the packets.
enum MPEGAudioContainer: FrameContainer {
  static let types: [AudioFileTypeID] = [
    kAudioFileMP3Type, kAudioFileMP2Type, kAudioFileMP1Type,
  ]
  static let headerSize = 4
  static let firstByte: UInt8 = 0xFF

  static func frameLength(_ header: [UInt8]) -> Int? { MPEGAudioHeader(header)?.byteCount }

  static func type(ofFrame header: [UInt8]) -> AudioFileTypeID {
    switch MPEGAudioHeader(header)?.layer {
    case 1: kAudioFileMP1Type
    case 2: kAudioFileMP2Type
    default: kAudioFileMP3Type
    }
  }

  static func read(_ file: PacketFile) throws(AudioFileFailure) {
    let start = try ID3Tag.end(file.bytes)
    guard
      let (offset, bytes) = try firstFrame(file.bytes, from: start, mayLookFurther: true),
      let header = MPEGAudioHeader(bytes)
    else { throw .broken }
    file.format = header.format
    file.soundOffset = offset
    file.soundByteCount = try soundEnd(file.bytes) - offset
    let first = try file.bytes.bytes(at: offset, count: header.byteCount)
    if let tag = MPEGInfoFrame(first, header) {
      file.soundOffset += Int64(header.byteCount)
      file.soundByteCount -= Int64(header.byteCount)
      file.trim = tag.trim(header)
    }
    file.table = PacketTable()
    file.table?.isComplete = false
    file.scanner = HeaderScanner(container: self, largestSize: header.largestSize)
    file.tagOffset = start > 0 ? 0 : nil
    file.tagSize = start
  }

  static func begin(_ file: PacketFile) throws(AudioFileFailure) { file.table = PacketTable() }

  static func info(_ file: PacketFile) throws(AudioFileFailure) -> SoundInfo {
    try ID3Tag.info(file)
  }

  static func stores(_ property: AudioFilePropertyID, _ file: PacketFile) -> Bool {
    property == kAudioFilePropertyID3Tag && file.soundByteCount == 0
  }
}
