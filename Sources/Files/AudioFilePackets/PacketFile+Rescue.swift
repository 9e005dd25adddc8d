// Rescue of a sound when the disk is full: the packets that are there, and a table of them.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox

extension PacketFile {
  /// Writes open data: sizes, the packet table, bytes in memory.
  ///
  /// Where that fails for want of room, packets at the end leave theirs to the table: the file
  /// opens up to there.
  ///
  /// - Throws: The reason why not all could be written, also when the rest was.
  package func flush() throws(AudioFileFailure) {
    guard isWritable else { return }
    if isTorn { try dropMissingPackets(keeping: 0) }
    do throws(AudioFileFailure) {
      try finish()
    } catch {
      let size = Int64((try? container.tableSize(self)) ?? 0)
      guard table != nil, type != kAuricleAudioFileOggType, size > 0 else { throw error }
      try? dropMissingPackets(keeping: size + 64)
      try? finish()
      throw error
    }
  }

  private func finish() throws(AudioFileFailure) {
    if isDirty {
      try container.finish(self)
      isDirty = false
    }
    try bytes.flush()
  }

  /// Drops packets from the end whose bytes are not in the file, or that are where others have to
  /// go.
  private func dropMissingPackets(keeping room: Int64) throws(AudioFileFailure) {
    isTorn = false
    guard let table, type != kAuricleAudioFileOggType else { return }
    let end = try bytes.byteCount - room
    var count = table.count
    while count > keptCount, table.end(of: count - 1) > end { count -= 1 }
    guard count < table.count else { return }
    self.table?.cut(to: count)
    trim?.mRemainderFrames = 0
    let tail = count > 0 ? table.end(of: count - 1) : soundOffset
    soundByteCount = tail - soundOffset
    movie?.tail = tail
    movie?.hasNewPackets = true
    isDirty = true
    try bytes.resize(to: tail)
  }
}
