// The last frames of sources in space, each in a ring.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK

/// A past of each source. All frames are there twice, one ring behind the other, so that a run of them may be read
/// without a check for the wrap.
///
/// Context: render; made and freed on a control thread.
@safe struct SourcePasts: BitwiseCopyable {
  /// Frames of a ring, a power of two.
  let size: Int
  private let sourceCount: Int
  private let memory: UnsafeMutablePointer<Float>
  private var position = 0

  /// Allocates silence. Context: control.
  ///
  /// - Parameters:
  ///   - frames: Frames of a ring at least.
  ///   - spare: Frames that can be read behind the last ring.
  init(sourceCount: Int, frames: Int, spare: Int = 0) {
    self.sourceCount = sourceCount
    var size = 64
    while size < frames { size *= 2 }
    self.size = size
    let count = 2 * size * max(sourceCount, 1) + spare
    unsafe memory = .allocate(capacity: count)
    unsafe memory.initialize(repeating: 0, count: count)
  }

  /// Frees the memory. Context: control.
  func deallocate() { unsafe memory.deallocate() }

  /// Forgets the past.
  @_noLocks mutating func reset() {
    unsafe SampleRun.clear(memory, 2 * size * sourceCount)
    position = 0
  }

  /// The ring of a source.
  @_noLocks @inline(__always) func ring(_ source: Int) -> UnsafeMutablePointer<Float> {
    unsafe memory + 2 * size * source
  }

  /// The place in a ring of a frame of the slice.
  @_noLocks @inline(__always) func place(_ frame: Int) -> Int { (position + frame) & (size - 1) }

  /// Puts a sample in its place.
  @_noLocks @inline(__always) func put(
    _ sample: Float, _ ring: UnsafeMutablePointer<Float>, _ place: Int
  ) {
    unsafe ring[place] = sample
    unsafe ring[place + size] = sample
  }

  /// Keeps a run of a source, nil for silence; `offset` frames of the slice were run before.
  @_noLocks func keep(
    _ source: Int, _ samples: UnsafePointer<Float>?, offset: Int, _ count: Int
  ) {
    let ring = unsafe ring(source)
    for frame in 0..<count {
      unsafe put(samples?[frame] ?? 0, ring, place(offset + frame))
    }
  }

  /// Counts the frames of a slice.
  @_noLocks mutating func advance(_ count: Int) { position = place(count) }
}
