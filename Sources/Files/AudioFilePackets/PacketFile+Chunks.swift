// Chunks read, set and removed; the sound moved behind them.
// SPDX-License-Identifier: Apache-2.0

import AudioFileSyntax

extension PacketFile {
  /// The codes of the chunks, each once, in their order.
  package var chunkCodes: [UInt32] {
    var seen: Set<UInt32> = []
    return (chunks?.entries ?? []).map(\.code).filter { seen.insert($0).inserted }
  }

  /// The number of chunks with a code.
  package func chunkCount(_ code: UInt32) throws(AudioFileFailure) -> Int {
    guard let chunks else { throw .unsupported }
    return chunks.places(of: code).count
  }

  private func place(_ code: UInt32, _ index: Int) throws(AudioFileFailure) -> ChunkEntry {
    guard let chunks else { throw .unsupported }
    let places = chunks.places(of: code)
    guard places.indices.contains(index) else { throw .chunk }
    return chunks.entries[places[index]]
  }

  /// The length of a chunk's body in bytes.
  package func chunkSize(_ code: UInt32, _ index: Int = 0) throws(AudioFileFailure) -> Int64 {
    try place(code, index).byteCount
  }

  /// Bytes of a chunk's body.
  package func chunkBytes(
    _ code: UInt32, _ index: Int = 0, from offset: Int64 = 0, count: Int = 1 << 28
  ) throws(AudioFileFailure) -> [UInt8] {
    let entry = try place(code, index)
    guard offset >= 0, offset <= entry.byteCount else { throw .parameter }
    return try bytes.bytes(
      at: entry.body + offset, count: Int(min(Int64(count), entry.byteCount - offset)))
  }

  /// A chunk's body; nil without one.
  func chunk(_ code: StaticString) throws(AudioFileFailure) -> [UInt8]? {
    guard let chunks, let first = chunks.places(of: UInt32(code: code)).first else { return nil }
    let entry = chunks.entries[first]
    return try bytes.bytes(at: entry.body, count: Int(min(entry.byteCount, 1 << 28)))
  }

  /// Stores a chunk in place of another with its code, or as a further one.
  ///
  /// It goes where the old one was if it fits there, into filler, or in front of a sound that has
  /// not begun. Otherwise it goes behind the sound, which then cannot grow until the file is
  /// optimized.
  package func setChunk(
    _ code: UInt32, _ index: Int = 0, _ body: [UInt8]
  ) throws(AudioFileFailure) {
    guard isWritable else { throw .permission }
    guard let chunks else { throw .unsupported }
    let places = chunks.places(of: code)
    guard index >= 0, index <= places.count else { throw .chunk }
    let old = places.indices.contains(index) ? places[index] : nil
    guard old == nil || old != chunks.soundIndex else { throw .parameter }
    if soundByteCount == 0, chunks.soundIsLast {
      var bodies = try headBodies()
      let head = chunks.entries.indices.filter { isHead($0) }
      if let old, let position = head.firstIndex(of: old) {
        bodies[position].body = body
      } else {
        bodies.append((code, body))
      }
      return try layOut(bodies)
    }
    try flushSoundSize()
    if let old, try replace(old, code, body) { return }
    // The following ones with the same code keep their order: they move with it.
    var bodies = [body]
    for later in places.indices where later > index {
      bodies.append(try chunkBytes(code, later))
    }
    for later in places.indices.reversed() where later >= index {
      guard let place = self.chunks?.places(of: code)[later] else { continue }
      try empty(place)
    }
    for body in bodies where !(try fill(code, body)) { try append(code, body) }
  }

  /// Removes a chunk.
  package func removeChunk(_ code: UInt32, _ index: Int) throws(AudioFileFailure) {
    guard isWritable else { throw .permission }
    guard let chunks else { throw .unsupported }
    let places = chunks.places(of: code)
    guard places.indices.contains(index) else { throw .chunk }
    guard places[index] != chunks.soundIndex else { throw .parameter }
    try flushSoundSize()
    try empty(places[index])
  }

  /// Whether a chunk is neither the sound nor filler.
  private func isHead(_ place: Int) -> Bool {
    guard let chunks else { return false }
    return place != chunks.soundIndex && !chunks.scheme.isFiller(chunks.entries[place].code)
  }

  /// All chunks but the sound and filler.
  private func headBodies() throws(AudioFileFailure) -> [(code: UInt32, body: [UInt8])] {
    var bodies: [(code: UInt32, body: [UInt8])] = []
    guard let chunks else { return bodies }
    for place in chunks.entries.indices where isHead(place) {
      let entry = chunks.entries[place]
      // A second sound behind the first would be read as the sound.
      let isSecondSound = chunks.soundIndex.map { chunks.entries[$0].code } == entry.code
      guard entry.byteCount <= 1 << 28, !isSecondSound else { throw .unsupported }
      bodies.append((entry.code, try bytes.bytes(at: entry.body, count: Int(entry.byteCount))))
    }
    return bodies
  }

  /// Writes all chunks in front of the sound, and moves the sound behind them.
  func layOut(_ bodies: [(code: UInt32, body: [UInt8])]) throws(AudioFileFailure) {
    guard let old = chunks, let sound = container as? any ChunkedContainer.Type else {
      throw .unsupported
    }
    let scheme = old.scheme
    var head = sound.master(self, byteCount: 0)
    var map = ChunkMap(scheme)
    func add(_ code: UInt32, _ body: [UInt8]) {
      head += scheme.header(code, Int64(body.count))
      map.entries.append(
        ChunkEntry(code: code, body: Int64(head.count), byteCount: Int64(body.count)))
      head += body
      head += repeatElement(
        0, count: Int(scheme.padded(Int64(body.count))) - body.count)
    }
    for (code, body) in bodies { add(code, body) }
    if reservedByteCount > 0 {
      add(scheme.fillerCode, [UInt8](repeating: 0, count: Int(reservedByteCount)))
    }
    let prefix = sound.soundPrefix(self)
    let behind = Int(scheme.headerSize) + prefix.count
    // Filler up to the page, and never so little that the sound would move to the front.
    var target = head.count + behind
    if alignsSound { target = (target + 4095) / 4096 * 4096 }
    if soundByteCount > 0 { target = max(target, Int(soundOffset)) }
    var filler = target - head.count - behind
    if filler > 0 {
      while filler < Int(scheme.headerSize) { filler += alignsSound ? 4096 : Int(scheme.alignment) }
      filler -= Int(scheme.headerSize)
      if scheme.padded(Int64(filler)) != Int64(filler) {
        filler = Int(scheme.padded(Int64(filler)))
      }
      add(scheme.fillerCode, [UInt8](repeating: 0, count: filler))
    }
    let soundStart = Int64(head.count + behind)
    let oldStart = soundOffset
    if soundByteCount > 0, soundStart != oldStart {
      try bytes.move(from: oldStart, to: soundStart, count: soundByteCount)
      table?.shift(by: soundStart - oldStart)
    }
    map.soundIndex = map.entries.count
    map.entries.append(
      ChunkEntry(
        code: sound.soundCode, body: soundStart - Int64(prefix.count),
        byteCount: Int64(prefix.count) + soundByteCount))
    head += scheme.header(sound.soundCode, Int64(prefix.count) + soundByteCount)
    head += prefix
    try bytes.write(head, at: 0)
    soundOffset = soundStart
    try bytes.resize(to: soundOffset + soundByteCount)
    chunks = map
    isDirty = true
    try sound.writeSizes(self)
  }

  /// Brings all chunks in front of the sound, so that it can grow.
  package func optimize() throws(AudioFileFailure) {
    guard isWritable else { throw .permission }
    try flush()
    if movie != nil {
      try rehearse { (file) throws(AudioFileFailure) in try MP4Container.optimize(file) }
      try MP4Container.optimize(self)
      return try flush()
    }
    guard chunks != nil else { return }
    guard !isOptimized else { return }
    let bodies = try headBodies()
    reservedByteCount = 0
    try layOut(bodies)
    try flush()
  }
}
