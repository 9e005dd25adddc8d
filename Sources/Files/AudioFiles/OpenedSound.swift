// A file open in its decoder: the file library where it knows the kind, else a codec.
// SPDX-License-Identifier: Apache-2.0

import AudioFilePackets
import AudioFileParsing
import AudioTypes
import CSndFile
import HostSystem

/// A file open in its decoder, and the facts before its sound is read.
struct OpenedSound {
  let file: any SoundSource
  let format: AudioFileFormat
  /// The number of frames that the file promises; nil when it has none.
  let frameCount: Int?
  let metadata: AudioFileMetadata
  /// The picture tracks beside the sound; nil for none.
  var video: VideoTracks?
  /// Notes for the user.
  var notes: [String] = []
  /// The checksum that a FLAC file has of its sound.
  var checksum: FLACChecksum?
}

extension OpenedSound {
  /// The way a file is opened.
  struct Request {
    /// The name of the file in messages.
    let path: String
    /// Number of the wanted sound track, from 1.
    let track: Int?
    let readsMetadata: Bool
    let isTolerant: Bool
  }

  /// Opens a file after its repairs.
  ///
  /// - Parameter report: Called with each problem; throws unless it is tolerated.
  init(
    _ repairs: FileRepairs, _ output: DecoderOutput?, _ request: Request,
    _ report: (String) throws(AuricleError) -> Void
  ) throws(AuricleError) {
    let stream = repairs.stream
    var failure = SoundFileFailure.unsupportedEncoding
    switch Self.openSound(repairs, output) {
    case .success(let sound):
      if let format = AudioFileFormat(soundFileInfo: sound.info) {
        if let complaint = output?.nextComplaint() { try report(complaint) }
        self = try Self(sound, format, repairs, request, report)
        return
      }
    case .failure(let reason) where repairs.raw != nil: throw damage(request.path, reason.reason)
    case .failure(let reason): failure = reason
    }
    if stream.failure != 0 { throw systemError(stream.failure, "read", request.path) }
    if let packets = repairs.packets, packets.isOgg, (try? packets.soundFrameCount()) == 0 {
      // Nothing is there to be read as far as possible.
      if let problem = integrityProblem(of: stream, container: .ogg) {
        throw damage(request.path, problem)
      }
      throw AuricleError(.badData, "\(request.path) has no sound in it")
    }
    if let packets = try AudioFileReader.openPackets(stream, request.path) {
      self = try Self(packets, request, report)
      return
    }
    let codec = try AudioFileReader.openCodec(
      stream, request.path, failure, repairs.refused, track: request.track,
      isTolerant: request.isTolerant, packets: repairs.packets)
    self = try Self(codec, repairs, request, report)
  }

  /// Opens a file in the file library, unless it would read it in part, or not without harm.
  private static func openSound(
    _ repairs: FileRepairs, _ output: DecoderOutput?
  ) -> Result<SoundFile, SoundFileFailure> {
    let (stream, raw) = (repairs.stream, repairs.raw)
    return output.capturing { () -> Result<SoundFile, SoundFileFailure> in
      guard repairs.refused == nil, raw != nil || !isAVI(stream) else {
        return .failure(.unrecognised)
      }
      // It finds out while it opens a file where the sound ends.
      let length = stream.length
      if raw == nil, let end = soundEnd(repairs) ?? endBeforeMore(stream) ?? endBeforeTags(repairs)
      {
        stream.setLength(end)
      }
      defer { stream.setLength(length) }
      do throws(SoundFileFailure) {
        return .success(try SoundFile(stream, writing: nil, reading: raw?.soundFileInfo))
      } catch {
        return .failure(error)
      }
    }
  }

  /// Returns the end of the sound of Wave64, or of WAVE with more than one; nil for other files.
  private static func soundEnd(_ repairs: FileRepairs) -> Int? {
    if let end = repairs.libraryEnd { return end }
    guard let extent = repairs.extent, [.stored, .open].contains(extent.length),
      repairs.stream.bytes(at: 0, count: 4).elementsEqual("riff".utf8)
    else { return nil }
    let end = Int(extent.start + extent.byteCount)
    return end < repairs.stream.length ? end : nil
  }

  /// Returns the start of the tags behind a file of a kind that the library alone knows; nil for other files.
  private static func endBeforeTags(_ repairs: FileRepairs) -> Int? {
    repairs.packets == nil && repairs.extent == nil ? repairs.endBeforeTags : nil
  }

  /// A file that the file library reads.
  private init(
    _ sound: SoundFile, _ readFormat: AudioFileFormat, _ repairs: FileRepairs, _ request: Request,
    _ report: (String) throws(AuricleError) -> Void
  ) throws(AuricleError) {
    let stream = repairs.stream
    if let track = request.track, track != 1 {
      throw AudioFileReader.missingTrack(track, request.path)
    }
    var format = readFormat
    if repairs.isInHalves { format.channelCount = 2 }
    try AudioFileReader.checkLimits(format, request.path)
    // The frames of MPEG audio were examined already.
    if repairs.mp3 == nil, let problem = integrityProblem(of: stream, container: format.container) {
      try report(problem)
    }
    self.format = format
    notes = repairs.notes
    let halves =
      repairs.isInHalves ? AmigaHalves(sound, sampleCount: exactFrameCount(of: sound)) : nil
    file = halves ?? sound
    if format.container == .flac {
      checksum = FLACChecksum(stream, frameCount: Int(clamping: sound.info.frames))
    }
    if let counted = repairs.mp3?.sampleCount {
      // The library guesses the length from the first frame.
      frameCount = counted
    } else if let counted = repairs.soundFrameCount(sound.info.frames) {
      frameCount = counted
    } else if let dump = repairs.dump {
      frameCount = dump.frameCount
    } else if let halves {
      frameCount = halves.frameCount
    } else {
      frameCount = (0..<Int64.max).contains(sound.info.frames) ? exactFrameCount(of: sound) : nil
    }
    let all = AudioFileMetadata(sound)
    guard request.readsMetadata else {
      metadata = all.channelsAlone
      return
    }
    var found = all.addingTags(stream, format)
    if let info = try? repairs.packets?.storedInfo() { found.addMissing(info, format.container) }
    metadata = found
  }

  /// A file whose packets are found here.
  private init(
    _ packets: PacketReader, _ request: Request, _ report: (String) throws(AuricleError) -> Void
  ) throws(AuricleError) {
    if let track = request.track, track != 1 {
      throw AudioFileReader.missingTrack(track, request.path)
    }
    format = packets.format
    try AudioFileReader.checkLimits(format, request.path)
    if let problem = integrityProblem(of: packets.stream, container: format.container) {
      try report(problem)
    }
    file = packets
    frameCount = packets.frameCount
    let all = AudioFileMetadata(packets)
    metadata = request.readsMetadata ? all.addingTags(packets.stream, format) : all.channelsAlone
  }

  /// A file that a codec reads.
  private init(
    _ codec: CodecReader, _ repairs: FileRepairs, _ request: Request,
    _ report: (String) throws(AuricleError) -> Void
  ) throws(AuricleError) {
    let stream = codec.stream
    if let kind = sizedKind(stream), let problem = integrityProblem(of: stream, container: kind) {
      try report(problem)
    }
    format = codec.format
    try AudioFileReader.checkLimits(format, request.path)
    file = codec
    frameCount = codec.frameCount
    video = codec.video
    let all = AudioFileMetadata(codec)
    var found = request.readsMetadata ? all.addingTags(stream, format) : all.channelsAlone
    if request.readsMetadata, let info = try? repairs.packets?.storedInfo() {
      found.addMissing(info, format.container)
    }
    metadata = found
    notes = repairs.notes
    if codec.track.count > 1 {
      notes += ["it holds \(codec.track.count) sound tracks: track \(codec.track.number) was taken"]
    }
  }
}
