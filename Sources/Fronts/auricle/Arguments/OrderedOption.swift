// Options whose order matters.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The text of an option, and its position among all ordered options of the command line.
///
/// The argument parser collects options by name and loses the order of different names. It reads them from
/// left to right, so a counter preserves the order.
struct OrderedOption: Sendable, Equatable {
  var place: Int
  var text: String

  private static let next = Atomic<Int>(0)

  /// Makes an option with the next position.
  init(_ text: String) {
    place = Self.next.add(1, ordering: .relaxed).oldValue
    self.text = text
  }

  /// An option at a place of the command line.
  init(_ text: String, place: Int) { (self.place, self.text) = (place, text) }
}
