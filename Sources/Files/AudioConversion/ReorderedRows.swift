// Rows of channels in another order, without moving a sample.
// SPDX-License-Identifier: Apache-2.0

/// Rows in another order than somebody gave them.
@safe package final class ReorderedRows {
  private let places: [Int]
  private let rows: ChannelPointers

  /// Nothing to reorder gives nil.
  package init?(_ places: [Int]?) {
    guard let places else { return nil }
    self.places = places
    unsafe rows = .allocate(capacity: places.count)
  }

  deinit {
    unsafe rows.deallocate()
  }

  /// The rows, each channel of the file at the place it has among those given; good until the next call.
  package func callAsFunction(_ given: ChannelPointers) -> ChannelPointers {
    for (channel, place) in places.enumerated() {
      unsafe (rows + channel).initialize(to: given[place])
    }
    return unsafe rows
  }
}
