// MP4 and its kind: one of its tracks of sound, the first unless another is chosen.
// SPDX-License-Identifier: Apache-2.0

import AudioFileSyntax
import CAudioToolbox

/// M4A, M4B, MP4, 3GP: the places of packets are in tables of the header, or in front of each
/// fragment.
enum MP4Container: Container {
  static let types: [AudioFileTypeID] = [
    kAudioFileM4AType, kAudioFileMPEG4Type, kAudioFileM4BType, kAudioFile3GPType,
    kAudioFile3GP2Type,
  ]

  static func type(of head: [UInt8]) -> AudioFileTypeID? {
    guard head.code(at: 4) == UInt32(code: "ftyp") else { return nil }
    let brand = head.code(at: 8)
    if brand == UInt32(code: "M4A ") { return kAudioFileM4AType }
    if brand == UInt32(code: "M4B ") { return kAudioFileM4BType }
    return switch brand >> 8 {
    case UInt32(code: "3gp ") >> 8: kAudioFile3GPType
    case UInt32(code: "3g2 ") >> 8: kAudioFile3GP2Type
    default: kAudioFileMPEG4Type
    }
  }

  static func read(_ file: PacketFile) throws(AudioFileFailure) {
    let boxes = MP4Boxes(bytes: file.bytes)
    guard let movie = try boxes.movie() else { throw .broken }
    let tracks = try soundTracks(boxes, movie)
    guard tracks.indices.contains(file.track) else { throw .dataFormat }
    file.trackCount = tracks.count
    let (index, track, tables) = tracks[file.track]
    try MP4SampleEntry.read(boxes, tables, file)
    var frames = try MP4Tables.read(boxes, tables, file)
    try MP4SampleEntry.readFirstFrame(file)
    let isLinear = file.format.mBytesPerPacket > 0
    if let scanner = try MP4FragmentScanner(boxes, movie, track, joins: isLinear) {
      if isLinear {
        // All of them, those in front of the fragments as well.
        frames = try MP4Runs.read(scanner, file)
      } else {
        frames += try readFragments(file, scanner, movie)
      }
      // If the end is unknown, nothing is to be dropped there.
      guard !file.bytes.isArriving else { return }
    } else if file.isWritable {
      // Samples that are stored as they are, are only read.
      guard !isLinear else { throw .permission }
      file.movie = try MP4Movie(boxes, movie, track: index)
      guard file.movie != nil else { throw .permission }
    }
    try readTrim(boxes, movie, track, mediaFrames: frames, file)
  }

  /// Describes a file that ends within a box, as the end of a sentence; nil for a whole one.
  static func endProblem(_ bytes: BufferedStore) throws(AudioFileFailure) -> String? {
    let length = try bytes.byteCount
    let boxes = try MP4Boxes(bytes: bytes).boxes(from: 0, to: length)
    // Of the boxes, that of the sound alone is found although it is cut short.
    guard let last = boxes.last else { return nil }
    for place in [last.start, last.end] {
      var head = ByteReader(try bytes.bytes(at: place, count: 16), bigEndian: true)
      var size = Int64(head.u32())
      let code = head.u32()
      if size == 1 { size = head.s64() }
      guard MP4Boxes.ofFiles.contains(code), size > length - place else { continue }
      return "it is cut short: \(size - length + place) of \(place + size) bytes are missing"
    }
    return nil
  }

  /// The tracks of sound, each with its place among all boxes of the movie, and its tables.
  private static func soundTracks(
    _ boxes: MP4Boxes, _ movie: MP4Box
  ) throws(AudioFileFailure) -> [(index: Int, track: MP4Box, tables: MP4Box)] {
    var found: [(index: Int, track: MP4Box, tables: MP4Box)] = []
    for (index, track) in try boxes.boxes(from: movie.body, to: movie.end).enumerated()
    where track.code == UInt32(code: "trak") {
      let handler = try boxes.body(boxes.box(["mdia", "hdlr"], in: track))
      guard handler.code(at: 8) == UInt32(code: "soun"),
        let tables = try boxes.box(["mdia", "minf", "stbl"], in: track)
      else { continue }
      found.append((index, track, tables))
    }
    return found
  }

  /// Reads the fragments; in a stream, they are read as they come.
  ///
  /// - Returns: The frames that their durations sum up to.
  private static func readFragments(
    _ file: PacketFile, _ scanner: MP4FragmentScanner, _ movie: MP4Box
  ) throws(AudioFileFailure) -> Int64 {
    guard !file.isWritable else { throw .permission }
    if file.table?.count == 0 { file.soundOffset = movie.end }
    file.scanner = scanner
    file.table?.isComplete = false
    guard !file.bytes.isArriving else {
      file.soundByteCount = ArrivingStore.endless - file.soundOffset
      return 0
    }
    let before = Int64(file.table?.count ?? 0)
    guard let table = try file.completeTable() else { return 0 }
    file.soundOffset = table.starts.first ?? movie.end
    file.soundByteCount = table.sizes.reduce(0) { $0 + Int64($1) }
    // Ticks that are no frames do not describe the last packet exactly.
    let frames = (Int64(table.count) - before) * Int64(file.format.mFramesPerPacket)
    return abs(frames - scanner.ticks) <= Int64(file.format.mFramesPerPacket)
      ? scanner.ticks : frames
  }

  /// Reads the encoder's padding: iTunes' text if there is one, otherwise the edit list.
  private static func readTrim(
    _ boxes: MP4Boxes, _ movie: MP4Box, _ track: MP4Box, mediaFrames: Int64, _ file: PacketFile
  ) throws(AudioFileFailure) {
    let total = try file.totalFrameCount()
    guard total > 0 else { return }
    if let text = try MP4Texts.gaplessText(boxes, movie) {
      let numbers = text.split(separator: " ").prefix(4).compactMap { Int64($0, radix: 16) }
      if numbers.count == 4, numbers.allSatisfy({ (0...(2 * total)).contains($0) }) {
        let sum = numbers[1] + numbers[2] + numbers[3]
        // If there is a layer of higher tones, its frames are counted.
        let unit: Int64 = file.fullFormat != nil && sum == 2 * total ? 2 : 1
        if sum == unit * total {
          return set(file, priming: numbers[1] / unit, valid: numbers[3] / unit, total: total)
        }
      }
    }
    let edits = try boxes.body(boxes.box(["edts", "elst"], in: track))
    var reader = ByteReader(edits, bigEndian: true)
    let isLong = reader.u8() == 1
    reader.skip(3)
    var priming: Int64 = 0
    var wanted: Int64?
    let movieScale = Int64(
      try scale(boxes.body(boxes.box(["mvhd"], in: movie))))
    for _ in 0..<min(reader.u32(), 1000) {
      let duration = isLong ? reader.s64() : Int64(reader.u32())
      let start = isLong ? reader.s64() : Int64(reader.s32())
      reader.skip(4)
      // An edit without media is silence in front.
      guard start >= 0 else { continue }
      let mediaScale = Double(try scale(boxes.body(boxes.box(["mdia", "mdhd"], in: track))))
      let rate = file.format.mSampleRate
      priming =
        mediaScale == rate || mediaScale == 0 || start > 1 << 40
        ? start : Int64((Double(start) * rate / mediaScale).rounded())
      wanted = duration > 0 && duration < 1 << 40 ? duration : nil
      break
    }
    // The table of durations knows the last packet to the frame; the edit to a tick of the film.
    var valid = max(0, min(total, mediaFrames) - min(priming, total))
    if let wanted, movieScale > 0 {
      let rate = file.format.mSampleRate
      let declared = Int64((Double(wanted) * rate / Double(movieScale)).rounded())
      let isExact = Double(movieScale) == rate
      let tolerance = isExact ? 0 : rate / Double(movieScale) + 1
      if Double(valid - declared) > tolerance { valid = declared }
    }
    set(file, priming: priming, valid: valid, total: total)
  }

  private static func set(_ file: PacketFile, priming: Int64, valid: Int64, total: Int64) {
    guard let front = Int32(exactly: priming), priming + valid <= total,
      let behind = Int32(exactly: total - priming - valid)
    else { return }
    file.trim = AudioFilePacketTableInfo(
      mNumberValidFrames: valid, mPrimingFrames: front, mRemainderFrames: behind)
  }

  /// The ticks a second in the header of a film or of its media.
  static func scale(_ header: [UInt8]) -> UInt32 {
    header.first == 1 ? header.code(at: 20) : header.code(at: 12)
  }

  static func info(_ file: PacketFile) throws(AudioFileFailure) -> SoundInfo {
    try MP4Texts.info(file)
  }
}
