// Cookies as in files, and the formats that decoders find in them.
// SPDX-License-Identifier: Apache-2.0

import AudioCodecs
import AudioTypes
import CAudioToolbox
import Testing

private func format(
  _ id: AudioFormatID, _ rate: Double, _ channels: UInt32
) -> AudioStreamBasicDescription {
  var format = AudioStreamBasicDescription()
  format.mFormatID = id
  format.mSampleRate = rate
  format.mChannelsPerFrame = channels
  return format
}

@Suite struct CookieTests {
  private let plain = format(kAudioFormatMPEG4AAC, 44_100, 2)

  @Test("AAC: a descriptor, a configuration alone and the format describe the same decoder")
  func plainAAC() {
    let wanted: [UInt8] = [0x12, 0x10, 0x56, 0xE5, 0x00]
    #expect(AACCookies.configuration([], of: plain) == wanted)
    #expect(AACCookies.configuration([0x12, 0x10], of: plain) == wanted)
    let descriptor = AACCookies.descriptor(wanted, bitRate: 128_000)
    #expect(AACCookies.configuration(descriptor, of: plain) == wanted)
    #expect(AACCookies.configuration([0, 0, 0, 0] + descriptor, of: plain) == wanted)
    #expect(descriptor.count == 5 + 3 + 5 + 13 + 5 + 2 + 5 + 1)
    // Lengths of one byte, and no last descriptor.
    let short: [UInt8] =
      [3, 22, 0, 0, 0, 4, 17, 0x40, 0x15, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5, 2, 0x12, 0x10]
    #expect(AACCookies.configuration(short, of: plain) == wanted)
    for count in 0..<short.count {
      // Cut anywhere, it is refused or understood, and nothing is read beyond it.
      _ = AACCookies.configuration(Array(short.prefix(count)), of: plain)
    }
  }

  @Test("AAC: high efficiency is the base at half the rate, and bands up to all of it")
  func highEfficiency() {
    let wide = format(kAudioFormatMPEG4AAC_HE, 44_100, 2)
    // Type 5, 22050 Hz, two channels, 44100 Hz, type 2.
    #expect(AACCookies.configuration([], of: wide) == [0x2B, 0x92, 0x08, 0x00])
    #expect(
      AACCookies.configuration([0x2B, 0x92, 0x08, 0x00], of: wide) == [0x2B, 0x92, 0x08, 0x00])
    // The base layer alone: 22050 Hz, and that no bands are replicated.
    var base = wide
    base.mFormatID = kAudioFormatMPEG4AAC
    base.mSampleRate = 22_050
    #expect(
      AACCookies.configuration([0x2B, 0x92, 0x08, 0x00], of: base) == [
        0x13, 0x90, 0x56, 0xE5, 0x00,
      ])
  }

  @Test("ALAC: 24 bytes, with atoms around them and without")
  func lossless() {
    let config: [UInt8] = [
      0, 0, 16, 0, 0, 16, 40, 10, 14, 2, 0, 255, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xAC, 0x44,
    ]
    let alac = format(kAudioFormatAppleLossless, 44_100, 2)
    let atoms: [UInt8] =
      [0, 0, 0, 12] + Array("frmaalac".utf8) + [0, 0, 0, 36] + Array("alac".utf8) + [0, 0, 0, 0]
    #expect(Cookies.configuration(config, of: alac) == config)
    #expect(Cookies.configuration(atoms + config + [0, 0, 0, 8, 0, 0, 0, 0], of: alac) == config)
    #expect(Cookies.configuration(Array(config.prefix(23)), of: alac) == nil)
    #expect(Cookies.configuration([], of: alac) == nil)
  }

  @Test("FLAC and Opus: cookies in files, in boxes and alone")
  func others() {
    let info = (0..<34).map { UInt8($0) }
    let flac = format(kAudioFormatFLAC, 44_100, 2)
    let cookie = Cookies.cookie(info, of: flac, bitRate: 0, largestPacket: 0)
    #expect(cookie.count == 50)
    for form in [
      info, [0x80, 0, 0, 34] + info, Array("fLaC".utf8) + [0, 0, 0, 34] + info, cookie,
    ] {
      #expect(Cookies.configuration(form, of: flac) == info)
    }
    let opus = format(kAudioFormatOpus, 48_000, 2)
    let head: [UInt8] = Array("OpusHead".utf8) + [1, 2, 0x38, 1, 0x80, 0xBB, 0, 0, 0, 0, 0]
    #expect(Cookies.configuration(head, of: opus) == head)
    #expect(Cookies.configuration([0, 2, 1, 0x38, 0, 0, 0xBB, 0x80, 0, 0, 0], of: opus) == head)
    #expect(Cookies.configuration([], of: opus)?.count == 19)
    #expect(Cookies.configuration([], of: format(kAudioFormatOpus, 48_000, 6))?.count == 27)
  }

  @Test("The laws are those of G.711: every code comes back, and every sample to the nearest")
  func laws() throws {
    for id in [kAudioFormatULaw, kAudioFormatALaw] {
      let law = try #require(LogarithmicLaw(id))
      let codes = (0...255).map { UInt8($0) }
      var samples = [Int16](repeating: 0, count: 256)
      unsafe codes.withUnsafeBytes { source in
        unsafe samples.withUnsafeMutableBytes { target in
          guard let start = target.baseAddress else { return }
          unsafe law.decode(source, into: start)
        }
      }
      #expect(samples[0] == (id == kAudioFormatULaw ? -32_124 : -5_504))
      #expect(samples[0x80] == (id == kAudioFormatULaw ? 32_124 : 5_504))
      var again: [UInt8] = []
      unsafe samples.withUnsafeBytes { source in
        guard let start = source.baseAddress else { return }
        unsafe law.encode(start, count: 256, into: &again)
      }
      // Two codes of µ-law are silence.
      #expect(zip(codes, again).count { $0 != $1 } <= 1)
    }
  }

  @Test("Formats without a decoder are refused")
  func refused() {
    for id in [
      kAudioFormatMPEG4CELP, kAudioFormatMPEG4HVXC, kAudioFormatMPEG4TwinVQ, kAudioFormatLinearPCM,
      kAudioFormatAES3, 0x7878_7878,
    ] {
      #expect(throws: AuricleError.self) { try PacketDecoder(format(id, 44_100, 2)) }
      #expect(throws: AuricleError.self) { try PacketEncoder(format(id, 44_100, 2)) }
    }
    let high = format(kAudioFormatMPEG4AAC_HE, 44_100, 2)
    #expect(throws: AuricleError.self) { try PacketEncoder(high) }
  }
}
