// The descriptor of an MPEG-4 elementary stream: the cookie of AAC.
// SPDX-License-Identifier: Apache-2.0

package import CAudioToolbox

/// The content of the descriptor of an AAC stream.
package struct ElementaryStream: Sendable {
  /// The kind of the base layer.
  package private(set) var objectType: UInt32 = 0
  /// Frames a second of the base layer.
  package private(set) var sampleRate = 0.0
  /// The number of the channels' arrangement; 0 where the stream lists them itself.
  package private(set) var channelConfiguration = 0
  /// Frames of a packet of the base layer.
  package private(set) var framesPerPacket: UInt32 = 1024
  /// Frames a second with bands replicated (SBR); 0 without.
  package private(set) var extendedRate = 0.0
  /// Whether two channels are made of one (PS).
  package private(set) var hasParametricStereo = false

  /// The channels of the base layer.
  package var channelCount: UInt32 {
    switch channelConfiguration {
    case 1...6: UInt32(channelConfiguration)
    case 11: 7
    case 7, 12, 14: 8
    default: listedChannelCount
    }
  }
  /// The channels that the stream lists; 0 for an arrangement with a number.
  private var listedChannelCount: UInt32 = 0

  /// The layout of the base layer's channels; nil where the stream lists them itself.
  package var layoutTag: AudioChannelLayoutTag? {
    switch channelConfiguration {
    case 1: kAudioChannelLayoutTag_Mono
    case 2: kAudioChannelLayoutTag_Stereo
    case 3: kAudioChannelLayoutTag_AAC_3_0
    case 4: kAudioChannelLayoutTag_AAC_4_0
    case 5: kAudioChannelLayoutTag_AAC_5_0
    case 6: kAudioChannelLayoutTag_AAC_5_1
    case 7: kAudioChannelLayoutTag_AAC_7_1
    case 11: kAudioChannelLayoutTag_AAC_6_1
    case 12: kAudioChannelLayoutTag_AAC_7_1_B
    case 14: kAudioChannelLayoutTag_AAC_7_1_C
    default: nil
    }
  }

  /// The layouts of numbers of channels of AAC and Apple lossless.
  package static let losslessTags: [AudioChannelLayoutTag] = [
    0, kAudioChannelLayoutTag_Mono, kAudioChannelLayoutTag_Stereo, kAudioChannelLayoutTag_AAC_3_0,
    kAudioChannelLayoutTag_AAC_4_0, kAudioChannelLayoutTag_AAC_5_0, kAudioChannelLayoutTag_AAC_5_1,
    kAudioChannelLayoutTag_AAC_6_1, kAudioChannelLayoutTag_AAC_7_1,
  ]

  /// The formats that the stream can be read as, the richest first, the base layer last.
  package var formats: [(format: AudioStreamBasicDescription, tag: AudioChannelLayoutTag)] {
    var base = AudioStreamBasicDescription()
    base.mFormatID =
      switch objectType {
      case 23: kAudioFormatMPEG4AAC_LD
      case 39: extendedRate > 0 ? kAudioFormatMPEG4AAC_ELD_SBR : kAudioFormatMPEG4AAC_ELD
      case 42: kAudioFormatMPEGD_USAC
      default: kAudioFormatMPEG4AAC
      }
    base.mFormatFlags = base.mFormatID == kAudioFormatMPEG4AAC ? objectType : 0
    base.mSampleRate = sampleRate
    base.mFramesPerPacket = framesPerPacket
    base.mChannelsPerFrame = channelCount
    let tag = layoutTag ?? kAudioChannelLayoutTag_DiscreteInOrder | channelCount
    var formats = [(format: base, tag: tag)]
    guard extendedRate > 0, base.mFormatID == kAudioFormatMPEG4AAC else { return formats }
    var extended = base
    extended.mFormatID = kAudioFormatMPEG4AAC_HE
    extended.mFormatFlags = 0
    extended.mSampleRate = extendedRate
    extended.mFramesPerPacket = UInt32(Double(framesPerPacket) * extendedRate / sampleRate)
    formats.insert((extended, tag), at: 0)
    guard hasParametricStereo else { return formats }
    extended.mFormatID = kAudioFormatMPEG4AAC_HE_V2
    extended.mChannelsPerFrame = 2
    formats.insert((extended, kAudioChannelLayoutTag_Stereo), at: 0)
    return formats
  }

  /// Reads a descriptor, with or without the version of its box, or the configuration of a decoder
  /// alone; nil for other bytes.
  package init?(_ bytes: [UInt8]) {
    guard let configuration = Self.configuration(ofCookie: bytes), configuration.count >= 2 else {
      return nil
    }
    var bits = BitReader(configuration)
    guard read(&bits) else { return nil }
  }

  /// The configuration of the decoder in a cookie: in its descriptors, or the whole of it where it has none.
  package static func configuration(ofCookie cookie: [UInt8]) -> [UInt8]? {
    guard cookie.first == 3 || isVersioned(cookie) else { return cookie.isEmpty ? nil : cookie }
    guard let decoder = decoder(in: cookie), decoder.count > 13 else { return nil }
    return content(of: 5, in: decoder.dropFirst(13)).map(Array.init)
  }

  /// The description of the decoder in the descriptors of a cookie, which begins with the kind of stream; nil
  /// for other bytes.
  static func decoder(in cookie: [UInt8]) -> ArraySlice<UInt8>? {
    let data = cookie.dropFirst(isVersioned(cookie) ? 4 : 0)
    guard let stream = content(of: 3, in: data), stream.count > 3 else { return nil }
    let flags = stream[stream.startIndex + 2]
    var rest = stream.dropFirst(3)
    if flags & 0x80 != 0 { rest = rest.dropFirst(2) }
    if flags & 0x40 != 0 { rest = rest.dropFirst(1 + Int(rest.first ?? 0)) }
    if flags & 0x20 != 0 { rest = rest.dropFirst(2) }
    return content(of: 4, in: rest)
  }

  /// Whether the version of the box precedes the descriptors.
  private static func isVersioned(_ cookie: [UInt8]) -> Bool {
    cookie.count > 4 && cookie.prefix(4).allSatisfy { $0 == 0 } && cookie[4] == 3
  }

  /// The bytes of the descriptor at the front, if it is of a kind.
  private static func content(of kind: UInt8, in data: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    guard data.first == kind else { return nil }
    var rest = data.dropFirst()
    var length = 0
    for _ in 0..<4 {
      guard let byte = rest.popFirst() else { return nil }
      length = length << 7 | Int(byte & 0x7F)
      if byte & 0x80 == 0 { break }
    }
    return rest.prefix(length)
  }

  private mutating func read(_ bits: inout BitReader) -> Bool {
    objectType = Self.objectType(&bits)
    sampleRate = Self.rate(&bits)
    channelConfiguration = bits.read(4)
    if objectType == 5 || objectType == 29 {
      hasParametricStereo = objectType == 29
      extendedRate = Self.rate(&bits)
      objectType = Self.objectType(&bits)
    }
    let isShort = bits.read(1) == 1
    switch objectType {
    case 23, 39: framesPerPacket = isShort ? 480 : 512
    default: framesPerPacket = isShort ? 960 : 1024
    }
    if objectType == 2 { readExtension(&bits) }
    return !bits.isPastEnd && sampleRate > 0 && objectType > 0
  }

  /// Reads the extension that old decoders ignore: that bands are replicated, and stereo is made.
  private mutating func readExtension(_ bits: inout BitReader) {
    if bits.read(1) == 1 { _ = bits.read(14) }
    _ = bits.read(1)
    if channelConfiguration == 0 { readChannels(&bits) }
    guard extendedRate == 0, channelConfiguration > 0, bits.count >= 16, bits.read(11) == 0x2B7,
      Self.objectType(&bits) == 5, bits.read(1) == 1
    else { return }
    let rate = Self.rate(&bits)
    if rate > 0 { extendedRate = rate }
    if bits.count >= 12, bits.read(11) == 0x548 { hasParametricStereo = bits.read(1) == 1 }
  }

  /// Reads the list of the channels: elements of one or two in front, at the sides and behind, and those of low
  /// frequencies.
  private mutating func readChannels(_ bits: inout BitReader) {
    _ = bits.read(10)
    let elements = bits.read(4) + bits.read(4) + bits.read(4)
    let low = bits.read(2)
    _ = bits.read(7)
    // Three ways of mixing down, with their numbers.
    for size in [4, 4, 3] where bits.read(1) == 1 { _ = bits.read(size) }
    var count = low
    for _ in 0..<elements {
      count += 1 + bits.read(1)
      _ = bits.read(4)
    }
    if !bits.isPastEnd { listedChannelCount = UInt32(count) }
  }

  private static func objectType(_ bits: inout BitReader) -> UInt32 {
    let type = bits.read(5)
    return UInt32(type == 31 ? 32 + bits.read(6) : type)
  }

  private static func rate(_ bits: inout BitReader) -> Double {
    let index = bits.read(4)
    return index == 15 ? Double(bits.read(24)) : index < rates.count ? rates[index] : 0
  }

  /// The rates of MPEG-4 by their numbers.
  package static let rates: [Double] = [
    96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8000,
    7350,
  ]
}

/// Reads bits from the highest of each byte on; past the end they are 0.
struct BitReader {
  private let bytes: [UInt8]
  private var place = 0
  /// Whether more was read than there is.
  private(set) var isPastEnd = false

  init(_ bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

  /// Bits that are left.
  var count: Int { bytes.count * 8 - place }

  mutating func read(_ wanted: Int) -> Int {
    guard wanted <= count else {
      isPastEnd = true
      place = bytes.count * 8
      return 0
    }
    var value = 0
    for _ in 0..<wanted {
      value = value << 1 | Int(bytes[place / 8] >> UInt8(7 - place % 8) & 1)
      place += 1
    }
    return value
  }
}
