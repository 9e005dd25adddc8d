// The place of a new chunk in a file whose sound has begun.
// SPDX-License-Identifier: Apache-2.0

extension PacketFile {
  /// Writes the present size of the sound into the map of chunks and the header.
  func flushSoundSize() throws(AudioFileFailure) {
    guard let sound = container as? any ChunkedContainer.Type, let place = chunks?.soundIndex else {
      return
    }
    let prefix = Int64(sound.soundPrefix(self).count)
    chunks?.entries[place].byteCount = prefix + soundByteCount
    if let chunks, let cut = chunks.cutIndex, cut != place, chunks.entries.indices.contains(cut) {
      // Bytes that the file lacks are not to be confused with the ones written behind it.
      let entry = chunks.entries[cut]
      try writeHeader(entry.code, entry.byteCount, at: entry.body - chunks.scheme.headerSize)
    }
    chunks?.cutIndex = nil
    try sound.writeSizes(self)
  }

  private func writeHeader(
    _ code: UInt32, _ count: Int64, at position: Int64
  ) throws(AudioFileFailure) {
    guard let scheme = chunks?.scheme else { return }
    try bytes.write(scheme.header(code, count), at: position)
  }

  private func write(_ body: [UInt8], at position: Int64) throws(AudioFileFailure) {
    guard let scheme = chunks?.scheme else { return }
    let padding = Int(scheme.padded(Int64(body.count))) - body.count
    try bytes.write(body + [UInt8](repeating: 0, count: padding), at: position)
  }

  /// Writes a chunk over one that is large enough; the rest becomes filler.
  func replace(_ place: Int, _ code: UInt32, _ body: [UInt8]) throws(AudioFileFailure) -> Bool {
    guard let chunks else { return false }
    let (scheme, old) = (chunks.scheme, chunks.entries[place])
    let isLast = place == chunks.entries.count - 1
    let needed = scheme.padded(Int64(body.count))
    let left = scheme.padded(old.byteCount) - needed
    guard left == 0 || left >= scheme.headerSize || isLast else { return false }
    try writeHeader(code, Int64(body.count), at: old.body - scheme.headerSize)
    try write(body, at: old.body)
    self.chunks?.entries[place] = ChunkEntry(
      code: code, body: old.body, byteCount: Int64(body.count))
    if isLast {
      try bytes.resize(to: old.body + needed)
    } else if left > 0 {
      let start = old.body + needed
      try writeHeader(scheme.fillerCode, left - scheme.headerSize, at: start)
      self.chunks?.entries.insert(
        ChunkEntry(
          code: scheme.fillerCode, body: start + scheme.headerSize,
          byteCount: left - scheme.headerSize), at: place + 1)
      if let sound = chunks.soundIndex, sound > place { self.chunks?.soundIndex = sound + 1 }
    }
    isDirty = true
    return true
  }

  /// Turns a chunk into filler, or cuts it off where it is the last.
  func empty(_ place: Int) throws(AudioFileFailure) {
    guard let chunks else { return }
    let entry = chunks.entries[place]
    if place == chunks.entries.count - 1 {
      try bytes.resize(to: entry.body - chunks.scheme.headerSize)
      self.chunks?.entries.removeLast()
    } else {
      let room = chunks.scheme.padded(entry.byteCount)
      try writeHeader(chunks.scheme.fillerCode, room, at: entry.body - chunks.scheme.headerSize)
      try bytes.write([UInt8](repeating: 0, count: Int(min(room, 1 << 28))), at: entry.body)
      self.chunks?.entries[place] = ChunkEntry(
        code: chunks.scheme.fillerCode, body: entry.body, byteCount: room)
    }
    isDirty = true
  }

  /// Writes a chunk into filler, behind all with its code.
  func fill(_ code: UInt32, _ body: [UInt8]) throws(AudioFileFailure) -> Bool {
    guard let chunks else { return false }
    let last = chunks.places(of: code).last ?? -1
    for place in chunks.entries.indices where place > last {
      let entry = chunks.entries[place]
      guard place != chunks.soundIndex, chunks.scheme.isFiller(entry.code),
        place < chunks.entries.count - 1, entry.byteCount >= Int64(body.count)
      else { continue }
      if try replace(place, code, body) { return true }
    }
    return false
  }

  /// Writes a chunk at the end of the file.
  func append(_ code: UInt32, _ body: [UInt8]) throws(AudioFileFailure) {
    guard let chunks, let last = chunks.entries.last else { throw .unsupported }
    let end = last.body + last.byteCount
    let start = last.body + chunks.scheme.padded(last.byteCount)
    guard start + Int64(body.count) + 64 < chunks.scheme.maximumSize || type == 0x5246_3634
    else { throw .tooLong }
    if start > end { try bytes.write([UInt8](repeating: 0, count: Int(start - end)), at: end) }
    try writeHeader(code, Int64(body.count), at: start)
    try write(body, at: start + chunks.scheme.headerSize)
    self.chunks?.entries.append(
      ChunkEntry(
        code: code, body: start + chunks.scheme.headerSize, byteCount: Int64(body.count)))
    isDirty = true
  }
}
