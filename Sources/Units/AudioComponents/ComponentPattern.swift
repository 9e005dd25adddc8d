// Patterns such as `aufx`, `aufx:dcmp` and `aufx:dcmp:appl`.
// SPDX-License-Identifier: Apache-2.0

public import AudioTypes
public import CAudioToolbox

/// A search as it is typed: type, subtype and manufacturer, separated by colons.
///
/// A part that is missing, empty or `*` matches any. A part is four characters, spaces included, or
/// `0x` and eight hexadecimal digits.
public struct ComponentPattern: Sendable, Hashable, CustomStringConvertible {
  /// The type, or nil for any.
  public var type: FourCharacterCode?
  /// The subtype, or nil for any.
  public var subtype: FourCharacterCode?
  /// The manufacturer, or nil for any.
  public var manufacturer: FourCharacterCode?

  /// Makes a pattern; nil matches any.
  public init(
    type: FourCharacterCode? = nil, subtype: FourCharacterCode? = nil,
    manufacturer: FourCharacterCode? = nil
  ) {
    self.type = type
    self.subtype = subtype
    self.manufacturer = manufacturer
  }

  /// Reads a pattern.
  ///
  /// - Throws: `.usage` with a sentence that names the part that is not a code.
  public init(_ text: String) throws(AuricleError) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    guard parts.count <= 3 else {
      throw AuricleError(
        .usage,
        "\"\(text)\" has \(parts.count) parts; a component is written type:subtype:manufacturer, "
          + "such as aufx:lpas:appl")
    }
    var codes: [FourCharacterCode?] = []
    for part in parts {
      if part.isEmpty || part == "*" {
        codes.append(nil)
        continue
      }
      guard let code = FourCharacterCode(part) else {
        throw AuricleError(
          .usage,
          "\"\(part)\" in \"\(text)\" is not a code: a part has four characters (such as aufx; "
            + "spaces count) or is 0x and eight hexadecimal digits, or * for any.")
      }
      codes.append(code)
    }
    self.init(
      type: codes.first ?? nil, subtype: codes.count > 1 ? codes[1] : nil,
      manufacturer: codes.count > 2 ? codes[2] : nil)
  }

  /// The pattern as a description with zeros as wildcards.
  public var description: String {
    [type, subtype, manufacturer].map { $0.map(\.description) ?? "*" }.joined(separator: ":")
  }

  /// The description to search with; zeros are wildcards.
  public var search: AudioComponentDescription {
    let none = FourCharacterCode(rawValue: 0)
    return AudioComponentDescription(
      type: type ?? none, subtype: subtype ?? none, manufacturer: manufacturer ?? none)
  }

  /// True if all three parts are present.
  public var namesOneComponent: Bool { type != nil && subtype != nil && manufacturer != nil }
}
