// Plain values with fixed addresses, for render threads.
// SPDX-License-Identifier: Apache-2.0

/// A range of consecutive parameters.
package struct PlaceRange: BitwiseCopyable {
  /// Index of the first.
  package var first: Int
  /// Their number.
  package var count: Int

  /// The fewest ranges that cover ascending indices. Context: any.
  package static func covering(_ places: [Int]) -> [PlaceRange] {
    var ranges: [PlaceRange] = []
    for place in places {
      if let last = ranges.last, last.first + last.count == place {
        ranges[ranges.count - 1].count += 1
      } else {
        ranges.append(PlaceRange(first: place, count: 1))
      }
    }
    return ranges
  }
}

/// A list of plain values with a fixed address.
@safe package struct RenderTable<Element: BitwiseCopyable>: BitwiseCopyable {
  /// The values.
  package let elements: UnsafeMutablePointer<Element>
  /// Their number.
  package let count: Int

  /// Allocates a copy of a list. Context: control.
  package init(_ list: [Element]) {
    count = list.count
    unsafe elements = .allocate(capacity: max(count, 1))
    for (index, element) in list.enumerated() {
      unsafe (elements + index).initialize(to: element)
    }
  }

  /// Frees the memory. Context: control.
  package func free() { unsafe elements.deallocate() }
}
