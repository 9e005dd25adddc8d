// Reads an audio file in slices, as planar 32-bit float; damage is an error, never silence.
// SPDX-License-Identifier: Apache-2.0

import AudioConversion
import AudioFileParsing
public import AudioTypes
import CSndFile
import Glibc
import HostSystem

/// Reads an audio file of any length from beginning to end in slices.
///
/// Samples come as 32-bit float between -1 and 1, one row a channel, in the order of WAV where the
/// file describes its channels. A file that is cut short or that its decoder complains about is an
/// error: damaged sound never passes for good. Not to be shared between threads.
///
/// Context: control.
@safe public final class AudioFileReader {
  /// The path of the caller.
  public let path: String
  /// Container, encoding, sample rate and channels.
  public let format: AudioFileFormat
  /// The number of frames that the file promises; nil when it has none (some streams).
  public let frameCount: Int?
  /// Texts, marks and other things beside the sound.
  public let metadata: AudioFileMetadata
  /// Frames read so far.
  public private(set) var position = 0
  /// The picture tracks beside the sound, which are not read; nil for none.
  public let video: VideoTracks?
  /// Notes on the sound that was read, such as the chosen one of several sound tracks.
  public let notes: [String]
  /// Damage that was met and, because the reader is tolerant, passed over: ends of sentences.
  public private(set) var toleratedDamage: [String]

  let file: any SoundSource
  /// The frames of an MP3 file.
  let mp3: MPEGFrames?
  private let isTolerant: Bool
  private let decoderOutput: DecoderOutput?
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
  ///   - path: The name of the file in messages.
  ///   - readsMetadata: Whether texts, marks, pictures and the like are read; the places of the
  ///     channels are in any case.
  ///   - raw: The format of the samples of a file without a header; nil for a file with one.
  ///   - track: The number of the sound track that is read, from 1; nil for the one that the file
  ///     means.
  ///   - isTolerant: Whether damaged files are read as far as they go: `toleratedDamage` lists the
  ///     gaps. Files that cannot be opened at all remain errors.
  public init(
    descriptor: Int32, path: String, raw: AudioFileFormat? = nil, readsMetadata: Bool = true,
    track: Int? = nil, isTolerant: Bool = false
  ) throws(AuricleError) {
    self.path = path
    self.isTolerant = isTolerant
    var tolerated: [String] = []
    func report(_ problem: String) throws(AuricleError) {
      guard isTolerant else { throw damage(path, problem) }
      if !tolerated.contains(problem) { tolerated.append(problem) }
    }
    var repairs = FileRepairs(
      try InputFile.stream(descriptor, path), raw: raw, path: path, isTolerant: isTolerant)
    try repairs.apply(report)
    decoderOutput = repairs.decoderOutput
    mp3 = repairs.mp3
    let opened = try OpenedSound(
      repairs, decoderOutput,
      OpenedSound.Request(
        path: path, track: track, readsMetadata: readsMetadata, isTolerant: isTolerant), report)
    format = opened.format
    file = opened.file
    frameCount = opened.frameCount
    video = opened.video
    notes = opened.notes
    checksum = opened.checksum
    var metadata = opened.metadata
    reordered = ReorderedRows(metadata.sortChannels(format))
    self.metadata = metadata
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
      var got = decoderOutput.capturing { unsafe file.read(scratch, frameCount: wanted) }
      try unsafe checkSlice(scratch, got: got, wanted: wanted)
      // Behind damage the file library stops, and a codec may go on.
      var attempts = 0
      while got <= 0, file.complaint != nil, file.goesOnBehindDamage, attempts < 10_000 {
        attempts += 1
        got = unsafe file.read(scratch, frameCount: wanted)
        try unsafe checkSlice(scratch, got: got, wanted: wanted)
      }
      scratchFilled = max(got, 0)
      unsafe checksum?.update(scratch, frameCount: scratchFilled)
      if let problem = checksum?.problem() { try meet(problem) }
    }
    finished = scratchFilled == 0
    if finished, format.container == .flac, let place = placeOfNextFLAC(file.stream) {
      try meet("another FLAC file follows its end, \(place) bytes from its beginning")
    }
  }

  /// Finds damage in the result of a read call.
  private func checkSlice(
    _ samples: UnsafeMutablePointer<Float>, got: Int, wanted: Int
  ) throws(AuricleError) {
    if file.stream.failure != 0 { throw systemError(file.stream.failure, "read", path) }
    if let complaint = file.complaint {
      // A codec names the place itself.
      let place = file is CodecReader ? "" : "after frame \(position): "
      try meet(place + complaint)
    }
    if let words = decoderOutput?.nextComplaint() { try meet("after frame \(position): \(words)") }
    if got < wanted, !file.goesOnBehindDamage, let promised = frameCount,
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

  /// Fails for damage, or records it.
  private func meet(_ problem: String) throws(AuricleError) {
    guard isTolerant else { throw damage(path, problem) }
    // A file has more broken places than anyone wants to read of.
    if toleratedDamage.count < 8 { toleratedDamage.append(problem) }
  }
}
