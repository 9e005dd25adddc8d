// Options whose place among the others matters.
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The text of an option, and its place among all ordered options of the command line.
///
/// The argument parser collects options by name and forgets how different names were mixed. It does
/// read them from left to right, so a number drawn when each is read keeps the order.
struct OrderedOption: Sendable, Equatable {
  var place: Int
  var text: String

  private static let next = Atomic<Int>(0)

  /// Takes the next place.
  init(_ text: String) {
    place = Self.next.add(1, ordering: .relaxed).oldValue
    self.text = text
  }
}
