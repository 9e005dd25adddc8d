// Buffer lists of any length, and the owner of their memory.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import CAudioToolbox
import Testing

@Suite struct AudioBuffersTests {
  @Test(arguments: [0, 1, 2, 3, 8, 64])
  func theListDescribesEveryChannel(channels: Int) {
    let buffers = AudioBuffers(channelCount: channels, frameCapacity: 100)
    unsafe #expect(buffers.list.bufferCount == channels)
    for index in 0..<channels {
      let entry = unsafe buffers.list.buffer(index)
      unsafe #expect(entry.pointee.mNumberChannels == 1)
      unsafe #expect(entry.pointee.mDataByteSize == 400)
      unsafe #expect(entry.pointee.mData == UnsafeMutableRawPointer(buffers.channel(index)))
      unsafe #expect(Int(bitPattern: entry.pointee.mData) % 64 == 0)
      unsafe #expect(buffers.list.samples(index) == buffers.channel(index))
    }
  }

  @Test func entriesLieWhereTheCStructPutsThem() {
    let buffers = AudioBuffers(channelCount: 3, frameCapacity: 4)
    let base = unsafe UnsafeMutableRawPointer(buffers.list)
    for index in 0..<3 {
      unsafe #expect(UnsafeMutableRawPointer(buffers.list.buffer(index)) == base + 8 + 16 * index)
    }
    unsafe #expect(MemoryLayout<AudioBuffer>.stride == 16)
    #expect(MemoryLayout<AudioBufferList>.size == 24)
    #expect(AudioBufferList.byteSize(bufferCount: 0) == 24)
    #expect(AudioBufferList.byteSize(bufferCount: 1) == 24)
    #expect(AudioBufferList.byteSize(bufferCount: 10) == 168)
    #expect(AudioBufferList.byteSize(bufferCount: -1) == 24)
  }

  @Test func channelsStartSilentAndDoNotOverlap() {
    let buffers = AudioBuffers(channelCount: 4, frameCapacity: 17)
    for channel in 0..<4 {
      for frame in 0..<17 {
        unsafe #expect(buffers.channel(channel)[frame] == 0)
        unsafe buffers.channel(channel)[frame] = Float(channel * 100 + frame)
      }
    }
    for channel in 0..<4 {
      for frame in 0..<17 {
        unsafe #expect(buffers.channel(channel)[frame] == Float(channel * 100 + frame))
      }
    }
    buffers.clear()
    for channel in 0..<4 {
      for frame in 0..<17 { unsafe #expect(buffers.channel(channel)[frame] == 0) }
    }
  }

  @Test func settingTheFrameCountRestoresWhatAUnitChanged() {
    let buffers = AudioBuffers(channelCount: 2, frameCapacity: 64)
    unsafe buffers.list.pointee.mNumberBuffers = 1
    unsafe buffers.list.buffer(0).pointee.mData = nil
    unsafe buffers.list.buffer(0).pointee.mDataByteSize = 0
    unsafe buffers.list.buffer(0).pointee.mNumberChannels = 9
    buffers.setFrameCount(32)
    unsafe #expect(buffers.list.bufferCount == 2)
    unsafe #expect(buffers.list.samples(0) == buffers.channel(0))
    unsafe #expect(buffers.list.buffer(1).pointee.mDataByteSize == 128)
    unsafe #expect(buffers.list.buffer(0).pointee.mNumberChannels == 1)
    unsafe #expect(buffers.list.holdsFrames(32))
    unsafe #expect(!buffers.list.holdsFrames(33))
  }

  @Test func frameCountsAreClamped() {
    let buffers = AudioBuffers(channelCount: 1, frameCapacity: 10)
    buffers.setFrameCount(1000)
    unsafe #expect(buffers.list.buffer(0).pointee.mDataByteSize == 40)
    buffers.setFrameCount(-5)
    unsafe #expect(buffers.list.buffer(0).pointee.mDataByteSize == 0)
    let none = AudioBuffers(channelCount: -1, frameCapacity: -1)
    #expect(none.channelCount == 0 && none.frameCapacity == 0)
  }

  @Test func aListWithoutMemoryHoldsNoFrames() {
    let buffers = AudioBuffers(channelCount: 2, frameCapacity: 10)
    buffers.setFrameCountWithoutMemory(10)
    unsafe #expect(buffers.list.samples(1) == nil)
    unsafe #expect(!buffers.list.holdsFrames(1))
    unsafe #expect(buffers.list.buffer(1).pointee.mDataByteSize == 40)
  }

  @Test func timeStampsReportWhatIsValid() {
    let stamp = AudioTimeStamp(sampleTime: -3)
    #expect(stamp.mSampleTime == -3 && stamp.mFlags == kAudioTimeStampSampleTimeValid)
    #expect(stamp.validSampleTime == -3 && stamp.validHostTime == nil)
    #expect(AudioTimeStamp().validSampleTime == nil)
  }
}
