// A sound file that arrives in pieces: its packets as soon as they are whole.
// SPDX-License-Identifier: Apache-2.0

package import CAudioToolbox

/// The stream behind an `AudioFileStreamID`: the readers of files over the bytes so far. One caller
/// at a time.
package final class PacketStream {
  private let hint: AudioFileTypeID
  let store = ArrivingStore()
  /// The file; nil until all in front of the sound has come.
  package internal(set) var file: PacketFile?
  /// The texts in front of the sound.
  package internal(set) var info = SoundInfo()
  /// The reason why no more packets come.
  var failure: AudioFileFailure?
  /// The next packet to be delivered.
  var nextPacket: Int64 = 0
  /// Start of the last delivered packet.
  private var lastStart: Int64 = 0
  /// The bytes of sound that the front of the file declares; endless where it does not.
  private var declaredByteCount: Int64 = 0
  /// Bytes in front of the container.
  private var origin: Int64 = 0
  /// Whether the next packet is to be searched: the bytes do not follow those before.
  private var mustSync = false
  /// Whether the next bytes are the ones that a call of `seek` asked for.
  private var isSought = false
  /// Opens all bytes of a kind without packets; nil where no decoder is at hand.
  let decoding: Decoder?
  /// The bytes so far of a kind that is decoded once its end has come; nil for other kinds.
  var gathered: MemoryStore?
  /// The reason why no container reads it.
  var refusal = AudioFileFailure.fileType

  /// Packets that came at once: their bytes, their number, and where each is if their sizes differ.
  package typealias Delivery = (
    bytes: [UInt8], packetCount: UInt32, descriptions: [AudioStreamPacketDescription]
  )

  /// Opens a file by its decoded frames; nil where the decoder refuses it.
  package typealias Decoder = (any ByteStore) -> PacketFile?

  /// Begins a stream.
  ///
  /// - Parameters:
  ///   - hint: The container to try first; 0 for none. Frames without a magic number want it.
  ///   - decoding: The decoder of kinds without packets; nil to refuse them.
  package init(hint: AudioFileTypeID = 0, decoding: Decoder? = nil) {
    self.hint = hint
    self.decoding = decoding
  }

  /// The end of the bytes so far, in the container.
  private var arrived: Int64 { store.arrived - origin }

  /// Whether the front of the file declares the length of the sound, or the end has come.
  package var knowsEnd: Bool { (file?.soundByteCount ?? .max) < ArrivingStore.endless / 2 }

  /// Parses the next bytes, or the end.
  ///
  /// - Parameters:
  ///   - piece: Any number of bytes; none for the end of the stream.
  ///   - isDiscontinuous: Whether they do not follow those before.
  ///   - ready: Called once, when all in front of the sound is known.
  ///   - deliver: Called with whole packets; of kinds that are decoded, at the end.
  /// - Throws: `.fileType`, `.broken`, `.dataFormat` for data that no container reads.
  ///   `.notOptimized` when the table of the packets is behind them; `.lost` for a gap that nothing
  ///   can be found behind.
  ///
  /// Context: control.
  package func parse(
    _ piece: UnsafeRawBufferPointer, isDiscontinuous: Bool = false,
    ready: (PacketFile) -> Void, deliver: (Delivery) -> Void
  ) throws(AudioFileFailure) {
    if let failure { throw failure }
    if let gathered {
      return try unsafe gather(piece, isDiscontinuous, into: gathered, ready, deliver)
    }
    // Before the first byte, programs ask with none whether the stream works.
    guard piece.count > 0 || store.arrived > 0 else { return }
    do throws(AudioFileFailure) {
      if isDiscontinuous || isSought { try restart(isDiscontinuous) }
      if piece.count == 0 { try end() } else { unsafe append(piece) }
      if file == nil {
        guard store.arrived >= store.wanted || !store.isArriving else { return }
        let opened = try PacketFile.open(BufferedStore(store), hint: hint)
        origin = opened.origin
        declaredByteCount = opened.soundByteCount
        file = opened
        info = (try? opened.storedInfo()) ?? SoundInfo()
        if !store.isArriving { try end() }
        ready(opened)
      }
      guard let file else { return }
      try deliverPackets(file, deliver)
    } catch {
      guard error != .notYet else { return }
      if let gathered = bytesForDecoder(error) {
        (self.gathered, refusal) = (gathered, error)
        guard piece.count == 0 else { return }
        return try unsafe gather(piece, false, into: gathered, ready, deliver)
      }
      failure = error
      throw error
    }
  }

  private func append(_ piece: UnsafeRawBufferPointer) {
    // A packet that was cut off at an end continues, after all.
    if !store.isArriving, let file {
      file.soundByteCount = declaredByteCount
      file.table?.isComplete = file.scanner == nil
    }
    unsafe store.append(piece)
  }

  /// The end of the stream is that of the sound, where nothing else declared it.
  private func end() throws(AudioFileFailure) {
    store.end()
    guard let file else { return }
    let end = try file.container.soundEnd(file.bytes)
    file.soundByteCount = max(0, min(declaredByteCount, end - file.soundOffset))
  }

  /// Goes on behind a gap.
  private func restart(_ isDiscontinuous: Bool) throws(AudioFileFailure) {
    defer { isSought = false }
    guard isDiscontinuous, !isSought else { return }
    guard let file else {
      // The arrived bytes make no file, and its front is now missing.
      return store.restart(at: 0)
    }
    if file.table == nil {
      guard file.runs == nil else { throw .lost }
      // The bytes count as beginning with a packet.
      let size = Int64(max(1, file.format.mBytesPerPacket))
      nextPacket = (arrived - file.soundOffset + size - 1) / size
      store.restart(at: origin + file.soundOffset + nextPacket * size)
      return
    }
    guard file.container.canSync else { throw .lost }
    store.restart(at: store.arrived)
    file.moveScan(to: arrived)
    nextPacket = file.knownPackets.count
    mustSync = true
  }

  private func deliverPackets(
    _ file: PacketFile, _ deliver: (Delivery) -> Void
  ) throws(AudioFileFailure) {
    guard file.table != nil else { return try deliverConstant(file, deliver) }
    if mustSync {
      guard let place = try file.container.sync(file.bytes, from: file.scannedEnd) else {
        throw .lost
      }
      file.moveScan(to: place)
      mustSync = false
    }
    var bytes: [UInt8] = []
    var descriptions: [AudioStreamPacketDescription] = []
    defer {
      if !descriptions.isEmpty { deliver((bytes, UInt32(descriptions.count), descriptions)) }
    }
    while true {
      try file.scan(to: nextPacket)
      guard let table = file.table, nextPacket < table.count else { return }
      let index = Int(nextPacket)
      // Bytes that were skipped are gone.
      guard table.starts[index] >= lastStart else { throw .notOptimized }
      try store.require(origin + table.starts[index] + Int64(table.sizes[index]))
      let packet = try file.packetBytes(index)
      guard packet.count == Int(table.sizes[index]) else { return }
      descriptions.append(
        AudioStreamPacketDescription(
          mStartOffset: Int64(bytes.count),
          mVariableFramesInPacket: file.variableFrames(index),
          mDataByteSize: UInt32(packet.count)))
      bytes += packet
      nextPacket += 1
      lastStart = table.starts[index]
      store.discard(before: origin + table.starts[index])
      // Many at once would only need memory.
      if bytes.count > 1 << 20 {
        deliver((bytes, UInt32(descriptions.count), descriptions))
        bytes.removeAll(keepingCapacity: true)
        descriptions.removeAll(keepingCapacity: true)
      }
    }
  }

  private func deliverConstant(
    _ file: PacketFile, _ deliver: (Delivery) -> Void
  ) throws(AudioFileFailure) {
    let size = Int64(file.format.mBytesPerPacket)
    guard size > 0 else { throw .broken }
    while true {
      let (start, together) = file.stretch(at: nextPacket * size)
      let count = min(min(arrived - start, together) / size, max(1, (1 << 20) / size))
      guard count > 0 else { return }
      let bytes = try file.bytes.bytes(at: start, count: Int(count * size))
      guard bytes.count == Int(count * size) else { return }
      nextPacket += count
      store.discard(before: origin + start + count * size)
      deliver((bytes, UInt32(count), []))
    }
  }

  /// Finds the start of a packet, and expects the next bytes from there on.
  ///
  /// - Returns: Bytes from the start of the sound, and whether they are a guess.
  /// - Throws: `.packet` for none; `.illegal` before the sound is reached; `.unsupported` where its
  ///   place is unknown.
  package func seek(
    toPacket packet: Int64
  ) throws(AudioFileFailure) -> (offset: Int64, isEstimate: Bool) {
    guard let file else { throw .illegal }
    guard packet >= 0 else { throw .packet }
    if gathered != nil { return (try seek(toFrame: packet, of: file), false) }
    if let known = file.knownStart(ofPacket: packet) {
      guard packet <= file.knownPackets.count || file.table != nil else { throw .packet }
      store.restart(at: origin + file.soundOffset + known)
      file.cutScan(to: packet, at: file.soundOffset + known)
      (nextPacket, lastStart) = (packet, 0)
      mustSync = false
      (isSought, failure) = (true, nil)
      return (known, false)
    }
    guard let table = file.table, !table.isComplete else { throw .packet }
    guard table.count > 0, file.container.canSync else { throw .illegal }
    let known = table.starts[table.count - 1] + Int64(table.sizes[table.count - 1])
    let mean = Double(known - file.soundOffset) / Double(table.count)
    let offset = Int64(mean * Double(packet))
    guard offset <= file.soundByteCount else { throw .packet }
    store.restart(at: origin + file.soundOffset + offset)
    file.moveScan(to: file.soundOffset + offset)
    (nextPacket, lastStart) = (file.knownPackets.count, 0)
    mustSync = true
    (isSought, failure) = (true, nil)
    return (offset, true)
  }
}
