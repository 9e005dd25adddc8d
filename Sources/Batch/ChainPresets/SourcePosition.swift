// Where something stands in a preset file, and a value together with its place.
// SPDX-License-Identifier: Apache-2.0

/// A place in a text: line and column, both from 1, columns counted in Unicode scalars.
public struct SourcePosition: Hashable, Comparable, Sendable {
  /// The line, from 1.
  public var line: Int
  /// The column in Unicode scalars, from 1.
  public var column: Int

  /// Makes a position.
  ///
  /// Context: any.
  public init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  /// Orders positions as they are read: by line, then by column.
  ///
  /// Context: any.
  public static func < (left: SourcePosition, right: SourcePosition) -> Bool {
    (left.line, left.column) < (right.line, right.column)
  }
}

/// A value and where it was written; two are equal when their values are.
///
/// The position is `nil` for what came from a command line or was made in code.
public struct Located<Value> {
  /// The value itself.
  public var value: Value
  /// Where it was written, or `nil` when it did not come from a file.
  public var position: SourcePosition?

  /// Joins a value with its place.
  ///
  /// Context: any.
  public init(_ value: Value, at position: SourcePosition? = nil) {
    self.value = value
    self.position = position
  }
}

extension Located: Sendable where Value: Sendable {}

extension Located: Equatable where Value: Equatable {
  /// Compares the values and ignores the places.
  ///
  /// Context: any.
  public static func == (left: Located, right: Located) -> Bool { left.value == right.value }
}

extension Located: Hashable where Value: Hashable {
  /// Hashes the value and ignores the place.
  ///
  /// Context: any.
  public func hash(into hasher: inout Hasher) { hasher.combine(value) }
}
