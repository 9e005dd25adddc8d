// The distance of two texts, for "did you mean".
// SPDX-License-Identifier: Apache-2.0

/// Edit distances: the letters to insert, delete, replace or swap with their neighbour.
public enum EditDistance {
  /// The distance of two texts, in any case; nil if it is above `limit`.
  ///
  /// - Complexity: O(n · m) of the lengths, less if the limit is reached.
  public static func between(_ left: String, _ right: String, limit: Int = .max) -> Int? {
    between(
      Array(left.lowercased().unicodeScalars), Array(right.lowercased().unicodeScalars),
      limit: limit)
  }

  static func between(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar], limit: Int) -> Int? {
    if abs(left.count - right.count) > limit { return nil }
    var beforePrevious = [Int](repeating: 0, count: right.count + 1)
    var previous = Array(0...right.count)
    var current = previous
    for (row, a) in left.enumerated() {
      current[0] = row + 1
      var smallest = current[0]
      for (column, b) in right.enumerated() {
        var distance = min(
          previous[column] + (a == b ? 0 : 1), previous[column + 1] + 1, current[column] + 1)
        if row > 0, column > 0, a == right[column - 1], left[row - 1] == b {
          distance = min(distance, beforePrevious[column - 1] + 1)
        }
        current[column + 1] = distance
        smallest = min(smallest, distance)
      }
      if smallest > limit { return nil }
      (beforePrevious, previous, current) = (previous, current, beforePrevious)
    }
    return previous[right.count] <= limit ? previous[right.count] : nil
  }

  /// Those of `candidates` that are near `text`, nearest first.
  ///
  /// - Parameters:
  ///   - text: The typed text.
  ///   - candidates: The known texts.
  ///   - count: The greatest number of answers.
  public static func nearest(
    to text: String, among candidates: [String], count: Int = 3
  ) -> [String] {
    let limit = max(2, text.count / 3)
    let ranked = candidates.enumerated().compactMap { index, candidate in
      between(text, candidate, limit: limit).map { (distance: $0, index: index) }
    }
    return ranked.sorted { ($0.distance, $0.index) < ($1.distance, $1.index) }
      .prefix(count).map { candidates[$0.index] }
  }
}
