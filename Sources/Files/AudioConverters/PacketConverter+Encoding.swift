// Encoding: samples are asked for, converted, and encoded a packet's worth at a time.
// SPDX-License-Identifier: Apache-2.0

import AudioCodecs
import AudioTypes
package import CAudioToolbox

extension PacketConverter {
  /// The result of filling memory with packets.
  package struct Encoded {
    /// Packets.
    package var count = 0
    /// Bytes of them.
    package var byteCount = 0
    /// The status of the last answer, or why no packet fits.
    package var status = noErr
  }

  /// Fills memory with packets of the frames from `ask`, as `PCMConverter.fill` asks for them.
  ///
  /// - Parameters:
  ///   - target: The memory.
  ///   - room: Its bytes.
  ///   - wantedCount: The most packets there may be.
  ///   - descriptions: Room for the place of each; nil for none.
  package func encode(
    into target: UnsafeMutableRawPointer, room: Int, packetCount wantedCount: Int,
    descriptions: UnsafeMutablePointer<AudioStreamPacketDescription>?,
    ask: (Int) -> PCMConverter.Answer
  ) -> Encoded {
    var result = Encoded()
    guard let encoder = openEncoder else { return result }
    while result.count < wantedCount {
      if let item = encoder.queue.first {
        guard item.size <= room - result.byteCount else {
          if result.count == 0 { result.status = kAudioConverterErr_InvalidOutputSize }
          break
        }
        let place = unsafe target + result.byteCount
        var count = 1
        if encoder.format.mBytesPerPacket > 0 {
          count = unsafe encoder.queue.dequeueConstant(
            min(wantedCount - result.count, (room - result.byteCount) / item.size), into: place)
        } else {
          unsafe encoder.queue.dequeue(item, into: place)
        }
        if let descriptions = unsafe descriptions {
          for index in 0..<count {
            unsafe descriptions[result.count + index] = AudioStreamPacketDescription(
              mStartOffset: Int64(result.byteCount + index * item.size),
              mVariableFramesInPacket: encoder.format.mFramesPerPacket == 0 ? item.frameCount : 0,
              mDataByteSize: UInt32(item.size))
          }
        }
        result.count += count
        result.byteCount += count * item.size
        continue
      }
      if isFinished { break }
      result.status = stage(encoder, ask)
      if result.status != noErr { break }
    }
    return result
  }

  /// Gets frames for the next packet, and has them encoded when there are enough, or when no others follow.
  private func stage(
    _ encoder: PacketEncoder, _ ask: (Int) -> PCMConverter.Answer
  ) -> OSStatus {
    let width = Int(encoder.samples.mBytesPerFrame)
    staged.reserve(encoder.blockFrames * width)
    let missing = encoder.blockFrames - stagedCount
    var list = unsafe AudioBufferList(
      mNumberBuffers: 1,
      mBuffers: AudioBuffer(
        mNumberChannels: encoder.samples.mChannelsPerFrame,
        mDataByteSize: UInt32(missing * width), mData: staged.start + stagedCount * width))
    let (count, status) = unsafe pcm.fill(&list, frameCount: missing, ask: ask)
    stagedCount += count
    guard status == noErr else { return status }
    isEnded = count < missing
    do throws(AuricleError) {
      if stagedCount > 0 {
        unsafe try encoder.encode(UnsafeRawPointer(staged.start), frameCount: stagedCount)
        stagedCount = 0
      }
      if isEnded {
        isFinished = true
        unsafe try encoder.encode(nil, frameCount: 0)
      }
      return noErr
    } catch {
      stagedCount = 0
      return error.status
    }
  }
}
