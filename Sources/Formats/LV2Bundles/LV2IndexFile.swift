// The file format of the index and of bundle details.
// SPDX-License-Identifier: Apache-2.0

internal import AudioComponents
internal import ForeignPlugIns
import HostSystem

/// Writes and reads the content of the cache's files; `CacheFile` guards them against damage.
package enum LV2IndexFile {
  /// The magic number of index files, with their version; raised together with that of the details, which are
  /// rewritten only with the index.
  package static let kind = "AuLV2I06"
  /// The magic number of bundle details.
  static let detailsKind = "AuLV2D09"

  /// The bytes of an index holding `bundles`.
  package static func encode(_ bundles: [LV2BundleRecord]) -> [UInt8] {
    var bundles = bundles
    var coder = ByteCoder()
    coder.bundles(&bundles)
    return Array(coder.bytes)
  }

  /// The bundles of an index; nil when the bytes are not a whole index.
  package static func decode(_ bytes: [UInt8]) -> [LV2BundleRecord]? {
    var bundles: [LV2BundleRecord] = []
    var coder = ByteCoder(bytes[...])
    coder.bundles(&bundles)
    return coder.isComplete ? bundles : nil
  }

  /// Encodes the details of a bundle's plug-ins.
  package static func encode(_ details: LV2BundleDetails) -> [UInt8] {
    var details = details
    var coder = ByteCoder()
    coder.details(&details)
    return Array(coder.bytes)
  }

  /// Decodes the details of a bundle's plug-ins; nil when the bytes are damaged.
  ///
  /// - Parameter wanted: The URI of the plug-in to read, the only one then; nil for all.
  static func decodeDetails(
    _ bytes: ArraySlice<UInt8>, of wanted: String? = nil
  ) -> LV2BundleDetails? {
    var details = LV2BundleDetails(path: "")
    var coder = ByteCoder(bytes)
    coder.details(&details, of: wanted)
    return coder.isComplete ? details : nil
  }

  /// Encodes the result of a scan for the parent process: the length of the record, the record, and the
  /// encoded details.
  package static func encode(_ result: LV2ScanResult) -> [UInt8] {
    join(result.record, encode(result.details)[...])
  }

  /// The same, with encoded details.
  package static func join(_ record: LV2BundleRecord, _ details: ArraySlice<UInt8>) -> [UInt8] {
    var record = record
    var coder = ByteCoder()
    coder.bundle(&record)
    var length = UInt32(clamping: coder.bytes.count)
    var whole = ByteCoder()
    whole.number(&length)
    return Array(whole.bytes) + coder.bytes + details
  }

  /// The record of a scan, and the bytes of the details; nil when they are damaged.
  static func decodeResult(_ bytes: [UInt8]) -> (
    record: LV2BundleRecord, details: ArraySlice<UInt8>
  )? {
    guard bytes.count >= 4 else { return nil }
    let length = bytes[..<4].reversed().reduce(0) { $0 << 8 | Int($1) }
    guard length <= bytes.count - 4 else { return nil }
    var record = LV2BundleRecord(path: "")
    var coder = ByteCoder(bytes[4..<(4 + length)])
    coder.bundle(&record)
    return coder.isComplete ? (record, bytes[(4 + length)...]) : nil
  }
}

extension ByteCoder {
  fileprivate mutating func bundles(_ bundles: inout [LV2BundleRecord]) {
    list(&bundles, of: LV2BundleRecord(path: "")) { $0.bundle(&$1) }
  }

  fileprivate mutating func bundle(_ bundle: inout LV2BundleRecord) {
    text(&bundle.path)
    list(&bundle.stamps, of: PathStamp.blank) { $0.stamp(&$1) }
    list(&bundle.plugins, of: LV2PluginRecord()) { $0.plugin(&$1) }
    list(&bundle.presets, of: LV2PresetRecord()) { coder, preset in
      coder.text(&preset.uri)
      coder.text(&preset.plugin)
      coder.text(&preset.label)
      coder.text(&preset.bank)
    }
    texts(&bundle.problems)
  }

  private mutating func plugin(_ plugin: inout LV2PluginRecord) {
    text(&plugin.uri)
    text(&plugin.name)
    text(&plugin.maker)
    text(&plugin.summary)
    texts(&plugin.classes)
    texts(&plugin.requiredFeatures)
    var counts = plugin.ports.values
    for index in counts.indices { number(&counts[index]) }
    plugin.ports.values = counts
    number(&plugin.minorVersion)
    number(&plugin.microVersion)
  }
}
