// Times as text, for names and beginnings of runs.
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Times as text.
package enum UTCTime {
  /// Now, as `2026-11-21T06:00:00Z`, or in another form of `strftime`.
  package static func text(_ format: String = "%Y-%m-%dT%H:%M:%SZ") -> String {
    self.text(format, of: time(nil))
  }

  /// The second after a time in the form of names of runs (`20261121-060000`); nil for another
  /// text.
  package static func next(after name: some StringProtocol) -> String? {
    let digits = name.utf8.filter { $0 != UInt8(ascii: "-") }.map { Int32($0) - 48 }
    guard digits.count == 14, digits.allSatisfy({ (0...9).contains($0) }) else { return nil }
    func number(_ range: Range<Int>) -> Int32 { digits[range].reduce(0) { 10 * $0 + $1 } }
    var parts = unsafe tm()
    unsafe parts.tm_year = number(0..<4) - 1900
    unsafe parts.tm_mon = number(4..<6) - 1
    unsafe parts.tm_mday = number(6..<8)
    unsafe parts.tm_hour = number(8..<10)
    unsafe parts.tm_min = number(10..<12)
    unsafe parts.tm_sec = number(12..<14) + 1
    return text("%Y%m%d-%H%M%S", of: unsafe timegm(&parts))
  }

  private static func text(_ format: String, of time: time_t) -> String {
    var now = time
    var parts = unsafe tm()
    guard unsafe gmtime_r(&now, &parts) != nil else { return "" }
    var text = [CChar](repeating: 0, count: 64)
    let count = unsafe strftime(&text, text.count, format, &parts)
    return String(decoding: text[0..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
