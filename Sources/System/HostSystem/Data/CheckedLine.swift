// A line of a ledger: JSON with a checksum, by which a torn or altered line is detected.
// SPDX-License-Identifier: Apache-2.0

import CHostSystem

/// Lines of the form `{…,"sum":"0123456789abcdef"}`: the checksum is XXH64 of all before it.
package enum CheckedLine {
  /// The longest line that is read: 1 MiB.
  package static let maximumByteCount = 1 << 20

  private static let mark = Array(",\"sum\":\"".utf8)

  /// The bytes of a line, its newline included; nil for a line too long to be read back.
  package static func encode(_ members: [JSONValue.Member]) -> [UInt8]? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(512)
    JSONValue.object(members).write(to: &bytes)
    bytes.removeLast()
    let sum = unsafe bytes.withUnsafeBytes { unsafe AuricleXXH64($0.baseAddress, $0.count) }
    bytes += mark
    Hexadecimal.write(sum, to: &bytes)
    bytes += "\"}\n".utf8
    return bytes.count <= maximumByteCount ? bytes : nil
  }

  /// The object of a line without its newline; nil when it is torn, altered or no such line.
  package static func decode(_ line: some BidirectionalCollection<UInt8>) -> JSONValue? {
    let bytes = Array(line)
    // ,"sum":"16 digits"}
    let tail = mark.count + 18
    guard bytes.count > tail, bytes.count <= maximumByteCount else { return nil }
    let end = bytes.count - tail
    guard bytes[end..<(end + mark.count)].elementsEqual(mark), bytes[bytes.count - 1] == 0x7D,
      bytes[bytes.count - 2] == 0x22
    else { return nil }
    let digits = bytes[(end + mark.count)..<(bytes.count - 2)]
    let sum = unsafe bytes.withUnsafeBytes { unsafe AuricleXXH64($0.baseAddress, end) }
    guard Hexadecimal.text(sum).utf8.elementsEqual(digits) else { return nil }
    return JSONValue(bytes)
  }
}

/// Numbers as hexadecimal digits.
package enum Hexadecimal {
  /// Sixteen digits.
  package static func text(_ value: UInt64) -> String {
    var digits: [UInt8] = []
    digits.reserveCapacity(16)
    write(value, to: &digits)
    return String(decoding: digits, as: UTF8.self)
  }

  /// Appends sixteen digits.
  static func write(_ value: UInt64, to bytes: inout [UInt8]) {
    for shift in stride(from: UInt64(60), through: 0, by: -4) {
      let digit = UInt8(truncatingIfNeeded: value >> shift & 15)
      bytes.append(digit < 10 ? 0x30 + digit : 0x57 + digit)
    }
  }

  /// Two digits a byte.
  package static func text(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  /// Reads sixteen digits.
  package static func number(_ text: String) -> UInt64? {
    text.utf8.count == 16 ? UInt64(text, radix: 16) : nil
  }
}
