// The file of plug-ins: opens it, starts it once, and finds its factory.
// SPDX-License-Identifier: Apache-2.0

internal import CForeignPlugIns
internal import ForeignPlugIns
internal import HostSystem
internal import Synchronization

/// A plug-in's shared object. It is started once in a process, and never ended.
@safe struct CLAPLibrary {
  let factory: UnsafePointer<AuricleCLAPFactory>
  private let entry: UnsafePointer<AuricleCLAPEntry>

  /// The files that this process has started.
  private static let started = Mutex<Set<String>>([])

  /// Opens a file.
  ///
  /// Context: the main thread of plug-ins.
  init(path: String) throws(PlugInFailure) {
    let handle = unsafe try PlugInLibrary.open(path)
    guard let entry = unsafe auricle_clap_entry(handle) else {
      throw PlugInFailure(reason: "its file has no symbol clap_entry")
    }
    let version = unsafe entry.pointee.version
    guard version.major >= 1 else {
      throw PlugInFailure(
        reason: "it is made for CLAP \(version.major).\(version.minor).\(version.revision), "
          + "from before version 1: install another version of it")
    }
    guard let start = unsafe entry.pointee.start, let get = unsafe entry.pointee.get_factory else {
      throw PlugInFailure(reason: "its clap_entry lacks a function")
    }
    if Self.started.withLock({ !$0.contains(path) }) {
      guard unsafe path.withFileName({ unsafe start($0) }) else {
        throw PlugInFailure(reason: "its clap_entry refused to start")
      }
      Self.started.withLock { _ = $0.insert(path) }
    }
    guard let factory = unsafe get("clap.plugin-factory") else {
      throw PlugInFailure(reason: "it holds no plug-in: its clap_entry has no plug-in factory")
    }
    unsafe self.entry = unsafe entry
    unsafe self.factory = unsafe factory.assumingMemoryBound(to: AuricleCLAPFactory.self)
    guard unsafe self.factory.pointee.count != nil, unsafe self.factory.pointee.descriptor != nil,
      unsafe self.factory.pointee.create != nil
    else { throw PlugInFailure(reason: "its plug-in factory lacks a function") }
  }

  /// A factory of the file beside that of plug-ins, under its name or the one it had as a draft.
  ///
  /// Context: the main thread of plug-ins.
  func factory<Table>(_ names: [String]) -> UnsafePointer<Table>? {
    for name in names {
      if let found = unsafe entry.pointee.get_factory(name) {
        return unsafe found.assumingMemoryBound(to: Table.self)
      }
    }
    return nil
  }
}
