// Layouts of channels: tags, bitmaps, names, and the ways from one to another.
// SPDX-License-Identifier: Apache-2.0

import AudioFormats
import CAudioToolbox
import Testing

@Suite struct LayoutTests {
  @Test("Each tag has its number of channels, and is found again by them")
  func tags() throws {
    for tag in LayoutTags.all {
      let labels = try #require(LayoutTags.labels(of: tag))
      #expect(labels.count == Int(tag & 0xFFFF))
      #expect(ChannelLayout(tag: tag).isValid)
      let found = try #require(LayoutTags.tag(of: labels))
      #expect(LayoutTags.labels(of: found) == labels)
      #expect(LayoutTags.tags(channelCount: tag & 0xFFFF).contains(tag))
      #expect(ChannelLayout(tag: tag).hash == ChannelLayout(labels: labels).hash)
    }
    #expect(
      LayoutTags.labels(of: kAudioChannelLayoutTag_MPEG_5_1_A) == [1, 2, 3, 4, 5, 6])
    #expect(
      LayoutTags.tag(of: [3, 1, 2, 5, 6, 4]) == kAudioChannelLayoutTag_MPEG_5_1_D)
    #expect(LayoutTags.labels(of: 0x93_0003) == [0x1_0000, 0x1_0001, 0x1_0002])
    #expect(LayoutTags.tag(of: [0x1_0000, 0x1_0001, 0x1_0002]) == 0x93_0003)
    #expect(LayoutTags.labels(of: 0xBE_0004) == [0x2_0000, 0x2_0001, 0x2_0002, 0x2_0003])
    #expect(LayoutTags.labels(of: 0xBE_0005) == nil)
    #expect(LayoutTags.labels(of: 0xFFFF_0002) == nil)
    #expect(LayoutTags.tags(channelCount: 0) == [])
  }

  @Test("Bitmaps list channels in the order of their bits")
  func bitmaps() {
    #expect(ChannelBits.labels(of: 0x3F) == [1, 2, 3, 4, 5, 6])
    #expect(ChannelBits.bitmap(of: [3, 1, 2, 5, 6, 4]) == 0x3F)
    #expect(ChannelBits.bitmap(of: [kAudioChannelLabel_Mono]) == kAudioChannelBit_Center)
    #expect(ChannelBits.bitmap(of: [1, 1]) == nil)
    #expect(ChannelBits.bitmap(of: [0x1_0000]) == nil)
    #expect(ChannelBits.labels(of: 0x8000_0000) == nil)
    #expect(
      ChannelBits.labels(of: kAudioChannelBit_RightTopRear) == [kAudioChannelLabel_RightTopRear])
  }

  @Test(
    "Names",
    arguments: [
      (kAudioChannelLayoutTag_Mono, "Mono", "Mono (M)"),
      (kAudioChannelLayoutTag_Stereo, "Stereo", "Stereo (L R)"),
      (kAudioChannelLayoutTag_MPEG_5_1_A, "5.1", "5.1 (L R C LFE Ls Rs)"),
      (
        kAudioChannelLayoutTag_Atmos_7_1_4, "7.1.4",
        "7.1.4 (L R C LFE Ls Rs Rls Rrs Vhl Vhr Ltr Rtr)"
      ),
      (0x93_0002, "2 Discrete Channels", "2 Discrete Channels (D0 D1)"),
      (0xBE_0004, "Ambisonic, Order 1", "Ambisonic, Order 1 (ACN0 ACN1 ACN2 ACN3)"),
    ])
  func names(tag: AudioChannelLayoutTag, simple: String, whole: String) {
    #expect(ChannelLayout(tag: tag).simpleName == simple)
    #expect(ChannelLayout(tag: tag).name == whole)
  }

  @Test("A layout is the same after writing and reading it; a cut one is refused")
  func bytes() {
    let bytes = ChannelLayout(labels: [1, 2, 3]).bytes
    #expect(bytes.count == 12 + 3 * 20)
    unsafe bytes.withUnsafeBytes { memory in
      #expect(unsafe ChannelLayout(memory)?.labels == [1, 2, 3])
      #expect(unsafe ChannelLayout(UnsafeRawBufferPointer(rebasing: memory.dropLast())) == nil)
    }
    #expect(!ChannelLayout(labels: []).isValid)
    #expect(!ChannelLayout(labels: [kAudioChannelLabel_BeginReserved]).isValid)
  }

  @Test("Channels of the same label are mapped; the others are mixed as ITU-R BS.775 says")
  func mixes() throws {
    let film = ChannelLayout(tag: kAudioChannelLayoutTag_MPEG_5_1_D)
    let file = ChannelLayout(tag: kAudioChannelLayoutTag_MPEG_5_1_A)
    let stereo = ChannelLayout(tag: kAudioChannelLayoutTag_Stereo)
    let mono = ChannelLayout(tag: kAudioChannelLayoutTag_Mono)
    #expect(ChannelMatrix.map(from: film, to: file) == [1, 2, 0, 5, 3, 4])
    #expect(ChannelMatrix.map(from: mono, to: stereo) == [-1, -1])
    let half: Float = 0.707_106_77
    #expect(
      ChannelMatrix.mix(from: file, to: stereo)
        == [[1, 0], [0, 1], [half, half], [0, 0], [half, 0], [0, half]])
    #expect(ChannelMatrix.mix(from: stereo, to: mono) == [[half], [half]])
    #expect(
      ChannelMatrix.mix(from: file, to: mono) == [[half], [half], [1], [0], [0.5], [0.5]])
    #expect(ChannelMatrix.mix(from: mono, to: stereo) == [[half, half]])
    #expect(
      ChannelMatrix.mix(from: film, to: file)?.map { $0.firstIndex(of: 1) ?? -1 }
        == [2, 0, 1, 4, 5, 3])
  }

  @Test("A source between two loudspeakers comes from both, and its power is one")
  func panning() throws {
    let places = try #require(
      ChannelPlacing.azimuths(of: ChannelLayout(tag: kAudioChannelLayoutTag_MPEG_5_1_A)))
    #expect(places == [-30, 30, 0, nil, -110, 110])
    for angle in stride(from: -180.0, through: 180, by: 7.5) {
      for gains in [
        try #require(ChannelPlacing.vectorGains(at: angle, places)),
        try #require(ChannelPlacing.fieldGains(at: angle, places)),
      ] {
        #expect(abs(gains.reduce(0) { $0 + $1 * $1 } - 1) < 1e-5)
        #expect(gains[3] == 0)
        #expect(gains.allSatisfy { $0 >= 0 })
      }
    }
    let front = try #require(ChannelPlacing.vectorGains(at: 0, places))
    #expect(abs(front[2] - 1) < 1e-6)
    let between = try #require(ChannelPlacing.vectorGains(at: 15, places))
    #expect(abs(between[1] - 0.707_107) < 1e-5 && abs(between[2] - 0.707_107) < 1e-5)
    let pair = try #require(ChannelPlacing.vectorGains(at: 180, [-30, 30]))
    #expect(abs(pair[0] - pair[1]) < 1e-5)
    #expect(ChannelPlacing.vectorGains(at: 0, [nil]) == nil)
    #expect(ChannelPlacing.azimuth(kAudioChannelFlags_RectangularCoordinates, (1, 0, 0)) == 90)
  }

  @Test("Balance and fade lower the far side; with equal power they raise the near one by 3 dB")
  func balance() {
    let places: [Double?] = [-30, 30, 0, nil, -110, 110]
    func gains(_ balance: Double, _ fade: Double, _ isEqualPower: Bool) -> [Float] {
      ChannelPlacing.balanceGains(
        balance: balance, fade: fade, isEqualPower: isEqualPower, places)
    }
    #expect(gains(0, 0, false) == [1, 1, 1, 1, 1, 1])
    #expect(gains(0, 0, true).allSatisfy { abs($0 - 1) < 1e-6 })
    #expect(gains(0.5, 0, false) == [0.5, 1, 1, 1, 0.5, 1])
    #expect(gains(-1, 1, false) == [1, 0, 1, 1, 0, 0])
    let right = gains(1, 0, true)
    #expect(abs(right[1] - 1.414_213_5) < 1e-5 && right[0] == 0 && right[2] == 1)
  }
}
