// Formats, layouts, buffers, times.
// SPDX-License-Identifier: Apache-2.0

import AVFoundation
import Testing

struct FormatTests {
  @Test func standardFormats() throws {
    let format = try #require(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2))
    #expect(
      format.streamDescription.pointee.mFormatFlags == 0x29
        && format.streamDescription.pointee.mBytesPerFrame == 4)
    #expect(format.isStandard && !format.isInterleaved && format.commonFormat == .pcmFormatFloat32)
    #expect(format.channelLayout == nil && format.settings.count == 7)
    #expect(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 3) == nil)
    #expect(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 0) == nil)
    #expect(
      AVAudioFormat(commonFormat: .otherFormat, sampleRate: 1, channels: 1, interleaved: true)
        == nil)
    #expect(format.description.contains("2 ch,  48000 Hz, Float32, deinterleaved>"))
    #expect(AVAudioFormat().channelCount == 0 && AVAudioFormat().sampleRate == 0)
    let mono = try #require(
      AVAudioFormat(
        commonFormat: .pcmFormatFloat32, sampleRate: 8_000, channels: 1, interleaved: true))
    #expect(mono.isStandard)
  }

  @Test(arguments: [(8, 32), (16, 32), (24, 32), (32, 32), (64, 64)]) func floatsHaveWholeWords(
    _ asked: Int, _ bits: Int
  ) throws {
    let format = try #require(
      AVAudioFormat(settings: [
        AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 48_000, AVNumberOfChannelsKey: 2,
        AVLinearPCMIsFloatKey: true, AVLinearPCMBitDepthKey: asked,
      ]))
    #expect(format.streamDescription.pointee.mBitsPerChannel == UInt32(bits))
    #expect(format.streamDescription.pointee.mBytesPerFrame == UInt32(bits / 4))
  }

  @Test func layouts() throws {
    let tag = kAudioChannelLayoutTag_DiscreteInOrder | 5
    let layout = try #require(AVAudioChannelLayout(layoutTag: tag))
    #expect(
      layout.channelCount == 5
        && AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_UseChannelBitmap) == nil)
    let format = AVAudioFormat(standardFormatWithSampleRate: 44_100, channelLayout: layout)
    #expect(format.channelCount == 5 && format.settings.count == 8)
    var raw = format.streamDescription.pointee
    #expect(AVAudioFormat(streamDescription: &raw) == nil)
    #expect(AVAudioFormat(streamDescription: &raw, channelLayout: layout) == format)
    raw.mChannelsPerFrame = 4
    #expect(AVAudioFormat(streamDescription: &raw, channelLayout: layout) == nil)
    let stereo = AVAudioFormat(
      standardFormatWithSampleRate: 44_100,
      channelLayout: AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_Stereo)!)
    #expect(stereo == standard(44_100, 2))
    #expect(stereo != standard(44_100, 1) && stereo.hash == standard(44_100, 2).hash)
  }

  @Test(arguments: ["UInt32", "Double", "NSNumber", "Int"]) func settingsOfAnyType(_ kind: String)
    throws
  {
    func number(_ value: Int) -> Any {
      switch kind {
      case "UInt32": UInt32(value)
      case "Double": Double(value)
      case "NSNumber": NSNumber(value: value)
      default: value
      }
    }
    let settings: [String: Any] = [
      AVFormatIDKey: number(Int(kAudioFormatLinearPCM)), AVSampleRateKey: number(44_100),
      AVNumberOfChannelsKey: number(2),
      AVLinearPCMBitDepthKey: number(16), AVLinearPCMIsFloatKey: false,
    ]
    let format = try #require(AVAudioFormat(settings: settings))
    #expect(
      format.commonFormat == .pcmFormatInt16 && format.isInterleaved
        && format.streamDescription.pointee.mBytesPerFrame == 4)
    #expect(AVAudioFormat(settings: format.settings) == format)
    #expect(AVAudioFormat(settings: [AVFormatIDKey: 1]) == nil)
  }

  @Test func bufferMemory() throws {
    let buffer = try #require(AVAudioPCMBuffer(pcmFormat: standard(44_100, 2), frameCapacity: 100))
    #expect(
      buffer.frameLength == 0 && buffer.stride == 1
        && buffer.audioBufferList.pointee.mBuffers.mDataByteSize == 0)
    buffer.frameLength = 60
    #expect(buffer.audioBufferList.pointee.mBuffers.mDataByteSize == 240)
    #expect(buffer.samples(1) == silence(60) && buffer.int16ChannelData == nil)
    buffer.floatChannelData![1][5] = 3
    let copy = try #require(buffer.copy() as? AVAudioPCMBuffer)
    buffer.floatChannelData![1][5] = 4
    #expect(copy.floatChannelData![1][5] == 3 && copy.frameLength == 60)
    let interleaved = AVAudioFormat(
      commonFormat: .pcmFormatInt32, sampleRate: 8_000, channels: 2, interleaved: true)!
    let whole = try #require(AVAudioPCMBuffer(pcmFormat: interleaved, frameCapacity: 4))
    #expect(whole.stride == 2 && whole.int32ChannelData![1] == whole.int32ChannelData![0] + 1)
    #expect(AVAudioPCMBuffer(pcmFormat: interleaved, frameCapacity: .max) == nil)
    #expect(AVAudioPCMBuffer(pcmFormat: interleaved, frameCapacity: 0) != nil)
  }

  @Test func bufferOverOthersMemory() throws {
    let samples = UnsafeMutablePointer<Float>.allocate(capacity: 8)
    samples.initialize(repeating: 2, count: 8)
    nonisolated(unsafe) var freed = 0
    var list = AudioBufferList(
      mNumberBuffers: 1,
      mBuffers: AudioBuffer(mNumberChannels: 1, mDataByteSize: 32, mData: samples))
    try {
      let buffer = try #require(
        AVAudioPCMBuffer(pcmFormat: standard(), bufferListNoCopy: &list) { _ in
          freed += 1
          samples.deallocate()
        })
      #expect(
        buffer.frameLength == 8 && buffer.frameCapacity == 8
          && buffer.floatChannelData![0] == samples)
    }()
    #expect(freed == 1)
  }

  @Test func times() throws {
    let anchor = AVAudioTime(hostTime: 1_000_000_000, sampleTime: 44_100, atRate: 44_100)
    let later = try #require(
      AVAudioTime(sampleTime: 88_200, atRate: 44_100).extrapolateTime(fromAnchor: anchor))
    #expect(AVAudioTime.seconds(forHostTime: later.hostTime - anchor.hostTime) == 1)
    let host = try #require(
      AVAudioTime(hostTime: anchor.hostTime - AVAudioTime.hostTime(forSeconds: 0.5))
        .extrapolateTime(fromAnchor: anchor))
    #expect(host.sampleTime == 22_050 && host.isHostTimeValid && host.isSampleTimeValid)
    #expect(AVAudioTime(sampleTime: 0, atRate: 48_000).extrapolateTime(fromAnchor: anchor) == nil)
    #expect(anchor.extrapolateTime(fromAnchor: AVAudioTime(hostTime: 0)) === anchor)
    #expect(AVAudioTime(hostTime: 5).extrapolateTime(fromAnchor: AVAudioTime(hostTime: 0)) == nil)
    var stamp = AudioTimeStamp()
    stamp.mFlags = .sampleTimeValid
    #expect(!AVAudioTime(audioTimeStamp: &stamp, sampleRate: 0).isSampleTimeValid)
  }

  @Test("The values of C of formats and layouts stay when their objects are gone")
  func lastingValues() throws {
    var formats: [UnsafePointer<AudioStreamBasicDescription>] = []
    var layouts: [UnsafePointer<AudioChannelLayout>] = []
    for count in 1...64 {
      let tag = kAudioChannelLayoutTag_DiscreteInOrder | UInt32(count)
      let layout = try #require(AVAudioChannelLayout(layoutTag: tag))
      layouts.append(layout.layout)
      formats.append(
        AVAudioFormat(standardFormatWithSampleRate: 8_000 + Double(count), channelLayout: layout)
          .streamDescription)
    }
    for count in 1...64 {
      #expect(formats[count - 1].pointee.mSampleRate == 8_000 + Double(count))
      #expect(formats[count - 1].pointee.mChannelsPerFrame == UInt32(count))
      #expect(layouts[count - 1].pointee.mChannelLayoutTag & 0xFFFF == UInt32(count))
    }
  }
}
