// Speech of mobile telephones: AMR, narrow and wide.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox

/// A magic text, then frames whose first byte contains their length.
enum AMRContainer: Container {
  static let types: [AudioFileTypeID] = [kAudioFileAMRType]
  private static let narrow = Array("#!AMR\n".utf8)
  private static let wide = Array("#!AMR-WB\n".utf8)

  static func type(of head: [UInt8]) -> AudioFileTypeID? {
    head.starts(with: narrow) || head.starts(with: wide) ? kAudioFileAMRType : nil
  }

  static func begin(_ file: PacketFile) throws(AudioFileFailure) {
    let isWide = file.format.mFormatID == kAudioFormatAMR_WB
    guard file.format.mChannelsPerFrame == 1, file.format.mSampleRate == (isWide ? 16000 : 8000)
    else { throw .dataFormat }
    file.format.mBytesPerPacket = 0
    file.table = PacketTable()
    let magic = isWide ? wide : narrow
    try file.bytes.write(magic, at: 0)
    file.soundOffset = Int64(magic.count)
  }

  static func read(_ file: PacketFile) throws(AudioFileFailure) {
    let isWide = try file.bytes.bytes(at: 0, count: wide.count) == wide
    file.format = AudioStreamBasicDescription(
      mSampleRate: isWide ? 16000 : 8000,
      mFormatID: isWide ? kAudioFormatAMR_WB : kAudioFormatAMR, mFormatFlags: 0,
      mBytesPerPacket: 0, mFramesPerPacket: isWide ? 320 : 160, mBytesPerFrame: 0,
      mChannelsPerFrame: 1, mBitsPerChannel: 0, mReserved: 0)
    file.soundOffset = Int64((isWide ? wide : narrow).count)
    file.soundByteCount = try file.bytes.byteCount - file.soundOffset
    file.table = PacketTable()
    file.table?.isComplete = false
    file.scanner = SpeechScanner(isWide: isWide)
  }
}

/// Lengths of frames by the mode in their first byte.
struct SpeechScanner: FrameScanner {
  let isWide: Bool
  var largestSize: UInt32 { isWide ? 61 : 32 }

  private static let narrow: [UInt32] = [13, 14, 16, 18, 20, 21, 27, 32, 6, 0, 0, 0, 0, 0, 0, 1]
  private static let wide: [UInt32] = [18, 24, 33, 37, 41, 47, 51, 59, 61, 6, 0, 0, 0, 0, 1, 1]

  func next(
    _ bytes: BufferedStore, _ from: Int64, end: Int64
  ) throws(AudioFileFailure) -> FoundFrame? {
    guard let first = try bytes.bytes(at: from, count: 1).first else { return nil }
    let size = (isWide ? Self.wide : Self.narrow)[Int(first >> 3 & 15)]
    guard size > 0, from + Int64(size) <= end else { return nil }
    return FoundFrame(start: from, size: size)
  }
}
