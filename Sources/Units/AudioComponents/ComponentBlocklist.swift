// Components that are not to be opened, because they crashed or hung when they were tried.
// SPDX-License-Identifier: Apache-2.0

internal import Glibc
package import HostSystem

/// A component that is not opened any more until it changes.
public struct BlockedComponent: Sendable, Hashable {
  /// The key that it is kept under: `ComponentBlocklist.key(of:)`.
  public var key: String
  /// Its name, for people.
  public var name: String
  /// Its failure: "crashed with SIGSEGV while it was opened".
  public var reason: String
  /// Its files, as they were then.
  package var stamps: [PathStamp]

  /// Makes an entry.
  ///
  /// Context: any.
  package init(key: String, name: String, reason: String, stamps: [PathStamp]) {
    self.key = key
    self.name = name
    self.reason = reason
    self.stamps = stamps
  }
}

/// The list of blocked components, kept in the cache and shared by processes.
public struct ComponentBlocklist: Sendable {
  private let file: String?
  private var entries: [String: BlockedComponent]

  private static let kind = "AuBlck01"

  /// A list that blocks nothing.
  ///
  /// Context: any.
  public init() {
    file = nil
    entries = [:]
  }

  /// Reads the list in a folder of the cache; entries whose component has changed since do not count.
  ///
  /// - Parameter folder: nil for an empty list that is not kept.
  ///
  /// Context: control.
  public init(folder: String?) {
    file = folder.map { $0 + "/blocked.bin" }
    entries = file.map(Self.read) ?? [:]
  }

  /// The key that a component is kept under: its URI, or its identity and place.
  ///
  /// Context: any.
  public static func key(of component: AudioComponent) -> String {
    component.location.identifier ?? "\(component.triple) \(component.location.path ?? "")"
  }

  /// All entries, by their keys.
  ///
  /// Context: any.
  public var all: [BlockedComponent] { entries.values.sorted { $0.key < $1.key } }

  /// The entry of a component; nil when it may be used.
  ///
  /// Context: control.
  public func entry(for component: AudioComponent) -> BlockedComponent? {
    entries.isEmpty ? nil : entries[Self.key(of: component)]
  }

  /// Adds and removes entries, and keeps the result; other processes' changes since then stay.
  ///
  /// - Returns: Whether it could be kept.
  ///
  /// Context: control.
  @discardableResult
  public mutating func change(adding added: [BlockedComponent], removing removed: [String]) -> Bool
  {
    if added.isEmpty, removed.allSatisfy({ entries[$0] == nil }) { return true }
    guard let file else { return false }
    let lock = unsafe open(file + ".lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    defer { if lock >= 0 { close(lock) } }
    if lock >= 0 { flock(lock, LOCK_EX) }
    entries = Self.read(file)
    for key in removed { entries[key] = nil }
    for entry in added { entries[entry.key] = entry }
    return CacheFile.store(Self.bytes(of: all), at: file, kind: Self.kind)
  }

  // The form: a line for each entry, its fields parted by unit separators, "\u{1F}".

  private static func bytes(of entries: [BlockedComponent]) -> [UInt8] {
    var text = ""
    for entry in entries {
      var fields = [entry.key, entry.name, entry.reason]
      for stamp in entry.stamps {
        fields += [
          stamp.path, "\(stamp.device)", "\(stamp.inode)", "\(stamp.size)", "\(stamp.seconds)",
          "\(stamp.nanoseconds)",
        ]
      }
      let clean = fields.map { field in
        String(String.UnicodeScalarView(field.unicodeScalars.filter { $0.value >= 0x20 }))
      }
      text += clean.joined(separator: "\u{1F}") + "\n"
    }
    return Array(text.utf8)
  }

  private static func read(_ file: String) -> [String: BlockedComponent] {
    guard let bytes = CacheFile.contents(of: file, kind: kind),
      let text = String(validating: bytes, as: UTF8.self)
    else { return [:] }
    var entries: [String: BlockedComponent] = [:]
    for line in text.split(separator: "\n") {
      let fields = line.split(separator: "\u{1F}", omittingEmptySubsequences: false)
        .map(String.init)
      guard fields.count >= 3, (fields.count - 3) % 6 == 0 else { continue }
      var stamps: [PathStamp] = []
      for first in stride(from: 3, to: fields.count, by: 6) {
        guard let device = UInt64(fields[first + 1]), let inode = UInt64(fields[first + 2]),
          let size = Int64(fields[first + 3]), let seconds = Int64(fields[first + 4]),
          let nanoseconds = Int64(fields[first + 5])
        else { continue }
        stamps.append(
          PathStamp(
            path: fields[first], device: device, inode: inode, size: size, seconds: seconds,
            nanoseconds: nanoseconds))
      }
      guard stamps.allSatisfy(\.isCurrent) else { continue }
      entries[fields[0]] = BlockedComponent(
        key: fields[0], name: fields[1], reason: fields[2], stamps: stamps)
    }
    return entries
  }
}
