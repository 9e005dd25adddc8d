// Values of a codec's properties.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox

/// The value of a property, or why there is none.
struct CodecValue {
  var bytes: [UInt8] = []
  var status = noErr
  /// Bytes of an item of a list, of which the first ones are handed over where there is no room for all.
  var itemSize: Int?
  /// Makes an object of the caller's, in place of bytes.
  var object: (() -> UInt)?

  static func failure(_ status: OSStatus) -> CodecValue { CodecValue(status: status) }

  static func of(_ value: some BitwiseCopyable) -> CodecValue {
    unsafe withUnsafeBytes(of: value) { unsafe CodecValue(bytes: Array($0)) }
  }

  /// An object that is made once its place is known.
  static func object(_ make: @escaping () -> UInt) -> CodecValue {
    CodecValue(bytes: Array(repeating: 0, count: MemoryLayout<UInt>.size), object: make)
  }

  static func list<Item: BitwiseCopyable>(_ items: [Item]) -> CodecValue {
    unsafe items.withUnsafeBytes {
      unsafe CodecValue(bytes: Array($0), itemSize: MemoryLayout<Item>.stride)
    }
  }

  /// Single values as ranges.
  static func ranges(_ values: [Double]) -> CodecValue {
    .list(values.map { AudioValueRange(mMinimum: $0, mMaximum: $0) })
  }

  /// Writes the value where there is room for it, and its size.
  func write(
    to data: UnsafeMutableRawPointer, _ size: UnsafeMutablePointer<UInt32>
  ) -> OSStatus {
    guard status == noErr else { return status }
    let room = unsafe Int(size.pointee)
    let bytes = room >= bytes.count ? object.map { Self.of($0()).bytes } ?? bytes : bytes
    let count = itemSize.map { min(bytes.count, room / $0 * $0) } ?? bytes.count
    guard count <= room, count > 0 || bytes.isEmpty else {
      return kAudioCodecBadPropertySizeError
    }
    unsafe data.copyMemory(from: bytes, byteCount: count)
    unsafe size.pointee = UInt32(count)
    return noErr
  }
}

extension [UInt8] {
  /// The value that the bytes are; nil where there are fewer or more.
  func value<Value: BitwiseCopyable>(_ type: Value.Type) -> Value? {
    guard count == MemoryLayout<Value>.size else { return nil }
    return unsafe withUnsafeBytes { unsafe $0.loadUnaligned(as: type) }
  }
}
