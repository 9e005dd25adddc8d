// The places where callbacks run: the thread with the news, a run loop, or a dispatch queue.
// SPDX-License-Identifier: Apache-2.0

package import CAudioToolbox
import Synchronization

/// Runs callbacks one after another, in order, under no lock.
///
/// @unchecked Sendable because the run loop and its source may be used from any thread.
@safe package final class CallbackDelivery: @unchecked Sendable {
  /// A call.
  package typealias Work = @Sendable () -> Void

  private let loop: CFRunLoopRef?
  private var source: CFRunLoopSourceRef?
  private let dispatch: DispatchQueueHandle?
  private let waiting = Mutex<[Work]>([])
  private let isPerforming = Atomic<Bool>(false)

  /// Delivers on the thread with the news.
  package init() {
    unsafe loop = nil
    unsafe source = nil
    dispatch = nil
  }

  /// On a dispatch queue.
  package init(_ dispatch: DispatchQueueHandle) {
    unsafe loop = nil
    unsafe source = nil
    self.dispatch = dispatch
  }

  /// On a run loop, in a mode; null: in its common modes.
  package init(_ loop: CFRunLoopRef, _ mode: CFStringRef?) {
    unsafe self.loop = unsafe loop
    dispatch = nil
    unsafe _ = CFRetain(UnsafeRawPointer(loop))
    var context = unsafe CFRunLoopSourceContext()
    unsafe context.info = Unmanaged.passUnretained(self).toOpaque()
    unsafe context.perform = { info in
      guard let info = unsafe info else { return }
      unsafe Unmanaged<CallbackDelivery>.fromOpaque(info).takeUnretainedValue().performAll()
    }
    unsafe source = CFRunLoopSourceCreate(nil, 0, &context)
    unsafe CFRunLoopAddSource(loop, source, mode ?? kCFRunLoopCommonModes)
  }

  /// Removes the source from its loop. Context: control, once.
  package func close() {
    if let source = unsafe source {
      unsafe CFRunLoopSourceInvalidate(source)
      unsafe CFRelease(UnsafeRawPointer(source))
    }
    if let loop = unsafe loop { unsafe CFRelease(UnsafeRawPointer(loop)) }
    unsafe source = nil
    waiting.withLock { $0 = [] }
  }

  /// Runs a callback where callbacks run.
  package func run(_ work: @escaping Work) {
    if let dispatch { return dispatch.run(after: 0, work) }
    guard let loop = unsafe loop, let source = unsafe source else { return work() }
    waiting.withLock { $0.append(work) }
    unsafe CFRunLoopSourceSignal(source)
    unsafe CFRunLoopWakeUp(loop)
  }

  /// Runs the calls that wait for the loop now where the caller is on the loop's thread, and not in a callback.
  package func performAllHere() {
    guard let loop = unsafe loop, unsafe CFRunLoopGetCurrent() == loop,
      !isPerforming.load(ordering: .relaxed)
    else { return }
    performAll()
  }

  /// Runs the calls that wait for the loop now, on the caller's thread.
  package func performAll() {
    let wasPerforming = isPerforming.exchange(true, ordering: .relaxed)
    defer { isPerforming.store(wasPerforming, ordering: .relaxed) }
    while let work = waiting.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { work() }
  }
}
