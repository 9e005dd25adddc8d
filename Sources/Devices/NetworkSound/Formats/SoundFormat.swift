// The format of sound on its way: an encoding with its rate and channels.
// SPDX-License-Identifier: Apache-2.0

package import AudioTypes
package import CAudioToolbox

/// The encoding of samples in packets.
package enum SoundEncoding: UInt8, Sendable, CaseIterable {
  /// Floats of 32 bits, the highest byte first.
  case float32 = 1
  /// Integers of 24 and 16 bits, the highest byte first: L24 and L16 of RFC 3190 and RFC 3551.
  case linear24 = 2
  case linear16 = 3
  /// Apple lossless of 24 and 16 bits.
  case lossless24 = 4
  case lossless16 = 5
  /// µ-law, a byte a sample.
  case muLaw = 6
  /// IMA 4:1 as QuickTime has it.
  case ima4 = 7
  /// AAC, as `mpeg4-generic` of RFC 3640.
  case aac = 8

  /// The word by which people choose it.
  package var word: String {
    switch self {
    case .float32: "float"
    case .linear24: "s24"
    case .linear16: "s16"
    case .lossless24: "alac24"
    case .lossless16: "alac16"
    case .muLaw: "ulaw"
    case .ima4: "ima4"
    case .aac: "aac"
    }
  }

  /// Bytes of a sample; 0 where packets are made by an encoder.
  var sampleBytes: Int {
    switch self {
    case .float32: 4
    case .linear24: 3
    case .linear16: 2
    case .muLaw: 1
    default: 0
    }
  }

  /// Whether a packet may be longer than a datagram, and goes in pieces.
  var isCut: Bool { self == .lossless24 || self == .lossless16 }

  /// Whether packets have to be decoded in their order.
  var isOrdered: Bool { sampleBytes == 0 }
}

/// A format.
package struct SoundFormat: Sendable, Equatable {
  /// The encoding.
  package var encoding: SoundEncoding
  /// Channels, 1 to 64.
  package var channelCount: Int
  /// Frames a second (Hz).
  package var sampleRate: Int
  /// Bits a second of all channels, of AAC; else 0.
  package var bitRate = 0
  /// Frames of a packet at most; 0 for the usual number.
  package var packetFrames = 0
  /// The bytes that a decoder needs, as files have them.
  package var cookie: [UInt8] = []

  /// The payload type of sound in formats without a fixed one.
  package static let dynamicKind: UInt8 = 97
  /// Bytes of a cookie that is read.
  private static let longestCookie = 512
  /// Bytes of the sound in a packet: as much as goes through networks whole.
  package static let payloadSize = 1200

  /// Names a format.
  package init(_ encoding: SoundEncoding, sampleRate: Int, channelCount: Int, bitRate: Int = 0) {
    self.encoding = encoding
    self.sampleRate = sampleRate
    self.channelCount = channelCount
    self.bitRate = bitRate
  }

  /// Whether its numbers are such that sound can have them.
  package var isValid: Bool {
    (4000...384_000).contains(sampleRate) && (1...64).contains(channelCount)
      && (encoding.sampleBytes > 0 || channelCount <= 8) && (0...8192).contains(packetFrames)
      && (0...1_000_000).contains(bitRate) && cookie.count <= Self.longestCookie
  }

  /// Frames of a packet of linear sound: 5 ms, or as many as a datagram holds.
  var linearFrames: Int {
    let frame = max(1, encoding.sampleBytes * channelCount)
    let usual = packetFrames > 0 ? packetFrames : sampleRate / 200
    return max(1, min(usual, Self.payloadSize / frame))
  }

  /// Reads a format of the session layer.
  init?(_ reader: inout DatagramReader) {
    guard let number = reader.number(UInt8.self), let encoding = SoundEncoding(rawValue: number),
      let channels = reader.number(UInt8.self), let rate = reader.number(UInt32.self),
      let bits = reader.number(UInt32.self), let frames = reader.number(UInt16.self),
      let length = reader.number(UInt16.self), let cookie = reader.read(Int(length))
    else { return nil }
    self.init(
      encoding, sampleRate: Int(rate), channelCount: Int(channels), bitRate: Int(bits))
    packetFrames = Int(frames)
    self.cookie = Array(cookie)
    guard isValid else { return nil }
  }

  /// The format in the session layer.
  var bytes: [UInt8] {
    var bytes = [encoding.rawValue, UInt8(clamping: channelCount)]
    bytes.add(UInt32(clamping: sampleRate))
    bytes.add(UInt32(clamping: bitRate))
    bytes.add(UInt16(clamping: packetFrames))
    bytes.add(UInt16(clamping: cookie.count))
    return bytes + cookie
  }

  /// The format as Core Audio describes it.
  package var description: AudioStreamBasicDescription { PayloadDecoder.description(self) }

  /// Why it cannot be encoded here; nil where it can. Context: control.
  package var absence: String? {
    do throws(AuricleError) {
      _ = try PayloadEncoder(self)
      return nil
    } catch { return error.message }
  }

  /// The format for people.
  package var text: String {
    "\(encoding.word), \(sampleRate) Hz, \(channelCount) \(channelCount == 1 ? "channel" : "channels")"
  }

  /// Finds an encoding by its word; `aac128` has its bits a second and channel.
  ///
  /// - Throws: `.usage` for a word that means nothing.
  package static func encoding(
    _ word: String
  ) throws(AuricleError) -> (SoundEncoding, kilobits: Int) {
    if let found = SoundEncoding.allCases.first(where: { $0.word == word }) {
      return (found, found == .aac ? 128 : 0)
    }
    if word.hasPrefix("aac"), let rate = Int(word.dropFirst(3)), (8...288).contains(rate) {
      return (.aac, rate)
    }
    throw AuricleError(
      .usage,
      "'\(word)' is no format of sound on the network: "
        + SoundEncoding.allCases.map(\.word).joined(separator: ", ")
        + ", or aac with kbit/s, as aac96")
  }
}
