// Streams of kinds without packets: their bytes are gathered, and decoded at the end.
// SPDX-License-Identifier: Apache-2.0

import AudioFileSyntax
import CAudioToolbox

extension PacketStream {
  /// The bytes of a kind that no container reads and a decoder may; nil where none does.
  ///
  /// A decoder may read a kind with a known mark, an unknown encoding in a known container, and what it opens by its
  /// first bytes.
  func bytesForDecoder(_ failure: AudioFileFailure) -> MemoryStore? {
    guard file == nil, let decoding, [.fileType, .dataFormat, .broken].contains(failure),
      let bytes = try? BufferedStore(store).bytes(at: 0, count: Int(store.arrived))
    else { return nil }
    let kept = MemoryStore(bytes)
    guard failure == .fileType else { return kept }
    let origin = PacketFile.origin(of: kept)
    let isMarked = try? OtherKinds.begins(BufferedStore(kept), at: origin)
    return isMarked == true || decoding(kept) != nil ? kept : nil
  }

  /// Adds the next bytes to those of a kind that is decoded; without any, decodes all of them.
  ///
  /// - Throws: `.lost` for a gap; the container's reason where the decoder refuses the whole, too.
  func gather(
    _ piece: UnsafeRawBufferPointer, _ isDiscontinuous: Bool, into gathered: MemoryStore,
    _ ready: (PacketFile) -> Void, _ deliver: (Delivery) -> Void
  ) throws(AudioFileFailure) {
    do throws(AudioFileFailure) {
      guard !isDiscontinuous || gathered.byteCount == 0 else { throw .lost }
      guard piece.count == 0 else {
        return try unsafe gathered.write(piece, at: gathered.byteCount)
      }
      guard gathered.byteCount > 0 else { return }
      guard let opened = decoding?(gathered) else { throw refusal }
      // The same bytes again follow a search.
      let isFirst = file == nil
      file = opened
      info = (try? opened.storedInfo()) ?? SoundInfo()
      self.gathered = MemoryStore()
      if isFirst { ready(opened) }
      try deliverDecoded(opened, deliver)
    } catch {
      failure = error
      throw error
    }
  }

  /// Delivers the frames from the next one on.
  private func deliverDecoded(
    _ file: PacketFile, _ deliver: (Delivery) -> Void
  ) throws(AudioFileFailure) {
    let size = Int(file.format.mBytesPerPacket)
    let most = max(1, (1 << 20) / size)
    while true {
      let bytes = try file.bytes.bytes(at: nextPacket * Int64(size), count: most * size)
      let count = bytes.count / size
      guard count > 0 else { return }
      nextPacket += Int64(count)
      deliver((bytes, UInt32(count), []))
    }
  }

  /// Finds a decoded frame: all bytes are needed again, from the first one on.
  func seek(toFrame frame: Int64, of file: PacketFile) throws(AudioFileFailure) -> Int64 {
    guard frame <= file.knownPackets.count else { throw .packet }
    nextPacket = frame
    gathered = MemoryStore()
    return 0
  }
}
