// The voice of an output unit: played frames are kept, so that their echo can be removed from recorded ones.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import CAudioToolbox
import VoiceProcessing

/// Frames of the ring of played sound.
private let playedLength = 1 << 17

/// The place of a frame in that ring, some frames behind a sample time.
@_noLocks private func playedIndex(_ sampleTime: Double, _ frame: Int) -> Int {
  (Int(max(-4e18, min(4e18, sampleTime))) &+ frame) & (playedLength - 1)
}

/// The processor of a voice unit with the memory that it needs.
///
/// Made on a control thread; all else on the device's.
@safe final class VoiceSide {
  let processor: VoiceProcessor
  private let borrowedProcessor: Unmanaged<VoiceProcessor>
  private let channelCount: Int
  private let frameCapacity: Int
  private let samples: UnsafeMutablePointer<Float>
  private let presented: UnsafeMutablePointer<Float>
  /// Played frames, in one channel, each at its sample time modulo the length.
  private let played: UnsafeMutablePointer<Float>
  private let list: UnsafeMutablePointer<AudioBufferList>

  /// Allocates for a device's input.
  ///
  /// - Throws: As `VoiceProcessor`.
  init(
    sampleRate: Double, channelCount: Int, frameCapacity: Int, quality: UInt32
  ) throws(AuricleError) {
    processor = try VoiceProcessor(
      sampleRate: sampleRate, channelCount: channelCount, quality: quality)
    unsafe borrowedProcessor = Unmanaged.passUnretained(processor)
    self.channelCount = channelCount
    self.frameCapacity = frameCapacity
    unsafe samples = .allocate(capacity: frameCapacity * channelCount)
    unsafe samples.initialize(repeating: 0, count: frameCapacity * channelCount)
    unsafe presented = .allocate(capacity: frameCapacity)
    unsafe presented.initialize(repeating: 0, count: frameCapacity)
    unsafe played = .allocate(capacity: playedLength)
    unsafe played.initialize(repeating: 0, count: playedLength)
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

  /// Keeps the frames that are played at a sample time of the device.
  @_noLocks func note(_ buffer: AudioBuffer, frameCount: Int, at sampleTime: Double) {
    guard let data = unsafe buffer.mData else { return }
    let width = unsafe Int(max(1, buffer.mNumberChannels))
    let source = unsafe data.assumingMemoryBound(to: Float.self)
    for frame in 0..<frameCount {
      var sum: Float = 0
      for channel in 0..<width { unsafe sum += source[frame * width + channel] }
      unsafe played[playedIndex(sampleTime, frame)] = sum / Float(width)
    }
  }

  /// The recorded sound of a sample time without the echo of the sound played then, in the object's
  /// memory.
  @_noLocks func clean(
    _ buffer: AudioBuffer, frameCount: Int, at sampleTime: Double
  ) -> UnsafePointer<AudioBufferList>? {
    guard let data = unsafe buffer.mData, frameCount <= frameCapacity,
      unsafe Int(buffer.mNumberChannels) == channelCount
    else { return nil }
    let size = frameCount * channelCount * 4
    unsafe UnsafeMutableRawPointer(samples).copyMemory(from: data, byteCount: size)
    for frame in 0..<frameCount {
      unsafe presented[frame] = unsafe played[playedIndex(sampleTime, frame)]
    }
    let (samples, presented, processor) = unsafe (samples, presented, borrowedProcessor)
    // Door out of checked code: SpeexDSP, which cancels echoes without allocating.
    unsafe _unsafePerformance {
      unsafe processor._withUnsafeGuaranteedRef {
        unsafe $0.process(samples, played: presented, frameCount: frameCount)
      }
    }
    unsafe list.pointee.mBuffers = AudioBuffer(
      mNumberChannels: UInt32(channelCount), mDataByteSize: UInt32(size),
      mData: UnsafeMutableRawPointer(samples))
    return unsafe UnsafePointer(list)
  }
}
