// The state of a file that a preset names; runs are tied to it as to their units.
// SPDX-License-Identifier: Apache-2.0

import CHostSystem
import Glibc
public import HostSystem

/// A file that every result depends on: an impulse response, a model, a side chain.
public struct PresetFile: Sendable, Equatable {
  /// Its path.
  public var path: String
  /// Its length in bytes.
  public var byteCount: Int
  /// XXH64 of its bytes.
  public var checksum: UInt64
  /// Its modification time as in `FileStamp`; reported by a worker, and not stored.
  private var modified: Int64 = 0

  /// Reads a file; nil when it is no regular file, or cannot be read.
  package init?(path: String) {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    // Read first, so that a change meanwhile is noticed later.
    guard let stamp = FileStamp(descriptor: descriptor) else { return nil }
    var hash: UInt64 = 0
    var count: UInt64 = 0
    guard unsafe AuricleXXH64File(descriptor, &hash, &count) == 0 else { return nil }
    self.path = path
    byteCount = Int(clamping: count)
    checksum = hash
    modified = stamp.modified
  }

  /// Its state when it was read.
  package var stamp: FileStamp { FileStamp(byteCount: byteCount, modified: modified) }

  /// The file as JSON.
  public var json: JSONValue { .members(members) }

  /// The file as a worker reports it.
  package var message: JSONValue { .members(members + [("modified", .integer(modified))]) }

  private var members: [(String, JSONValue?)] {
    [
      ("path", .string(path)), ("bytes", JSONValue(byteCount)),
      ("xxh64", .string(Hexadecimal.text(checksum))),
    ]
  }

  package init?(json: JSONValue) {
    guard let path = json["path"]?.text, let count = json["bytes"]?.integer,
      let sum = json["xxh64"]?.text.flatMap(Hexadecimal.number)
    else { return nil }
    self.path = path
    byteCount = count
    checksum = sum
    modified = Int64(json["modified"]?.integer ?? 0)
  }

  /// The first difference between the files of a run and the current ones; nil when there is none.
  package static func difference(_ before: [PresetFile], _ now: [PresetFile]) -> String? {
    for file in before {
      guard let found = now.first(where: { $0.path.utf8.elementsEqual(file.path.utf8) }) else {
        return "the file \(file.path), which is not there any more"
      }
      if (found.byteCount, found.checksum) != (file.byteCount, file.checksum) {
        return "another content of the file \(file.path)"
      }
    }
    return now.count > before.count ? "other files that the preset names" : nil
  }
}
