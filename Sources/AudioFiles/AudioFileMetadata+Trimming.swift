// Metadata of a part of a file.
// SPDX-License-Identifier: Apache-2.0

import CSndFile

extension AudioFileMetadata {
  /// The same for the part of a file that begins at a frame: marks are moved, those outside left out,
  /// and the time reference of the broadcast extension is moved on.
  ///
  /// `count` is the part's length in frames; nil when it is not known.
  public func beginning(atFrame start: Int, count: Int? = nil) -> AudioFileMetadata {
    guard start > 0 || count != nil else { return self }
    var part = self
    let end = count.map { start + $0 } ?? .max
    part.cuePoints = cuePoints.compactMap { cue in
      guard (start...max(end, start)).contains(Int(cue.frame)) else { return nil }
      var moved = cue
      moved.frame = UInt32(clamping: Int(cue.frame) - start)
      moved.position = UInt32(clamping: max(0, Int(cue.position) - start))
      return moved
    }
    guard start > 0 else { return part }
    // Loops of a sampled instrument mean places that are not there any more.
    part.instrument = []
    guard broadcastExtension.count >= MemoryLayout<SF_BROADCAST_INFO>.size,
      let low = MemoryLayout<SF_BROADCAST_INFO>.offset(of: \.time_reference_low),
      let high = MemoryLayout<SF_BROADCAST_INFO>.offset(of: \.time_reference_high)
    else { return part }
    unsafe part.broadcastExtension.withUnsafeMutableBytes { bytes in
      let reference =
        UInt64(unsafe bytes.loadUnaligned(fromByteOffset: low, as: UInt32.self))
        | UInt64(unsafe bytes.loadUnaligned(fromByteOffset: high, as: UInt32.self)) << 32
      let moved = reference &+ UInt64(start)
      unsafe bytes.storeBytes(
        of: UInt32(truncatingIfNeeded: moved), toByteOffset: low, as: UInt32.self)
      unsafe bytes.storeBytes(
        of: UInt32(truncatingIfNeeded: moved >> 32), toByteOffset: high, as: UInt32.self)
    }
    return part
  }
}
