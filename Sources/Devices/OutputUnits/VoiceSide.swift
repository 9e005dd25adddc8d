// The voice of an output unit: played frames are kept, so that their echo can be removed from recorded ones.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import CAudioToolbox
import VoiceProcessing

/// The processor of a voice unit with the memory that it needs.
///
/// Made on a control thread; all else on the device's.
@safe final class VoiceSide {
  let processor: VoiceProcessor
  private let channelCount: Int
  private let frameCapacity: Int
  private let samples: UnsafeMutablePointer<Float>
  private let presented: UnsafeMutablePointer<Float>
  /// Played frames, in one channel, each at its sample time modulo the length.
  private let played: UnsafeMutablePointer<Float>
  private static let length = 1 << 17
  private let list: UnsafeMutablePointer<AudioBufferList>

  /// Allocates for a device's input.
  ///
  /// - Throws: As `VoiceProcessor`.
  init(
    sampleRate: Double, channelCount: Int, frameCapacity: Int, quality: UInt32
  ) throws(AuricleError) {
    processor = try VoiceProcessor(
      sampleRate: sampleRate, channelCount: channelCount, quality: quality)
    self.channelCount = channelCount
    self.frameCapacity = frameCapacity
    unsafe samples = .allocate(capacity: frameCapacity * channelCount)
    unsafe samples.initialize(repeating: 0, count: frameCapacity * channelCount)
    unsafe presented = .allocate(capacity: frameCapacity)
    unsafe presented.initialize(repeating: 0, count: frameCapacity)
    unsafe played = .allocate(capacity: Self.length)
    unsafe played.initialize(repeating: 0, count: Self.length)
    unsafe list = .allocate(capacity: 1)
    unsafe list.initialize(to: AudioBufferList())
    unsafe list.pointee.mNumberBuffers = 1
  }

  deinit {
    unsafe samples.deallocate()
    unsafe presented.deallocate()
    unsafe played.deallocate()
    unsafe list.deallocate()
  }

  private static func place(_ sampleTime: Double, _ frame: Int) -> Int {
    (Int(max(-4e18, min(4e18, sampleTime))) &+ frame) & (length - 1)
  }

  /// Keeps the frames that are played at a sample time of the device.
  func note(_ buffer: AudioBuffer, frameCount: Int, at sampleTime: Double) {
    guard let data = unsafe buffer.mData else { return }
    let width = unsafe Int(max(1, buffer.mNumberChannels))
    let source = unsafe data.assumingMemoryBound(to: Float.self)
    for frame in 0..<frameCount {
      var sum: Float = 0
      for channel in 0..<width { unsafe sum += source[frame * width + channel] }
      unsafe played[Self.place(sampleTime, frame)] = sum / Float(width)
    }
  }

  /// The recorded sound of a sample time without the echo of the sound played then, in the object's
  /// memory.
  func clean(
    _ buffer: AudioBuffer, frameCount: Int, at sampleTime: Double
  ) -> UnsafePointer<AudioBufferList>? {
    guard let data = unsafe buffer.mData, frameCount <= frameCapacity,
      unsafe Int(buffer.mNumberChannels) == channelCount
    else { return nil }
    let size = frameCount * channelCount * 4
    unsafe UnsafeMutableRawPointer(samples).copyMemory(from: data, byteCount: size)
    for frame in 0..<frameCount {
      unsafe presented[frame] = unsafe played[Self.place(sampleTime, frame)]
    }
    unsafe processor.process(samples, played: presented, frameCount: frameCount)
    unsafe list.pointee.mBuffers = AudioBuffer(
      mNumberChannels: UInt32(channelCount), mDataByteSize: UInt32(size),
      mData: UnsafeMutableRawPointer(samples))
    return unsafe UnsafePointer(list)
  }
}
