// The voice of an output unit: what is played is remembered, so that its echo can be taken out of what is recorded.
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
  private let heard: UnsafeMutablePointer<Float>
  /// What was played, in one channel, each frame at its sample time modulo the length.
  private let played: UnsafeMutablePointer<Float>
  private static let length = 1 << 17
  private let list: UnsafeMutablePointer<AudioBufferList>

  /// Allocates for what a device records.
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
    unsafe heard = .allocate(capacity: frameCapacity)
    unsafe heard.initialize(repeating: 0, count: frameCapacity)
    unsafe played = .allocate(capacity: Self.length)
    unsafe played.initialize(repeating: 0, count: Self.length)
    unsafe list = .allocate(capacity: 1)
    unsafe list.initialize(to: AudioBufferList())
    unsafe list.pointee.mNumberBuffers = 1
  }

  deinit {
    unsafe samples.deallocate()
    unsafe heard.deallocate()
    unsafe played.deallocate()
    unsafe list.deallocate()
  }

  private static func place(_ sampleTime: Double, _ frame: Int) -> Int {
    (Int(max(-4e18, min(4e18, sampleTime))) &+ frame) & (length - 1)
  }

  /// Remembers what is heard at a sample time of the device.
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

  /// The recorded sound of a sample time without the echo of what was heard then, in memory of its own.
  func clean(
    _ buffer: AudioBuffer, frameCount: Int, at sampleTime: Double
  ) -> UnsafePointer<AudioBufferList>? {
    guard let data = unsafe buffer.mData, frameCount <= frameCapacity,
      unsafe Int(buffer.mNumberChannels) == channelCount
    else { return nil }
    let size = frameCount * channelCount * 4
    unsafe UnsafeMutableRawPointer(samples).copyMemory(from: data, byteCount: size)
    for frame in 0..<frameCount {
      unsafe heard[frame] = unsafe played[Self.place(sampleTime, frame)]
    }
    unsafe processor.process(samples, played: heard, frameCount: frameCount)
    unsafe list.pointee.mBuffers = AudioBuffer(
      mNumberChannels: UInt32(channelCount), mDataByteSize: UInt32(size),
      mData: UnsafeMutableRawPointer(samples))
    return unsafe UnsafePointer(list)
  }
}
