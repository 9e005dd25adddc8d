// Blocks and dispatch queues of C programs, called from Swift without their headers.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox
import Glibc

/// A retained C block: an object whose fourth word is its function.
///
/// The functions that retain blocks and use queues come from the libraries that the program uses; Core
/// Foundation loads them in every process.
///
/// @unchecked Sendable because the caller allows its block to be called on any thread, one call at a time.
@safe package final class Block: @unchecked Sendable {
  private let block: UnsafeMutableRawPointer
  private static let copy = unsafe Block.symbol(
    "_Block_copy",
    as: (@convention(c) (UnsafeRawPointer?) -> UnsafeMutableRawPointer?).self)
  private static let release = unsafe Block.symbol(
    "_Block_release", as: (@convention(c) (UnsafeRawPointer?) -> Void).self)

  /// Retains a block; nil for null.
  package init?(_ block: UnsafeRawPointer?) {
    guard let block = unsafe block, let copy = unsafe Self.copy, let kept = unsafe copy(block)
    else {
      return nil
    }
    unsafe self.block = unsafe kept
  }

  deinit { unsafe Self.release?(block) }

  /// The block, the first argument of its function.
  package var pointer: UnsafeMutableRawPointer { unsafe block }

  /// The block's function as its type.
  package func function<Procedure>(as type: Procedure.Type) -> Procedure {
    unsafe unsafeBitCast(
      block.load(fromByteOffset: 16, as: UnsafeRawPointer.self), to: Procedure.self)
  }

  /// A function of any library of this process, as its type; nil where there is none.
  package static func symbol<Procedure>(_ name: String, as type: Procedure.Type) -> Procedure? {
    guard let found = unsafe dlsym(nil, name) else { return nil }
    return unsafe unsafeBitCast(found, to: Procedure.self)
  }
}

/// A retained dispatch queue of a C program.
///
/// @unchecked Sendable because any thread may use a queue.
@safe package final class DispatchQueueHandle: @unchecked Sendable {
  private typealias Object = @convention(c) (UnsafeMutableRawPointer?) -> Void
  private typealias After =
    @convention(c) (
      UInt64, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?,
      @convention(c) (UnsafeMutableRawPointer?) -> Void
    ) -> Void
  private typealias Time = @convention(c) (UInt64, Int64) -> UInt64
  fileprivate let queue: UnsafeMutableRawPointer
  private static let retain = unsafe Block.symbol("dispatch_retain", as: Object.self)
  private static let release = unsafe Block.symbol("dispatch_release", as: Object.self)
  private static let after = unsafe Block.symbol("dispatch_after_f", as: After.self)
  private static let time = Block.symbol("dispatch_time", as: Time.self)
  fileprivate typealias Sync =
    @convention(c) (
      UnsafeMutableRawPointer?, UnsafeMutableRawPointer?,
      @convention(c) (UnsafeMutableRawPointer?) -> Void
    ) -> Void
  fileprivate static let sync = unsafe Block.symbol("dispatch_sync_f", as: Sync.self)

  /// Retains a queue; nil for null, and in a process without the library.
  package init?(_ queue: UnsafeMutableRawPointer?) {
    guard let queue = unsafe queue, let retain = unsafe Self.retain, unsafe Self.after != nil,
      Self.time != nil
    else { return nil }
    unsafe retain(queue)
    unsafe self.queue = unsafe queue
  }

  deinit { unsafe Self.release?(queue) }

  /// Runs a body on the queue after a delay in seconds.
  package func run(after seconds: Double, _ body: @escaping @Sendable () -> Void) {
    guard let after = unsafe Self.after, let time = Self.time else { return }
    let work = unsafe Unmanaged.passRetained(Work(body)).toOpaque()
    unsafe after(time(0, Int64(max(0, min(seconds, 1e9)) * 1e9)), queue, work) { work in
      guard let work = unsafe work else { return }
      unsafe Unmanaged<Work>.fromOpaque(work).takeRetainedValue().body()
    }
  }
}

extension DispatchQueueHandle {
  /// Runs a body on the queue, and waits for its end.
  package func wait(_ body: () -> Void) {
    guard let sync = unsafe Self.sync else { return body() }
    withoutActuallyEscaping(body) { body in
      var work = body
      unsafe withUnsafeMutablePointer(to: &work) { pointer in
        unsafe sync(queue, pointer) { pointer in
          unsafe pointer?.assumingMemoryBound(to: (() -> Void).self).pointee()
        }
      }
    }
  }
}

/// Work for a queue.
private final class Work: Sendable {
  let body: @Sendable () -> Void
  init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}
