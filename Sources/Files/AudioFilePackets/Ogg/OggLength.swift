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
    let bytes = file.bytes
    let pages = try OggContainer.lastPages(
      bytes, serial: walker.serial, from: file.soundOffset)
    guard let last = pages.last?.page, last.granule > 0 else { return }
    // The end of the first page by its own count shows its beginning.
    let first = try frames(bytes, sound, walker)
    let isOnly = pages.count == 1 && first.page?.sequence == last.sequence
    let start = isOnly ? 0 : max(0, (first.page?.granule ?? first.frames) - first.frames)
    let early = isOnly ? 0 : max(0, first.frames - max(0, first.page?.granule ?? first.frames))
    // Frames in the packets of the last page beyond its declared end.
    var end = first.frames
    if !isOnly {
      guard pages.count > 1 else { return }
      let before = pages[pages.count - 2]
      var tail = OggWalker(serial: walker.serial, at: before.place, isLost: true)
      end = before.page.granule
      end += try behind(bytes, sound, &tail, before.page.sequence, last: last.sequence)
    }
    let opus = Int64(OpusHead(file.cookie)?.priming ?? 0)
    let priming = opus + early
    let valid = last.granule - start - opus
    let remainder = end - last.granule
    guard valid >= 0, remainder >= 0, let front = Int32(exactly: priming),
      let back = Int32(exactly: remainder)
    else { return }
    file.trim = AudioFilePacketTableInfo(
      mNumberValidFrames: valid, mPrimingFrames: front, mRemainderFrames: back)
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
