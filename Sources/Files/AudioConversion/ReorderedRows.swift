// Rows of channels in another order, without moving a sample.
// SPDX-License-Identifier: Apache-2.0

/// Rows in another order than that of the caller.
@safe package final class ReorderedRows {
  private let places: [Int]
  private let rows: ChannelPointers

  /// Makes the order; nil where there is nothing to reorder.
  package init?(_ places: [Int]?) {
    guard let places else { return nil }
    self.places = places
    unsafe rows = .allocate(capacity: places.count)
  }

  deinit {
    unsafe rows.deallocate()
  }

  /// The rows, each channel of the file at its place among the caller's; good until the next call.
  package func callAsFunction(_ supplied: ChannelPointers) -> ChannelPointers {
    for (channel, place) in places.enumerated() {
      unsafe (rows + channel).initialize(to: supplied[place])
    }
    return unsafe rows
  }
}
