// The way from the slices of an offline unit into its result: without latency, mixed with the input.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes

/// A writer that appends the output of offline units to a result. Context: one control thread.
struct OfflineWriter {
  private let result: any SoundStore
  private let source: any SoundStore
  private let mixes: [Float]
  private let late: Int
  private let whole: Int
  /// The frames of the input beside the written ones.
  private let dry: PlanarMemory
  private let frameCapacity: Int

  /// Writes into a result.
  ///
  /// - Parameters:
  ///   - source: The input, which is the other part of the mix.
  ///   - mixes: The part of the units in each channel, 0 to 1.
  ///   - late: Frames by which the units are late.
  ///   - whole: The most frames of the result.
  ///   - frameCapacity: The most frames of a slice.
  init(
    _ result: any SoundStore, _ source: any SoundStore, mixes: [Float], late: Int, whole: Int,
    frameCapacity: Int
  ) {
    self.result = result
    self.source = source
    self.mixes = mixes
    self.late = late
    self.whole = whole
    self.frameCapacity = frameCapacity
    dry = PlanarMemory(channelCount: mixes.count, frameCount: frameCapacity)
  }

  /// Writes a slice that begins at a frame of the pass; its samples may be changed.
  func write(
    _ rows: UnsafeMutablePointer<UnsafeMutablePointer<Float>>, _ frameCount: Int, at place: Int
  ) throws(AuricleError) {
    let skipped = min(frameCount, max(0, late - place))
    let count = min(frameCount - skipped, whole - result.frameCount)
    guard count > 0 else { return }
    let cursor = unsafe PlanarCursor(rows, channelCount: mixes.count, from: skipped)
    try mixIn(cursor, count)
    try unsafe result.append(cursor.rows, count)
  }

  /// Writes silence up to a frame of the result.
  func fill(upTo end: Int) throws(AuricleError) {
    while result.frameCount < end {
      let count = min(frameCapacity, end - result.frameCount)
      let silence = PlanarMemory(channelCount: mixes.count, frameCount: count)
      try unsafe result.append(silence.rows, count)
    }
  }

  /// Adds the input of the same frames, as silence behind its end.
  private func mixIn(_ made: PlanarCursor, _ count: Int) throws(AuricleError) {
    guard mixes.contains(where: { $0 < 1 }) else { return }
    let place = result.frameCount
    let there = min(count, max(0, source.frameCount - place))
    dry.clear(from: there, to: count)
    if there > 0 {
      try unsafe source.read(from: place, into: UnsafePointer(dry.rows), frameCount: there)
    }
    for (channel, mix) in mixes.enumerated() where mix < 1 {
      let (wet, input) = unsafe (made.rows[channel], dry.rows[channel])
      for frame in 0..<count {
        unsafe wet[frame] = input[frame] + (wet[frame] - input[frame]) * mix
      }
    }
  }
}

/// Pointers to rows from a frame on.
@safe final class PlanarCursor {
  let rows: UnsafeMutablePointer<UnsafeMutablePointer<Float>>

  init(
    _ whole: UnsafeMutablePointer<UnsafeMutablePointer<Float>>, channelCount: Int, from frame: Int
  ) {
    unsafe rows = .allocate(capacity: max(1, channelCount))
    for channel in 0..<channelCount {
      unsafe (rows + channel).initialize(to: whole[channel] + frame)
    }
  }

  deinit { unsafe rows.deallocate() }
}
