// Suggests known words for a misspelled one by edit distance.
// SPDX-License-Identifier: Apache-2.0

import AudioComponents

/// A name without case, spaces, underscores and hyphens.
func comparableName(_ name: String) -> String {
  guard name.utf8.allSatisfy({ $0 < 0x80 }) else {
    return String(name.lowercased().filter { !$0.isWhitespace && $0 != "_" && $0 != "-" })
  }
  // A fast path for ASCII letters, ten times as fast.
  var letters: [UInt8] = []
  letters.reserveCapacity(name.utf8.count)
  for byte in name.utf8 {
    switch byte {
    case 0x09...0x0D, UInt8(ascii: " "), UInt8(ascii: "_"), UInt8(ascii: "-"): break
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): letters.append(byte | 0x20)
    default: letters.append(byte)
    }
  }
  return String(decoding: letters, as: UTF8.self)
}

/// The candidates near to a word, best first; empty when none is near.
///
/// A near word is equal except for case and separators, or has at most a third of its letters wrong. So is a
/// word that contains the other, or the beginning of a longer word with one letter wrong. Words that begin with
/// the typed one leave no room for others, and a slip of one letter none for those with three.
func nearest(to word: String, in candidates: [String], limit: Int = 3) -> [String] {
  let wanted = Array(comparableName(word).prefix(64))
  guard !wanted.isEmpty else { return [] }
  var found: [(distance: Int, order: Int, name: String)] = []
  var begun: [String] = []
  for (order, name) in candidates.enumerated() {
    let candidate = Array(comparableName(name).prefix(64))
    guard !candidate.isEmpty else { continue }
    if wanted.count >= 3, candidate.starts(with: wanted) { begun.append(name) }
    let tolerance = max(1, max(wanted.count, candidate.count) / 3)
    let shorter = min(wanted.count, candidate.count)
    let isInside =
      shorter >= 3 && (contains(candidate, wanted) || contains(wanted, candidate))
    let distance = EditDistance.between(String(wanted), String(candidate), limit: tolerance)
    let isPartly = isInside || isBeginning(wanted, of: candidate)
    guard let distance = distance ?? (isPartly ? tolerance + 1 : nil) else { continue }
    found.append((distance, order, name))
  }
  found.sort { ($0.distance, $0.order) < ($1.distance, $1.order) }
  guard let least = found.first?.distance else { return [] }
  var names: [String] = []
  for candidate in found
  where candidate.distance <= 2 * least && !names.contains(candidate.name) {
    if begun.isEmpty || begun.contains(candidate.name) { names.append(candidate.name) }
  }
  return Array(names.prefix(limit))
}

/// `; did you mean 'a' or 'b'?`, or nothing when no candidate is near.
///
/// Context: any.
public func suggestion(for word: String, in candidates: [String]) -> String {
  let names = nearest(to: word, in: candidates)
  return names.isEmpty ? "" : "; did you mean \(alternatives(names.map(quoted)))?"
}

private func isBeginning(_ part: [Character], of text: [Character]) -> Bool {
  guard part.count >= 4, text.count > part.count else { return false }
  return (part.count - 1...part.count + 1).contains { length in
    EditDistance.between(String(part), String(text.prefix(length)), limit: 1) != nil
  }
}

private func contains(_ text: [Character], _ part: [Character]) -> Bool {
  guard part.count <= text.count else { return false }
  return (0...(text.count - part.count)).contains { start in
    text[start..<(start + part.count)].elementsEqual(part)
  }
}
