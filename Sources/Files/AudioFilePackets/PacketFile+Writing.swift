// Bytes and packets into a file.
// SPDX-License-Identifier: Apache-2.0

package import CAudioToolbox

extension PacketFile {
  /// The most bytes of sound that the container can say.
  private var maximumSoundSize: Int64 {
    guard let chunks, type != kAudioFileRF64Type, type != kAudioFileBW64Type else { return .max }
    // The size of the whole file has the same width.
    return chunks.scheme.maximumSize == .max ? .max : chunks.scheme.maximumSize - soundOffset - 64
  }

  /// Whether packets can be added.
  private var canGrow: Bool {
    if let movie { return movie.mediaStart != nil }
    // The last page of an existing Ogg file is marked as the last.
    return chunks?.soundIsLast
      ?? (type != kAuricleAudioFileOggType || soundOffset == 0 || ogg.pages != nil)
  }

  /// Called before the sound grows to a number of bytes.
  private func prepareToGrow(to byteCount: Int64) throws(AudioFileFailure) {
    guard isWritable else { throw .permission }
    guard byteCount > soundByteCount else { return }
    guard canGrow else { throw .notOptimized }
    guard byteCount <= maximumSoundSize else { throw .tooLong }
    isDirty = true
  }

  /// Writes bytes of the sound, over others or behind them.
  ///
  /// - Throws: `.packet` for a place behind the end, `.notOptimized` when the sound cannot grow, `.unsupported` for
  ///   packets that differ in size: their places would be lost.
  package func writeBytes(
    _ source: UnsafeRawBufferPointer, at position: Int64
  ) throws(AudioFileFailure) {
    guard table == nil else { throw .unsupported }
    guard position >= 0, position <= soundByteCount else { throw .packet }
    let end = position + Int64(source.count)
    try prepareToGrow(to: end)
    guard isWritable else { throw .permission }
    try unsafe bytes.write(source, at: soundOffset + position)
    soundByteCount = max(soundByteCount, end)
    if writesSizesAtOnce { try flush() }
  }

  /// Writes packets of the size that the format says.
  package func writePackets(
    _ count: UInt32, from start: Int64, _ source: UnsafeRawPointer
  ) throws(AudioFileFailure) {
    let size = Int64(format.mBytesPerPacket)
    guard start >= 0, start <= soundByteCount / size else { throw .packet }
    try unsafe writeBytes(
      UnsafeRawBufferPointer(start: source, count: Int(Int64(count) * size)), at: start * size)
  }

  /// Appends packets that differ in size.
  ///
  /// - Parameters:
  ///   - start: The number of packets that the file has: they can be appended only.
  ///   - source: The bytes of all of them.
  ///   - descriptions: Where each is.
  /// - Returns: The number that was written.
  package func appendPackets(
    from start: Int64, _ source: UnsafeRawBufferPointer,
    _ descriptions: UnsafeBufferPointer<AudioStreamPacketDescription>
  ) throws(AudioFileFailure) -> UInt32 {
    guard isWritable else { throw .permission }
    guard start == (try packetCount()) else { throw .packet }
    for index in descriptions.indices {
      let packet = unsafe descriptions[index]
      let (offset, size) = (packet.mStartOffset, Int64(packet.mDataByteSize))
      guard offset >= 0, size <= Int64(source.count), offset <= Int64(source.count) - size else {
        throw .parameter
      }
      let bytes = unsafe UnsafeRawBufferPointer(rebasing: source[Int(offset)..<Int(offset + size)])
      try unsafe append(bytes, frames: packet.mVariableFramesInPacket)
    }
    if writesSizesAtOnce { try flush() }
    return UInt32(descriptions.count)
  }

  private func append(
    _ packet: UnsafeRawBufferPointer, frames: UInt32
  ) throws(AudioFileFailure) {
    let header = try container.frameHeader(self, packetSize: packet.count)
    let more = Int64(header.count + packet.count)
    try prepareToGrow(to: soundByteCount + more)
    if type == kAuricleAudioFileOggType {
      let frames = try unsafe OggContainer.append(self, [UInt8](packet))
      table?.append(start: 0, size: UInt32(packet.count), frames: frames)
    } else {
      // Behind the last one, wherever that ends in a file of several tracks.
      let start = movie?.tail ?? soundOffset + soundByteCount
      let place = start + Int64(header.count)
      // Others gather in the block that could not be written, too.
      isTorn = true
      if !header.isEmpty { try bytes.write(header, at: start) }
      try unsafe bytes.write(packet, at: place)
      isTorn = false
      table?.append(
        start: place, size: UInt32(packet.count),
        frames: format.mFramesPerPacket == 0 ? frames : nil)
      movie?.tail = place + Int64(packet.count)
      movie?.hasNewPackets = true
    }
    soundByteCount += more
  }

  /// Shortens the sound.
  ///
  /// - Throws: `.unsupported` for more than there is.
  package func cut(toByteCount count: Int64) throws(AudioFileFailure) {
    guard isWritable else { throw .permission }
    guard count >= 0, count <= soundByteCount, table == nil else { throw .unsupported }
    if isOptimized { try bytes.resize(to: soundOffset + count) }
    soundByteCount = count
    isDirty = true
  }

  /// Drops packets from the end.
  package func cut(toPacketCount count: Int64) throws(AudioFileFailure) {
    guard count >= 0, count <= (try packetCount()) else { throw .unsupported }
    guard table != nil else { return try cut(toByteCount: count * Int64(format.mBytesPerPacket)) }
    guard isWritable else { throw .permission }
    guard type != kAuricleAudioFileOggType else { throw .unsupported }
    if let movie {
      if let table, table.count > 0, table.end == movie.tail {
        self.movie?.tail = count == 0 ? table.starts[0] : table.end(of: Int(count) - 1)
      }
      self.movie?.hasNewPackets = true
      self.table?.cut(to: Int(count))
      soundByteCount = self.table?.sizes.reduce(0) { $0 + Int64($1) } ?? 0
      isDirty = true
      return
    }
    table?.cut(to: Int(count))
    soundByteCount = count == 0 ? 0 : (table?.end ?? soundOffset) - soundOffset
    if isOptimized { try bytes.resize(to: soundOffset + soundByteCount) }
    isDirty = true
  }
}
