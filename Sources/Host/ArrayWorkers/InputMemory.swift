// The memory that a sound is handed over in, freed while it is read.
// SPDX-License-Identifier: Apache-2.0

import FileRendering
import Glibc

/// A sound in memory that goes back to the system as it is read.
///
/// So sound and result are never in memory as a whole at once.
struct InputMemory {
  private let descriptor: Int32
  private let frameSize: Int
  /// The byte up to which it is freed.
  private var supplied = Self.beginning
  /// Whether the chain wants to read from the beginning, and the beginning is gone.
  private(set) var isNeededAgain = false

  /// The beginning stays: it has the type of the file.
  private static let beginning = 1 << 16
  /// The number of bytes that are freed at once.
  private static let part = 1 << 20

  /// - Parameters:
  ///   - descriptor: The memory, a WAV file.
  ///   - frameSize: Bytes of a frame; with 0 nothing is freed.
  init(_ descriptor: Int32, frameSize: Int) {
    (self.descriptor, self.frameSize) = (descriptor, max(0, frameSize))
  }

  /// Frees the part that was read according to the progress.
  mutating func follow(_ progress: JobProgress) {
    if progress.isReadAgain, supplied > Self.beginning { isNeededAgain = true }
    // The samples lie behind a header: so many bytes are read at least.
    let read = progress.inputFrameCount * frameSize
    guard read - supplied >= Self.part, !progress.isReadAgain else { return }
    guard
      let place = unsafe mmap(
        nil, Self.part, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, supplied),
      unsafe place != MAP_FAILED
    else { return }
    if unsafe madvise(place, Self.part, MADV_REMOVE) == 0 { supplied += Self.part }
    unsafe munmap(place, Self.part)
  }
}
