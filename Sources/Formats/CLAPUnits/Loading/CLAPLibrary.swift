// The file of plug-ins: opens it, starts it once, and finds its factory.
// SPDX-License-Identifier: Apache-2.0

internal import CForeignPlugIns
internal import ForeignPlugIns
internal import Glibc
internal import HostSystem
internal import Synchronization

/// A plug-in's shared object. It is started once in a process, and never ended.
@safe struct CLAPLibrary {
  let factory: UnsafePointer<AuricleCLAPFactory>

  /// The files that this process has started.
  private static let started = Mutex<Set<String>>([])

  /// Opens a file. Call it inside `PlugInLifeCycle.perform`.
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
    unsafe self.factory = unsafe factory.assumingMemoryBound(to: AuricleCLAPFactory.self)
    guard unsafe self.factory.pointee.count != nil, unsafe self.factory.pointee.descriptor != nil,
      unsafe self.factory.pointee.create != nil
    else { throw PlugInFailure(reason: "its plug-in factory lacks a function") }
  }
}

/// A plug-in of a file and the host that it sees; not activated.
///
/// Everything of it is called on threads that hold `PlugInLifeCycle`, or render.
@safe final class CLAPObject {
  let plugin: UnsafePointer<AuricleCLAPPlugin>
  let host: UnsafeMutablePointer<AuricleCLAPHostState>

  /// Makes and initialises a plug-in. Call it inside `PlugInLifeCycle.perform`.
  init(_ library: CLAPLibrary, id: String) throws(PlugInFailure) {
    let host = UnsafeMutablePointer<AuricleCLAPHostState>.allocate(capacity: 1)
    unsafe auricle_clap_prepare_host(host)
    unsafe host.pointee.log = { _, severity, message in
      guard severity >= 2, let message = unsafe message else { return }
      let text = unsafe PlugInText.line(PlugInText.of(message), limit: 300)
      _ = FileTransfer.writeAll(Array("auricle: a plug-in says: \(text)\n".utf8), to: STDERR_FILENO)
    }
    let address = unsafe UnsafeRawPointer(host).assumingMemoryBound(to: AuricleCLAPHost.self)
    guard let made = unsafe library.factory.pointee.create(library.factory, address, id) else {
      unsafe host.deallocate()
      throw PlugInFailure(reason: "its file does not contain the plug-in \"\(id)\"")
    }
    guard let start = unsafe made.pointee.initialise, unsafe made.pointee.process != nil,
      unsafe made.pointee.activate != nil, unsafe made.pointee.get_extension != nil
    else {
      unsafe host.deallocate()
      throw PlugInFailure(reason: "it lacks a function that every plug-in has")
    }
    guard unsafe start(made) else {
      unsafe made.pointee.destroy?(made)
      unsafe host.deallocate()
      throw PlugInFailure(reason: "it refused to be initialised", isOfBinary: false)
    }
    unsafe self.plugin = unsafe made
    unsafe self.host = unsafe host
  }

  /// The table of an extension; nil when the plug-in has none. Context: control.
  func table<Table>(_ id: String, _ type: Table.Type) -> UnsafePointer<Table>? {
    unsafe plugin.pointee.get_extension(plugin, id)?.assumingMemoryBound(to: type)
  }

  /// Calls back a plug-in that asked for it. Call it inside `PlugInLifeCycle.perform`.
  func pump() { unsafe auricle_clap_pump(host, plugin) }

  deinit {
    PlugInLifeCycle.perform { () -> Void in unsafe plugin.pointee.destroy?(plugin) }
    unsafe host.deallocate()
  }
}
