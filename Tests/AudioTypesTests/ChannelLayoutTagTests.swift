// Channel layout tags.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import CAudioToolbox
import Testing

@Suite struct ChannelLayoutTagTests {
  @Test func theStaticMembersAreTheConstants() {
    #expect(ChannelLayoutTag.mono.rawValue == kAudioChannelLayoutTag_Mono)
    #expect(ChannelLayoutTag.stereo.rawValue == kAudioChannelLayoutTag_Stereo)
    #expect(ChannelLayoutTag.quadraphonic.rawValue == kAudioChannelLayoutTag_Quadraphonic)
    #expect(ChannelLayoutTag.surround5_0.rawValue == kAudioChannelLayoutTag_MPEG_5_0_A)
    #expect(ChannelLayoutTag.surround5_1.rawValue == kAudioChannelLayoutTag_MPEG_5_1_A)
    #expect(ChannelLayoutTag.surround6_1.rawValue == kAudioChannelLayoutTag_MPEG_6_1_A)
    #expect(ChannelLayoutTag.surround7_1.rawValue == kAudioChannelLayoutTag_MPEG_7_1_C)
    #expect(
      ChannelLayoutTag.discrete(channelCount: 3).rawValue
        == kAudioChannelLayoutTag_DiscreteInOrder | 3)
  }

  @Test(arguments: 1...20)
  func theUsualTagHasTheChannels(count: Int) {
    #expect(ChannelLayoutTag.usual(channelCount: count).channelCount == count)
  }

  @Test func tagsWithoutACountReportNone() {
    #expect(
      ChannelLayoutTag(rawValue: kAudioChannelLayoutTag_UseChannelDescriptions).channelCount == nil)
    #expect(
      ChannelLayoutTag(rawValue: kAudioChannelLayoutTag_UseChannelBitmap).channelCount == nil)
    #expect(ChannelLayoutTag(rawValue: kAudioChannelLayoutTag_Unknown).channelCount == nil)
  }
}
