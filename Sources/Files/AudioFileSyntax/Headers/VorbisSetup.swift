// The headers of Vorbis: how long its packets are.
// SPDX-License-Identifier: Apache-2.0

package import CAudioToolbox

/// The three headers of a stream: format, texts, and the decoder's configuration.
package struct VorbisSetup {
  /// The headers.
  package var headers: [[UInt8]]
  /// The number of channels.
  package let channelCount: UInt32
  /// Hz.
  package let sampleRate: UInt32
  private let blockSizes: [UInt32]
  /// Whether each mode has the second of the two sizes.
  private let modes: [Bool]

  /// Reads headers; nil when they are none.
  package init?(headers: [[UInt8]]) {
    guard headers.count == 3,
      headers.enumerated().allSatisfy({ $1.starts(with: [UInt8(2 * $0 + 1)] + Self.magic) })
    else { return nil }
    var reader = ByteReader(headers[0].dropFirst(11), bigEndian: false)
    channelCount = UInt32(reader.u8())
    sampleRate = reader.u32()
    reader.skip(12)
    let sizes = reader.u8()
    guard !reader.isPastEnd, channelCount > 0, sampleRate > 0, sizes >> 4 >= sizes & 15,
      (6...13).contains(sizes & 15), sizes >> 4 <= 13, let modes = Self.modes(headers[2])
    else { return nil }
    blockSizes = [1 << UInt32(sizes & 15), 1 << UInt32(sizes >> 4)]
    self.headers = headers
    self.modes = modes
  }

  private static let magic = Array("vorbis".utf8)

  /// Reads a cookie; nil when it is none.
  package init?(cookie: [UInt8]) {
    guard cookie.first == 2 else { return nil }
    var position = 1
    var lengths: [Int] = []
    for _ in 0..<2 {
      var length = 0
      while position < cookie.count {
        length += Int(cookie[position])
        position += 1
        if cookie[position - 1] != 255 { break }
      }
      lengths.append(length)
    }
    guard position + lengths[0] + lengths[1] <= cookie.count else { return nil }
    let second = position + lengths[0]
    let third = second + lengths[1]
    self.init(headers: [
      Array(cookie[position..<second]), Array(cookie[second..<third]), Array(cookie[third...]),
    ])
  }

  /// The headers as a cookie.
  package var cookie: [UInt8] {
    func lacing(_ count: Int) -> [UInt8] {
      [UInt8](repeating: 255, count: count / 255) + [UInt8(count % 255)]
    }
    return [2] + lacing(headers[0].count) + lacing(headers[1].count) + headers.joined()
  }

  /// The modes at the end of the third header, read from its last bit towards the front.
  ///
  /// Each is the size of its blocks, 32 zeros, and a number below 64; a count of six bits precedes
  /// them. Everything in front would need a decoder. The longest row that its count agrees with is
  /// used.
  private static func modes(_ header: [UInt8]) -> [Bool]? {
    func bits(_ start: Int, _ count: Int) -> UInt32 {
      (0..<count).reduce(0) { value, bit in
        let place = start + bit
        return value | UInt32(header[place / 8] >> UInt8(place % 8) & 1) << UInt32(bit)
      }
    }
    guard let lastByte = header.lastIndex(where: { $0 != 0 }) else { return nil }
    // The last bit that is set ends the header.
    var place = lastByte * 8 + 7 - header[lastByte].leadingZeroBitCount
    var flags: [Bool] = []
    var found: [Bool]?
    while place >= 7 * 8 + 41 + 6, flags.count < 64 {
      guard bits(place - 8, 8) < 64, bits(place - 40, 32) == 0 else { break }
      flags.insert(bits(place - 41, 1) == 1, at: 0)
      place -= 41
      if Int(bits(place - 6, 6)) + 1 == flags.count { found = flags }
    }
    return found
  }

  /// The samples that a packet's block spans; nil for one that holds no sound.
  package func blockSize(_ packet: some Collection<UInt8>) -> UInt32? {
    guard let first = packet.first, first & 1 == 0 else { return nil }
    let width = modes.count > 1 ? Int.bitWidth - (modes.count - 1).leadingZeroBitCount : 0
    let mode = Int(first >> 1) & (1 << width - 1)
    guard mode < modes.count else { return nil }
    return blockSizes[modes[mode] ? 1 : 0]
  }

  /// The format of the packets: their frames differ.
  package var format: AudioStreamBasicDescription {
    AudioStreamBasicDescription(
      mSampleRate: Double(sampleRate), mFormatID: kAuricleAudioFormatVorbis, mFormatFlags: 0,
      mBytesPerPacket: 0, mFramesPerPacket: 0, mBytesPerFrame: 0,
      mChannelsPerFrame: channelCount, mBitsPerChannel: 0, mReserved: 0)
  }

  /// The order of the channels; nil where one or two say it themselves.
  package static func layoutTag(_ channels: UInt32) -> UInt32? {
    switch channels {
    case 3: kAudioChannelLayoutTag_Ogg_3_0
    case 4: kAudioChannelLayoutTag_Ogg_4_0
    case 5: kAudioChannelLayoutTag_Ogg_5_0
    case 6: kAudioChannelLayoutTag_Ogg_5_1
    case 7: kAudioChannelLayoutTag_Ogg_6_1
    case 8: kAudioChannelLayoutTag_Ogg_7_1
    default: nil
    }
  }
}
