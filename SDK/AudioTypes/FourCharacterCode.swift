// Four-character codes: how component types, format ids and some errors are written.
// SPDX-License-Identifier: Apache-2.0

/// A 32-bit code that is usually four printable ASCII characters, the first in the high byte.
///
/// `OSType`, `FourCharCode` and `AudioFormatID` are such codes.
public struct FourCharacterCode: RawRepresentable, Hashable, Sendable {
  /// The code as Core Audio passes it.
  public var rawValue: UInt32

  /// Makes a code of its number.
  public init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  /// Reads four printable ASCII characters, or `0x` and eight hexadecimal digits.
  ///
  /// - Returns: nil for anything else. Spaces count: the subtype of the default output is `"def "`.
  public init?(_ text: String) {
    let bytes = Array(text.utf8)
    if bytes.count == 4, bytes.allSatisfy(Self.isPrintable) {
      self.init(rawValue: bytes.reduce(0) { $0 << 8 | UInt32($1) })
      return
    }
    guard bytes.count == 10, bytes[0] == UInt8(ascii: "0") else { return nil }
    guard bytes[1] == UInt8(ascii: "x") || bytes[1] == UInt8(ascii: "X") else { return nil }
    var value: UInt32 = 0
    for byte in bytes.dropFirst(2) {
      guard let digit = Character(UnicodeScalar(byte)).hexDigitValue, byte < 0x80 else {
        return nil
      }
      value = value << 4 | UInt32(digit)
    }
    self.init(rawValue: value)
  }

  /// The four bytes, first character first.
  public var bytes: [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: rawValue >> $0) }
  }

  /// True if all four bytes are printable ASCII (space included).
  public var isPrintable: Bool {
    bytes.allSatisfy(Self.isPrintable)
  }

  /// The code as `0x` and eight hexadecimal digits.
  public var hexadecimal: String {
    let digits = String(rawValue, radix: 16, uppercase: true)
    return "0x" + String(repeating: "0", count: 8 - digits.count) + digits
  }

  /// The code between single quotes, as Core Audio prints it: `'aufx'`; hexadecimal if not printable.
  public var quoted: String {
    isPrintable ? "'\(description)'" : hexadecimal
  }

  private static func isPrintable(_ byte: UInt8) -> Bool {
    (0x20...0x7E).contains(byte)
  }
}

extension FourCharacterCode: CustomStringConvertible {
  /// The four characters, or the hexadecimal form if one of them is not printable.
  public var description: String {
    isPrintable ? String(decoding: bytes, as: UTF8.self) : hexadecimal
  }
}

extension FourCharacterCode: Comparable {
  /// Orders codes by number, which is the order of their characters.
  public static func < (left: FourCharacterCode, right: FourCharacterCode) -> Bool {
    left.rawValue < right.rawValue
  }
}
