// Reads an audio file in slices, as planar 32-bit float; damage is an error, never silence.
// SPDX-License-Identifier: Apache-2.0

public import AudioTypes
import CSndFile
import Glibc

/// Reads an audio file from beginning to end in slices, whatever its length.
///
/// Samples come as 32-bit float between -1 and 1, one row a channel, in the order of WAV where the
/// file tells what its channels are for. A file that is cut short or
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
  /// Whether moving pictures stand beside the sound; they are not read.
  public let holdsVideo: Bool
  /// What is worth telling about what was read, such as which of several sound tracks.
  public let notes: [String]
  /// Damage that was met and, because the reader is tolerant, passed over: ends of sentences.
  public private(set) var toleratedDamage: [String]

  private let file: any SoundSource
  private let isTolerant: Bool
  private let chatter: DecoderChatter?
  /// The checksum that a FLAC file has of its sound.
  private var checksum: FLACChecksum?
  private let scratch: UnsafeMutablePointer<Float>
  private let scratchFrames: Int
  private var scratchFilled = 0
  private var scratchUsed = 0
  private var finished = false
  /// The rows in the order of the file, where that is not the order of WAV.
  private let reordered: ReorderedRows?

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
  ///   - readsMetadata: Whether texts, marks, pictures and the like are read; the places of the
  ///     channels are in any case.
  ///   - raw: What the samples of a file without a header are; nil for a file that tells.
  ///   - track: Which of several sound tracks is read, from 1; nil for the one that the file means.
  ///   - isTolerant: Whether damaged files are read as far as they go: `toleratedDamage` tells what
  ///     was passed over. Files that cannot be opened at all remain errors.
  public init(
    descriptor: Int32, path: String, raw: AudioFileFormat? = nil, readsMetadata: Bool = true,
    track: Int? = nil, isTolerant: Bool = false
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
    if let bytes = raw?.bytesPerFrame, stream.length % bytes != 0 {
      try meet("its \(stream.length) bytes are no whole number of frames of \(bytes)")
    }
    if raw == nil, let end = endBeforeAnotherFile(stream) {
      try meet("another file follows behind its end, \(end) bytes from its beginning")
      stream.setLength(end)
    }
    if raw == nil, let frames = DolbyFrames(stream) {
      try meet(frames.problem)
      stream.setLength(frames.end)
      stream.readEnd = frames.end
    }
    let refusal = raw == nil ? refusedKind(stream) : nil
    // What the library would misunderstand is put right before it sees it.
    var mp3 = raw == nil ? MP3Frames(stream) : nil
    // A tag may stand before something else.
    if mp3?.count == 0, readBytes(stream.descriptor, at: 0, count: 3).elementsEqual("ID3".utf8) {
      mp3 = nil
    }
    try meet(mp3?.problem)
    // Of all decoders, these alone talk.
    let dump = raw == nil ? SampleDump(stream) : nil
    try meet(dump?.problem)
    let chatter =
      mp3 != nil
      ? DecoderChatter(stream: STDERR_FILENO)
      : dump != nil ? DecoderChatter(stream: STDOUT_FILENO) : nil
    self.chatter = chatter
    let amiga = raw == nil ? AmigaHalves.patch(stream) : nil
    if raw == nil,
      let patch = SizeWalk.unclosedRiff(stream) ?? UnclosedFile.patch(stream) ?? mp3?.missingTag
        ?? dump?.patch ?? amiga
    {
      stream.apply(patch)
    }
    let format: AudioFileFormat
    var found: AudioFileMetadata
    let opened = chatter.catching { () -> Result<SoundFile, SoundFileFailure> in
      // What it would read in part, or not without harm, it does not get to see.
      guard refusal == nil, raw != nil || !isAVI(stream) else { return .failure(.unrecognised) }
      // It finds out while it opens a file where the sound ends.
      let length = stream.length
      if raw == nil, let end = endBeforeMore(stream) { stream.setLength(end) }
      defer { stream.setLength(length) }
      do throws(SoundFileFailure) {
        return .success(try SoundFile(stream, writing: nil, reading: raw?.soundFileInfo))
      } catch {
        return .failure(error)
      }
    }
    switch opened {
    case .success(let sound) where AudioFileFormat(soundFileInfo: sound.info) != nil:
      try meet(chatter?.takeWords())
      if let track, track != 1 { throw Self.missingTrack(track, path) }
      guard var known = AudioFileFormat(soundFileInfo: sound.info) else { throw damage(path, "") }
      if amiga != nil { known.channelCount = 2 }
      format = known
      try Self.checkLimits(format, path)
      try meet(integrityProblem(of: stream, container: format.container))
      let halves = amiga.map { _ in AmigaHalves(sound, sampleCount: exactFrameCount(of: sound)) }
      file = halves ?? sound
      if format.container == .flac {
        checksum = FLACChecksum(stream, frameCount: Int(clamping: sound.info.frames))
      }
      if let mp3, let counted = mp3.exactSampleCount {
        // Of layers I and II the library guesses the length from the first frame.
        frameCount = counted
      } else if let dump {
        frameCount = dump.frameCount
      } else if let halves {
        frameCount = halves.frameCount
      } else {
        frameCount =
          (0..<Int64.max).contains(sound.info.frames) ? exactFrameCount(of: sound) : nil
      }
      let all = AudioFileMetadata(sound)
      found = readsMetadata ? all.addingTags(stream, format) : all.channelsAlone
      notes = []
      holdsVideo = false
    case .success, .failure:
      var failure = SoundFileFailure.unsupportedEncoding
      if raw != nil, case .failure(let reason) = opened { throw damage(path, reason.reason) }
      if case .failure(let reason) = opened { failure = reason }
      if stream.failure != 0 { throw systemError(stream.failure, "read", path) }
      let codec = try Self.openCodec(
        stream, path, failure, refusal, track: track, isTolerant: isTolerant)
      if let kind = sizedKind(stream) { try meet(integrityProblem(of: stream, container: kind)) }
      format = codec.format
      try Self.checkLimits(format, path)
      file = codec
      frameCount = codec.frameCount
      holdsVideo = codec.holdsVideo
      let all = AudioFileMetadata(codec)
      found = readsMetadata ? all.addingTags(stream, format) : all.channelsAlone
      notes =
        codec.track.count > 1
        ? ["it holds \(codec.track.count) sound tracks: track \(codec.track.number) was taken"] : []
    }
    self.format = format
    reordered = ReorderedRows(found.sortChannels(format))
    metadata = found
    toleratedDamage = tolerated
    scratchFrames = format.framesPerSlice
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
    let channels = unsafe reordered?(channels) ?? channels
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
      var got = chatter.catching { unsafe file.read(scratch, frameCount: wanted) }
      try unsafe checkSlice(scratch, got: got, wanted: wanted)
      // Behind damage the file library stops, and a codec may go on.
      var attempts = 0
      while got <= 0, file.complaint != nil, file is CodecReader, attempts < 10_000 {
        attempts += 1
        got = unsafe file.read(scratch, frameCount: wanted)
        try unsafe checkSlice(scratch, got: got, wanted: wanted)
      }
      scratchFilled = max(got, 0)
      unsafe checksum?.take(scratch, frameCount: scratchFilled)
      if let problem = checksum?.problem() { try meet(problem) }
    }
    finished = scratchFilled == 0
  }

  /// Finds damage in what a read call gave.
  private func checkSlice(
    _ samples: UnsafeMutablePointer<Float>, got: Int, wanted: Int
  ) throws(AuricleError) {
    if file.stream.failure != 0 { throw systemError(file.stream.failure, "read", path) }
    if let complaint = file.complaint {
      // A codec tells the place itself.
      let place = file is CodecReader ? "" : "after frame \(position): "
      try meet(place + complaint)
    }
    if let words = chatter?.takeWords() { try meet("after frame \(position): \(words)") }
    if got < wanted, !(file is CodecReader), let promised = frameCount,
      position + got + format.framesThatMayMiss < promised
    {
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
}
