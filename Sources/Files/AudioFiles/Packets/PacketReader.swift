// A file whose packets are found here and decoded by a codec: compressed sound in CAF.
// SPDX-License-Identifier: Apache-2.0

import AudioCodecs
import AudioFilePackets
import AudioFileParsing
import AudioTypes
import CAudioToolbox

/// The sound of the packets of a file, without the encoder's padding.
@safe final class PacketReader: SoundSource {
  let stream: FileStream
  let format: AudioFileFormat
  /// The number of frames.
  let frameCount: Int
  /// Bits a second; nil where they are unknown.
  let bitRate: Int?
  /// The texts of the file.
  let info: SoundInfo
  let goesOnBehindDamage = true
  private(set) var complaint: String?

  private let file: PacketFile
  private let decoder: PacketDecoder
  private let memory: UnsafeMutableRawBufferPointer
  private var packet: Int64 = 0
  /// Whether the rest at the end has come.
  private var isDrained = false
  /// Frames that were decoded and not handed over, there until the next packet; where they begin, and how many.
  private var held: (start: UnsafeRawPointer, frameCount: Int)?
  /// Frames that are still to be left out.
  private var leading: Int
  /// Frames of the sound that are still to come.
  private var left: Int

  /// Opens a file.
  ///
  /// - Throws: `.unsupported` for other kinds; `.noCodec`; `.damaged`.
  init(_ stream: FileStream) throws(CodecFailure) {
    do throws(AudioFileFailure) {
      file = try PacketFile.open(StreamStore(stream))
    } catch {
      throw CodecFailure(kind: .unsupported, reason: "its packets cannot be found")
    }
    let packets = file.fullFormat ?? file.format
    guard let known = KnownCodec.with(id: packets.mFormatID), !known.isOwn else {
      throw CodecFailure(kind: .unsupported, reason: "it has an encoding that cannot be read here")
    }
    _ = try unsafe CodecLibrary.loadForFiles()
    do throws(AuricleError) {
      decoder = try PacketDecoder(packets, cookie: file.cookie)
    } catch {
      throw CodecFailure(kind: .damaged, reason: error.message)
    }
    do throws(AudioFileFailure) {
      // The table of the base layer counts its frames, of which all layers have twice as many.
      let unit = Int(packets.mFramesPerPacket / max(1, file.format.mFramesPerPacket))
      let total = try Int(file.totalFrameCount())
      let trim = try file.packetTrim()
      leading = unit * Int(trim?.mPrimingFrames ?? 0)
      frameCount = unit * (trim.map { Int($0.mNumberValidFrames) } ?? total)
      bitRate = try Int(file.bitRate())
      info = try file.storedInfo()
      unsafe memory = .allocate(byteCount: max(1, Int(try file.largestPacket())), alignment: 16)
    } catch {
      throw CodecFailure(kind: .damaged, reason: "its packets cannot be read")
    }
    left = frameCount
    self.stream = stream
    format = AudioFileFormat(
      container: .caf,
      encoding: AudioEncoding(
        codecName: known.encoding, bits: Int(decoder.samples.mBitsPerChannel)),
      sampleRate: decoder.samples.mSampleRate, channelCount: Int(packets.mChannelsPerFrame))
  }

  deinit { unsafe memory.deallocate() }

  func read(_ samples: UnsafeMutablePointer<Float>, frameCount count: Int) -> Int {
    complaint = nil
    var done = 0
    while done < count, left > 0 {
      guard let (start, frames) = unsafe held, frames > 0 else {
        guard decodeNext() else { break }
        continue
      }
      let step = min(count - done, frames, left)
      unsafe copy(start, step, into: samples + done * format.channelCount)
      unsafe held = (start + step * Int(decoder.samples.mBytesPerFrame), frames - step)
      done += step
      left -= step
    }
    return done
  }

  /// Decodes the next packet, or the rest behind the last; false at the end, and for damage.
  private func decodeNext() -> Bool {
    guard !isDrained else { return false }
    do {
      let delivery = try unsafe file.readPackets(from: packet, count: 1, into: memory) { _, _ in }
      let isLast = delivery.packetCount == 0
      isDrained = isLast
      packet += 1
      let bytes = unsafe UnsafeRawBufferPointer(
        rebasing: UnsafeRawBufferPointer(memory)[..<Int(delivery.byteCount)])
      let frames = try unsafe decoder.decode(isLast ? nil : bytes)
      let width = Int(decoder.samples.mBytesPerFrame)
      let count = frames.count / width
      let dropped = min(leading, count)
      leading -= dropped
      unsafe held = frames.baseAddress.map { unsafe ($0 + dropped * width, count - dropped) }
      return true
    } catch let error as AuricleError {
      complaint = error.message
    } catch {
      complaint = "its packets cannot be read"
      isDrained = true
    }
    unsafe held = nil
    return false
  }

  /// Copies samples of the decoder as floats.
  private func copy(
    _ source: UnsafeRawPointer, _ frames: Int, into target: UnsafeMutablePointer<Float>
  ) {
    let count = frames * format.channelCount
    if decoder.samples.mFormatFlags & kAudioFormatFlagIsFloat != 0 {
      unsafe target.update(from: source.assumingMemoryBound(to: Float.self), count: count)
    } else if decoder.samples.mBitsPerChannel == 16 {
      let source = unsafe source.assumingMemoryBound(to: Int16.self)
      for index in 0..<count { unsafe target[index] = Float(source[index]) / 32_768 }
    } else {
      let source = unsafe source.assumingMemoryBound(to: Int32.self)
      for index in 0..<count { unsafe target[index] = Float(source[index]) / 2_147_483_648 }
    }
  }
}
