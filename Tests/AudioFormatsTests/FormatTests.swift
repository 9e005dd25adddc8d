// Formats: values derived from their fields, their cookies and their packets.
// SPDX-License-Identifier: Apache-2.0

import AudioFileSyntax
import AudioFormats
import CAudioToolbox
import Testing

@Suite struct FormatTests {
  private func format(
    _ id: AudioFormatID, rate: Double = 44_100, channels: UInt32 = 2, bits: UInt32 = 0,
    flags: UInt32 = 0
  ) -> AudioStreamBasicDescription {
    AudioStreamBasicDescription(
      mSampleRate: rate, mFormatID: id, mFormatFlags: flags, mBytesPerPacket: 0,
      mFramesPerPacket: 0, mBytesPerFrame: 0, mChannelsPerFrame: channels,
      mBitsPerChannel: bits, mReserved: 0)
  }

  @Test("Sizes follow from the other fields")
  func sizes() throws {
    let linear = try #require(
      FormatCompletion.complete(format(kAudioFormatLinearPCM, bits: 24, flags: 0xC)))
    #expect(linear.mBytesPerFrame == 6 && linear.mBytesPerPacket == 6)
    #expect(linear.mFramesPerPacket == 1)
    let planar = try #require(
      FormatCompletion.complete(format(kAudioFormatLinearPCM, bits: 32, flags: 0x29)))
    #expect(planar.mBytesPerFrame == 4)
    let aac = try #require(FormatCompletion.complete(format(kAudioFormatMPEG4AAC)))
    #expect(aac.mFramesPerPacket == 1024 && aac.mBytesPerPacket == 0 && aac.mSampleRate == 44_100)
    let ima = try #require(FormatCompletion.complete(format(kAudioFormatAppleIMA4)))
    #expect(ima.mFramesPerPacket == 64 && ima.mBytesPerPacket == 68 && ima.mBytesPerFrame == 0)
    let low = try #require(
      FormatCompletion.complete(format(kAudioFormatMPEGLayer3, rate: 22_050)))
    #expect(low.mFramesPerPacket == 576)
    let law = try #require(FormatCompletion.complete(format(kAudioFormatULaw)))
    #expect(law.mBytesPerPacket == 2 && law.mBytesPerFrame == 2 && law.mFramesPerPacket == 1)
    #expect(FormatCompletion.complete(format(0x7878_7878)) == nil)
    let open = try #require(
      FormatCompletion.complete(format(kAudioFormatMPEG4AAC, rate: 0, channels: 0)))
    #expect(open.mSampleRate == 0 && open.mFramesPerPacket == 1024)
  }

  /// The descriptor of a stream around the configuration of a decoder, with lengths of four bytes.
  private func descriptor(_ configuration: [UInt8]) -> [UInt8] {
    func part(_ kind: UInt8, _ content: [UInt8]) -> [UInt8] {
      [kind, 0x80, 0x80, 0x80, UInt8(content.count)] + content
    }
    let decoder = [0x40, 0x15, 0, 0, 0, 0, 1, 0xF4, 0, 0, 1, 0xF4, 0] + part(5, configuration)
    return part(3, [0, 0, 0] + part(4, decoder) + [6, 1, 2])
  }

  @Test("The cookie of AAC has rate, channels and layers in any wrapping")
  func elementaryStreams() throws {
    let plain = descriptor([0x12, 0x10])
    for cookie in [plain, [0, 0, 0, 0] + plain, [0x12, 0x10]] {
      let stream = try #require(ElementaryStream(cookie))
      #expect(stream.objectType == 2 && stream.sampleRate == 44_100 && stream.channelCount == 2)
      #expect(stream.formats.count == 1)
      #expect(stream.formats[0].format.mFramesPerPacket == 1024)
      #expect(stream.formats[0].tag == kAudioChannelLayoutTag_Stereo)
    }
    // HE-AAC, signalled at the front: type 5, 24 kHz, stereo, 48 kHz, type 2.
    let layered = try #require(ElementaryStream(descriptor([0x2B, 0x11, 0x88, 0x00])))
    let ids = layered.formats.map(\.format.mFormatID)
    #expect(ids == [kAudioFormatMPEG4AAC_HE, kAudioFormatMPEG4AAC])
    #expect(layered.formats.map(\.format.mSampleRate) == [48_000, 24_000])
    #expect(layered.formats.map(\.format.mFramesPerPacket) == [2048, 1024])
    #expect(ElementaryStream(Array(plain.prefix(12))) == nil)
    #expect(ElementaryStream([]) == nil)
    for count in plain.indices { _ = ElementaryStream(Array(plain.prefix(count))) }
  }

  @Test("The cookie of Apple lossless describes the whole format")
  func lossless() throws {
    let config: [UInt8] = [
      0, 0, 0x10, 0, 0, 24, 40, 10, 14, 2, 0, 255, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xBB, 0x80,
    ]
    let wrapped =
      [0, 0, 0, 12] + Array("frmaalac".utf8) + [0, 0, 0, 36] + Array("alac".utf8)
      + [0, 0, 0, 0] + config
    for cookie in [config, wrapped] {
      let reported = try #require(
        FormatCompletion.complete(
          format(kAudioFormatAppleLossless, rate: 0, channels: 0), cookie: cookie))
      #expect(reported.mSampleRate == 48_000 && reported.mChannelsPerFrame == 2)
      #expect(reported.mFormatFlags == 3 && reported.mFramesPerPacket == 4096)
    }
    #expect(
      FormatCompletion.complete(format(kAudioFormatAppleLossless), cookie: [1, 2, 3]) == nil)
  }

  @Test("Packets of MPEG describe their format")
  func packets() throws {
    let layer3 = try #require(MPEGPacket.format([0xFF, 0xFB, 0x90, 0x64]))
    #expect(layer3.mFormatID == kAudioFormatMPEGLayer3 && layer3.mSampleRate == 44_100)
    #expect(layer3.mFramesPerPacket == 1152 && layer3.mChannelsPerFrame == 2)
    let low = try #require(MPEGPacket.format([0xFF, 0xF3, 0x54, 0xC4]))
    #expect(low.mSampleRate == 24_000 && low.mFramesPerPacket == 576 && low.mChannelsPerFrame == 1)
    let adts = try #require(MPEGPacket.format([0xFF, 0xF1, 0x50, 0x80]))
    #expect(adts.mFormatID == kAudioFormatMPEG4AAC && adts.mSampleRate == 44_100)
    #expect(adts.mChannelsPerFrame == 2 && adts.mFormatFlags == 2)
    #expect(MPEGPacket.format([0xFF, 0xFB, 0x9C, 0x64]) == nil)
    #expect(MPEGPacket.format([0, 1, 2, 3]) == nil)
  }

  @Test("Names describe the storage of samples")
  func names() {
    #expect(
      FormatNames.name(of: format(kAudioFormatLinearPCM, bits: 16, flags: 0xC))
        == "Linear PCM, 16 bit little-endian signed integer, 2 channels, 44100 Hz")
    #expect(
      FormatNames.name(of: format(kAudioFormatLinearPCM, bits: 32, flags: 0x2B))
        == "Linear PCM, 32 bit big-endian floating point, deinterleaved, 2 channels, 44100 Hz")
    #expect(
      FormatNames.name(of: format(kAudioFormatMPEG4AAC, rate: 0, channels: 0)) == "MPEG-4 AAC")
    #expect(FormatNames.name(of: format(1)) == nil)
  }

  @Test("The texts of ID3 tags, in each of their encodings")
  func id3() throws {
    func frame(_ name: String, _ content: [UInt8]) -> [UInt8] {
      Array(name.utf8) + [0, 0, 0, UInt8(content.count), 0, 0] + content
    }
    let body =
      frame("TIT2", [0] + Array("Caf".utf8) + [0xE9, 0])
      + frame("TPE1", [1, 0xFF, 0xFE, 0x41, 0, 0xB1, 0x03, 0, 0])
      + frame("TRCK", [3] + Array("3/12".utf8))
      + frame("COMM", [0] + Array("eng".utf8) + [0] + Array("well".utf8))
    let tag = Array("ID3".utf8) + [3, 0, 0, 0, 0, 0, UInt8(body.count)] + body
    #expect(ID3Tag.byteCount(tag) == tag.count)
    let texts = try #require(ID3Tag.texts(tag))
    #expect(
      texts == ["title": "Café", "artist": "Aα", "track number": "3/12", "comments": "well"])
    #expect(ID3Tag.texts(Array(tag.dropLast())) == nil)
    #expect(ID3Tag.byteCount(Array("ID4".utf8) + [3, 0, 0, 0, 0, 0, 1]) == nil)
    var random = SystemRandomNumberGenerator()
    for _ in 0..<2000 {
      var damaged = tag
      for _ in 0..<3 {
        damaged[.random(in: 3..<tag.count, using: &random)] = .random(in: 0...255, using: &random)
      }
      _ = ID3Tag.texts(damaged)
      _ = ElementaryStream(Array(damaged.suffix(24)))
    }
  }
}
