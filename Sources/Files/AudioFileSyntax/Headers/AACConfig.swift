// The configuration of an AAC decoder, as a cookie, as an AudioSpecificConfig, and as a format.
// SPDX-License-Identifier: Apache-2.0

package import CAudioToolbox

/// The kind, rate and channels of plain AAC.
package struct AACConfig {
  /// The kind, from 1.
  package var objectType: UInt8
  /// The place of the rate in the table.
  package var rateIndex: UInt8
  /// The number of channels; 7 means 8.
  package var channelConfig: UInt8

  /// The format with all layers; nil for plain AAC.
  package private(set) var fullFormat: AudioStreamBasicDescription?

  private static let rates = ElementaryStream.rates
  private static let channelCounts: [UInt32] = [0, 1, 2, 3, 4, 5, 6, 8]

  /// A configuration of its parts.
  package init(objectType: UInt8, rateIndex: UInt8, channelConfig: UInt8) {
    self.objectType = objectType
    self.rateIndex = rateIndex
    self.channelConfig = channelConfig
  }

  /// The configuration in the header of a frame of ADTS; nil for other bytes.
  package init?(frame header: [UInt8]) {
    guard header.count >= 4, header[0] == 0xFF, header[1] & 0xF6 == 0xF0,
      header[2] >> 2 & 15 < Self.rates.count
    else { return nil }
    self.init(
      objectType: header[2] >> 6 + 1, rateIndex: header[2] >> 2 & 15,
      channelConfig: (header[2] & 1) << 2 | header[3] >> 6)
  }

  /// The configuration of a format; nil when it is not one of AAC that a header of four bits can say.
  package init?(_ format: AudioStreamBasicDescription) {
    guard format.mFormatID == kAudioFormatMPEG4AAC,
      let rate = Self.rates.firstIndex(of: format.mSampleRate),
      let channels = Self.channelCounts.firstIndex(of: format.mChannelsPerFrame), channels > 0
    else { return nil }
    let object = (1...4).contains(format.mFormatFlags) ? UInt8(format.mFormatFlags) : 2
    self.init(objectType: object, rateIndex: UInt8(rate), channelConfig: UInt8(channels))
  }

  /// The configuration in a cookie: an ES descriptor, or a bare AudioSpecificConfig.
  package init?(cookie: [UInt8]) {
    guard let config = Self.specificConfig(cookie), config.count >= 2 else { return nil }
    var object = config[0] >> 3
    let rate = (config[0] & 7) << 1 | config[1] >> 7
    let channels = config[1] >> 3 & 15
    // Higher tones, and perhaps a second channel, on top of a plain layer at a lower rate.
    let isParametric = object == 29
    var fullRate: UInt8?
    if object == 5 || isParametric, config.count >= 3 {
      fullRate = (config[1] & 7) << 1 | config[2] >> 7
      object = config[2] >> 2 & 31
    }
    // Kinds that ADTS can say, and a rate of the table.
    guard (1...4).contains(object), rate < 13, (1...7).contains(channels) else { return nil }
    self.init(objectType: object, rateIndex: rate, channelConfig: channels)
    guard let fullRate, fullRate < 13 else { return }
    var full = format
    full.mFormatID = isParametric ? kAudioFormatMPEG4AAC_HE_V2 : kAudioFormatMPEG4AAC_HE
    full.mFormatFlags = 0
    full.mSampleRate = Self.rates[Int(fullRate)]
    full.mFramesPerPacket = 2048
    if isParametric { full.mChannelsPerFrame = 2 }
    fullFormat = full
  }

  /// The format of packets of it.
  package var format: AudioStreamBasicDescription {
    AudioStreamBasicDescription(
      mSampleRate: Self.rates[Int(rateIndex)], mFormatID: kAudioFormatMPEG4AAC,
      mFormatFlags: UInt32(objectType), mBytesPerPacket: 0, mFramesPerPacket: 1024,
      mBytesPerFrame: 0, mChannelsPerFrame: Self.channelCounts[Int(channelConfig)],
      mBitsPerChannel: 0, mReserved: 0)
  }

  /// The order of the channels; nil where one or two say it themselves.
  package var layoutTag: UInt32? {
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
  package var specificConfig: [UInt8] {
    [objectType << 3 | rateIndex >> 1, (rateIndex & 1) << 7 | channelConfig << 3]
  }

  /// The cookie: an ES descriptor around the two bytes.
  package var cookie: [UInt8] { Self.descriptor(kind: 0x40, specificConfig) }

  /// Returns an ES descriptor of a kind of stream around a decoder's configuration.
  package static func descriptor(kind: UInt8, _ config: [UInt8]) -> [UInt8] {
    func part(_ tag: UInt8, _ body: [UInt8]) -> [UInt8] {
      let size = [21, 14, 7, 0].map { UInt8(body.count >> $0 & 0x7F) | ($0 > 0 ? 0x80 : 0) }
      return [tag] + size + body
    }
    let decoder: [UInt8] =
      [kind, 0x15, 0, 0x18, 0, 0, 0, 0, 0, 0, 0, 0, 0] + (config.isEmpty ? [] : part(5, config))
    return part(3, [0, 0, 0] + part(4, decoder) + part(6, [2]))
  }

  /// The descriptor in a cookie, or made around a bare AudioSpecificConfig; nil for neither.
  package static func descriptor(cookie: [UInt8]) -> [UInt8]? {
    if objectKind(cookie) != nil { return cookie }
    return cookie.first != 3 && (2...64).contains(cookie.count)
      ? descriptor(kind: 0x40, cookie) : nil
  }

  /// The kind of stream that an ES descriptor names: 0x40 for AAC; nil where it is none.
  package static func objectKind(_ cookie: [UInt8]) -> UInt8? {
    ElementaryStream.decoder(in: cookie)?.first
  }

  /// The AudioSpecificConfig in a cookie.
  package static func specificConfig(_ cookie: [UInt8]) -> [UInt8]? {
    ElementaryStream.configuration(ofCookie: cookie)
  }
}
