// The length of a sound chunk whose header may lack it: writers that could not go back, sizes that wrapped.
// SPDX-License-Identifier: Apache-2.0

import AudioFileSyntax

/// The place of the sound in a file, and the method of finding it.
package struct SoundExtent: Equatable, Sendable {
  /// The source of a length.
  package enum Length: Equatable, Sendable {
    /// The header says it.
    case stored
    /// The header does not: the sound extends to the end of the file.
    case open
    /// The header has the lower 32 bits of it.
    case wrapped
    /// The header says more bytes than the file has: so many are missing.
    case cut(missing: Int64)
  }

  /// Bytes of the file in front of its first header: tags of other kinds.
  package var origin: Int64
  /// Start of the sound, behind the origin.
  package var start: Int64
  /// The start of the body of its chunk, behind the origin: the size precedes it.
  package var body: Int64
  /// Its bytes.
  package var byteCount: Int64
  /// The source of its length.
  package var length: Length
}

/// The chunk of a sound, and the file that it is in.
struct ChunkExtent {
  let scheme: ChunkScheme
  let bytes: BufferedStore
  /// Start of its body.
  let body: Int64
  /// End of the file.
  let end: Int64

  private var left: Int64 { end - body }
  /// The size of a chunk without sound, which writers leave in files that they cannot go back in.
  private var emptySize: Int64 { scheme == .iff ? 8 : scheme == .caf ? 4 : 0 }

  /// The length of the body by the size in its header, and how it was found.
  func resolve(
    _ stored: Int64
  ) throws(AudioFileFailure) -> (byteCount: Int64, length: SoundExtent.Length) {
    if stored <= 0 || stored == emptySize {
      // An empty sound with chunks behind it, or one of a length that nobody knew.
      var isEmpty = left <= max(stored, 1)
      if !isEmpty, stored >= 0 { isEmpty = try isChunk(at: body + stored) }
      return isEmpty ? (max(0, stored), .stored) : (try openCount(), .open)
    }
    if try isPlaceholder(stored) {
      if stored > left || bytes.isArriving { return (try openCount(), .open) }
      // A byte that may be the padding of an odd size is rather the last one of the sound.
      let place = body + scheme.padded(stored)
      if stored == left { return (stored, .stored) }
      let isFollowed = place < end ? try isChunk(at: place) : false
      return isFollowed ? (stored, .stored) : (try openCount(), .open)
    }
    if stored > left { return (stored, .cut(missing: stored - left)) }
    if let whole = try wrapped(stored) { return (whole, .wrapped) }
    return (stored, .stored)
  }

  /// Bytes up to the tags behind a sound of unknown length, or to the end of the file.
  private func openCount() throws(AudioFileFailure) -> Int64 {
    max(0, min(end, try TagPlaces.trailingStart(bytes)) - body)
  }

  /// Whether a size is one that programs write in place of an unknown one.
  private func isPlaceholder(_ size: Int64) throws(AudioFileFailure) -> Bool {
    switch scheme {
    case .caf, .wave64: return size >= Int64.max / 2
    case .riff, .rifx, .iff:
      if SoundSizes.isPlaceholder(size) { return true }
      // SoX writes this size, rounded down to whole frames, into an AIFF file that claims to be as large.
      guard scheme == .iff, (0x7EFF_F000...0x7F00_0008).contains(size), left < 0x7EFF_F000 else {
        return false
      }
      return Int64(try bytes.bytes(at: 4, count: 4).code(at: 0)) >= size
    }
  }

  /// The length of a sound of more than 4 GiB whose header has the lower 32 bits of it; nil for others.
  private func wrapped(_ stored: Int64) throws(AudioFileFailure) -> Int64? {
    guard scheme.maximumSize < .max, !bytes.isArriving, left > scheme.maximumSize,
      try !isChunkOrEnd(behind: stored)
    else { return nil }
    var whole = stored + 1 << 32
    while whole <= left {
      if try isChunkOrEnd(behind: whole) { return whole }
      whole += 1 << 32
    }
    return nil
  }

  private func isChunkOrEnd(behind count: Int64) throws(AudioFileFailure) -> Bool {
    let place = body + scheme.padded(count)
    if place >= end { return true }
    return try isChunk(at: place)
  }

  private func isChunk(at place: Int64) throws(AudioFileFailure) -> Bool {
    let header = try bytes.bytes(at: place, count: Int(scheme.headerSize))
    // The end of a stream is unknown, but no chunk is as large as words that are read as its size.
    return scheme.isHeader(header, room: bytes.isArriving ? 1 << 40 : end - place)
  }
}

/// Sizes of 32 bits that say nothing.
enum SoundSizes {
  /// Whether a size is one that recorders write when they cannot know it: all ones, and about 2 GiB.
  static func isPlaceholder(_ size: Int64) -> Bool {
    (0x7FFF_0000...0x8000_0100).contains(size) || (0xFFFF_FF00...0xFFFF_FFFF).contains(size)
  }
}
