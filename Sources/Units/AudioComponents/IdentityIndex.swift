// The place of each identity's component, sorted by identity.
// SPDX-License-Identifier: Apache-2.0

/// Places of components by their identity.
///
/// The array is sorted. For a dictionary, the runtime would search the whole process for the hash of its keys; that
/// is no small part of the time in which a chain of units opens.
struct IdentityIndex {
  private var entries: [(identity: ComponentIdentity, place: Int)] = []

  /// The place of an identity; nil where it has none.
  subscript(_ identity: ComponentIdentity) -> Int? {
    let index = firstIndex(notBefore: identity)
    guard index < entries.count, entries[index].identity == identity else { return nil }
    return entries[index].place
  }

  /// Enters the place of an identity that has none yet.
  mutating func insert(_ identity: ComponentIdentity, at place: Int) {
    entries.insert((identity, place), at: firstIndex(notBefore: identity))
  }

  private func firstIndex(notBefore identity: ComponentIdentity) -> Int {
    var (low, high) = (0, entries.count)
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].identity < identity { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
