// Times of the host and of samples, and buffers over memory of all kinds.
// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: NeverForceUnwrap, NeverUseImplicitlyUnwrappedOptionals

import AVFoundation
import Testing

struct TimeTests {
  @Test("Seconds and host ticks are each other's inverse", arguments: [0, 0.001, 1, 3_600.5])
  func ticks(_ seconds: Double) {
    let ticks = AVAudioTime.hostTime(forSeconds: seconds)
    #expect(abs(AVAudioTime.seconds(forHostTime: ticks) - seconds) < 1e-6)
  }

  @Test("A time says which of its two clocks it has")
  func validity() {
    let host = AVAudioTime(hostTime: 5)
    #expect(host.isHostTimeValid && !host.isSampleTimeValid && host.hostTime == 5)
    let sample = AVAudioTime(sampleTime: -3, atRate: 8_000)
    #expect(!sample.isHostTimeValid && sample.isSampleTimeValid && sample.sampleTime == -3)
    let both = AVAudioTime(hostTime: 5, sampleTime: 6, atRate: 44_100)
    #expect(both.isHostTimeValid && both.isSampleTimeValid && both.sampleRate == 44_100)
    var stamp = AudioTimeStamp()
    stamp.mFlags = .sampleTimeValid
    #expect(!AVAudioTime(audioTimeStamp: &stamp, sampleRate: 0).isSampleTimeValid)
  }

  @Test("An anchor with both clocks gives the missing one, in either direction")
  func extrapolation() throws {
    let anchor = AVAudioTime(
      hostTime: AVAudioTime.hostTime(forSeconds: 10), sampleTime: 1_000, atRate: 48_000)
    let later = try #require(
      AVAudioTime(sampleTime: 49_000, atRate: 48_000).extrapolateTime(fromAnchor: anchor))
    #expect(abs(AVAudioTime.seconds(forHostTime: later.hostTime) - 11) < 1e-6)
    let earlier = try #require(
      AVAudioTime(hostTime: AVAudioTime.hostTime(forSeconds: 9.5)).extrapolateTime(
        fromAnchor: anchor))
    #expect(abs(earlier.sampleTime + 23_000) <= 1)
    #expect(anchor.extrapolateTime(fromAnchor: anchor) === anchor)
    #expect(
      AVAudioTime(sampleTime: 1, atRate: 48_000).extrapolateTime(
        fromAnchor: AVAudioTime(hostTime: 1)) == nil)
  }

  @Test("A stamp goes in and comes out")
  func stamps() {
    var stamp = AudioTimeStamp()
    (stamp.mSampleTime, stamp.mHostTime) = (77, 88)
    stamp.mFlags = [.sampleTimeValid, .hostTimeValid]
    let time = AVAudioTime(audioTimeStamp: &stamp, sampleRate: 1_000)
    #expect(time.audioTimeStamp.mSampleTime == 77 && time.audioTimeStamp.mHostTime == 88)
  }

  // MARK: Buffers

  @Test("A copy has its own samples, and the length of the original")
  func copies() {
    let original = buffer([1, 2, 3])
    let copy = original.copy() as! AVAudioPCMBuffer
    original.floatChannelData![0][0] = 9
    #expect(
      copy.samples() == [1, 2, 3] && copy.frameCapacity >= 3 && copy.format == original.format)
  }

  @Test("The length sets the sizes of the list, and not its memory")
  func lengths() {
    let made = AVAudioPCMBuffer(pcmFormat: standard(44_100, 2), frameCapacity: 8)!
    #expect(made.frameLength == 0 && made.audioBufferList.pointee.mBuffers.mDataByteSize == 0)
    made.floatChannelData![1][7] = 5
    made.frameLength = 4
    let list = UnsafeMutableAudioBufferListPointer(made.mutableAudioBufferList)
    #expect(list.map(\.mDataByteSize) == [16, 16] && list.count == 2)
    made.frameLength = 8
    #expect(made.floatChannelData![1][7] == 5)
  }

  @Test("A buffer over memory of the program frees it once")
  func foreignMemory() {
    let list = AudioBufferList.allocate(maximumBuffers: 1)
    let memory = UnsafeMutablePointer<Float>.allocate(capacity: 4)
    memory.initialize(repeating: 0.5, count: 4)
    list[0] = AudioBuffer(mNumberChannels: 1, mDataByteSize: 16, mData: memory)
    nonisolated(unsafe) var freed = 0
    do {
      let made = AVAudioPCMBuffer(
        pcmFormat: standard(), bufferListNoCopy: list.unsafePointer,
        deallocator: { _ in
          freed += 1
          memory.deallocate()
        })!
      #expect(made.samples() == [0.5, 0.5, 0.5, 0.5] && made.frameCapacity == 4 && freed == 0)
      made.floatChannelData![0][1] = 2
      #expect(memory[1] == 2)
    }
    #expect(freed == 1)
    free(list.unsafeMutablePointer)
  }

  @Test("Buffers of no frames exist; those of packets are not linear")
  func odd() {
    #expect(AVAudioPCMBuffer(pcmFormat: standard(), frameCapacity: 0)?.frameCapacity == 0)
    var raw = AudioStreamBasicDescription()
    (raw.mSampleRate, raw.mFormatID, raw.mChannelsPerFrame) = (44_100, kAudioFormatMPEG4AAC, 1)
    let packets = AVAudioFormat(streamDescription: &raw)!
    #expect(AVAudioPCMBuffer(pcmFormat: packets, frameCapacity: 10) == nil)
    #expect(packets.isInterleaved && packets.commonFormat == .otherFormat)
  }

  // MARK: Formats

  @Test("Formats of more than two channels need a layout", arguments: [3, 6, 8] as [UInt32])
  func layouts(_ channels: UInt32) throws {
    #expect(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: channels) == nil)
    #expect(
      AVAudioFormat(
        commonFormat: .pcmFormatInt16, sampleRate: 48_000, channels: channels, interleaved: true)
        == nil)
    let layout = try #require(
      AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_DiscreteInOrder | channels))
    let format = AVAudioFormat(standardFormatWithSampleRate: 48_000, channelLayout: layout)
    #expect(format.channelCount == channels && format.isStandard && layout.channelCount == channels)
    #expect(AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_UseChannelDescriptions) == nil)
  }

  @Test("Formats are equal by their numbers and layouts, and describe themselves")
  func equality() {
    #expect(standard(44_100, 2) == standard(44_100, 2) && standard() != standard(48_000))
    #expect(Set([standard(), standard(), standard(8_000)]).count == 2)
    let text = standard(44_100, 2).description
    #expect(text.contains("2 ch") && text.contains("44100 Hz") && text.contains("deinterleaved"))
    #expect(AVAudioFormat().channelCount == 0 && AVAudioFormat().sampleRate == 0)
  }
}
