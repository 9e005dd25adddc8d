// The devices that programs described: those of the user, kept in a file, and those of this process alone.
// SPDX-License-Identifier: Apache-2.0

import Glibc
import HostSystem
import Synchronization

/// One change of the setup.
struct SetupChange {
  enum Kind {
    case added, removed
    case property(String)
  }
  let kind: Kind
  /// The object, and all above it.
  let path: [SetupNode]
}

/// Devices. The file is read again when another process changed it.
final class SetupStore: Sendable {
  private struct State {
    var kept: [SetupNode] = []
    /// Devices that no list has yet.
    var loose: [SetupNode] = [SetupStore.bus]
    /// Devices that are there.
    var present: [SetupNode] = []
    var isRead = false
  }
  private let state = Mutex(State())
  private static let fileName = "setup"

  /// The device between programs that every Mac has. It has no ports until a program adds them: if
  /// there is no device at all, programs search no port.
  static let bus: SetupNode = {
    var device = SetupNode(.device, name: "IAC Driver", isExternal: false)
    device.properties["manufacturer"] = .text("Auricle")
    device.properties["model"] = .text("IAC Driver")
    device.properties[PropertyName.uniqueID] = .integer(0x4941_4344)
    return device
  }()

  init() {}

  private static func keptPath() -> String? {
    UserFolder.configuration("midi-setup.json")
  }

  private static func readKept() -> [SetupNode] {
    guard let path = keptPath(), let file = FileDescriptor(ifReadable: path),
      let bytes = FileTransfer.readAll(file.number, limit: 1 << 24)
    else { return [] }
    return nodes(bytes) ?? []
  }

  /// The devices that bytes describe; nil for something else.
  static func nodes(_ bytes: [UInt8]) -> [SetupNode]? {
    JSONValue(bytes)?.elements?.compactMap { SetupNode(json: $0) }
  }

  static func bytes(_ nodes: [SetupNode]) -> [UInt8] {
    Array(JSONValue.array(nodes.map(\.json)).indentedText.utf8)
  }

  /// The devices of the user.
  var kept: [SetupNode] {
    state.withLock { state in
      if !state.isRead { (state.kept, state.isRead) = (Self.readKept(), true) }
      return state.kept
    }
  }

  /// Devices that are there, as clients see them.
  var present: [SetupNode] { state.withLock(\.present) }
  func setPresent(_ devices: [SetupNode]) { state.withLock { $0.present = devices } }

  /// The devices that all programs see.
  var listed: [SetupNode] { kept + present }

  /// The way to an object: it, and all above it; empty where there is none.
  func path(to key: String) -> [SetupNode] {
    let all = listed + state.withLock(\.loose)
    return all.lazy.map { $0.path(to: key) }.first { !$0.isEmpty } ?? []
  }

  /// All objects, those of this process alone among them.
  var all: [SetupNode] { (listed + state.withLock(\.loose)).flatMap(\.all) }

  /// Keeps a new device, which no list has yet.
  func add(_ device: SetupNode) { state.withLock { $0.loose.append(device) } }

  /// Changes an object, wherever it is.
  ///
  /// - Throws: `.object` if it is gone; the errors of the body; `.start` if it cannot be stored.
  func change(
    _ key: String, _ folder: PortFolder, _ body: (inout SetupNode) throws(MIDIError) -> Void
  ) throws(MIDIError) {
    var isLoose = false
    try state.withLock { state throws(MIDIError) in
      for index in state.loose.indices where try state.loose[index].change(key, body) {
        isLoose = true
      }
      for index in state.present.indices where try state.present[index].change(key, body) {
        isLoose = true
      }
    }
    guard !isLoose else { return }
    try replace(folder) { kept throws(MIDIError) in
      for index in kept.indices where try kept[index].change(key, body) { return }
      throw .object
    }
  }

  /// Adds a device of this process to the lists, or moves it between them.
  func list(_ key: String, isExternal: Bool, _ folder: PortFolder) throws(MIDIError) {
    let found = state.withLock { state in
      state.loose.first { $0.key == key && key != Self.bus.key }
    }
    guard var device = found else { throw .object }
    device.setExternal(isExternal)
    try replace(folder) { kept in kept.append(device) }
    state.withLock { state in state.loose.removeAll { $0.key == key } }
  }

  /// Forgets a device of this process that no list has.
  func discard(_ key: String) throws(MIDIError) {
    let isGone = state.withLock { state -> Bool in
      let place = state.loose.firstIndex { $0.key == key && key != Self.bus.key }
      guard let place else { return false }
      state.loose.remove(at: place)
      return true
    }
    guard isGone else { throw .object }
  }

  /// Removes a device from the lists.
  func unlist(_ key: String, isExternal: Bool, _ folder: PortFolder) throws(MIDIError) {
    try replace(folder) { kept throws(MIDIError) in
      guard kept.contains(where: { $0.key == key && $0.isExternal == isExternal }) else {
        throw .object
      }
      kept.removeAll { $0.key == key }
    }
  }

  /// Changes the file.
  func replace(
    _ folder: PortFolder, _ body: (inout [SetupNode]) throws(MIDIError) -> Void
  ) throws(MIDIError) {
    guard let path = Self.keptPath() else { throw .start }
    try folder.locked { () throws(MIDIError) in
      var kept = Self.readKept()
      try body(&kept)
      do {
        try FolderMaker.make(Path.folder(of: path))
        let file = try AtomicFile(path: path, overwrite: true)
        guard FileTransfer.writeAll(Self.bytes(kept), to: file.descriptor) == 0 else {
          throw MIDIError.start
        }
        try file.commit()
      } catch { throw .start }
      state.withLock { ($0.kept, $0.isRead) = (kept, true) }
      // Other processes notice this file.
      try folder.write(Self.fileName, [])
    }
  }

  /// Reads the file again.
  func reread() { state.withLock { $0.isRead = false } }

  /// The differences between two setups.
  static func changes(from old: [SetupNode], to new: [SetupNode]) -> [SetupChange] {
    func paths(_ nodes: [SetupNode]) -> [(path: [SetupNode], key: String)] {
      nodes.flatMap { device in device.all.map { (device.path(to: $0.key), $0.key) } }
    }
    let (before, after) = (paths(old), paths(new))
    let (oldKeys, newKeys) = (Set(before.map(\.key)), Set(after.map(\.key)))
    // An object's children are removed before it, and added behind it.
    var changes = before.reversed().filter { !newKeys.contains($0.key) }.map {
      SetupChange(kind: .removed, path: $0.path)
    }
    let earlier = Dictionary(before.map { ($0.key, $0.path[0]) }, uniquingKeysWith: { $1 })
    for (path, key) in after {
      guard oldKeys.contains(key), let was = earlier[key] else {
        changes.append(SetupChange(kind: .added, path: path))
        continue
      }
      let names = Set(was.properties.keys).union(path[0].properties.keys).sorted()
      for name in names where was.properties[name] != path[0].properties[name] {
        changes.append(SetupChange(kind: .property(name), path: path))
      }
    }
    return changes
  }
}

/// The folder of a user's settings.
enum UserFolder {
  /// The path of a file of settings: in `$XDG_CONFIG_HOME/auricle`, else in `~/.config/auricle`; nil without a home.
  static func configuration(_ name: String) -> String? {
    let base = unsafe getenv("XDG_CONFIG_HOME").map { unsafe String(cString: $0) }
    if let base, base.hasPrefix("/") { return "\(base)/auricle/\(name)" }
    let home = unsafe getenv("HOME").map { unsafe String(cString: $0) }
    return home.map { "\($0)/.config/auricle/\(name)" }
  }
}
