// Finds a FLAC file behind another one, as when two were joined byte by byte.
// SPDX-License-Identifier: Apache-2.0

/// Returns the place of a FLAC file behind the sound that was read of another one; nil without one.
///
/// The search begins a little in front of the place up to which the decoder has read. It is short for a file that is
/// alone.
package func placeOfNextFLAC(_ stream: FileStream) -> Int? {
  // The mark, and the head of the first block, which may be the last one.
  let mark = Array("fLaC".utf8)
  let size = 8
  let step = 1 << 16
  var place = max(size, stream.position - (1 << 18))
  while place + size <= stream.length {
    let block = stream.bytes(at: place, count: step + size)
    guard block.count >= size else { return nil }
    for offset in 0...(block.count - size) where block[offset] == mark[0] {
      let found = block[offset..<(offset + size)]
      guard found.starts(with: mark), found[offset + 4] & 0x7F == 0,
        found.suffix(3).elementsEqual([0, 0, 34])
      else { continue }
      return place + offset
    }
    place += step
  }
  return nil
}
