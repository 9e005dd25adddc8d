// Cookies of AAC: the descriptor of an elementary stream, and the configuration of a decoder in it.
// SPDX-License-Identifier: Apache-2.0

import AudioFileSyntax
package import CAudioToolbox

/// The cookie of AAC, both ways.
package enum AACCookies {
  /// The configuration by which a decoder renders a format: the base layer, or bands replicated and
  /// stereo made.
  ///
  /// The cookie is a descriptor or a configuration alone; without one the format suffices. Nil for
  /// bytes that are neither.
  package static func configuration(
    _ cookie: [UInt8], of format: AudioStreamBasicDescription
  ) -> [UInt8]? {
    let isExtended =
      format.mFormatID == kAudioFormatMPEG4AAC_HE || format.mFormatID == kAudioFormatMPEG4AAC_HE_V2
    if cookie.isEmpty {
      guard isExtended || format.mFormatID == kAudioFormatMPEG4AAC else { return nil }
      let object = isExtended || format.mFormatFlags == 0 ? 2 : format.mFormatFlags
      let stereo = format.mFormatID == kAudioFormatMPEG4AAC_HE_V2
      return Stream(
        objectType: object,
        sampleRate: isExtended ? format.mSampleRate / 2 : format.mSampleRate,
        channels: stereo ? 1 : number(of: format.mChannelsPerFrame)
      ).bytes(extending: isExtended ? format.mSampleRate : nil, stereo: stereo)
    }
    guard let bytes = ElementaryStream.configuration(ofCookie: cookie),
      let stream = ElementaryStream(bytes)
    else { return nil }
    // Channels that the stream lists itself, and those of other kinds, are in bits that are not
    // written anew.
    guard (1...4).contains(stream.objectType), stream.channelConfiguration > 0,
      stream.framesPerPacket == 1024
    else { return bytes }
    let rate =
      stream.extendedRate > 0
      ? stream.extendedRate
      : format.mSampleRate > 0
        ? format.mSampleRate : stream.sampleRate * 2
    return Stream(
      objectType: stream.objectType, sampleRate: stream.sampleRate,
      channels: stream.channelConfiguration
    ).bytes(
      extending: isExtended ? rate : nil,
      stereo: format.mFormatID == kAudioFormatMPEG4AAC_HE_V2)
  }

  /// The descriptor around the configuration of an encoder.
  package static func descriptor(_ configuration: [UInt8], bitRate: UInt32) -> [UInt8] {
    func part(_ tag: UInt8, _ body: [UInt8]) -> [UInt8] {
      [tag, 0x80, 0x80, 0x80, UInt8(body.count)] + body
    }
    // Plain AAC needs two bytes; the rest says to old decoders that nothing follows.
    let isPlain = configuration.count == 5 && configuration[1] & 0x78 != 0
    let config = part(5, Array(isPlain ? configuration.prefix(2) : configuration[...]))
    let decoder =
      [0x40, 0x15, 0, 0x18, 0] + Cookies.big(bitRate) + Cookies.big(bitRate) + config
    return part(3, [0, 0, 0] + part(4, decoder) + part(6, [2]))
  }

  /// The number that means so many channels; 0 where there is none.
  private static func number(of channelCount: UInt32) -> Int {
    channelCount == 8 ? 7 : channelCount <= 6 ? Int(channelCount) : 0
  }

  /// A base layer, to be written down.
  private struct Stream {
    var objectType: UInt32
    var sampleRate: Double
    var channels: Int

    /// The bits; with a rate, bands are replicated up to it, else that they are not is said.
    func bytes(extending rate: Double?, stereo: Bool) -> [UInt8]? {
      guard channels > 0, sampleRate >= 1, sampleRate < 0x1p24 else { return nil }
      var bits: [Bool] = []
      func put(_ value: Int, _ count: Int) {
        for bit in (0..<count).reversed() { bits.append(value >> bit & 1 == 1) }
      }
      func putRate(_ rate: Double) {
        if let index = ElementaryStream.rates.firstIndex(of: rate) { return put(index, 4) }
        put(15, 4)
        put(Int(rate), 24)
      }
      if let rate {
        put(stereo ? 29 : 5, 5)
        putRate(sampleRate)
        put(channels, 4)
        putRate(rate)
      }
      put(Int(objectType), 5)
      if rate == nil {
        putRate(sampleRate)
        put(channels, 4)
      }
      put(0, 3)
      if rate == nil {
        put(0x2B7, 11)
        put(5, 5)
        put(0, 1)
      }
      while bits.count % 8 != 0 { bits.append(false) }
      return stride(from: 0, to: bits.count, by: 8).map { start in
        bits[start..<start + 8].reduce(UInt8(0)) { $0 << 1 | ($1 ? 1 : 0) }
      }
    }
  }
}
