// The difference of two texts, line by line.
// SPDX-License-Identifier: Apache-2.0

/// Compares texts by their lines.
enum TextDifference {
  /// The lines of both: ` ` in both, `-` only in the old, `+` only in the new text.
  static func lines(_ old: String, _ new: String) -> [(mark: String, text: String)] {
    func split(_ text: String) -> [String] {
      var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      if lines.last == "" { lines.removeLast() }
      return lines
    }
    let (one, other) = (split(old), split(new))
    let difference = other.difference(from: one)
    var removed: Set<Int> = []
    var inserted: Set<Int> = []
    for change in difference {
      switch change {
      case .remove(let offset, _, _): removed.insert(offset)
      case .insert(let offset, _, _): inserted.insert(offset)
      }
    }
    var lines: [(mark: String, text: String)] = []
    var (left, right) = (0, 0)
    while left < one.count || right < other.count {
      if left < one.count, removed.contains(left) {
        lines.append(("-", one[left]))
        left += 1
      } else if right < other.count, inserted.contains(right) {
        lines.append(("+", other[right]))
        right += 1
      } else {
        if right < other.count { lines.append((" ", other[right])) }
        left += 1
        right += 1
      }
    }
    return lines
  }
}
