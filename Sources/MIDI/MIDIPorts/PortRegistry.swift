// The endpoints of all processes, as they are in the folder of ports now.
// SPDX-License-Identifier: Apache-2.0

import Glibc
import HostSystem
import Synchronization

/// Reads the folder, notices changes and deaths, and writes this process's endpoints into it.
///
/// There is no server: files that a dead process left are removed by the next process that reads
/// the folder.
///
/// Context: control; any thread.
package final class PortRegistry: Sendable {
  private struct State {
    var records: [String: EndpointRecord] = [:]
    /// Connections to other processes, which end when those do.
    var watches: [String: Int32] = [:]
    var notices: Int32 = -1
    var isRead = false
    var generation = 0
  }

  package let folder: PortFolder
  /// The name of this process's socket.
  package let ownProcess: String
  private let state = Mutex(State())
  /// Called when a refresh found changes in the folder.
  private let changed = Mutex<(@Sendable () -> Void)?>(nil)
  /// Endpoints that are in no folder: those of the sequencer, which every process sees itself.
  private let local = Mutex<[EndpointRecord]>([])

  /// Over a folder.
  package init(_ folder: PortFolder) {
    self.folder = folder
    ownProcess =
      "\(getpid())-\(String(UInt32.random(in: 0...(.max)), radix: 36)).socket"
    let notices = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
    let events = UInt32(IN_MOVED_TO) | UInt32(IN_DELETE)
    if notices >= 0 { unsafe inotify_add_watch(notices, folder.path, events) }
    state.withLock { $0.notices = notices }
  }

  deinit {
    state.withLock { state in
      if state.notices >= 0 { close(state.notices) }
      for watch in state.watches.values { close(watch) }
    }
  }

  /// Sets the procedure that is called, on the refreshing thread, when a refresh found changes.
  package func whenChanged(_ call: @escaping @Sendable () -> Void) {
    changed.withLock { $0 = call }
  }

  /// The endpoints that are there, in the order in which they were made.
  package func endpoints() -> [EndpointRecord] {
    refresh()
    let all = state.withLock { Array($0.records.values) } + local.withLock(\.self)
    return all.sorted { ($0.made, $0.key) < ($1.made, $1.key) }
  }

  /// An endpoint by its key.
  package func endpoint(_ key: String) -> EndpointRecord? {
    if let record = localRecord(key) { return record }
    refresh()
    return state.withLock { $0.records[key] }
  }

  /// Whether the system notifies of changes in the folder.
  var hasNotices: Bool { state.withLock { $0.notices >= 0 } }

  /// Descriptors to be polled for reading, by which changes are waited for.
  func descriptors() -> [Int32] {
    state.withLock { state in
      (state.notices >= 0 ? [state.notices] : []) + state.watches.values
    }
  }

  /// Checks whether anything changed since the last refresh.
  package func refresh() {
    let isChanged = state.withLock { state -> Bool in
      var mustRead = !state.isRead || state.notices < 0
      if state.notices >= 0 { mustRead = drain(state.notices) || mustRead }
      let ended = endedWatches(state.watches)
      for process in ended {
        if let watch = state.watches.removeValue(forKey: process) { close(watch) }
      }
      guard mustRead || !ended.isEmpty else { return false }
      return read(&state) || mustRead
    }
    if isChanged { changed.withLock(\.self)?() }
  }

  private func drain(_ notices: Int32) -> Bool {
    var bytes = [UInt8](repeating: 0, count: 4096)
    var isAny = false
    while unsafe Glibc.read(notices, &bytes, bytes.count) > 0 { isAny = true }
    return isAny
  }

  private func endedWatches(_ watches: [String: Int32]) -> [String] {
    guard !watches.isEmpty else { return [] }
    let list = Array(watches)
    var entries = list.map { pollfd(fd: $0.value, events: Int16(POLLIN), revents: 0) }
    guard unsafe poll(&entries, nfds_t(entries.count), 0) > 0 else { return [] }
    return list.indices.filter { entries[$0].revents != 0 }.map { list[$0].key }
  }

  /// Reads the folder again; whether it says something else.
  private func read(_ state: inout State) -> Bool {
    state.isRead = true
    var found: [String: EndpointRecord] = [:]
    let names = folder.names
    for name in names where name.hasSuffix(".json") && !name.hasPrefix(".") {
      let key = String(name.dropLast(5))
      guard let bytes = folder.read(name), let json = JSONValue(bytes),
        let record = EndpointRecord(key: key, json: json)
      else { continue }
      found[key] = record
    }
    let processes = Set(found.values.map(\.process)).subtracting([ownProcess])
    var dead: Set<String> = []
    for process in processes where state.watches[process] == nil {
      if let watch = PortSocket.connect(folder.descriptor, process, Greeting.watch.bytes) {
        state.watches[process] = watch
      } else if !PortSocket.answers(folder.descriptor, process) {
        dead.insert(process)
      }
    }
    // A process that died before it had an endpoint left its socket alone.
    let sockets = names.filter { $0.hasSuffix(".socket") && $0 != ownProcess }
    for name in sockets where state.watches[name] == nil && !dead.contains(name) {
      if !PortSocket.answers(folder.descriptor, name) { dead.insert(name) }
    }
    if !dead.isEmpty {
      bury(dead)
      found = found.filter { !dead.contains($0.value.process) }
    }
    for (process, watch) in state.watches where !processes.contains(process) {
      close(watch)
      state.watches[process] = nil
    }
    guard found != state.records else { return false }
    state.records = found
    state.generation += 1
    return true
  }

  /// Removes the files of dead processes. No lock: a caller may hold it, and their names do not
  /// come again.
  private func bury(_ dead: Set<String>) {
    for name in folder.names where name.hasSuffix(".json") {
      guard let bytes = folder.read(name), let json = JSONValue(bytes),
        let process = json["process"]?.text, dead.contains(process)
      else { continue }
      folder.remove(name)
    }
    for process in dead { folder.remove(process) }
  }
}

extension PortRegistry {
  /// Makes an endpoint of this process known, under the number that it usually has where that is free.
  package func add(_ record: EndpointRecord, identity: String) throws(MIDIError) {
    try folder.locked { () throws(MIDIError) in
      reread()
      var record = record
      record.properties[PropertyName.uniqueID] = .integer(freeNumber(of: identity))
      try folder.write(record.key + ".json", Array(record.json.compactText.utf8))
    }
    refresh()
  }

  /// Reads everything again.
  package func reread() {
    state.withLock { $0.isRead = false }
    refresh()
  }

  /// The number that something usually has, or the next that is free.
  func freeNumber(of identity: String) -> Int32 {
    let used = Set(
      state.withLock { $0.records.values.map(\.uniqueID) } + local.withLock { $0.map(\.uniqueID) })
    var number = Self.number(of: identity)
    while number == 0 || used.contains(number) { number = number &+ 1 }
    return number
  }

  /// A number that is the same in every run.
  static func number(of identity: String) -> Int32 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in identity.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return Int32(truncatingIfNeeded: hash ^ hash >> 32)
  }

  /// Removes an endpoint.
  package func remove(_ key: String) {
    try? folder.locked { () throws(MIDIError) in folder.remove(key + ".json") }
    refresh()
  }

  /// Changes the properties of an endpoint of any process.
  ///
  /// - Throws: `.endpoint` where it is gone; the errors of the body.
  package func change(
    _ key: String,
    _ body: (inout EndpointRecord, [EndpointRecord]) throws(MIDIError) -> Void
  ) throws(MIDIError) {
    if localRecord(key) != nil { return try changeLocal(key, body) }
    try folder.locked { () throws(MIDIError) in
      reread()
      let (found, all) = state.withLock { ($0.records[key], Array($0.records.values)) }
      guard var record = found else { throw .endpoint }
      try body(&record, all.filter { $0.key != key })
      try folder.write(key + ".json", Array(record.json.compactText.utf8))
    }
    refresh()
  }
}

extension PortRegistry {
  /// An endpoint that is in no folder.
  func localRecord(_ key: String) -> EndpointRecord? {
    local.withLock { $0.first { $0.key == key } }
  }

  /// Sets the endpoints that are in no folder.
  func setLocal(_ records: [EndpointRecord]) {
    local.withLock { $0 = records }
    changed.withLock(\.self)?()
  }

  private func changeLocal(
    _ key: String,
    _ body: (inout EndpointRecord, [EndpointRecord]) throws(MIDIError) -> Void
  ) throws(MIDIError) {
    let others = endpoints().filter { $0.key != key }
    try local.withLock { records throws(MIDIError) in
      guard let index = records.firstIndex(where: { $0.key == key }) else { throw .endpoint }
      try body(&records[index], others)
    }
    changed.withLock(\.self)?()
  }
}
