// The repairs of a file before its decoder reads it right: a list, applied in order.
// SPDX-License-Identifier: Apache-2.0

import AudioFilePackets
import AudioFileParsing
import AudioFileSyntax
import AudioTypes
import CAudioToolbox

/// A file on its way to its decoder, and the findings of the repairs.
///
/// The file itself stays as it is; the decoder sees another length, or other bytes in some place.
struct FileRepairs {
  /// One repair: changes the decoder's view, and returns the damage of the file as the end of a
  /// sentence; nil for none, or for a file of another kind.
  typealias Repair = @Sendable (inout FileRepairs) -> String?

  /// Repairs of files that name their kind.
  private static let ofKnownKinds: [Repair] = [
    cutOffAnotherFile, DolbyFrames.repair, RefusedKind.repair, OpusRate.repair, MPEGFrames.repair,
    ChunkPackets.repair, HeaderSizes.repair, WaveHeader.repair, SampleDump.repair,
    AmigaHalves.repair, measureWavPack,
  ]
  /// For files without a header.
  private static let ofRawFiles: [Repair] = [countWholeFrames]

  let stream: FileStream
  /// The format of the samples of a file without a header; nil for a file with one.
  let raw: AudioFileFormat?
  /// The reason why the file library does not see the file.
  var refused: RefusedKind?
  /// Whether damage is passed over where that can be.
  let isTolerant: Bool
  /// The file as its container holds it; nil for kinds that are not read so.
  let packets: PacketFile?
  /// Place of the sound in a file of chunks; nil for others.
  let extent: SoundExtent?
  /// The frames of MPEG audio.
  var mp3: MPEGFrames?
  /// Sentences for the user.
  var notes: [String] = []
  /// The MIDI sample dump.
  var dump: SampleDump?
  /// End of the file for the file library; nil for its own.
  var libraryEnd: Int?
  /// Whether the channels follow one another.
  var isInHalves = false
  /// Bytes that the decoder finds in place of the file's own: those of the first repair that offers some.
  private var patches: [FileStream.Patch] = []

  init(_ stream: FileStream, raw: AudioFileFormat?, path: String, isTolerant: Bool) {
    self.stream = stream
    self.raw = raw
    self.isTolerant = isTolerant
    guard raw == nil else {
      (packets, extent) = (nil, nil)
      return
    }
    let name = path.split(separator: "/").last ?? ""
    let suffix = name.contains(".") ? name.split(separator: ".").last.map(String.init) ?? "" : ""
    packets = try? PacketFile.open(StoredBytes(stream), fileExtension: suffix)
    extent = packets?.extent ?? PacketFile.extent(of: StoredBytes(stream))
    // Tags in front of another kind of file are none of its decoder's business.
    let front =
      packets?.origin ?? extent?.origin ?? PacketFile.origin(of: StoredBytes(stream))
    stream.begin(at: min(Int(front), stream.length))
    guard let packets else { return }
    cutOffTags(packets.type)
    cutOffOtherBytes(packets)
    guard [kAudioFileAAC_ADTSType, kAudioFileAC3Type].contains(packets.type) else { return }
    // Nor the bytes in front of the first frame.
    stream.begin(at: Int(packets.soundOffset))
    guard packets.type == kAudioFileAAC_ADTSType else { return }
    stream.setLength(Int(packets.byteCount()))
    stream.readEnd = stream.length
  }

  /// Applies all repairs.
  ///
  /// - Parameter report: Called with each problem; throws unless it is tolerated.
  mutating func apply(
    _ report: (String) throws(AuricleError) -> Void
  ) throws(AuricleError) {
    for repair in raw == nil ? Self.ofKnownKinds : Self.ofRawFiles {
      if let problem = repair(&self) { try report(problem) }
    }
    if !patches.isEmpty { stream.apply(patches) }
  }

  /// Shows the decoder other bytes, unless an earlier repair offers some in their place.
  mutating func offer(_ patches: @autoclosure () -> [FileStream.Patch]) {
    guard !self.patches.isEmpty else {
      self.patches = patches()
      return
    }
    let places = self.patches.map(\.places)
    self.patches += patches().filter { patch in
      places.allSatisfy { !$0.overlaps(patch.places) }
    }
  }

  /// The frames of sound by the pages of Ogg or the whole blocks of WAVE; nil for other files.
  ///
  /// That of FLAC without a length in its header is that of its last frame.
  ///
  /// - Parameter libraryCount: The frames that the file library finds.
  func soundFrameCount(_ libraryCount: Int64) -> Int? {
    guard let packets,
      packets.type == kAuricleAudioFileOggType || ChunkPackets.isOfBlocks(packets)
        || packets.type == kAudioFileFLACType && !(0..<Int64.max).contains(libraryCount),
      let count = try? packets.soundFrameCount()
    else { return nil }
    return Int(clamping: count)
  }

  /// Catches the messages of the file's decoder; nil for silent ones.
  var decoderOutput: DecoderOutput? {
    if mp3 != nil { return DecoderOutput(.standardError) }
    return dump != nil ? DecoderOutput(.standardOutput) : nil
  }

  /// Leaves tags behind out where a decoder reads them as damage; their texts are read from the
  /// file itself.
  private func cutOffTags(_ type: AudioFileTypeID) {
    guard Self.typesOfParts.contains(type), let end = endBeforeTags else { return }
    stream.setLength(end)
    stream.readEnd = stream.length
  }

  /// Leaves bytes behind the last box of MP4 out, where they are none; a box that is cut short stays.
  private mutating func cutOffOtherBytes(_ packets: PacketFile) {
    let bytes = BufferedStore(StoredBytes(stream)).from(packets.origin)
    let length = Int64(stream.length)
    guard packets.isMovie, let last = try? MP4Boxes(bytes: bytes).boxes(from: 0, to: length).last,
      last.end < length, let head = try? bytes.bytes(at: last.end, count: 8),
      !MP4Boxes.ofFiles.contains(head.code(at: 4))
    else { return }
    notes.append(
      "\(length - last.end) bytes behind its last box are no part of it, and were left out")
    stream.setLength(Int(last.end))
    stream.readEnd = stream.length
  }

  /// The end of the file without the tags behind it; nil where there are none.
  var endBeforeTags: Int? {
    let stored = StoredBytes(stream)
    guard let start = try? TagPlaces.trailingStart(BufferedStore(stored)), start < stored.byteCount,
      start > stream.origin
    else { return nil }
    return Int(start) - stream.origin
  }

  /// Kinds of files that consist of pages or boxes up to their end.
  private static let typesOfParts: [AudioFileTypeID] = [
    kAuricleAudioFileOggType, kAudioFileM4AType, kAudioFileMPEG4Type, kAudioFileM4BType,
    kAudioFile3GPType, kAudioFile3GP2Type,
  ]

  private static func countWholeFrames(_ repairs: inout FileRepairs) -> String? {
    guard let bytes = repairs.raw?.bytesPerFrame, repairs.stream.length % bytes != 0 else {
      return nil
    }
    return "its \(repairs.stream.length) bytes are no whole number of frames of \(bytes)"
  }

  private static func measureWavPack(_ repairs: inout FileRepairs) -> String? {
    missingFromWavPack(repairs.stream).map {
      "it is cut short: \($0) bytes of its last block are missing"
    }
  }

  private static func cutOffAnotherFile(_ repairs: inout FileRepairs) -> String? {
    guard let end = endBeforeAnotherFile(repairs.stream) else { return nil }
    repairs.stream.setLength(end)
    return "another file follows its end, \(end) bytes from its beginning"
  }
}

extension DolbyFrames {
  static func repair(_ repairs: inout FileRepairs) -> String? {
    guard let packets = repairs.packets, let frames = DolbyFrames(repairs.stream, packets) else {
      return nil
    }
    repairs.stream.setLength(frames.end)
    repairs.stream.readEnd = frames.end
    return frames.problem
  }
}

extension RefusedKind {
  static func repair(_ repairs: inout FileRepairs) -> String? {
    let stream = repairs.stream
    // A file whose pages could be found has one.
    repairs.refused = RefusedKind(stream, isOneStream: repairs.packets != nil)
    guard repairs.isTolerant, case .chainedOgg(let end)? = repairs.refused else { return nil }
    repairs.refused = nil
    let left = stream.length - end
    stream.setLength(end)
    stream.readEnd = end
    return
      "several Ogg streams follow one another: the first was read, and \(left) bytes after it were not"
  }
}

extension HeaderSizes {
  static func repair(_ repairs: inout FileRepairs) -> String? {
    guard let extent = repairs.extent else { return nil }
    if extent.length == .wrapped {
      repairs.notes.append(
        "its header has only the lower 32 bits of the length of its sound: all "
          + "\(extent.byteCount) bytes were read")
    }
    let stream = repairs.stream
    let isCAF = stream.bytes(at: 0, count: 4).elementsEqual("caff".utf8)
    // The library refuses what it only shortens in other kinds.
    let problem = isCAF ? integrityProblem(of: stream, container: .caf) : nil
    repairs.offer(patches(stream, extent))
    return problem
  }
}

extension MPEGFrames {
  static func repair(_ repairs: inout FileRepairs) -> String? {
    let stream = repairs.stream
    guard let packets = repairs.packets, let frames = MPEGFrames(stream, packets) else {
      return nil
    }
    repairs.mp3 = frames
    if let view = frames.view { stream.show(view) }
    repairs.offer(frames.patches)
    if let note = frames.note { repairs.notes.append(note) }
    // The chunks around the frames are compared before the view of them has another length.
    guard frames.problem == nil, packets.hasChunks else { return frames.problem }
    return integrityProblem(of: stream, container: .wav)
  }
}

extension SampleDump {
  static func repair(_ repairs: inout FileRepairs) -> String? {
    guard let dump = SampleDump(repairs.stream) else { return nil }
    repairs.dump = dump
    repairs.offer(dump.patch.map { [$0] } ?? [])
    return dump.problem
  }
}

extension AmigaHalves {
  static func repair(_ repairs: inout FileRepairs) -> String? {
    guard let patch = patch(repairs.stream) else { return nil }
    repairs.isInHalves = true
    repairs.offer([patch])
    return nil
  }
}
