// The state of a file that a preset names; runs are tied to it as to their units.
// SPDX-License-Identifier: Apache-2.0

import CHostSystem
import ChainPresets
import Glibc
public import HostSystem

/// An impulse response, a model, a side chain: a file that is part of every result; or a folder that
/// files are drawn from.
public struct PresetFile: Sendable, Equatable {
  /// Its path.
  public var path: String
  /// Its length in bytes.
  public var byteCount: Int
  /// XXH64 of its bytes.
  public var checksum: UInt64
  /// Its modification time as in `FileStamp`; reported by a worker, and not stored.
  private var modified: Int64 = 0

  /// Reads a file; nil when it is neither a file nor a folder, or cannot be read.
  package init?(path: String) {
    // Before it is read: a change in between is seen later.
    guard let entry = FileIdentity.of(path), entry.kind != .other else { return nil }
    self.path = path
    byteCount = entry.stamp.byteCount
    modified = entry.stamp.modified
    if entry.kind == .folder {
      // For a folder that files are drawn from, the set of files counts, and the length of each.
      let files = SoundFolder.files(in: path).map { name in
        "\(name)\n\(FileIdentity.of(Path.joining(path, name))?.stamp.byteCount ?? -1)\n"
      }
      let text = Array(files.joined().utf8)
      checksum = unsafe text.withUnsafeBytes { unsafe AuricleXXH64($0.baseAddress, $0.count) }
      return
    }
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var hash: UInt64 = 0
    var count: UInt64 = 0
    guard unsafe AuricleXXH64File(descriptor, &hash, &count) == 0 else { return nil }
    byteCount = Int(clamping: count)
    checksum = hash
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
