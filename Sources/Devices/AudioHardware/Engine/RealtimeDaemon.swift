// The rtkit daemon, asked over the system bus by a library that is there where a desktop is.
// SPDX-License-Identifier: Apache-2.0

import CALSA
import Glibc

/// Asks rtkit to make the calling thread a realtime one.
enum RealtimeDaemon {
  private typealias ErrorInit = @convention(c) (UnsafeMutableRawPointer) -> Void
  private typealias BusGet = @convention(c) (Int32, UnsafeMutableRawPointer) -> OpaquePointer?
  private typealias NewCall =
    @convention(c) (
      UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafePointer<CChar>
    ) -> OpaquePointer?
  private typealias IterInit = @convention(c) (OpaquePointer, UnsafeMutableRawPointer) -> Void
  private typealias IterAppend =
    @convention(c) (UnsafeMutableRawPointer, Int32, UnsafeRawPointer) -> UInt32
  private typealias Send =
    @convention(c) (OpaquePointer, OpaquePointer, Int32, UnsafeMutableRawPointer) -> OpaquePointer?
  private typealias Unref = @convention(c) (OpaquePointer) -> Void

  private static func find<Function>(
    _ library: UnsafeMutableRawPointer, _ name: String, as type: Function.Type
  ) -> Function? {
    unsafe dlsym(library, name).map { unsafe unsafeBitCast($0, to: Function.self) }
  }

  /// Limits the time of realtime threads (µs): the daemon refuses threads that may run for ever.
  static func limitThreads() {
    // The first of the two makes a thread a normal one; the second ends the process.
    var limit = rlimit(rlim_cur: 100_000, rlim_max: 200_000)
    _ = unsafe setrlimit(__rlimit_resource_t(15), &limit)
  }

  /// True where the daemon did it. Context: the thread to be raised, once.
  static func raise(level: UInt32) -> Bool {
    limitThreads()
    return raise(level: level, thread: pid_t(auricle_thread()), of: nil)
  }

  /// True where the daemon raised a thread of a process; nil for this one.
  static func raise(level: UInt32, thread: pid_t, of process: pid_t?) -> Bool {
    guard let library = unsafe dlopen("libdbus-1.so.3", RTLD_NOW | RTLD_LOCAL) else { return false }
    guard let clear = unsafe find(library, "dbus_error_init", as: ErrorInit.self),
      let get = unsafe find(library, "dbus_bus_get_private", as: BusGet.self),
      let make = unsafe find(library, "dbus_message_new_method_call", as: NewCall.self),
      let begin = unsafe find(library, "dbus_message_iter_init_append", as: IterInit.self),
      let append = unsafe find(library, "dbus_message_iter_append_basic", as: IterAppend.self),
      let send = unsafe find(
        library, "dbus_connection_send_with_reply_and_block", as: Send.self),
      let unref = unsafe find(library, "dbus_message_unref", as: Unref.self),
      let close = unsafe find(library, "dbus_connection_close", as: Unref.self),
      let leave = unsafe find(library, "dbus_connection_unref", as: Unref.self)
    else { return false }
    // An error and an iterator of the library are smaller than this.
    return unsafe withUnsafeTemporaryAllocation(byteCount: 512, alignment: 16) { memory in
      guard let failure = memory.baseAddress else { return false }
      let iterator = unsafe failure + 256
      unsafe clear(failure)
      guard let bus = unsafe get(1, failure) else { return false }
      defer {
        unsafe close(bus)
        unsafe leave(bus)
      }
      guard
        let message = unsafe make(
          "org.freedesktop.RealtimeKit1", "/org/freedesktop/RealtimeKit1",
          "org.freedesktop.RealtimeKit1",
          process == nil ? "MakeThreadRealtime" : "MakeThreadRealtimeWithPID")
      else { return false }
      defer { unsafe unref(message) }
      var number = UInt64(thread)
      var priority = level
      unsafe begin(message, iterator)
      // 't' and 'u' of the bus's types.
      if var owner = process.map({ UInt64($0) }) { unsafe _ = append(iterator, 0x74, &owner) }
      unsafe _ = append(iterator, 0x74, &number)
      unsafe _ = append(iterator, 0x75, &priority)
      guard let reply = unsafe send(bus, message, 2000, failure) else { return false }
      unsafe unref(reply)
      return true
    }
  }
}
