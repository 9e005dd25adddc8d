// Filters as sums of rows of samples, and where rows are in the memory of a channel.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
import CRealtime

/// Rows of a signal that has so many samples a frame, one row for each of them.
struct SampleRows {
  /// The first row.
  var first: Int
  /// Samples a frame.
  var count: Int

  /// The row behind the last one.
  var end: Int { first + count }

  /// Returns the start of a row, from the place of the run on.
  func row(_ index: Int) -> Int { (first + index) * Oversampler.stride }

  /// Returns the place of the sample that comes so many samples after the first of the present frame; negative
  /// for before.
  func place(_ sample: Int) -> Int {
    let row = ((sample % count) + count) % count
    return self.row(row) + (sample - row) / count
  }
}

/// Places of two rows of the same weight.
struct RowPair {
  var first: Int
  var second: Int
  var weight: Double
}

/// One row as weighted sums of others.
struct RowSum {
  var target: Int
  /// A row that is added by itself, and its weight.
  var single: Int
  var weight: Double
  var pairs: [RowPair] = []
}

/// Sums of rows in their order, as a loop reads them. Context: made and freed on a control thread, otherwise any.
@safe struct RowProgram {
  private let places: UnsafeMutablePointer<Int32>
  private let weights: UnsafeMutablePointer<Float>
  private let rows: UnsafeMutablePointer<AuricleRowSum>
  private let count: Int

  /// Copies sums. Context: control.
  init(_ sums: [RowSum]) {
    let pairs = sums.flatMap(\.pairs)
    count = sums.count
    unsafe places = .allocate(capacity: max(2 * pairs.count, 1))
    unsafe weights = .allocate(capacity: max(pairs.count, 1))
    unsafe rows = .allocate(capacity: max(sums.count, 1))
    for (index, pair) in pairs.enumerated() {
      unsafe (places + index).initialize(to: Int32(pair.first))
      unsafe (places + pairs.count + index).initialize(to: Int32(pair.second))
      unsafe (weights + index).initialize(to: Float(pair.weight))
    }
    var done = 0
    for (index, sum) in sums.enumerated() {
      unsafe (rows + index).initialize(
        to: AuricleRowSum(
          first: places + done, second: places + pairs.count + done, weights: weights + done,
          pairCount: Int64(sum.pairs.count), single: Int32(sum.single),
          singleWeight: Float(sum.weight), target: Int32(sum.target)))
      done += sum.pairs.count
    }
  }

  /// Frees the memory. Context: control.
  func deallocate() {
    unsafe places.deallocate()
    unsafe weights.deallocate()
    unsafe rows.deallocate()
  }

  /// Makes the rows of a run of at most an interval.
  @_noLocks func run(at place: UnsafeMutablePointer<Float>, _ frames: Int) {
    unsafe AuricleSumRows(place, rows, count, frames)
  }
}
