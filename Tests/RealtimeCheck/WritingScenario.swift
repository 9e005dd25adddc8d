// Writes into a sound file from inside realtime sections, through the ring of an extended file.
// SPDX-License-Identifier: Apache-2.0

import AudioFilePackets
import AudioTypes
import CAudioToolbox
import ExtendedAudioFiles
import Glibc
import RealtimeSupport

/// A file in memory.
private final class MemoryFile: SharedPacketFile {
  let file: PacketFile

  init(_ file: PacketFile) { self.file = file }

  func use(_ body: (PacketFile) throws(AudioFileFailure) -> Void) throws(AudioFileFailure) {
    try body(file)
  }
  func release() throws(AudioFileFailure) { try file.flush() }
}

/// Slices of a render thread that go into a file.
enum WritingScenario {
  static func run(sliceCount: Int) throws {
    let store = MemoryStore()
    let format = AudioStreamBasicDescription(
      mSampleRate: 48_000, mFormatID: kAudioFormatLinearPCM,
      mFormatFlags: kAudioFormatFlagIsFloat | kAudioFormatFlagIsPacked, mBytesPerPacket: 4,
      mFramesPerPacket: 1, mBytesPerFrame: 4, mChannelsPerFrame: 1, mBitsPerChannel: 32,
      mReserved: 0)
    let memory = MemoryFile(
      try PacketFile.create(store, type: kAudioFileCAFType, format: format))
    let file = try ExtendedFile(memory, isWriting: true) { _, _, _ throws(AudioFileFailure) in
      throw .dataFormat
    }
    let writer = try AsyncWriter(file)
    let frames = 512
    let samples = UnsafeMutablePointer<Float>.allocate(capacity: frames)
    unsafe samples.initialize(repeating: 0.25, count: frames)
    defer { unsafe samples.deallocate() }
    var list = unsafe AudioBufferList(
      mNumberBuffers: 1,
      mBuffers: AudioBuffer(
        mNumberChannels: 1, mDataByteSize: UInt32(4 * frames), mData: samples))
    for _ in 0..<sliceCount {
      var status: OSStatus = 0
      repeat {
        // The ring is full where the other thread gets no processor.
        if status != noErr { sched_yield() }
        RealtimeSection.enter()
        unsafe status = writer.end.pointee.write(&list, frameCount: UInt32(frames))
        RealtimeSection.exit()
      } while status == kExtAudioFileError_AsyncWriteBufferOverflow
      guard status == noErr else {
        throw AuricleError(.software, status: status, "a slice could not be written")
      }
    }
    try writer.stop()
    guard try memory.file.packetCount() == Int64(sliceCount * frames) else {
      throw AuricleError(.software, "not all slices were written")
    }
  }
}
