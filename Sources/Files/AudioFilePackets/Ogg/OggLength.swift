// The length of an Ogg file's sound, without reading all of it.
// SPDX-License-Identifier: Apache-2.0

import AudioFileSyntax
import CAudioToolbox

/// The length of a stream in Ogg, from its first and its last pages.
enum OggLength {
  /// Reads the frames to be dropped at both ends.
  static func read(
    _ file: PacketFile, _ sound: OggSound, _ walker: OggWalker
  ) throws(AudioFileFailure) {
    if case .flac(let block) = sound { return try readFLAC(file, block, walker) }
    let bytes = file.bytes
    let opus = Int64(OpusHead(file.cookie)?.priming ?? 0)
    // Dropped whatever the pages count.
    if opus > 0 { file.ends = StreamEnds(priming: Int32(clamping: opus)) }
    let pages = try OggContainer.lastPages(
      bytes, serial: walker.serial, from: file.soundOffset)
    guard let last = pages.last?.page, last.granule > 0 else { return }
    // The end of the first page by its own count shows its beginning.
    let first = try frames(bytes, sound, walker)
    let isOnly = pages.count == 1 && first.page?.sequence == last.sequence
    let start = max(0, (first.page?.granule ?? first.frames) - first.frames)
    let early = isOnly ? 0 : max(0, first.frames - max(0, first.page?.granule ?? first.frames))
    // Frames in the packets of the last page beyond its declared end.
    var end = start + first.frames
    if !isOnly {
      guard pages.count > 1 else { return }
      let before = pages[pages.count - 2]
      var tail = OggWalker(serial: walker.serial, at: before.place, isLost: true)
      end = before.page.granule
      end += try behind(bytes, sound, &tail, before.page.sequence, last: last.sequence)
    }
    let priming = opus + early
    let valid = last.granule - start - opus
    let remainder = end - last.granule
    guard valid >= 0, remainder >= 0, let front = Int32(exactly: priming),
      let back = Int32(exactly: remainder)
    else { return }
    file.trim = AudioFilePacketTableInfo(
      mNumberValidFrames: valid, mPrimingFrames: front, mRemainderFrames: back)
  }

  /// Reads the last block's surplus from the numbers of FLAC's own frames, as decoders do: pages cut nothing.
  private static func readFLAC(
    _ file: PacketFile, _ block: UInt32, _ walker: OggWalker
  ) throws(AudioFileFailure) {
    // Blocks of other lengths say their frames themselves.
    guard block > 0, let scanner = file.scanner else { return }
    let bytes = file.bytes
    let end = try bytes.byteCount
    func header(_ first: PacketPiece) throws(AudioFileFailure) -> FLACFrameHeader? {
      FLACFrameHeader(try bytes.bytes(at: first.start, count: min(16, first.count)))
    }
    var front = walker
    guard let start = try front.next(bytes, end: end)?.first, let first = try header(start) else {
      return
    }
    // Two packets, and their pages, are within this.
    let reach = end - 2 * Int64(scanner.largestSize)
    var tail =
      reach > file.soundOffset
      ? OggWalker(serial: walker.serial, at: reach, isLost: true) : walker
    var last = first
    while let packet = try tail.next(bytes, end: end)?.first { last = try header(packet) ?? last }
    guard last.number >= first.number, last.frames <= block else { return }
    let whole = Int64(clamping: last.number - first.number) * Int64(block)
    file.trim = AudioFilePacketTableInfo(
      mNumberValidFrames: whole + Int64(last.frames), mPrimingFrames: 0,
      mRemainderFrames: Int32(block - last.frames))
  }

  /// The frames of the packets that end on the next page.
  private static func frames(
    _ bytes: BufferedStore, _ sound: OggSound, _ walker: OggWalker
  ) throws(AudioFileFailure) -> (frames: Int64, page: OggPage?) {
    var walker = walker
    var block: UInt32?
    var sum: Int64 = 0
    let end = try bytes.byteCount
    var page: OggPage?
    while let first = try walker.next(bytes, end: end)?.first {
      if page == nil || page?.granule == -1 { page = walker.page }
      guard walker.page?.sequence == page?.sequence else { break }
      if first.count > 0 { sum += Int64(try OggScanner.frames(sound, bytes, first, &block)) }
      if walker.isAtPageEnd { break }
    }
    return (sum, page)
  }

  /// The frames of the packets that end behind a page, up to the last one.
  private static func behind(
    _ bytes: BufferedStore, _ sound: OggSound, _ walker: inout OggWalker, _ start: UInt32,
    last: UInt32
  ) throws(AudioFileFailure) -> Int64 {
    var block: UInt32?
    var sum: Int64 = 0
    let end = try bytes.byteCount
    while let first = try walker.next(bytes, end: end)?.first {
      // Some writers end with a packet of nothing.
      let frames = first.count > 0 ? Int64(try OggScanner.frames(sound, bytes, first, &block)) : 0
      if walker.page?.sequence != start { sum += frames }
      if walker.page?.sequence == last, walker.isAtPageEnd { break }
    }
    return sum
  }
}
