// Stream formats: canonical, compared, validated, printed.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import CAudioToolbox
import Testing

@Suite struct AudioStreamFormatTests {
  private func format(_ change: (inout AudioStreamBasicDescription) -> Void) -> AudioStreamFormat {
    var format = AudioStreamFormat(sampleRate: 44_100, channelCount: 2)
    change(&format.asbd)
    return format
  }

  @Test func theCanonicalFormatIsPlanarFloat() {
    let format = AudioStreamFormat(sampleRate: 48_000, channelCount: 6)
    #expect(format.isCanonical && format.isPlanar && format.isLinearPCM)
    #expect(format.asbd.mFormatFlags == 0x29)
    #expect(format.asbd.mFormatID == kAudioFormatLinearPCM)
    #expect(format.asbd.mBytesPerFrame == 4 && format.asbd.mBytesPerPacket == 4)
    #expect(format.asbd.mBitsPerChannel == 32 && format.asbd.mFramesPerPacket == 1)
    #expect(format.bufferCount == 6)
    #expect(format.problem == nil)
  }

  @Test func otherFormatsAreNotCanonical() {
    #expect(!format { $0.mFormatFlags = 0x9 }.isCanonical)
    #expect(!format { $0.mFormatFlags = 0x2B }.isCanonical)
    #expect(!format { $0.mBitsPerChannel = 64 }.isCanonical)
    #expect(!format { $0.mFormatID = 0x6161_6320 }.isCanonical)
    #expect(format { $0.mFormatFlags = 0x69 }.isCanonical, "non-mixable does not count")
  }

  @Test func formatsCompareByEveryFieldButTheReservedOne() {
    let one = AudioStreamFormat(sampleRate: 44_100, channelCount: 2)
    #expect(one == format { $0.mReserved = 7 })
    #expect(one.hashValue == format { $0.mReserved = 7 }.hashValue)
    let changes: [(inout AudioStreamBasicDescription) -> Void] = [
      { $0.mSampleRate = 1 }, { $0.mFormatID = 1 }, { $0.mFormatFlags = 1 },
      { $0.mBytesPerPacket = 1 }, { $0.mFramesPerPacket = 2 }, { $0.mBytesPerFrame = 1 },
      { $0.mChannelsPerFrame = 1 }, { $0.mBitsPerChannel = 1 },
    ]
    for change in changes { #expect(one != format(change)) }
  }

  @Test func printsAsCAShowDoes() {
    let stereo = AudioStreamFormat(sampleRate: 44_100, channelCount: 2)
    #expect(
      stereo.columnDescription
        == " 2 ch,  44100 Hz, 'lpcm' (0x00000029) 32-bit little-endian float, deinterleaved")
    #expect(
      stereo.description
        == "2 ch, 44100 Hz, 'lpcm' (0x00000029) 32-bit little-endian float, deinterleaved")
    let file = format {
      $0.mFormatFlags = 0xC
      $0.mBitsPerChannel = 16
      $0.mBytesPerFrame = 4
    }
    #expect(
      file.description
        == "2 ch, 44100 Hz, 'lpcm' (0x0000000C) 16-bit little-endian signed integer, interleaved")
    let rate = AudioStreamFormat(sampleRate: 44_099.5, channelCount: 1)
    #expect(rate.description.hasPrefix("1 ch, 44099.5 Hz"))
    let compressed = format { $0.mFormatID = 0x6161_6320 }
    #expect(compressed.description.contains("'aac '"))
  }

  @Test(arguments: [0, -1, .nan, .infinity, 1e9] as [Double])
  func refusesSampleRates(rate: Double) {
    #expect(AudioStreamFormat(sampleRate: rate, channelCount: 2).problem != nil)
  }

  @Test(arguments: [0, -1, 1025, Int.max])
  func refusesChannelCounts(count: Int) {
    let format = AudioStreamFormat(sampleRate: 48_000, channelCount: count)
    let error = #expect(throws: AuricleError.self) { try format.validate() }
    #expect(error?.status == kAudioUnitErr_FormatNotSupported)
    #expect(error?.message.contains("channels are out of the range") == true)
  }

  @Test func refusesSizesThatDoNotFit() {
    #expect(format { $0.mBytesPerPacket = 8 }.problem?.contains("differ") == true)
    #expect(format { $0.mFramesPerPacket = 0 }.problem?.contains("one frame") == true)
    #expect(format { $0.mBitsPerChannel = 24 }.problem?.contains("a float has") == true)
    #expect(format { $0.mBitsPerChannel = 0 }.problem?.contains("bits per channel") == true)
    #expect(format { $0.mFormatFlags = 0x9 }.problem?.contains("do not hold") == true)
    let padded = format {
      $0.mBytesPerFrame = 8
      $0.mBytesPerPacket = 8
    }
    #expect(padded.problem?.contains("packed") == true)
    let packed24 = format {
      $0.mFormatFlags = 0xC
      $0.mBitsPerChannel = 24
      $0.mBytesPerFrame = 6
      $0.mBytesPerPacket = 6
    }
    #expect(packed24.problem == nil)
    #expect(packed24.bufferCount == 1)
  }
}
