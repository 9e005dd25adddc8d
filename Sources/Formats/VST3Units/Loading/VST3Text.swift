// Texts of plug-ins in UTF-16.
// SPDX-License-Identifier: Apache-2.0

internal import ForeignPlugIns

/// Texts in UTF-16, as plug-ins write them: of at most 128 units, now and then without an end.
enum VST3Text {
  static let capacity = 128

  /// The text in an array of units, as one line.
  static func line<Units>(_ units: Units) -> String {
    unsafe withUnsafeBytes(of: units) { bytes in
      let words = unsafe bytes.bindMemory(to: UInt16.self)
      return unsafe PlugInText.line(String(decoding: words.prefix { $0 != 0 }, as: UTF16.self))
    }
  }

  /// The text that a function writes to memory of 128 units, as one line; nil when it fails.
  static func written(by write: (UnsafeMutablePointer<UInt16>) -> Int32) -> String? {
    var units = [UInt16](repeating: 0, count: 2 * capacity)
    let result = unsafe units.withUnsafeMutableBufferPointer { buffer -> Int32 in
      guard let start = buffer.baseAddress else { return -1 }
      return unsafe write(start)
    }
    guard result == 0 else { return nil }
    return PlugInText.line(
      String(decoding: units.prefix(capacity).prefix { $0 != 0 }, as: UTF16.self))
  }

  /// The text in an array of bytes, as one line.
  static func bytes<Bytes>(_ bytes: Bytes) -> String {
    unsafe withUnsafeBytes(of: bytes) { bytes in
      unsafe PlugInText.line(PlugInText.decoded(bytes.prefix { $0 != 0 }))
    }
  }
}
