// A finished file as it lies on the disk.
// SPDX-License-Identifier: Apache-2.0

package import HostSystem

/// A finished file as stored on the disk.
public struct StoredFile: Sendable, Equatable {
  /// Its length.
  public var byteCount: Int
  /// XXH64 of its bytes.
  public var checksum: UInt64

  /// Makes a value.
  public init(byteCount: Int, checksum: UInt64) {
    self.byteCount = byteCount
    self.checksum = checksum
  }
}

extension StoredFile {
  /// The checksum as sixteen digits.
  public var checksumText: String { Hexadecimal.text(checksum) }

  /// The file as JSON.
  package var json: JSONValue {
    .members([("bytes", JSONValue(byteCount)), ("xxh64", .string(checksumText))])
  }

  /// Reads a value from `json`; nil when it is malformed.
  package init?(json: JSONValue) {
    guard let count = json["bytes"]?.integer, count >= 0,
      let checksum = json["xxh64"]?.text.flatMap(Hexadecimal.number)
    else { return nil }
    self.init(byteCount: count, checksum: checksum)
  }
}
