// A plug-in of a file, and its life from making to activation.
// SPDX-License-Identifier: Apache-2.0

internal import CForeignPlugIns
internal import ForeignPlugIns
internal import Glibc
internal import HostSystem

/// A plug-in, and the host that it sees.
///
/// Everything of it that the standard calls on the main thread is called on the main thread of plug-ins.
@safe final class CLAPObject {
  let plugin: UnsafePointer<AuricleCLAPPlugin>
  let loop: CLAPLoop
  /// Kept between its audio calls of control threads, and a restart by the main thread.
  let audioCalls = PlugInLock()
  private var pool: UnsafeMutablePointer<AuricleCLAPPool>?
  private var poolThreads: [pthread_t] = []

  /// The host that the plug-in sees.
  var host: UnsafeMutablePointer<AuricleCLAPHostState> { unsafe loop.host }

  /// Makes and initialises a plug-in.
  ///
  /// Context: the main thread of plug-ins.
  init(_ library: CLAPLibrary, id: String) throws(PlugInFailure) {
    let loop = CLAPLoop()
    let host = unsafe loop.host
    let address = unsafe UnsafeRawPointer(host).assumingMemoryBound(to: AuricleCLAPHost.self)
    guard let made = unsafe library.factory.pointee.create(library.factory, address, id) else {
      throw PlugInFailure(reason: "its file does not contain the plug-in \"\(id)\"")
    }
    guard let start = unsafe made.pointee.initialise, unsafe made.pointee.process != nil,
      unsafe made.pointee.activate != nil, unsafe made.pointee.get_extension != nil
    else { throw PlugInFailure(reason: "it lacks a function that every plug-in has") }
    unsafe auricle_clap_enter_phase(host, UInt32(kCLAPPhase_Inactive))
    guard unsafe start(made) else {
      unsafe made.pointee.destroy?(made)
      throw PlugInFailure(reason: "it refused to be initialised", isOfBinary: false)
    }
    unsafe self.plugin = unsafe made
    self.loop = loop
    unsafe loop.begin(made)
  }

  /// The table of an extension; nil when the plug-in has none. Context: any.
  func table<Table>(_ id: String, _ type: Table.Type) -> UnsafePointer<Table>? {
    unsafe plugin.table(id)
  }

  /// The table of an extension under its name, or the one it had as a draft.
  ///
  /// Context: any.
  func table<Table>(_ id: String, draft: String, _ type: Table.Type) -> UnsafePointer<Table>? {
    unsafe plugin.table(id) ?? plugin.table(draft)
  }

  /// Activates the plug-in; false when it refused.
  ///
  /// Context: the main thread of plug-ins.
  func activate(sampleRate: Double, maximumFrames: Int) -> Bool {
    startPool()
    unsafe auricle_clap_enter_phase(host, UInt32(kCLAPPhase_Activating))
    let isActive = FreshMemory.during {
      unsafe plugin.pointee.activate(plugin, sampleRate, 1, UInt32(clamping: maximumFrames))
    }
    unsafe auricle_clap_enter_phase(
      host, UInt32(isActive ? kCLAPPhase_Active : kCLAPPhase_Inactive))
    return isActive
  }

  /// Deactivates a plug-in that is active and does not process.
  ///
  /// Context: the main thread of plug-ins.
  func deactivate() {
    unsafe plugin.pointee.deactivate?(plugin)
    unsafe auricle_clap_enter_phase(host, UInt32(kCLAPPhase_Inactive))
  }

  /// The latency in frames; 0 for a plug-in without.
  ///
  /// Context: the main thread of plug-ins, while it is active.
  var latencyFrames: Double {
    guard let table = unsafe table("clap.latency", AuricleCLAPFrames.self),
      let get = unsafe table.pointee.get
    else { return 0 }
    return Double(unsafe get(plugin))
  }

  /// Starts the threads for the tasks of a plug-in that has some.
  private func startPool() {
    guard unsafe pool == nil,
      let table = unsafe table("clap.thread-pool", AuricleCLAPThreadPool.self),
      unsafe table.pointee.exec != nil
    else { return }
    let made = UnsafeMutablePointer<AuricleCLAPPool>.allocate(capacity: 1)
    let count = max(sysconf(Int32(_SC_NPROCESSORS_ONLN)) - 1, 1)
    unsafe auricle_clap_pool_prepare(made, plugin, table, UInt32(clamping: count))
    unsafe pool = unsafe made
    let address = UInt(bitPattern: made)
    for place in 0..<(unsafe made.pointee.thread_count) {
      let thread = startThread {
        guard let pool = unsafe UnsafeMutablePointer<AuricleCLAPPool>(bitPattern: address) else {
          return
        }
        unsafe auricle_clap_pool_run(pool, place)
      }
      guard let thread else { break }
      poolThreads.append(thread)
    }
    // Without further threads of the system, the present ones suffice.
    unsafe made.pointee.thread_count = UInt32(poolThreads.count)
    unsafe host.pointee.pool = unsafe made
  }

  private func endPool() {
    guard let pool = unsafe pool else { return }
    unsafe auricle_clap_pool_end(pool)
    for thread in poolThreads { pthread_join(thread, nil) }
    unsafe host.pointee.pool = nil
    unsafe pool.deallocate()
  }

  deinit {
    PlugInLifeCycle.performOnMainThread { () -> Void in
      loop.end()
      unsafe plugin.pointee.destroy?(plugin)
    }
    endPool()
  }
}
