// Bytes and packets out of a file, by their place.
// SPDX-License-Identifier: Apache-2.0

package import CAudioToolbox

extension PacketFile {
  /// The packets of the whole file; nil where all are of one size. May read the file to its end.
  func completeTable() throws(AudioFileFailure) -> PacketTable? {
    guard table != nil else { return nil }
    try scan(to: .max)
    return table
  }

  /// Finds packets until one is known, or until the last.
  func scan(to packet: Int64) throws(AudioFileFailure) {
    while let count = table?.count, Int64(count) <= packet, table?.isComplete == false,
      scanner != nil
    {
      try scanNext()
    }
  }

  /// Finds the packet behind the last known one, or that there is none.
  func scanNext() throws(AudioFileFailure) {
    guard let scanner else { return }
    let from = max(soundOffset, scannedEnd)
    guard let found = try scanner.next(bytes, from, end: soundOffset + soundByteCount) else {
      table?.isComplete = true
      return
    }
    // In a stream, it is there once all of its bytes are.
    try bytes.require(found.start + Int64(found.size))
    table?.append(found)
    scannedEnd = found.end
  }

  /// The number of packets; frames for linear PCM. May read the file to its end.
  package func packetCount() throws(AudioFileFailure) -> Int64 {
    if let table = try completeTable() { return Int64(table.count) }
    return soundByteCount / Int64(max(1, format.mBytesPerPacket))
  }

  /// Bytes of sound in the file, headers of frames included.
  package func byteCount() -> Int64 { soundByteCount }

  /// The largest packet, in bytes. May read the file to its end.
  package func largestPacket() throws(AudioFileFailure) -> UInt32 {
    if let table = try completeTable() { return table.largest }
    return format.mBytesPerPacket
  }

  /// The largest packet that the format allows, in bytes, known without reading the packets.
  package func packetSizeBound() -> UInt32 {
    if let table, table.isComplete { return table.largest }
    return table == nil ? format.mBytesPerPacket : scanner?.largestSize ?? 0
  }

  /// Reads bytes of the sound.
  ///
  /// - Returns: The number of bytes read: fewer than asked for only where the sound ends.
  package func readBytes(
    at position: Int64, into buffer: UnsafeMutableRawBufferPointer
  ) throws(AudioFileFailure) -> Int {
    guard position >= 0 else { throw .parameter }
    let count = max(0, min(Int64(buffer.count), soundByteCount - position))
    guard count > 0 else { return 0 }
    var done = 0
    while done < Int(count) {
      let (place, together) = stretch(at: position + Int64(done))
      let wanted = Int(min(count - Int64(done), together))
      let part = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[done..<(done + wanted)])
      let read = try unsafe bytes.read(at: place, into: part)
      done += read
      guard read == wanted, wanted > 0 else { break }
    }
    return done
  }

  /// The place of a byte of the sound in the file, and the number of contiguous bytes from there
  /// on.
  func stretch(at byte: Int64) -> (place: Int64, count: Int64) {
    runs?.stretch(at: byte) ?? (soundOffset + byte, soundByteCount - byte)
  }

  /// The packets that a call delivered.
  package struct Delivery {
    /// The number of packets.
    package var packetCount: UInt32 = 0
    /// The bytes of all of them.
    package var byteCount: UInt32 = 0
    /// Whether the file has no more than these.
    package var isAtEnd = false
  }

  /// Reads whole packets, one behind the other.
  ///
  /// - Parameters:
  ///   - start: The first packet.
  ///   - count: The most packets.
  ///   - buffer: Where they go; without an address only the descriptions are filled.
  ///   - describe: Called with each packet's number in this call and its description.
  /// - Throws: `.parameter` when not even the first packet fits.
  package func readPackets(
    from start: Int64, count: UInt32, into buffer: UnsafeMutableRawBufferPointer,
    describe: (Int, AudioStreamPacketDescription) -> Void
  ) throws(AudioFileFailure) -> Delivery {
    guard start >= 0 else { throw .packet }
    if ogg.isUnsettled { try OggContainer.settle(self) }
    if table == nil {
      return try unsafe readConstantPackets(from: start, count: count, into: buffer)
    }
    try scan(to: start + Int64(count))
    guard let table else { throw .unspecified }
    var delivery = Delivery()
    var index = Int(clamping: start)
    while delivery.packetCount < count {
      guard index < table.count else {
        delivery.isAtEnd = true
        break
      }
      let size = Int(table.sizes[index])
      let used = Int(delivery.byteCount)
      if unsafe buffer.baseAddress != nil {
        guard used + size <= buffer.count else {
          if delivery.packetCount == 0 { throw .parameter }
          break
        }
        let target = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[used..<(used + size)])
        guard try unsafe readPacket(index, into: target) else {
          delivery.isAtEnd = true
          break
        }
      }
      describe(
        Int(delivery.packetCount),
        AudioStreamPacketDescription(
          mStartOffset: Int64(used),
          mVariableFramesInPacket: variableFrames(index),
          mDataByteSize: UInt32(size)))
      delivery.packetCount += 1
      delivery.byteCount += UInt32(size)
      index += 1
    }
    return delivery
  }

  /// Reads a packet that is known; false when the file has become shorter.
  private func readPacket(
    _ index: Int, into target: UnsafeMutableRawBufferPointer
  ) throws(AudioFileFailure) -> Bool {
    guard let pieces = table?.pieces[index] else {
      return try unsafe bytes.read(at: table?.starts[index] ?? 0, into: target) == target.count
    }
    var done = 0
    for piece in pieces {
      let part = unsafe UnsafeMutableRawBufferPointer(
        rebasing: target[done..<(done + piece.count)])
      guard try unsafe bytes.read(at: piece.start, into: part) == piece.count else { return false }
      done += piece.count
    }
    return true
  }

  private func readConstantPackets(
    from start: Int64, count: UInt32, into buffer: UnsafeMutableRawBufferPointer
  ) throws(AudioFileFailure) -> Delivery {
    let size = Int64(format.mBytesPerPacket)
    guard size > 0 else { throw .broken }
    let left = max(0, try packetCount() - start)
    let most = min(Int64(count), Int64(buffer.count) / size)
    var delivery = Delivery()
    delivery.isAtEnd = left < most || left == 0
    let wanted = min(most, left)
    guard wanted > 0 else {
      if left > 0, count > 0 { throw .parameter }
      return delivery
    }
    let read = try unsafe readBytes(
      at: start * size, into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<Int(wanted * size)])
    )
    delivery.packetCount = UInt32(Int64(read) / size)
    delivery.byteCount = delivery.packetCount * UInt32(size)
    if Int64(delivery.packetCount) < wanted { delivery.isAtEnd = true }
    return delivery
  }
}
