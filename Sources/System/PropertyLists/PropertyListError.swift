// Why a property list could not be read or written, and where.
// SPDX-License-Identifier: Apache-2.0

/// One failure of reading or writing a property list.
public struct PropertyListError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A place in a property list.
  public enum Location: Hashable, Sendable {
    /// A place in XML text; both count from 1.
    case text(line: Int, column: Int)
    /// A byte of a binary property list, counted from 0.
    case byte(Int)
  }

  /// The kind of a failure.
  public enum Kind: Hashable, Sendable {
    /// The file could not be opened or read; the payload is the `errno`.
    case unreadable(Int32)
    /// The bytes are not a property list, or a damaged one.
    case malformed
    /// A property list feature that is refused: sets, identifiers, a document type with contents.
    case unsupported
    /// A bound of `PropertyListLimits` was passed.
    case limitExceeded
  }

  /// The kind of the failure.
  public var kind: Kind
  /// The fault, as a clause without the place.
  public var message: String
  /// The place of the fault, if it is known.
  public var location: Location?

  /// Makes an error.
  ///
  /// Context: any.
  public init(_ kind: Kind, _ message: String, at location: Location? = nil) {
    self.kind = kind
    self.message = message
    self.location = location
  }

  /// The place, then the fault: "line 3, column 9: the key "type" has no value".
  public var description: String {
    switch location {
    case .text(let line, let column): "line \(line), column \(column): \(message)"
    case .byte(let offset): "byte \(offset): \(message)"
    case nil: message
    }
  }
}

extension PropertyListError {
  /// Foreign text made fit for a one-line message: quoted, shortened, control characters escaped.
  static func quoted(_ text: String) -> String {
    var result = "\""
    for (count, scalar) in text.unicodeScalars.enumerated() {
      if count == 60 {
        result += "…"
        break
      }
      result += scalar.escaped(asASCII: false)
    }
    return result + "\""
  }
}
