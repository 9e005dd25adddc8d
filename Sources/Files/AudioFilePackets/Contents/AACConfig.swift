// What an AAC decoder must know, as a cookie, as an AudioSpecificConfig, and as a format.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox

/// The kind, rate and channels of plain AAC.
struct AACConfig {
  var objectType: UInt8
  var rateIndex: UInt8
  var channelConfig: UInt8

  private static let rates: [Double] = [
    96000, 88200, 64000, 48000, 44100, 32000, 24000, 22050, 16000, 12000, 11025, 8000, 7350,
  ]
  private static let channelCounts: [UInt32] = [0, 1, 2, 3, 4, 5, 6, 8]

  init(objectType: UInt8, rateIndex: UInt8, channelConfig: UInt8) {
    self.objectType = objectType
    self.rateIndex = rateIndex
    self.channelConfig = channelConfig
  }

  /// The configuration of a format; nil when it is not one of AAC that a header of four bits can say.
  init?(_ format: AudioStreamBasicDescription) {
    guard format.mFormatID == kAudioFormatMPEG4AAC,
      let rate = Self.rates.firstIndex(of: format.mSampleRate),
      let channels = Self.channelCounts.firstIndex(of: format.mChannelsPerFrame), channels > 0
    else { return nil }
    let object = (1...4).contains(format.mFormatFlags) ? UInt8(format.mFormatFlags) : 2
    self.init(objectType: object, rateIndex: UInt8(rate), channelConfig: UInt8(channels))
  }

  /// The configuration in a cookie: an ES descriptor, or a bare AudioSpecificConfig.
  init?(cookie: [UInt8]) {
    guard let config = Self.specificConfig(cookie), config.count >= 2 else { return nil }
    let object = config[0] >> 3
    let rate = (config[0] & 7) << 1 | config[1] >> 7
    let channels = config[1] >> 3 & 15
    // Kinds that ADTS can say, and a rate of the table.
    guard (1...4).contains(object), rate < 13, (1...7).contains(channels) else { return nil }
    self.init(objectType: object, rateIndex: rate, channelConfig: channels)
  }

  var format: AudioStreamBasicDescription {
    AudioStreamBasicDescription(
      mSampleRate: Self.rates[Int(rateIndex)], mFormatID: kAudioFormatMPEG4AAC,
      mFormatFlags: UInt32(objectType), mBytesPerPacket: 0, mFramesPerPacket: 1024,
      mBytesPerFrame: 0, mChannelsPerFrame: Self.channelCounts[Int(channelConfig)],
      mBitsPerChannel: 0, mReserved: 0)
  }

  /// The order of the channels; nil where one or two say it themselves.
  var layoutTag: UInt32? {
    switch channelConfig {
    case 3: kAudioChannelLayoutTag_MPEG_3_0_B
    case 4: kAudioChannelLayoutTag_MPEG_4_0_B
    case 5: kAudioChannelLayoutTag_MPEG_5_0_D
    case 6: kAudioChannelLayoutTag_MPEG_5_1_D
    case 7: kAudioChannelLayoutTag_MPEG_7_1_B
    default: nil
    }
  }

  /// The two bytes that say all.
  private var specificConfig: [UInt8] {
    [objectType << 3 | rateIndex >> 1, (rateIndex & 1) << 7 | channelConfig << 3]
  }

  /// The cookie: an ES descriptor around the two bytes.
  var cookie: [UInt8] {
    func descriptor(_ tag: UInt8, _ body: [UInt8]) -> [UInt8] {
      [tag, 0x80, 0x80, 0x80, UInt8(body.count)] + body
    }
    let decoder: [UInt8] =
      [0x40, 0x15, 0, 0x18, 0, 0, 0, 0, 0, 0, 0, 0, 0] + descriptor(5, specificConfig)
    return descriptor(3, [0, 0, 0] + descriptor(4, decoder) + descriptor(6, [2]))
  }

  /// Steps into a descriptor with a tag, and returns its length; nil when there is another.
  private static func enter(_ tag: UInt8, _ reader: inout ByteReader) -> Int? {
    guard reader.u8() == tag else { return nil }
    var length = 0
    for _ in 0..<4 {
      let byte = reader.u8()
      length = length << 7 | Int(byte & 0x7F)
      if byte & 0x80 == 0 { break }
    }
    return reader.isPastEnd ? nil : length
  }

  /// Steps into the description of the decoder in an ES descriptor; false where there is none.
  private static func enterDecoder(_ reader: inout ByteReader) -> Bool {
    guard enter(3, &reader) != nil else { return false }
    reader.skip(2)
    let flags = reader.u8()
    if flags & 0x80 != 0 { reader.skip(2) }
    if flags & 0x40 != 0 { reader.skip(Int(reader.u8())) }
    if flags & 0x20 != 0 { reader.skip(2) }
    return enter(4, &reader) != nil
  }

  /// The kind of stream that an ES descriptor names: 0x40 for AAC; nil where it is none.
  static func objectKind(_ cookie: [UInt8]) -> UInt8? {
    var reader = ByteReader(cookie, bigEndian: true)
    guard enterDecoder(&reader) else { return nil }
    let kind = reader.u8()
    return reader.isPastEnd ? nil : kind
  }

  /// The AudioSpecificConfig in a cookie.
  static func specificConfig(_ cookie: [UInt8]) -> [UInt8]? {
    guard cookie.first == 3 else { return cookie.isEmpty ? nil : cookie }
    var reader = ByteReader(cookie, bigEndian: true)
    guard enterDecoder(&reader) else { return nil }
    reader.skip(13)
    guard let length = enter(5, &reader) else { return nil }
    let config = reader.bytes(length)
    return reader.isPastEnd ? nil : config
  }
}
