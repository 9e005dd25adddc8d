// Positions in a preset file, and values with their positions.
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

/// A value and its position; two are equal when their values are.
///
/// The position is `nil` for values from a command line or from code.
public struct Located<Value> {
  /// The value itself.
  public var value: Value
  /// Its position, or `nil` when it did not come from a file.
  public var position: SourcePosition?

  /// Makes a value with its position.
  ///
  /// Context: any.
  public init(_ value: Value, at position: SourcePosition? = nil) {
    self.value = value
    self.position = position
  }
}

extension Located: Sendable where Value: Sendable {}

extension Located: Equatable where Value: Equatable {
  /// Compares the values and ignores the positions.
  ///
  /// Context: any.
  public static func == (left: Located, right: Located) -> Bool { left.value == right.value }
}

extension Located: Hashable where Value: Hashable {
  /// Hashes the value and ignores the position.
  ///
  /// Context: any.
  public func hash(into hasher: inout Hasher) { hasher.combine(value) }
}
