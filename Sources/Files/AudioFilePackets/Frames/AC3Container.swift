// AC-3 and Enhanced AC-3: a frame, with those that extend it, is a packet.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox

/// A file of Dolby's frames.
enum AC3Container: FrameContainer {
  static let types: [AudioFileTypeID] = [kAudioFileAC3Type]
  static let headerSize = 8
  static let firstByte: UInt8 = 0x0B

  private static let rates: [Double] = [48000, 44100, 32000]
  /// Kilobits a second by half the size code.
  private static let bitRates = [
    32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 448, 512, 576, 640,
  ]
  private static let channelCounts: [UInt32] = [2, 1, 2, 3, 3, 4, 4, 5]

  static func type(ofFrame header: [UInt8]) -> AudioFileTypeID { kAudioFileAC3Type }

  private static func isEnhanced(_ header: [UInt8]) -> Bool { header[5] >> 3 > 10 }

  static func frameLength(_ header: [UInt8]) -> Int? {
    guard header.count >= headerSize, header[0] == 0x0B, header[1] == 0x77 else { return nil }
    if isEnhanced(header) {
      guard header[5] >> 3 <= 16 else { return nil }
      return ((Int(header[2] & 7) << 8 | Int(header[3])) + 1) * 2
    }
    let (rate, size) = (Int(header[4] >> 6), Int(header[4] & 0x3F))
    guard rate < 3, size < 38 else { return nil }
    let bits = bitRates[size / 2]
    return switch rate {
    case 0: bits * 4
    case 1: (bits * 1000 * 1536 / 44100 / 16 + size & 1) * 2
    default: bits * 6
    }
  }

  static func read(_ file: PacketFile) throws(AudioFileFailure) {
    guard
      let (offset, header) = try firstFrame(
        file.bytes, from: try ID3Tag.end(file.bytes), mayLookFurther: true)
    else { throw .broken }
    let isEnhanced = isEnhanced(header)
    var format = AudioStreamBasicDescription()
    let mode: UInt8
    if isEnhanced {
      let code = Int(header[4] >> 6)
      let half = Int(header[4] >> 4 & 3)
      guard code < 3 || half < 3 else { throw .broken }
      format.mSampleRate = code < 3 ? rates[code] : rates[half] / 2
      let blocks: [UInt32] = [1, 2, 3, 6]
      format.mFramesPerPacket = 256 * (code < 3 ? blocks[half] : 6)
      mode = header[4] >> 1 & 7
      format.mChannelsPerFrame = channelCounts[Int(mode)] + UInt32(header[4] & 1)
    } else {
      format.mSampleRate = rates[Int(header[4] >> 6)]
      format.mFramesPerPacket = 1536
      mode = header[6] >> 5
      format.mChannelsPerFrame = channelCounts[Int(mode)] + (hasLowChannel(header) ? 1 : 0)
    }
    format.mFormatID = isEnhanced ? kAudioFormatEnhancedAC3 : kAudioFormatAC3
    file.format = format
    file.soundOffset = offset
    file.soundByteCount = try soundEnd(file.bytes) - offset
    file.table = PacketTable()
    file.table?.isComplete = false
    file.scanner =
      isEnhanced ? SubstreamScanner() : HeaderScanner(container: self, largestSize: 3840)
  }

  /// Whether a plain frame has a channel for the lowest tones.
  static func hasLowChannel(_ header: [UInt8]) -> Bool {
    let mode = header[6] >> 5
    // Levels of centre, surround and matrix stand in front of its bit.
    var bit = 3
    if mode & 1 != 0, mode != 1 { bit += 2 }
    if mode & 4 != 0 { bit += 2 }
    if mode == 2 { bit += 2 }
    let word = UInt16(header[6]) << 8 | UInt16(header[7])
    return word >> UInt16(15 - bit) & 1 == 1
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
      let header = try bytes.bytes(at: place, count: AC3Container.headerSize)
      guard let length = AC3Container.frameLength(header), place + Int64(length) <= end else {
        break
      }
      // The first stream begins the next packet; others and dependent ones belong to this.
      let (kind, number) = (header[2] >> 6, header[2] >> 3 & 7)
      guard kind == 1 || kind == 0 && number > 0 else { break }
      found.size += UInt32(length)
    }
    return found
  }
}
