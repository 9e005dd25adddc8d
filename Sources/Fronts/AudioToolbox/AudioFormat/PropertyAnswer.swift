// The request and the answer of a service's property.
// SPDX-License-Identifier: Apache-2.0

import AudioFormats
import AudioTypes
import CAudioToolbox
import CodecSettings

/// The specifier of a property, or the value it is set to.
@safe struct PropertySpecifier {
  private let memory: UnsafeRawBufferPointer

  /// Wraps the memory of a caller; nil for bytes that are nowhere.
  init?(_ start: UnsafeRawPointer?, _ size: UInt32) {
    guard unsafe start != nil || size == 0 else { return nil }
    unsafe memory = UnsafeRawBufferPointer(start: start, count: Int(size))
  }

  /// The number of bytes.
  var byteCount: Int { unsafe memory.count }

  /// All bytes.
  var bytes: [UInt8] { unsafe Array(memory) }

  /// The value at a place; nil where bytes are missing.
  func value<Value: BitwiseCopyable>(_ type: Value.Type, at place: Int = 0) -> Value? {
    guard unsafe memory.count >= place + MemoryLayout<Value>.size else { return nil }
    return unsafe memory.loadUnaligned(fromByteOffset: place, as: type)
  }

  /// A layout; nil where bytes are missing.
  var layout: ChannelLayout? { unsafe ChannelLayout(memory) }

  /// The layout behind a pointer at a place.
  func layout(behindPointerAt place: Int) -> ChannelLayout? {
    guard let address = value(UInt.self, at: place) else { return nil }
    return unsafe ChannelLayout(UnsafePointer<AudioChannelLayout>(bitPattern: address))
  }

  /// The cookie behind a pointer and a length at 40 and 48, as `AudioFormatInfo` has them.
  var cookie: [UInt8]? {
    guard let address = value(UInt.self, at: 40), let size = value(UInt32.self, at: 48) else {
      return nil
    }
    guard size > 0, let start = unsafe UnsafeRawPointer(bitPattern: address) else { return [] }
    return unsafe Array(UnsafeRawBufferPointer(start: start, count: Int(min(size, 1 << 24))))
  }
}

/// The answer to a property.
enum PropertyAnswer {
  /// A value that is whole or nothing.
  case value([UInt8])
  /// A list of items of a size; its first ones are handed over where there is no room for all.
  case list([UInt8], itemSize: Int)
  /// A string.
  case text(String)
  /// A dictionary of strings.
  case texts([String: String])
  /// An array of the settings of parts.
  case settings([SettingList])
  /// No answer.
  case failure(OSStatus)

  /// A value of any plain type.
  static func of(_ value: some BitwiseCopyable) -> PropertyAnswer {
    unsafe withUnsafeBytes(of: value) { unsafe .value(Array($0)) }
  }

  /// A list of which a part would be of no use.
  static func whole<Item: BitwiseCopyable>(_ items: [Item]) -> PropertyAnswer {
    unsafe items.withUnsafeBytes { unsafe .value(Array($0)) }
  }

  /// A list of items of any plain type.
  static func list<Item: BitwiseCopyable>(_ items: [Item]) -> PropertyAnswer {
    unsafe items.withUnsafeBytes { unsafe .list(Array($0), itemSize: MemoryLayout<Item>.stride) }
  }

  /// The status where there is no value.
  var status: OSStatus {
    if case .failure(let status) = self { return status }
    return noErr
  }

  /// Bytes of the value; a pointer's where it is an object.
  var byteCount: Int {
    switch self {
    case .value(let bytes), .list(let bytes, _): bytes.count
    case .text, .texts, .settings: MemoryLayout<UInt>.size
    case .failure: 0
    }
  }

  /// Writes the value where there is room for it, and its size.
  func write(
    to data: UnsafeMutableRawPointer, _ dataSize: UnsafeMutablePointer<UInt32>
  ) -> OSStatus {
    let room = unsafe Int(dataSize.pointee)
    switch self {
    case .failure(let status): return status
    case .value(let bytes):
      guard bytes.count <= room else { return kAudioFormatBadPropertySizeError }
      unsafe data.copyMemory(from: bytes, byteCount: bytes.count)
      unsafe dataSize.pointee = UInt32(bytes.count)
    case .list(let bytes, let itemSize):
      let count = min(bytes.count, room / itemSize * itemSize)
      guard count > 0 || bytes.isEmpty else { return kAudioFormatBadPropertySizeError }
      unsafe data.copyMemory(from: bytes, byteCount: count)
      unsafe dataSize.pointee = UInt32(count)
    case .text, .texts, .settings:
      guard byteCount <= room else { return kAudioFormatBadPropertySizeError }
      guard let object = unsafe makeObject() else { return kAudio_MemFullError }
      unsafe data.storeBytes(of: UInt(bitPattern: object), as: UInt.self)
      unsafe dataSize.pointee = UInt32(byteCount)
    }
    return noErr
  }

  private func makeObject() -> UnsafeRawPointer? {
    switch self {
    case .text(let text): unsafe makeCFString(text).map { unsafe UnsafeRawPointer($0) }
    case .texts(let texts):
      unsafe makeCFDictionary(
        takingOver: texts.mapValues { unsafe UnsafeRawPointer(makeCFString($0)) }
      ).map { unsafe UnsafeRawPointer($0) }
    case .settings(let parts):
      unsafe SettingList.makeArray(parts).map { unsafe UnsafeRawPointer($0) }
    default: nil
    }
  }
}
