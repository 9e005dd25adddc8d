// Values in the bytes of a message between processes, read within bounds.
// SPDX-License-Identifier: Apache-2.0

/// Writes values behind each other.
package struct MessageWriter {
  /// The bytes that were written.
  package private(set) var bytes: [UInt8] = []

  /// Begins with nothing.
  package init() {}

  /// Adds a number, a structure of numbers, or a truth value.
  package mutating func add<Value: BitwiseCopyable>(_ value: Value) {
    unsafe withUnsafeBytes(of: value) { unsafe bytes.append(contentsOf: $0) }
  }

  /// Adds bytes behind their count.
  package mutating func add(_ block: [UInt8]) {
    add(UInt32(clamping: block.count))
    bytes += block
  }

  /// Adds a text.
  package mutating func add(_ text: String) { add(Array(text.utf8)) }

  /// Adds texts behind their count.
  package mutating func add(_ texts: [String]) {
    add(UInt32(clamping: texts.count))
    for text in texts { add(text) }
  }
}

/// Reads values behind each other; nil from the first one that is not there.
package struct MessageReader {
  private let bytes: [UInt8]
  private var place = 0

  /// Begins at the first byte.
  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The number of bytes that were not read.
  package var left: Int { bytes.count - place }

  /// The next number or structure of numbers.
  package mutating func next<Value: BitwiseCopyable>(_ type: Value.Type) -> Value? {
    let size = MemoryLayout<Value>.size
    guard left >= size else { return nil }
    defer { place += size }
    return unsafe bytes.withUnsafeBytes { unsafe $0.loadUnaligned(fromByteOffset: place, as: type) }
  }

  /// The number at the beginning of bytes; nil for fewer.
  package static func first<Value: BitwiseCopyable>(_ type: Value.Type, of bytes: [UInt8]) -> Value?
  {
    var reader = MessageReader(bytes)
    return reader.next(type)
  }

  /// The next truth value.
  package mutating func nextFlag() -> Bool? { next(UInt8.self).map { $0 != 0 } }

  /// The next bytes behind their count.
  package mutating func nextBytes() -> [UInt8]? {
    guard let count = next(UInt32.self), left >= Int(count) else { return nil }
    defer { place += Int(count) }
    return Array(bytes[place..<place + Int(count)])
  }

  /// The next text.
  package mutating func nextText() -> String? {
    nextBytes().map { String(decoding: $0, as: UTF8.self) }
  }

  /// The next texts behind their count.
  package mutating func nextTexts() -> [String]? {
    guard let count = next(UInt32.self), Int(count) <= left / 4 else { return nil }
    var texts: [String] = []
    for _ in 0..<count {
      guard let text = nextText() else { return nil }
      texts.append(text)
    }
    return texts
  }
}
