// Services of the main thread for a plug-in: timers, descriptors, callbacks, messages.
// SPDX-License-Identifier: Apache-2.0

internal import CForeignPlugIns
internal import ForeignPlugIns
internal import Glibc
internal import HostSystem
internal import Synchronization

/// The part of a plug-in's host that turns with the main thread.
///
/// @unchecked Sendable because everything but `host` is accessed on the main thread alone, and that with atomic
/// operations.
@safe final class CLAPLoop: PlugInLoopMember, @unchecked Sendable {
  private struct Timer {
    var id: UInt32
    var period: UInt64
    var next: UInt64
  }
  /// Timers of shorter periods have this one, in nanoseconds.
  private static let shortestPeriod: UInt64 = 10_000_000
  /// The most callbacks in a row of a plug-in that asks for them again and again.
  private static let mostRounds = 64

  /// The host that the plug-in sees.
  let host: UnsafeMutablePointer<AuricleCLAPHostState>
  private var plugin: UnsafePointer<AuricleCLAPPlugin>?
  private var timers: [Timer] = []
  private var descriptors: [(descriptor: Int32, flags: UInt32)] = []
  private var lastTimer: UInt32 = 0
  /// The time of the sound where nothing is live, in nanoseconds.
  private var soundTime: UInt64 = 0
  private var sampleRate = 0.0
  /// The last message of a preset that could not be loaded.
  private(set) var presetFailure: String?
  /// Serves other requests, in bits of kCLAPRequest_…, and returns the ones that have to wait.
  var serve: ((UInt32) -> UInt32)?
  /// Receives messages of the plug-in in place of standard error.
  var receiveMessage: ((Int32, String) -> Void)?

  init() {
    unsafe host = .allocate(capacity: 1)
    unsafe auricle_clap_prepare_host(host, PlugInMainThread.bell)
    unsafe host.pointee.context = unsafe Unmanaged.passUnretained(self).toOpaque()
    unsafe host.pointee.log = { context, severity, message in
      unsafe CLAPLoop.of(context)?.print(severity, PlugInText.of(message))
    }
    unsafe host.pointee.add_timer = { context, milliseconds, id in
      guard let loop = unsafe CLAPLoop.of(context), let id = unsafe id else { return false }
      unsafe id.pointee = loop.addTimer(milliseconds)
      return true
    }
    unsafe host.pointee.remove_timer = { context, id in
      unsafe CLAPLoop.of(context)?.removeTimer(id) ?? false
    }
    unsafe host.pointee.change_descriptor = { context, change, descriptor, flags in
      unsafe CLAPLoop.of(context)?.changeDescriptor(change, descriptor, flags) ?? false
    }
    unsafe host.pointee.preset_failed = { context, message in
      unsafe CLAPLoop.of(context)?.presetFailure = PlugInText.line(PlugInText.of(message))
    }
    unsafe host.pointee.settle = { context, time in
      guard let loop = unsafe CLAPLoop.of(context) else { return }
      PlugInMainThread.run { loop.settle(soundTime: time) }
    }
  }

  deinit { unsafe host.deallocate() }

  private static func of(_ context: UnsafeMutableRawPointer?) -> CLAPLoop? {
    unsafe context.map { unsafe Unmanaged<CLAPLoop>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Begins to turn for a plug-in.
  ///
  /// Context: the main thread of plug-ins.
  func begin(_ plugin: UnsafePointer<AuricleCLAPPlugin>) {
    unsafe self.plugin = unsafe plugin
    PlugInMainThread.add(self)
  }

  /// Turns no more: timers and descriptors are forgotten.
  ///
  /// Context: the main thread of plug-ins.
  func end() {
    PlugInMainThread.remove(self)
    timers = []
    descriptors = []
    serve = nil
    unsafe plugin = nil
  }

  /// Sets whether the plug-in is served as it asks, or between the slices of sound that waits for it.
  ///
  /// Context: the main thread of plug-ins.
  func setLive(_ isLive: Bool, sampleRate: Double) {
    self.sampleRate = sampleRate
    unsafe host.pointee.is_live = isLive ? 1 : 0
    let now = isLive ? PlugInMainThread.time : soundTime
    for index in timers.indices { timers[index].next = now + timers[index].period }
    noteNextTimer()
  }

  private var isLive: Bool { unsafe host.pointee.is_live != 0 }

  // The loop.

  var nextTime: UInt64? { isLive ? timers.map(\.next).min() : nil }

  var awaited: [(descriptor: Int32, events: Int16)] {
    guard isLive else { return [] }
    return descriptors.map { entry in
      let events =
        (entry.flags & UInt32(kCLAPDescriptor_Read) != 0 ? POLLIN : 0)
        | (entry.flags & UInt32(kCLAPDescriptor_Write) != 0 ? POLLOUT : 0)
      return (entry.descriptor, Int16(events))
    }
  }

  func turn(_ ready: [(descriptor: Int32, events: Int16)], time: UInt64) {
    guard isLive else { return }
    callBack(ready)
    fireTimers(until: time)
    pump()
  }

  /// Serves requests, timers and descriptors between two slices.
  private func settle(soundTime time: UInt64) {
    soundTime = time
    pump()
    fireTimers(until: time)
    callBack(readyDescriptors())
    pump()
    noteNextTimer()
  }

  /// Serves requests from making, restoring and activating, before the first slice: each timer is due once.
  ///
  /// Context: the main thread of plug-ins.
  func settleAtFirst() {
    pump()
    guard !isLive else { return }
    for timer in timers { fire(timer.id) }
    callBack(readyDescriptors())
    pump()
    noteNextTimer()
  }

  /// Serves requests as long as there are some, up to a limit.
  ///
  /// Context: the main thread of plug-ins.
  func pump() {
    guard let plugin = unsafe plugin else { return }
    for _ in 0..<Self.mostRounds {
      let requests = unsafe auricle_clap_requests(host, ~UInt32(kCLAPRequest_Flush))
      guard requests != 0 else { return }
      if requests & UInt32(kCLAPRequest_Log) != 0 { unsafe auricle_clap_print(host) }
      if requests & UInt32(kCLAPRequest_Callback) != 0 {
        unsafe plugin.pointee.on_main_thread?(plugin)
      }
      let others = requests & ~UInt32(kCLAPRequest_Log | kCLAPRequest_Callback)
      guard others != 0 else { continue }
      let waiting = serve?(others) ?? others
      if waiting != 0 {
        unsafe auricle_clap_wait(host, waiting)
        return
      }
    }
  }

  // Messages.

  private func print(_ severity: Int32, _ message: String) {
    let text = PlugInText.line(message, limit: 300)
    if let receiveMessage { return receiveMessage(severity, text) }
    guard severity >= 2 else { return }
    _ = FileTransfer.writeAll(Array("auricle: a plug-in says: \(text)\n".utf8), to: STDERR_FILENO)
  }

  /// The reason for which a preset could not be loaded, once.
  func collectPresetFailure() -> String? {
    defer { presetFailure = nil }
    return presetFailure
  }

  // Timers.

  private func addTimer(_ milliseconds: UInt32) -> UInt32 {
    lastTimer &+= 1
    let period = max(UInt64(milliseconds) * 1_000_000, Self.shortestPeriod)
    let now = isLive ? PlugInMainThread.time : soundTime
    timers.append(Timer(id: lastTimer, period: period, next: now + period))
    noteNextTimer()
    return lastTimer
  }

  private func removeTimer(_ id: UInt32) -> Bool {
    guard let index = timers.firstIndex(where: { $0.id == id }) else { return false }
    timers.remove(at: index)
    noteNextTimer()
    return true
  }

  private func noteNextTimer() {
    let next = timers.map(\.next).min()
    let frame = isLive ? nil : next.map { UInt64((Double($0) * 1e-9 * sampleRate).rounded(.up)) }
    // Descriptors are polled after every slice.
    unsafe host.pointee.timer_frame = !isLive && !descriptors.isEmpty ? 0 : frame ?? .max
  }

  private func fireTimers(until time: UInt64) {
    for id in timers.filter({ $0.next <= time }).map(\.id) {
      // Another timer may have removed it.
      guard let index = timers.firstIndex(where: { $0.id == id }) else { continue }
      // Missed ones are left out.
      let missed = (time - timers[index].next) / timers[index].period
      timers[index].next += timers[index].period * (missed + 1)
      fire(id)
    }
  }

  private func fire(_ id: UInt32) {
    guard let plugin = unsafe plugin,
      let table: UnsafePointer<AuricleCLAPTimers> = unsafe plugin.table("clap.timer-support")
    else { return }
    unsafe table.pointee.on_timer?(plugin, id)
  }

  // Descriptors.

  private func changeDescriptor(_ change: Int32, _ descriptor: Int32, _ flags: UInt32) -> Bool {
    let index = descriptors.firstIndex { $0.descriptor == descriptor }
    switch (change, index) {
    case (1, nil): descriptors.append((descriptor, flags))
    case (0, let index?): descriptors[index].flags = flags
    case (-1, let index?): descriptors.remove(at: index)
    default: return false
    }
    noteNextTimer()
    return true
  }

  /// The descriptors that are ready now, where nothing is live.
  private func readyDescriptors() -> [(descriptor: Int32, events: Int16)] {
    guard !descriptors.isEmpty else { return [] }
    var entries = descriptors.map { entry in
      pollfd(
        fd: entry.descriptor,
        events: Int16(
          (entry.flags & UInt32(kCLAPDescriptor_Read) != 0 ? POLLIN : 0)
            | (entry.flags & UInt32(kCLAPDescriptor_Write) != 0 ? POLLOUT : 0)), revents: 0)
    }
    guard unsafe poll(&entries, nfds_t(entries.count), 0) > 0 else { return [] }
    return entries.filter { $0.revents != 0 }.map { ($0.fd, $0.revents) }
  }

  private func callBack(_ ready: [(descriptor: Int32, events: Int16)]) {
    guard let plugin = unsafe plugin, !ready.isEmpty,
      let table: UnsafePointer<AuricleCLAPDescriptors> =
        unsafe plugin.table("clap.posix-fd-support")
    else { return }
    for entry in ready where descriptors.contains(where: { $0.descriptor == entry.descriptor }) {
      let events = Int32(entry.events)
      var flags: UInt32 = 0
      if events & POLLIN != 0 { flags |= UInt32(kCLAPDescriptor_Read) }
      if events & POLLOUT != 0 { flags |= UInt32(kCLAPDescriptor_Write) }
      if events & (POLLERR | POLLHUP | POLLNVAL) != 0 { flags |= UInt32(kCLAPDescriptor_Error) }
      unsafe table.pointee.on_descriptor?(plugin, entry.descriptor, flags)
      // A closed descriptor would be ready for ever.
      if events & POLLNVAL != 0 { _ = changeDescriptor(-1, entry.descriptor, 0) }
    }
  }
}

extension UnsafePointer<AuricleCLAPPlugin> {
  /// The table of an extension; nil when the plug-in has none. Context: any.
  func table<Table>(_ id: String) -> UnsafePointer<Table>? {
    unsafe pointee.get_extension(self, id)?.assumingMemoryBound(to: Table.self)
  }
}
