// All chains that are open in the studio, kept on the disk between two starts.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import Glibc
import HostSystem
import Synchronization

/// The open chains.
final class ChainBook: Sendable {
  private struct State {
    var documents: [String: ChainDocument] = [:]
    var dirty: Set<String> = []
    var last = 0
    var isClosed = false
  }

  private let state = Mutex(State())
  /// Held while files are written: a file has the newest content last.
  private let writing = Mutex(())
  /// Where they are kept; nil where they are not.
  let folder: String?
  private let lock: Int32
  private let bell = WakeUp()
  /// Rings at the end.
  private let end = WakeUp()
  /// Called with a chain that was changed and the client that did it; with nil for one that was closed.
  let onChange: @Sendable (String, ChainDocument?, String?) -> Void

  /// Reads the chains that are kept.
  ///
  /// - Parameter folder: Where they are kept; nil to keep none.
  init(
    folder: String?, onChange: @escaping @Sendable (String, ChainDocument?, String?) -> Void
  ) {
    self.onChange = onChange
    (self.folder, lock) = Self.place(folder)
    guard let folder = self.folder else { return }
    var documents: [String: ChainDocument] = [:]
    var last = 0
    for name in FolderListing.names(in: folder) where name.hasSuffix(".json") {
      guard let file = try? FileDescriptor(opening: folder + "/" + name),
        let bytes = FileTransfer.readAll(file.number, limit: 16 << 20),
        let json = JSONValue(bytes), let document = ChainDocument(kept: json)
      else { continue }
      documents[document.id] = document
      last = max(last, Int(document.id.dropFirst()) ?? 0)
    }
    state.withLock { ($0.documents, $0.last) = (documents, last) }
  }

  /// A folder that no other studio of this user has.
  private static func place(_ base: String?) -> (String?, Int32) {
    guard let base else { return (nil, -1) }
    for number in 1...64 {
      let folder = "\(base)/\(number)"
      guard (try? FolderMaker.make(folder)) != nil else { return (nil, -1) }
      let lock = unsafe (folder + "/lock").withFileName {
        unsafe open($0, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
      }
      guard lock >= 0 else { return (nil, -1) }
      if flock(lock, LOCK_EX | LOCK_NB) == 0 { return (folder, lock) }
      Glibc.close(lock)
    }
    return (nil, -1)
  }

  deinit { if lock >= 0 { Glibc.close(lock) } }

  // MARK: Reading

  /// All chains, the oldest first.
  var all: [ChainDocument] {
    state.withLock { Array($0.documents.values) }.sorted {
      (Int($0.id.dropFirst()) ?? 0) < (Int($1.id.dropFirst()) ?? 0)
    }
  }

  /// A chain.
  ///
  /// - Throws: `.notFound` where there is none.
  func document(_ id: String) throws(StudioFault) -> ChainDocument {
    guard let document = state.withLock({ $0.documents[id] }) else {
      throw StudioFault(.notFound, "there is no chain \(id)")
    }
    return document
  }

  // MARK: Changes

  /// Adds a chain. It is on the disk before it has an address: a page that goes on after a crash finds it.
  func add(
    _ make: (inout StageNumbers) throws -> ChainState, adjust: (inout ChainDocument) -> Void
  ) rethrows -> ChainDocument {
    var numbers = StageNumbers()
    let content = try make(&numbers)
    let document = state.withLock { state in
      state.last += 1
      var document = ChainDocument(id: "c\(state.last)", state: content, numbers: numbers)
      adjust(&document)
      state.documents[document.id] = document
      state.dirty.insert(document.id)
      return document
    }
    write()
    onChange(document.id, document, nil)
    return document
  }

  /// Changes a chain; what two clients change at once is done one after the other.
  ///
  /// - Throws: What the body throws; nothing is changed then.
  @discardableResult func change<Value>(
    _ id: String, by client: String? = nil, _ body: (inout ChainDocument) throws -> Value
  ) throws -> (document: ChainDocument, value: Value) {
    let result = try state.withLock { state -> Result<(ChainDocument, Value), any Error> in
      guard var document = state.documents[id] else {
        throw StudioFault(.notFound, "there is no chain \(id)")
      }
      do {
        let value = try body(&document)
        state.documents[id] = document
        state.dirty.insert(id)
        return .success((document, value))
      } catch { return .failure(error) }
    }
    let (document, value) = try result.get()
    bell.signal()
    onChange(id, document, client)
    return (document, value)
  }

  /// Closes a chain.
  func remove(_ id: String) throws {
    let isFound = state.withLock { state in
      state.dirty.insert(id)
      return state.documents.removeValue(forKey: id) != nil
    }
    guard isFound else { throw StudioFault(.notFound, "there is no chain \(id)") }
    bell.signal()
    onChange(id, nil, nil)
  }

  // MARK: The disk

  /// Writes changed chains until `close`. Context: a separate thread.
  func keep() {
    while !state.withLock({ $0.isClosed }) {
      bell.wait(milliseconds: -1)
      // A knob that is turned changes the chain many times: what changes within this time is written once.
      end.wait(milliseconds: 150)
      write()
    }
  }

  /// Writes all, and ends `keep`.
  func close() {
    state.withLock { $0.isClosed = true }
    end.signal()
    bell.signal()
    write()
  }

  private func write() {
    guard let folder else { return }
    writing.withLock { _ in
      let changed = state.withLock { state in
        defer { state.dirty = [] }
        return state.dirty.map { ($0, state.documents[$0]) }
      }
      for (id, document) in changed { Self.write(document, at: "\(folder)/\(id).json") }
    }
  }

  /// Writes a chain; removes the file of one that was closed.
  private static func write(_ document: ChainDocument?, at path: String) {
    guard let document else {
      _ = unsafe path.withFileName { unsafe unlink($0) }
      return
    }
    guard let file = try? AtomicFile(path: path, overwrite: true),
      FileTransfer.writeAll(Array(document.kept.compactText.utf8), to: file.descriptor) == 0
    else { return }
    try? file.commit()
  }
}
