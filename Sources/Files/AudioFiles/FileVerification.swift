// Reads back a file that was just written, before it gets its name.
// SPDX-License-Identifier: Apache-2.0

import AudioConversion
import AudioFileParsing
import AudioTypes
import CSndFile
import Glibc
import HostSystem

/// Checks that a written file contains the sound that was written into it.
enum FileVerification {
  /// The facts of a file that came out right.
  struct Found {
    /// Frames, where they are known.
    var frameCount: Int
    /// The loudspeakers that a codec finds, as in extensible WAV; nil for other files.
    var channelMask: UInt64?
    /// XXH64 of the whole file, where all of it was read.
    var checksum: UInt64?
  }

  /// Opens the file again: format, channels, rate, length, whole pages, last frame; with `readsAll`
  /// that every sample is a number, and with a checksum that all numbers are those written.
  ///
  /// Errors: `inputOutput` where it does not.
  static func verify(
    _ written: FileStream, path: String, format: AudioFileFormat, frameCount: Int,
    checksum: WriteChecksum? = nil, readsAll: Bool = false
  ) throws(AuricleError) -> Found {
    let stream = FileStream(
      descriptor: written.descriptor, length: written.length, ownsDescriptor: false)
    if format.needsCodec {
      return try verifyCodec(stream, path: path, format: format, frameCount: frameCount)
    }
    let dump = format.container == .sds ? SampleDump(stream) : nil
    if let patch = dump?.patch { stream.apply([patch]) }
    let file: SoundFile
    do throws(SoundFileFailure) {
      file = try SoundFile(
        stream, writing: nil, reading: format.container == .raw ? format.soundFileInfo : nil)
    } catch {
      throw openingFailure(path, stream, format, frameCount: frameCount, error.reason)
    }
    guard let found = AudioFileFormat(soundFileInfo: file.info),
      found.channelCount == format.channelCount, found.encoding == format.encoding,
      found.sampleRate == format.sampleRate, isSameKind(found.container, format.container)
    else { throw failure(path, stream, "its header has another format") }
    if let problem = integrityProblem(of: stream, container: format.container) {
      throw failure(path, stream, problem)
    }
    let frames = try checkedLength(file, dump, stream, path, format, frameCount: frameCount)
    // The library cannot go to the last frame of these.
    let isSerial =
      format.container == .sds || format.container == .paf && format.encoding == .pcm24
    if readsAll, let stored = StoredFloats(stream, file, format, frameCount: frames) {
      guard stored.areNumbers else {
        throw failure(path, stream, "it holds a sample that is no number")
      }
      return Found(frameCount: frames, checksum: stored.checksum)
    }
    if isSerial || readsAll && format.encoding.isFloatingPoint {
      let count = try readAll(file, path, stream, framesPerSlice: format.framesPerSlice)
      guard !isSerial || count >= frames else {
        throw failure(path, stream, "it ends at frame \(count) of \(frames)")
      }
    }
    let result = Found(frameCount: frames)
    if isSerial { return result }
    if let checksum {
      guard WriteChecksum(reading: file, format) == checksum else {
        throw failure(
          path, stream,
          "the encoder lost sound, as it does with loud noise; choose m4a, flac or pcm")
      }
      return result
    }
    // At the end of an MP3, its decoder misses the sound before and says so on standard error.
    let output = format.encoding == .mpegLayer3 ? DecoderOutput(.standardError) : nil
    let isReadable = output.capturing { readsLastFrame(file, stream, frameCount: frames) }
    guard isReadable else {
      throw failure(path, stream, file.failure?.reason ?? "its end cannot be read")
    }
    return result
  }

  /// Returns the number of frames of a file, which must be that of the written ones.
  private static func checkedLength(
    _ file: SoundFile, _ dump: SampleDump?, _ stream: FileStream, _ path: String,
    _ format: AudioFileFormat, frameCount: Int
  ) throws(AuricleError) -> Int {
    // An empty FLAC file contains no length.
    let isUnknown = file.info.frames == Int64.max
    let frames =
      isUnknown && frameCount == 0 ? 0 : dump?.frameCount ?? exactFrameCount(of: file)
    let isRight =
      format.hasInexactLength
      ? frames >= 0 && abs(frames - frameCount) <= 8_192 : frames == frameCount
    guard isRight else {
      // A file without its length has no number to name.
      let held = isUnknown ? "an unknown number of frames" : "\(frames) frames"
      throw failure(
        path, stream, "it holds \(held) instead of \(frameCount)",
        cause: .frameCount(expected: frameCount, found: isUnknown ? -1 : frames))
    }
    return frames
  }

  /// Decodes the whole file: the output of a codec declares no length before.
  private static func verifyCodec(
    _ stream: FileStream, path: String, format: AudioFileFormat, frameCount: Int
  ) throws(AuricleError) -> Found {
    let file: any SoundSource
    var (found, mask): (AudioFileFormat, UInt64?)
    do throws(CodecFailure) {
      if format.hasOwnPackets {
        let reader = try PacketReader(stream)
        (file, found, mask) = (reader, reader.format, nil)
      } else {
        let reader = try CodecReader(stream, passesDamage: false)
        (file, found, mask) = (reader, reader.format, reader.channelMask)
      }
    } catch {
      throw openingFailure(path, stream, format, frameCount: frameCount, error.reason)
    }
    found.bitRate = format.bitRate
    guard found == format else {
      throw failure(path, stream, "its header has another format (\(found))")
    }
    let frames = sliceFrames(channelCount: format.channelCount)
    let samples = UnsafeMutablePointer<Float>.allocate(capacity: frames * format.channelCount)
    defer { unsafe samples.deallocate() }
    var count = 0
    while true {
      let got = unsafe file.read(samples, frameCount: frames)
      if let complaint = file.complaint { throw failure(path, stream, complaint) }
      guard got > 0 else { break }
      count += got
    }
    let isRight =
      format.hasInexactLength
      ? count >= frameCount && count - frameCount <= 4_096 : count == frameCount
    guard isRight else {
      throw failure(
        path, stream, "it holds \(count) frames instead of \(frameCount)",
        cause: .frameCount(expected: frameCount, found: count))
    }
    return Found(frameCount: count, channelMask: mask)
  }

  /// Only where numbers are stored as they are can one be no number. How many frames there are.
  private static func readAll(
    _ file: SoundFile, _ path: String, _ stream: FileStream, framesPerSlice frames: Int
  ) throws(AuricleError) -> Int {
    let channels = Int(file.info.channels)
    let samples = UnsafeMutablePointer<Float>.allocate(capacity: frames * channels)
    defer { unsafe samples.deallocate() }
    var count = 0
    while true {
      let got = unsafe file.read(samples, frameCount: frames)
      guard got > 0 else { return count }
      count += got
      guard unsafe areFinite(samples, count: got * channels) else {
        throw failure(path, stream, "it holds a sample that is no number")
      }
    }
  }

  /// The end of the file was written last: decode it.
  private static func readsLastFrame(
    _ file: SoundFile, _ stream: FileStream, frameCount: Int
  ) -> Bool {
    guard frameCount > 0, file.info.seekable != 0, file.seek(toFrame: frameCount - 1) else {
      return true
    }
    var frame = [Float](repeating: 0, count: Int(file.info.channels))
    let got = unsafe frame.withUnsafeMutableBufferPointer { buffer in
      unsafe buffer.baseAddress.map { unsafe file.read($0, frameCount: 1) } ?? 0
    }
    return got == 1 && stream.failure == 0 && file.failure == nil
  }

  /// WAV, its extensible form and RF64 turn into each other.
  private static func isSameKind(_ first: AudioContainer, _ second: AudioContainer) -> Bool {
    let waves: Set<AudioContainer> = [.wav, .wavex, .rf64]
    return first == second || waves.contains(first) && waves.contains(second)
  }

  /// A file that cannot be opened again: of some kinds there are none without sound.
  private static func openingFailure(
    _ path: String, _ stream: FileStream, _ format: AudioFileFormat, frameCount: Int,
    _ reason: String
  ) -> AuricleError {
    guard frameCount == 0, stream.failure == 0 else { return failure(path, stream, reason) }
    return AuricleError(
      .inputOutput, status: FileStatus.unsupportedFormat,
      "cannot write \(path): a \(format.container.name) file cannot be without sound")
  }

  private static func failure(
    _ path: String, _ stream: FileStream, _ reason: String, cause: AuricleError.Cause? = nil
  ) -> AuricleError {
    if stream.failure != 0 { return systemError(stream.failure, "verify", path) }
    return AuricleError(
      .inputOutput, status: FileStatus.invalidFile,
      "\(path) was not written correctly and was not kept: \(reason)", cause: cause)
  }
}
