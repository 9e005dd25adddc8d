// Two, four or eight samples for each frame, and back to one, of a channel.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
import RealtimeSupport

/// The rows of one channel with their past. Context: made and freed on a control thread, otherwise render.
@safe struct Oversampler: ~Copyable {
  /// Frames of the past that filters reach back.
  private static var history: Int { @_noLocks get { 80 } }
  /// Frames between two moves of the past.
  private static var room: Int { @_noLocks get { 256 } }
  /// Floats between two rows; loops write up to seven frames too many.
  static var stride: Int { @_noLocks get { 80 + 256 + 16 } }

  private let rows: UnsafeMutablePointer<Float>
  private let rowCount: Int
  private var frame = 0

  /// Allocates. Context: control.
  init(_ filters: borrowing OversamplingFilters) {
    rowCount = filters.rowCount
    unsafe rows = .allocate(capacity: rowCount * Self.stride)
    unsafe rows.initialize(repeating: 0, count: rowCount * Self.stride)
  }

  deinit { unsafe rows.deallocate() }

  /// Forgets the past.
  @_noLocks mutating func reset() {
    frame = 0
    unsafe SampleRun.clear(rows, rowCount * Self.stride)
  }

  private var place: UnsafeMutablePointer<Float> {
    @_noLocks get { unsafe rows + (Self.history + frame) }
  }

  /// Makes all samples of a run of at most an interval; they are to be shaped in `filters.factor` rows, `stride` apart,
  /// and `fall` makes frames of them.
  @_noLocks mutating func rise(
    _ source: UnsafePointer<Float>, _ count: Int, _ filters: borrowing OversamplingFilters
  ) -> UnsafeMutablePointer<Float> {
    if frame + count > Self.room {
      for row in 0..<rowCount {
        let start = unsafe rows + row * Self.stride
        unsafe SampleRun.copy(start + frame, to: start, Self.history)
      }
      frame = 0
    }
    unsafe SampleRun.copy(source, to: place + OversamplingFilters.input * Self.stride, count)
    unsafe filters.up.run(at: place, count)
    return unsafe place + filters.firstShaped * Self.stride
  }

  /// Makes frames of the samples of the run.
  @_noLocks mutating func fall(
    _ target: UnsafeMutablePointer<Float>, _ count: Int, _ filters: borrowing OversamplingFilters
  ) {
    unsafe filters.down.run(at: place, count)
    unsafe SampleRun.copy(place + filters.output * Self.stride, to: target, count)
    frame += count
  }
}
