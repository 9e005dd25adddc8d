// The stored form of the index: a checked header, then bundles. Read without trust.
// SPDX-License-Identifier: Apache-2.0

/// Writes and reads the bytes of an index file.
///
/// Layout, all numbers little-endian: magic (8 bytes), format version (UInt32), length of the
/// rest (UInt64), checksum of the rest (UInt64), then the bundles. A text is its length in bytes
/// (UInt32) and its UTF-8; a list is its count (UInt32) and its members.
enum LV2IndexFile {
  private static let magic: [UInt8] = Array("AuLV2Idx".utf8)
  private static let version: UInt32 = 1
  private static let headerSize = 28

  /// The bytes of an index holding `bundles`.
  static func encode(_ bundles: [LV2BundleRecord]) -> [UInt8] {
    var writer = ByteWriter()
    writer.list(bundles) { writer, bundle in
      writer.text(bundle.path)
      writer.list(bundle.stamps) { $0.stamp($1) }
      writer.list(bundle.plugins) { $0.plugin($1) }
      writer.list(bundle.presets) { writer, preset in
        writer.text(preset.uri)
        writer.text(preset.plugin)
      }
      writer.list(bundle.problems) { $0.text($1) }
    }
    var file = ByteWriter()
    file.bytes = magic
    file.number(version)
    file.number(UInt64(writer.bytes.count))
    file.number(checksum(writer.bytes[...]))
    file.bytes += writer.bytes
    return file.bytes
  }

  /// The bundles of an index; nil when the bytes are not a whole, undamaged index of this version.
  static func decode(_ bytes: [UInt8]) -> [LV2BundleRecord]? {
    guard bytes.count >= headerSize, bytes.starts(with: magic) else { return nil }
    var reader = ByteReader(bytes, at: magic.count)
    guard reader.number(UInt32.self) == version,
      reader.number(UInt64.self) == UInt64(bytes.count - headerSize),
      reader.number(UInt64.self) == checksum(bytes[headerSize...])
    else { return nil }
    let bundles = reader.list { reader -> LV2BundleRecord? in
      guard let path = reader.text(), let stamps = reader.list({ $0.stamp() }),
        let plugins = reader.list({ $0.plugin() }),
        let presets = reader.list({ reader -> LV2PresetRecord? in
          guard let uri = reader.text(), let plugin = reader.text() else { return nil }
          return LV2PresetRecord(uri: uri, plugin: plugin)
        }),
        let problems = reader.list({ $0.text() })
      else { return nil }
      return LV2BundleRecord(
        path: path, stamps: stamps, plugins: plugins, presets: presets, problems: problems)
    }
    return reader.isAtEnd ? bundles : nil
  }

  /// FNV-1a over 8-byte words: finds damage, and is no secret.
  private static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    var state: UInt64 = 0xcbf2_9ce4_8422_2325
    unsafe bytes.withUnsafeBytes { raw in
      var offset = 0
      while offset + 8 <= raw.count {
        let word = unsafe UInt64(
          littleEndian: raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        state = (state ^ word) &* 0x0000_0100_0000_01b3
        state ^= state >> 29
        offset += 8
      }
      while offset < raw.count {
        state = unsafe (state ^ UInt64(raw[offset])) &* 0x0000_0100_0000_01b3
        offset += 1
      }
    }
    return state
  }
}

/// Appends numbers, texts and lists.
private struct ByteWriter {
  var bytes: [UInt8] = []

  mutating func number<Number: FixedWidthInteger>(_ value: Number) {
    var rest = value
    for _ in 0..<(Number.bitWidth / 8) {
      bytes.append(UInt8(truncatingIfNeeded: rest))
      rest >>= 8
    }
  }

  mutating func text(_ text: String) {
    number(UInt32(text.utf8.count))
    bytes.append(contentsOf: text.utf8)
  }

  mutating func list<Member>(_ members: [Member], _ write: (inout Self, Member) -> Void) {
    number(UInt32(members.count))
    for member in members { write(&self, member) }
  }

  mutating func stamp(_ stamp: LV2FileStamp) {
    text(stamp.path)
    number(stamp.device)
    number(stamp.inode)
    number(stamp.size)
    number(stamp.seconds)
    number(stamp.nanoseconds)
  }

  mutating func plugin(_ plugin: LV2PluginRecord) {
    text(plugin.uri)
    text(plugin.name)
    text(plugin.maker)
    text(plugin.summary)
    list(plugin.classes) { $0.text($1) }
    list(plugin.requiredFeatures) { $0.text($1) }
    for value in plugin.ports.values { number(value) }
    number(plugin.minorVersion)
    number(plugin.microVersion)
  }
}

/// Takes them back; every step answers nil rather than read past the end.
private struct ByteReader {
  private let bytes: [UInt8]
  private var offset: Int

  init(_ bytes: [UInt8], at offset: Int) {
    self.bytes = bytes
    self.offset = offset
  }

  var isAtEnd: Bool { offset == bytes.count }

  mutating func number<Number: FixedWidthInteger & BitwiseCopyable>(
    _: Number.Type
  ) -> Number? {
    let size = Number.bitWidth / 8
    guard bytes.count - offset >= size else { return nil }
    let value = unsafe bytes.withUnsafeBytes {
      unsafe $0.loadUnaligned(fromByteOffset: offset, as: Number.self)
    }
    offset += size
    return Number(littleEndian: value)
  }

  mutating func text() -> String? {
    guard let count = number(UInt32.self).map(Int.init), count <= bytes.count - offset else {
      return nil
    }
    let text = String(validating: bytes[offset..<(offset + count)], as: UTF8.self)
    offset += count
    return text
  }

  mutating func list<Member>(_ read: (inout Self) -> Member?) -> [Member]? {
    // Every member takes a byte or more: a count beyond that is damage, not a reason to allocate.
    guard let count = number(UInt32.self).map(Int.init), count <= bytes.count - offset else {
      return nil
    }
    var members: [Member] = []
    members.reserveCapacity(count)
    for _ in 0..<count {
      guard let member = read(&self) else { return nil }
      members.append(member)
    }
    return members
  }

  mutating func stamp() -> LV2FileStamp? {
    guard let path = text(), let device = number(UInt64.self), let inode = number(UInt64.self),
      let size = number(Int64.self), let seconds = number(Int64.self),
      let nanoseconds = number(Int64.self)
    else { return nil }
    return LV2FileStamp(
      path: path, device: device, inode: inode, size: size, seconds: seconds,
      nanoseconds: nanoseconds)
  }

  mutating func plugin() -> LV2PluginRecord? {
    var plugin = LV2PluginRecord()
    guard let uri = text(), let name = text(), let maker = text(), let summary = text(),
      let classes = list({ $0.text() }), let required = list({ $0.text() })
    else { return nil }
    (plugin.uri, plugin.name, plugin.maker, plugin.summary) = (uri, name, maker, summary)
    (plugin.classes, plugin.requiredFeatures) = (classes, required)
    var values: [UInt16] = []
    for _ in plugin.ports.values {
      guard let value = number(UInt16.self) else { return nil }
      values.append(value)
    }
    plugin.ports.values = values
    guard let minor = number(UInt16.self), let micro = number(UInt16.self) else { return nil }
    (plugin.minorVersion, plugin.microVersion) = (minor, micro)
    return plugin
  }
}
