// A file whose packets are made by a codec and put into their container here: AAC in CAF.
// SPDX-License-Identifier: Apache-2.0

import AudioCodecs
import AudioFilePackets
import AudioFileParsing
import AudioFormats
import AudioTypes
import CAudioToolbox

/// Encodes frames, and writes the packets with their table.
@safe final class PacketWriter: EncodingSink {
  let stream: FileStream
  let channelCount: Int
  private(set) var reason: String?

  private let encoder: PacketEncoder
  private var file: PacketFile?
  private let block: UnsafeMutablePointer<Float>
  private let memory: UnsafeMutableRawBufferPointer
  private var filled = 0
  private var packetCount: Int64 = 0

  /// Begins a file.
  init(
    _ stream: FileStream, _ format: AudioFileFormat, metadata: AudioFileMetadata
  ) throws(CodecFailure) {
    _ = try unsafe CodecLibrary.loadForFiles()
    var wanted = AudioStreamBasicDescription()
    wanted.mFormatID = kAudioFormatMPEG4AAC
    wanted.mSampleRate = format.sampleRate
    wanted.mChannelsPerFrame = UInt32(format.channelCount)
    var settings = EncoderSettings()
    settings.bitRate = UInt32(format.bitRate ?? 96_000 * format.channelCount)
    do throws(AuricleError) { encoder = try PacketEncoder(wanted, settings) } catch {
      throw CodecFailure(kind: .unsupported, reason: error.message)
    }
    guard encoder.samples.mFormatFlags & kAudioFormatFlagIsFloat != 0 else {
      throw CodecFailure(kind: .unsupported, reason: "the encoder takes no floats")
    }
    do throws(AudioFileFailure) {
      let file = try PacketFile.create(
        StreamStore(stream), type: kAudioFileCAFType, format: encoder.format)
      try file.setCookie(encoder.cookie)
      if format.channelCount > 2 {
        let tag = FormatCompletion.usualTag(
          channelCount: UInt32(format.channelCount), of: wanted.mFormatID)
        try file.setLayout(ChannelLayoutBytes.tag(tag))
      }
      let info = metadata.packetInfo
      if !info.entries.isEmpty { try file.setInfo(info) }
      self.file = file
    } catch {
      throw CodecFailure(kind: .unsupported, reason: "its header cannot be written")
    }
    self.stream = stream
    channelCount = format.channelCount
    unsafe block = .allocate(capacity: encoder.blockFrames * format.channelCount)
    unsafe memory = .allocate(byteCount: max(1, encoder.largestPacket), alignment: 16)
  }

  deinit {
    unsafe block.deallocate()
    unsafe memory.deallocate()
  }

  func close() { file = nil }

  func finish() -> Bool {
    guard encodeBlock(), unsafe encode(nil, 0), let file else { return false }
    do throws(AudioFileFailure) {
      let total = try file.totalFrameCount()
      let (priming, remainder) = (Int64(encoder.leadFrames), Int64(encoder.trailFrames))
      try file.setTrim(
        AudioFilePacketTableInfo(
          mNumberValidFrames: max(0, total - priming - remainder),
          mPrimingFrames: Int32(min(priming, total)),
          mRemainderFrames: Int32(min(remainder, max(0, total - priming)))))
      try file.setCookie(encoder.cookie)
      try file.flush()
    } catch {
      reason = "its header cannot be written"
      return false
    }
    close()
    return true
  }

  func write(_ samples: UnsafePointer<Float>, frameCount: Int) -> Int {
    var done = 0
    while done < frameCount {
      let step = min(encoder.blockFrames - filled, frameCount - done)
      unsafe (block + filled * channelCount).update(
        from: samples + done * channelCount, count: step * channelCount)
      filled += step
      done += step
      if filled == encoder.blockFrames, !encodeBlock() { return 0 }
    }
    return frameCount
  }

  private func encodeBlock() -> Bool {
    defer { filled = 0 }
    return unsafe filled == 0 || encode(UnsafeRawPointer(block), filled)
  }

  /// Encodes frames, or ends the sound, and writes the packets that there are then.
  private func encode(_ frames: UnsafeRawPointer?, _ count: Int) -> Bool {
    do throws(AuricleError) {
      try unsafe encoder.encode(frames, frameCount: count)
    } catch {
      reason = error.message
      return false
    }
    do throws(AudioFileFailure) {
      while let item = encoder.queue.first {
        guard let file, let start = unsafe memory.baseAddress, unsafe item.size <= memory.count
        else {
          throw .unspecified
        }
        unsafe encoder.queue.dequeue(item, into: start)
        let description = AudioStreamPacketDescription(
          mStartOffset: 0, mVariableFramesInPacket: 0, mDataByteSize: UInt32(item.size))
        _ = try unsafe withUnsafePointer(to: description) {
          (description) throws(AudioFileFailure) in
          try unsafe file.appendPackets(
            from: packetCount, UnsafeRawBufferPointer(start: start, count: item.size),
            UnsafeBufferPointer(start: description, count: 1))
        }
        packetCount += 1
      }
    } catch {
      reason = "it cannot be written"
      return false
    }
    return true
  }
}
