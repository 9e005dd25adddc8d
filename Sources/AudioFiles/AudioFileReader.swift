// Reads an audio file in slices, as planar 32-bit float; damage is an error, never silence.
// SPDX-License-Identifier: Apache-2.0

public import AudioTypes
import CSndFile
import Glibc

/// Reads an audio file from beginning to end in slices, whatever its length.
///
/// Samples come as 32-bit float between -1 and 1, one row a channel. A file that is cut short or
/// that its decoder complains about is an error: damaged sound never passes for good. Not to be
/// shared between threads.
///
/// Context: control.
@safe public final class AudioFileReader {
  /// The path as it was given.
  public let path: String
  /// Container, encoding, sample rate and channels.
  public let format: AudioFileFormat
  /// The number of frames the file promises; nil when it does not tell (some streams).
  public let frameCount: Int?
  /// Texts, marks and other things beside the sound.
  public let metadata: AudioFileMetadata
  /// Frames read so far.
  public private(set) var position = 0
  /// Damage that was met and, because the reader is tolerant, passed over: ends of sentences.
  public private(set) var toleratedDamage: [String]

  private let file: SoundFile
  private let isTolerant: Bool
  private let chatter: DecoderChatter?
  private let scratch: UnsafeMutablePointer<Float>
  private let scratchFrames: Int
  private var scratchFilled = 0
  private var scratchUsed = 0
  private var finished = false

  /// Opens a file.
  ///
  /// Errors: `noInput` when it is missing, `inputOutput` when it cannot be read, `badData` when
  /// its content is damaged or of no known kind.
  public convenience init(path: String) throws(AuricleError) {
    try self.init(descriptor: InputFile.open(path), path: path)
  }

  /// Reads a file that is open already; closes it in the end, and on errors.
  ///
  /// - Parameters:
  ///   - descriptor: A regular file, opened for reading.
  ///   - path: How messages name it.
  ///   - isTolerant: Whether damaged files are read as far as they go: `toleratedDamage` tells what
  ///     was passed over. Files that cannot be opened at all remain errors.
  public init(
    descriptor: Int32, path: String, isTolerant: Bool = false
  ) throws(AuricleError) {
    self.path = path
    self.isTolerant = isTolerant
    let stream = try InputFile.stream(descriptor, path)
    var tolerated: [String] = []
    func meet(_ problem: String?) throws(AuricleError) {
      guard let problem else { return }
      guard isTolerant else { throw damage(path, problem) }
      if !tolerated.contains(problem) { tolerated.append(problem) }
    }
    try checkKind(stream, path)
    // What the library would misunderstand is put right before it sees it.
    let mp3 = MP3Frames(stream)
    try meet(mp3?.problem)
    // Of all decoders, this one alone talks.
    let chatter = mp3 == nil ? nil : DecoderChatter()
    self.chatter = chatter
    if let patch = SizeWalk.unclosedRiff(stream) ?? mp3?.missingTag { stream.apply(patch) }
    let opened = chatter.catching { () -> Result<SoundFile, SoundFileFailure> in
      do throws(SoundFileFailure) {
        return .success(try SoundFile(stream, writing: nil))
      } catch {
        return .failure(error)
      }
    }
    switch opened {
    case .success(let opened): file = opened
    case .failure(let error): throw Self.openingError(error, stream, path)
    }
    try meet(chatter?.takeWords())
    let info = file.info
    guard let format = AudioFileFormat(soundFileInfo: info) else {
      throw AuricleError(
        .badData, status: FileStatus.unsupportedFormat,
        "\(path) has an encoding that cannot be read here")
    }
    guard (1...AudioFileFormat.maximumChannelCount).contains(format.channelCount) else {
      throw damage(path, "its header tells of \(info.channels) channels")
    }
    guard (1...AudioFileFormat.maximumSampleRate).contains(format.sampleRate) else {
      throw damage(path, "its header tells of a sample rate of \(info.samplerate) Hz")
    }
    self.format = format
    try meet(integrityProblem(of: stream, container: format.container))
    frameCount = (0..<Int64.max).contains(info.frames) ? exactFrameCount(of: file) : nil
    metadata = AudioFileMetadata(file)
    toleratedDamage = tolerated
    scratchFrames = sliceFrames(channelCount: format.channelCount)
    unsafe scratch = .allocate(capacity: scratchFrames * format.channelCount)
  }

  deinit {
    unsafe scratch.deallocate()
  }

  /// Reads the next frames into one row a channel; returns how many came, 0 at the end.
  ///
  /// Fewer than asked for come only at the end. Errors: `badData` when the file is cut short,
  /// damaged, or holds a sample that is not a number; `inputOutput` when the system fails.
  public func read(
    into channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>, frameCount count: Int
  ) throws(AuricleError) -> Int {
    var done = 0
    while done < count, !finished {
      if scratchUsed == scratchFilled { try fillScratch() }
      let step = min(scratchFilled - scratchUsed, count - done)
      unsafe deinterleave(
        scratch + scratchUsed * format.channelCount, into: channels, offset: done,
        channelCount: format.channelCount, frameCount: step)
      scratchUsed += step
      done += step
      position += step
    }
    return done
  }

  /// Reads ahead as much as the library does well at once.
  private func fillScratch() throws(AuricleError) {
    let wanted = min(scratchFrames, (frameCount ?? .max) - position)
    scratchUsed = 0
    scratchFilled = 0
    if wanted > 0 {
      let got = chatter.catching { unsafe file.read(scratch, frameCount: wanted) }
      try unsafe checkSlice(scratch, got: got, wanted: wanted)
      // Behind damage a tolerant reader stops.
      scratchFilled = max(got, 0)
    }
    finished = scratchFilled == 0
  }

  /// Finds damage in what a read call gave.
  private func checkSlice(
    _ samples: UnsafeMutablePointer<Float>, got: Int, wanted: Int
  ) throws(AuricleError) {
    if file.stream.failure != 0 { throw systemError(file.stream.failure, "read", path) }
    if let failure = file.failure {
      try meet("after frame \(position): \(failure.reason)")
    }
    if let words = chatter?.takeWords() { try meet("after frame \(position): \(words)") }
    if got < wanted, let promised = frameCount, position + got < promised {
      try meet("it ends at frame \(position + got), but its header promises \(promised) frames")
    }
    guard format.encoding.isFloatingPoint else { return }
    let count = got * format.channelCount
    if unsafe !areFinite(samples, count: count) {
      let index = (0..<count).first { unsafe !samples[$0].isFinite } ?? 0
      try meet("frame \(position + index / format.channelCount) holds a sample that is no number")
      for index in 0..<count where unsafe !samples[index].isFinite { unsafe samples[index] = 0 }
    }
  }

  /// Fails for damage, or takes note of it.
  private func meet(_ problem: String) throws(AuricleError) {
    guard isTolerant else { throw damage(path, problem) }
    // A file has more broken places than anyone wants to read of.
    if toleratedDamage.count < 8 { toleratedDamage.append(problem) }
  }

  /// The sentence for a file that the library does not open.
  private static func openingError(
    _ failure: SoundFileFailure, _ stream: FileStream, _ path: String
  ) -> AuricleError {
    if stream.failure != 0 { return systemError(stream.failure, "read", path) }
    switch failure.number {
    case Int32(SF_ERR_UNRECOGNISED_FORMAT):
      return AuricleError(
        .badData, status: FileStatus.unsupportedType, "\(path) is no audio file of a known kind")
    case Int32(SF_ERR_UNSUPPORTED_ENCODING):
      return AuricleError(
        .badData, status: FileStatus.unsupportedFormat,
        "\(path) has an encoding that cannot be read here")
    default:
      return damage(
        path,
        failure.reason.contains("SF_INFO")
          ? "the sample rate or the channels that its header tells make no sense" : failure.reason)
    }
  }
}

/// Refuses what the library reads in part, or not without harm.
private func checkKind(_ stream: FileStream, _ path: String) throws(AuricleError) {
  let start = readBytes(stream.descriptor, at: 0, count: 64)
  var reason: String?
  if start.starts(with: [0xF0, 0x7E]) {
    // The library prints its complaints about these to the standard output.
    reason = "is a MIDI sample dump, which is not read here"
  } else if start.starts(with: "OggS".utf8) {
    if start.firstRange(of: [0x7F] + Array("FLAC".utf8)) != nil {
      reason = "holds FLAC within Ogg, which is not read here: convert it to plain FLAC"
    } else if OggPages(stream).isChained {
      reason = "holds several Ogg streams one after the other: take it apart first"
    }
  }
  guard let reason else { return }
  throw AuricleError(.badData, status: FileStatus.unsupportedFormat, "\(path) \(reason)")
}

/// How many frames go to or from the library at once: enough to make calls cheap, few enough to
/// stay in the cache.
func sliceFrames(channelCount: Int) -> Int {
  max(64, 16_384 / channelCount)
}

/// Files that are to be read.
public enum InputFile {
  /// Opens a file for reading without waiting for anything (a pipe would make it wait).
  ///
  /// Errors: `noInput` when it is missing, `inputOutput` when it cannot be read.
  ///
  /// Context: control.
  public static func open(_ path: String) throws(AuricleError) -> Int32 {
    guard !path.isEmpty else { throw AuricleError(.noInput, "the path of an audio file is empty") }
    let descriptor = unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { throw systemError(errno, "read", path) }
    return descriptor
  }

  /// Owns an open file that is regular and not empty.
  static func stream(_ descriptor: Int32, _ path: String) throws(AuricleError) -> FileStream {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else {
      let number = errno
      close(descriptor)
      throw systemError(number, "read", path)
    }
    let stream = FileStream(
      descriptor: descriptor, length: Int(status.st_size), ownsDescriptor: true)
    switch status.st_mode & S_IFMT {
    case S_IFREG: break
    case S_IFDIR:
      throw AuricleError(
        .inputOutput, status: FileStatus.unsupportedType, "\(path) is a folder, not an audio file")
    default:
      throw AuricleError(
        .inputOutput, status: FileStatus.unsupportedType,
        "\(path) is no regular file (a pipe or a device)")
    }
    guard status.st_size > 0 else {
      throw AuricleError(.badData, status: FileStatus.invalidFile, "\(path) is empty (0 bytes)")
    }
    posix_fadvise(descriptor, 0, 0, POSIX_FADV_SEQUENTIAL)
    return stream
  }
}

extension Optional where Wrapped == DecoderChatter {
  /// Calls a decoder, with its chatter caught where there may be some.
  func catching<Result>(_ body: () -> Result) -> Result {
    guard let self else { return body() }
    return self.during(body)
  }
}
