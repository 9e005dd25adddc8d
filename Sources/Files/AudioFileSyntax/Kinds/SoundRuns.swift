// Sound that is not contiguous in its file: stretches of it, in the order in which they are played.
// SPDX-License-Identifier: Apache-2.0

/// The places of a sound's stretches.
package struct SoundRuns {
  /// Start of each stretch in the file.
  private var places: [Int64] = []
  /// Start of each stretch in the sound.
  private var offsets: [Int64] = []
  /// Bytes of the whole sound.
  package private(set) var byteCount: Int64 = 0

  /// Begins with no sound.
  package init() {}

  /// Adds a stretch behind the others.
  package mutating func append(_ place: Int64, count: Int64) {
    guard count > 0 else { return }
    if let last = places.last, let offset = offsets.last, last + byteCount - offset == place {
      byteCount += count
      return
    }
    places.append(place)
    offsets.append(byteCount)
    byteCount += count
  }

  /// Start of the sound; nil without one.
  package var start: Int64? { places.first }

  /// Whether the sound is contiguous.
  package var areOne: Bool { places.count <= 1 }

  /// Whether no stretch precedes one that is played before it.
  package var areInOrder: Bool { zip(places, places.dropFirst()).allSatisfy { $0 < $1 } }

  /// The place of a byte of the sound in the file, and the number of contiguous bytes from there
  /// on; none behind the end.
  package func stretch(at byte: Int64) -> (place: Int64, count: Int64) {
    var (low, high) = (0, places.count)
    while low < high {
      let middle = (low + high) / 2
      if offsets[middle] <= byte { low = middle + 1 } else { high = middle }
    }
    guard low > 0 else { return (start ?? 0, 0) }
    let end = low < offsets.count ? offsets[low] : byteCount
    return (places[low - 1] + byte - offsets[low - 1], max(0, end - byte))
  }
}
