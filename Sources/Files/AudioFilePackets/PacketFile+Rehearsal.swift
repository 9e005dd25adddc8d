// Changes of files that may be damaged, tried out before they are made: no packet is lost by a title.
// SPDX-License-Identifier: Apache-2.0

import AudioFileSyntax

extension PacketFile {
  /// Tries a change on a copy that exists in memory only, and checks whether the packets come
  /// through it.
  ///
  /// Headers are written anew with a change, and a damaged one may differ from the content.
  ///
  /// - Throws: The error of the change; `.broken` when the file would not open afterwards, or hold
  ///   other packets.
  func rehearse(
    _ change: (PacketFile) throws(AudioFileFailure) -> Void
  ) throws(AudioFileFailure) {
    guard existed else { return }
    try flush()
    let store = try TrialStore(over: bytes)
    let trial = try PacketFile.open(store, hint: type, isWritable: true)
    guard trial.container == container else { throw .broken }
    let before = try trial.placedPackets()
    try change(trial)
    let texts = try trial.storedInfo()
    try trial.flush()
    let again: PacketFile
    do throws(AudioFileFailure) { again = try PacketFile.open(store, hint: type) } catch {
      throw .broken
    }
    let after = try again.placedPackets()
    guard again.container == container, before.count == after.count,
      try again.storedInfo() == texts
    else { throw .broken }
    for (old, new) in zip(before, after) {
      guard old.count == new.count, store.holds(Int64(old.count), of: old.start, at: new.start)
      else { throw .broken }
    }
  }

  /// Returns the places of the bytes of all packets.
  private func placedPackets() throws(AudioFileFailure) -> [PacketPiece] {
    guard let table = try completeTable() else {
      return [PacketPiece(start: soundOffset, count: Int(soundByteCount))]
    }
    var places: [PacketPiece] = []
    for index in 0..<table.count {
      let whole = PacketPiece(start: table.starts[index], count: Int(table.sizes[index]))
      places += table.pieces[index] ?? [whole]
    }
    return places
  }
}
