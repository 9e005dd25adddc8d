// Limits on the cost of a property list from outside.
// SPDX-License-Identifier: Apache-2.0

/// Bounds on the work and memory of one property list.
public struct PropertyListLimits: Hashable, Sendable {
  /// Largest size of the file, in bytes.
  public var byteCount = 16 << 20
  /// Largest number of containers inside each other; a lone array has depth 1.
  public var depth = 64
  /// Largest number of values and keys met on the walk from the root.
  ///
  /// An object of a binary property list that is referred to twice counts twice, with all that is
  /// below it: a small file cannot unfold into a large tree.
  public var visitCount = 100_000
  /// Largest number of bytes in all strings and data met on the walk, counted as stored.
  public var contentByteCount = 32 << 20

  /// The default bounds, which no sensible property list comes near.
  ///
  /// Context: any.
  public init() {}
}

/// The rest of the limits; shared by the two parsers.
struct PropertyListBudget {
  let limits: PropertyListLimits
  private var visits = 0
  private var contentBytes = 0

  init(_ limits: PropertyListLimits) { self.limits = limits }

  /// Counts values or keys; false when there are now too many.
  mutating func visit(_ count: Int = 1) -> Bool {
    visits += count
    return visits <= limits.visitCount
  }

  /// Counts bytes of strings and data; false when there are now too many.
  mutating func spend(contentBytes count: Int) -> Bool {
    contentBytes += count
    return contentBytes <= limits.contentByteCount
  }

  var tooManyVisits: String { "it holds more than \(limits.visitCount) values" }
  var tooDeep: String { "it is nested more than \(limits.depth) levels deep" }
  var tooMuchContent: String {
    "its strings and data unfold to more than \(limits.contentByteCount) bytes"
  }
}
