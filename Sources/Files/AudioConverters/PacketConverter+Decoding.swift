// Decoding: packets are asked for, decoded, trimmed, and handed to the converter of samples.
// SPDX-License-Identifier: Apache-2.0

import AudioCodecs
import AudioTypes
package import CAudioToolbox

extension PacketConverter {
  /// Fills a list with frames of packets from `ask`, which receives the least number of packets.
  ///
  /// It asks until all frames are there, the packets end, or there is nothing now. A damaged packet ends the call with
  /// its status; the next call continues behind it.
  package func decode(
    into list: UnsafeMutablePointer<AudioBufferList>, frameCount: Int, ask: (Int) -> Answer
  ) -> (count: Int, status: OSStatus) {
    do { try openDecoder() } catch { return (0, error.status) }
    return unsafe pcm.fill(list, frameCount: frameCount) { wanted in nextFrames(wanted, ask) }
  }

  /// Frames for the converter of samples, in memory that stays until the next call.
  private func nextFrames(_ wanted: Int, _ ask: (Int) -> Answer) -> PCMConverter.Answer {
    while true {
      if isFinished { return .end }
      let result: UnsafeRawBufferPointer
      do throws(AuricleError) {
        if let (span, index) = pending {
          unsafe result = try decodePacket(span, index)
          unsafe noteLength(result)
        } else if isEnded {
          unsafe result = try decoder?.decode(nil) ?? UnsafeRawBufferPointer(start: nil, count: 0)
          isFinished = true
        } else {
          switch ask(packets(for: wanted)) {
          case .packets(let span): pending = (span, 0)
          case .end: isEnded = true
          case .nothing(let status): return .nothing(status)
          }
          continue
        }
      } catch {
        return .nothing(error.status)
      }
      let count = unsafe trimmed(result)
      if count > 0 { return .frames(count) }
    }
  }

  /// The frames that a short packet without loss lacks, usually the last one, are no sound that has
  /// to be left out.
  private func noteLength(_ frames: UnsafeRawBufferPointer) {
    guard wanted.mFormatID == kAudioFormatAppleLossless || wanted.mFormatID == kAudioFormatFLAC
    else { return }
    let missing = Int(wanted.mFramesPerPacket) - frames.count / Int(pcm.source.mBytesPerFrame)
    trailCount = max(0, trailCount - max(0, missing))
  }

  private func decodePacket(
    _ span: Span, _ index: Int
  ) throws(AuricleError) -> UnsafeRawBufferPointer {
    pending = index + 1 < span.count ? (span, index + 1) : nil
    let constant = Int(wanted.mBytesPerPacket)
    var (start, size) = (index * constant, constant)
    if let descriptions = unsafe span.descriptions {
      (start, size) = unsafe (
        Int(descriptions[index].mStartOffset), Int(descriptions[index].mDataByteSize)
      )
    } else if wanted.mFramesPerPacket == 1 {
      // Packets of a frame go through at once.
      size = span.count * constant
      pending = nil
    }
    guard start >= 0, size > 0, start <= span.size - size else {
      // A packet without bytes is silence that nobody sent.
      if size == 0 { return unsafe UnsafeRawBufferPointer(start: nil, count: 0) }
      throw AuricleError(
        .badData, status: kAudioConverterErr_InvalidInputSize, "a packet lies outside of its buffer"
      )
    }
    return unsafe try decoder?.decode(
      UnsafeRawBufferPointer(start: span.data + start, count: size))
      ?? UnsafeRawBufferPointer(start: nil, count: 0)
  }

  /// Leaves out frames at both ends, and points the converter's list at the rest; returns how many these are.
  private func trimmed(_ frames: UnsafeRawBufferPointer) -> Int {
    let width = Int(pcm.source.mBytesPerFrame)
    let count = frames.count / width
    let skipped = min(skipCount, count)
    skipCount -= skipped
    guard trim.trailingFrames > 0 else {
      unsafe point(at: frames.baseAddress, offset: skipped * width, count: count - skipped, width)
      return count - skipped
    }
    // As many frames as there may be too many stay here until others follow.
    unsafe held.start.copyMemory(
      from: held.start + suppliedCount * width, byteCount: (heldCount - suppliedCount) * width)
    heldCount -= suppliedCount
    held.reserve((heldCount + count - skipped) * width)
    if let source = frames.baseAddress, count > skipped {
      unsafe (held.start + heldCount * width).copyMemory(
        from: source + skipped * width, byteCount: (count - skipped) * width)
    }
    heldCount += count - skipped
    suppliedCount = max(0, heldCount - trailCount)
    unsafe point(at: UnsafeRawPointer(held.start), offset: 0, count: suppliedCount, width)
    return suppliedCount
  }

  private func point(at start: UnsafeRawPointer?, offset: Int, count: Int, _ width: Int) {
    let list = unsafe pcm.inputList
    unsafe list.pointee.mNumberBuffers = 1
    unsafe list.pointee.mBuffers = AudioBuffer(
      mNumberChannels: pcm.source.mChannelsPerFrame, mDataByteSize: UInt32(count * width),
      mData: UnsafeMutableRawPointer(mutating: start.map { unsafe $0 + offset }))
  }

  /// The least number of packets for so many frames.
  private func packets(for frames: Int) -> Int {
    let size = Double(wanted.mFramesPerPacket) * codecRatio
    return size > 0 ? max(1, Int((Double(frames) / size).rounded(.up))) : 1
  }
}
