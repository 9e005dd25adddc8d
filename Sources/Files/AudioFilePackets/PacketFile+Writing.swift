// Bytes and packets into a file.
// SPDX-License-Identifier: Apache-2.0

package import CAudioToolbox

extension PacketFile {
  /// The most bytes of sound that the container can say.
  private var maximumSoundSize: Int64 {
    guard let chunks, type != kAudioFileRF64Type, type != kAudioFileBW64Type else { return .max }
    // The size of the whole file is told with the same width.
    return chunks.scheme.maximumSize == .max ? .max : chunks.scheme.maximumSize - soundOffset - 64
  }

  /// Called before the sound grows to a number of bytes.
  private func prepareToGrow(to byteCount: Int64) throws(AudioFileFailure) {
    guard isWritable else { throw .permission }
    guard byteCount > soundByteCount else { return }
    guard isOptimized else { throw .notOptimized }
    guard byteCount <= maximumSoundSize else { throw .tooLong }
    isDirty = true
  }

  /// Writes bytes of the sound, over what is there or behind it.
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
      let header = try container.frameHeader(self, packetSize: Int(size))
      let end = soundByteCount + Int64(header.count) + size
      try prepareToGrow(to: end)
      if !header.isEmpty { try bytes.write(header, at: soundOffset + soundByteCount) }
      let place = soundOffset + soundByteCount + Int64(header.count)
      try unsafe bytes.write(
        UnsafeRawBufferPointer(rebasing: source[Int(offset)..<Int(offset + size)]), at: place)
      table?.append(
        start: place, size: UInt32(size),
        frames: format.mFramesPerPacket == 0 ? packet.mVariableFramesInPacket : nil)
      soundByteCount = end
    }
    if writesSizesAtOnce { try flush() }
    return UInt32(descriptions.count)
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
    table?.cut(to: Int(count))
    soundByteCount = count == 0 ? 0 : (table?.end ?? soundOffset) - soundOffset
    if isOptimized { try bytes.resize(to: soundOffset + soundByteCount) }
    isDirty = true
  }
}
