// Writes an audio file from planar 32-bit float; it appears only when complete and verified.
// SPDX-License-Identifier: Apache-2.0

import AudioCodecs
import AudioConversion
import AudioFileParsing
public import AudioTypes
import CSndFile
import Glibc
import HostSystem

/// Writes an audio file slice by slice, beside its destination as `.NAME.part`.
///
/// `finish` closes it, reads it back to verify it, brings it to the disk and renames it. Until
/// then, and after any error, nothing is to be seen under the destination's name. The same sound in
/// the same format makes the same bytes: no time stamps, no random numbers.
///
/// Context: control. Not to be shared between threads.
@safe public final class AudioFileWriter {
  /// Choices of compressing encodings.
  public struct Options: Sendable {
    /// Quality of Vorbis and MP3 of variable bit rate, 0 to 1; nil for the encoder's own.
    public var quality: Double?
    /// Effort of FLAC, and smallness of Opus, 0 to 1; nil for the encoder's own.
    public var compression: Double?
    /// The use of bits by MP3; nil for constantly.
    public var strategy: BitRateStrategy?

    /// The encoders' own choices.
    public init() {}
  }

  /// The path of the caller.
  public let path: String
  /// The format of the file. WAV becomes RF64 where 4 GiB may not be enough.
  public let format: AudioFileFormat
  /// Frames written so far.
  public private(set) var frameCount = 0
  /// Frames that the finished file holds beyond those written, where it holds whole blocks and has no place
  /// for its length; 0 before `finish`.
  public private(set) var fillingFrameCount = 0
  /// XXH64 of the finished file, where all of it was read back; nil before, and for others.
  public private(set) var storedChecksum: UInt64?
  /// The written length of the file in bytes, independent of other writers.
  public var byteCount: Int { stream.length }
  /// Samples beyond ±1 that were clipped, for encodings that have no place for them.
  public var clippedSampleCount: Int { slices.clippedSampleCount }
  /// The reason why pictures to be copied are left out; the end of a sentence, nil when they are not.
  public private(set) var videoProblem: String?
  /// Kinds of metadata for which the container has no place, by name.
  public private(set) var droppedMetadata: [String]

  private let target: WriterTarget
  private let stream: FileStream
  private let file: SoundFile?
  private let codec: (any EncodingSink)?
  private let slices: SliceWriter
  private let metadata: AudioFileMetadata
  private var isOpen = true
  /// Whether all but the name is done.
  private var isComplete = false
  /// The rows in the order of the file, where that is not the order they come in.
  private let reordered: ReorderedRows?

  /// Creates the unfinished file, with its metadata.
  ///
  /// `expectedFrameCount` decides between WAV and RF64: pass the known number. Errors: `usage` when
  /// no file has such a format, `inputOutput` when the destination is there already (and
  /// `overwrite` is false) or cannot be written.
  public convenience init(
    path: String, format: AudioFileFormat, metadata: AudioFileMetadata = .init(),
    overwrite: Bool = false, expectedFrameCount: Int? = nil, options: Options = Options()
  ) throws(AuricleError) {
    try format.checkWritable(frameCount: expectedFrameCount, path)
    let atomic = try AtomicFile(path: path, overwrite: overwrite)
    try self.init(
      .atomic(atomic), path: path, format: format, metadata: metadata,
      expectedFrameCount: expectedFrameCount, options: options)
  }

  /// Writes into a file that is open already; its owner names it.
  ///
  /// `finish` verifies the sound, `cancel` leaves the file as it is. `descriptor` is an empty
  /// regular file, open for reading and writing, and stays open; `path` is its name in messages.
  /// The tracks of `video` are copied beside the sound, which begins at their start; where that
  /// cannot be, `videoProblem` has the reason.
  public convenience init(
    descriptor: Int32, path: String, format: AudioFileFormat,
    metadata: AudioFileMetadata = .init(), expectedFrameCount: Int? = nil,
    options: Options = Options(), video: VideoTracks? = nil
  ) throws(AuricleError) {
    try format.checkWritable(frameCount: expectedFrameCount, path)
    try self.init(
      .descriptor(descriptor), path: path, format: format, metadata: metadata,
      expectedFrameCount: expectedFrameCount, options: options, video: video)
  }

  private init(
    _ target: WriterTarget, path: String, format wanted: AudioFileFormat,
    metadata: AudioFileMetadata, expectedFrameCount: Int?, options: Options,
    video: VideoTracks? = nil
  ) throws(AuricleError) {
    self.path = path
    self.target = target
    let format = wanted.storingChannels(of: metadata).enlarged(toHold: expectedFrameCount)
    self.format = format
    var metadata = metadata
    reordered = ReorderedRows(metadata.orderChannels(format))
    let hasDroppedPictures = metadata.dropLargePictures(format.container)
    self.metadata = metadata
    stream = FileStream(descriptor: target.descriptor, length: 0, ownsDescriptor: false)
    stream.byteLimit = format.container.byteLimit ?? .max
    if format.needsCodec {
      do throws(AuricleError) { try CodecLibrary.check(format) } catch {
        target.cancel()
        throw error
      }
      do throws(CodecFailure) {
        let codec: any EncodingSink
        (codec, videoProblem) = try Self.openCodec(stream, format, metadata, video)
        self.codec = codec
        slices = SliceWriter(codec, format)
      } catch {
        throw Self.refusal(
          target, stream, path, format, error.reason,
          category: error.kind == .noCodec ? .unavailable : .inputOutput)
      }
      file = nil
      droppedMetadata = metadata.droppedByCodec(format)
      return
    }
    codec = nil
    let file: SoundFile
    do throws(SoundFileFailure) {
      file = try SoundFile(stream, writing: format.soundFileInfo)
    } catch {
      // The library assembles Apple lossless in CAF in a separate file.
      let advice =
        error.kind == .noTemporaryFile
        ? ", which the strict sandbox does not allow: choose m4a, or give --sandbox compat" : ""
      throw Self.refusal(target, stream, path, format, error.reason + advice)
    }
    self.file = file
    file.leaveOutPeaks()
    file.set(SFC_SET_CLIPPING, true)
    if format.container == .rf64, wanted.container != .rf64 {
      file.set(SFC_RF64_AUTO_DOWNGRADE, true)
    }
    Self.apply(options, to: file, format)
    droppedMetadata =
      metadata.write(to: file, format) + (hasDroppedPictures ? ["pictures of 16 MiB"] : [])
    slices = SliceWriter(file, format)
  }

  deinit {
    cancel()
  }

  /// Passes the choices and the bit rate to the encoder.
  private static func apply(_ options: Options, to file: SoundFile, _ format: AudioFileFormat) {
    if format.container == .mp3, let strategy = options.strategy {
      file.set(SFC_SET_BITRATE_MODE, value: strategy.soundFileMode)
    }
    if let quality = options.quality { file.set(SFC_SET_VBR_ENCODING_QUALITY, value: quality) }
    if let compression = options.compression {
      file.set(SFC_SET_COMPRESSION_LEVEL, value: compression)
    }
    let needed =
      options.quality == nil && options.compression == nil ? format.neededBitRate : nil
    if let bitRate = format.bitRate ?? needed { file.setBitRate(bitRate, format, options.strategy) }
  }

  /// Begins a file that a codec writes; without pictures, and the reason, where it has no place for them.
  private static func openCodec(
    _ stream: FileStream, _ format: AudioFileFormat, _ metadata: AudioFileMetadata,
    _ video: VideoTracks?
  ) throws(CodecFailure) -> (any EncodingSink, String?) {
    if format.hasOwnPackets { return (try PacketWriter(stream, format, metadata: metadata), nil) }
    do throws(CodecFailure) {
      return (try CodecWriter(stream, format, metadata: metadata, video: video), nil)
    } catch {
      guard error.kind == .noVideo else { throw error }
      _ = stream.seek(0, SEEK_SET)
      return (try CodecWriter(stream, format, metadata: metadata), error.reason)
    }
  }

  /// Writes frames, one row a channel: in the order of the metadata's map, or in that of WAV.
  ///
  /// Errors: `inputOutput`, such as a full disk; the unfinished file is removed then.
  public func write(
    _ channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>, frameCount count: Int
  ) throws(AuricleError) {
    guard isOpen else {
      throw AuricleError(
        .software, status: FileStatus.unspecified, "\(path) was closed before all was written")
    }
    guard count <= (format.container.frameLimit ?? .max) - frameCount else {
      cancel()
      throw format.tooLong(path)
    }
    let channels = unsafe reordered?(channels) ?? channels
    guard unsafe slices.write(channels, frameCount: count) else { throw fail() }
    frameCount += count
  }

  /// Completes the file: closes it, verifies it, brings it to the disk and names it.
  ///
  /// Errors: `inputOutput`; the unfinished file is removed then.
  public func finish() throws(AuricleError) {
    try complete()
    guard isComplete else { return }
    isComplete = false
    try target.commit()
  }

  /// Completes the file but for its name: `readBack` returns its content, and `finish` names it.
  ///
  /// Errors: `inputOutput`; the unfinished file is removed then.
  public func complete() throws(AuricleError) {
    guard isOpen else { return }
    guard finishBlocks() else { throw fail() }
    isOpen = false
    // Some encoders write nothing at all before the first frame.
    if frameCount == 0 { file?.set(SFC_UPDATE_HEADER_NOW, true) }
    let status = file?.close() ?? 0
    guard status == 0, codec?.finish() != false, stream.failure == 0 else { throw fail() }
    // Behind the sound, or around it: metadata for which the library has no place.
    droppedMetadata += metadata.appendChunks(to: stream, format)
    guard stream.failure == 0 else { throw fail() }
    if let problem = metadata.writeTags(to: stream, format, frameCount: frameCount) {
      cancel()
      throw AuricleError(
        .inputOutput, status: FileStatus.unspecified, "cannot write \(path): \(problem)")
    }
    let number = FileAmendment.apply(to: stream, format, frameCount: frameCount)
    guard number == 0 else {
      stream.record(number)
      throw fail()
    }
    do {
      let found = try FileVerification.verify(
        stream, path: path, format: format, frameCount: frameCount, checksum: slices.checksum,
        readsAll: target.isOfAnother)
      // Codecs put channels they have no place for on other loudspeakers.
      if let mask = found.channelMask, !droppedMetadata.contains("channel map"),
        metadata.losesChannels(inMask: mask, format)
      {
        droppedMetadata.append("channel map")
      }
      storedChecksum = found.checksum
      fillingFrameCount = max(0, found.frameCount - frameCount)
    } catch {
      target.cancel()
      throw error
    }
    isComplete = true
  }

  /// Reads the file between `complete` and `finish`, as decoders do.
  ///
  /// Errors: as those of `AudioFileReader`.
  public func readBack() throws(AuricleError) -> AudioFileReader {
    let descriptor = fcntl(target.descriptor, F_DUPFD_CLOEXEC, 3)
    guard descriptor >= 0 else { throw systemError(errno, "read", path) }
    return try AudioFileReader(descriptor: descriptor, path: path, readsMetadata: false)
  }

  /// Hands the last frames over: some kinds hold whole blocks, and are read from two of them on.
  private func finishBlocks() -> Bool {
    guard let frames = format.framesPerBlock else {
      return slices.end(withSilence: OpusEnd.silence(behind: frameCount, format))
    }
    return slices.fill(blocksOf: frames, atLeast: 2)
  }

  /// Removes the unfinished file; does nothing after `finish`.
  public func cancel() {
    isOpen = false
    isComplete = false
    file?.close()
    codec?.close()
    target.cancel()
  }

  /// A file that is not even begun.
  private static func refusal(
    _ target: WriterTarget, _ stream: FileStream, _ path: String, _ format: AudioFileFormat,
    _ reason: String, category: AuricleError.Category = .inputOutput
  ) -> AuricleError {
    target.cancel()
    if stream.failure != 0 { return systemError(stream.failure, "write", path) }
    return AuricleError(
      category, status: FileStatus.unsupportedFormat,
      "cannot write \(path) as \(format): \(reason)")
  }

  /// Ends the writing after a failure, with the system's reason or the library's.
  private func fail() -> AuricleError {
    let reason = file?.failure?.reason ?? codec?.reason
    cancel()
    if stream.failure != 0 {
      if stream.byteLimit != .max, stream.length >= stream.byteLimit / 2 {
        return format.tooLarge(path)
      }
      return systemError(stream.failure, "write", path)
    }
    return AuricleError(
      .inputOutput, status: FileStatus.unspecified,
      "cannot write \(path): \(reason ?? "the encoder failed")")
  }
}
