// Where a listener's handler is called: on a run loop, or by something else that can wait.
// SPDX-License-Identifier: Apache-2.0

public import CAudioToolbox
import Synchronization

/// A place and time for deliveries of one listener.
///
/// @unchecked Sendable because the run loop and its timer are Core Foundation objects that any thread
/// may use, and are replaced under a lock only.
@safe public final class EventDelivery: @unchecked Sendable {
  /// Calls the body after so many seconds, somewhere.
  public typealias Scheduler = @Sendable (Double, @escaping @Sendable () -> Void) -> Void

  private let scheduler: Scheduler?
  private let loop: CFRunLoopRef?
  private let mode: CFRunLoopMode?
  private let timer = Mutex<UInt>(0)

  /// Delivers on a run loop, in a mode of it.
  ///
  /// - Parameters:
  ///   - loop: nil: the one of the calling thread.
  ///   - mode: nil: the default mode.
  public init(runLoop loop: CFRunLoopRef?, mode: CFRunLoopMode? = nil) {
    scheduler = nil
    unsafe self.loop = unsafe loop ?? CFRunLoopGetCurrent()
    unsafe self.mode = unsafe mode ?? kCFRunLoopDefaultMode
    unsafe CFRetain(UnsafeRawPointer(self.loop))
    unsafe CFRetain(UnsafeRawPointer(self.mode))
  }

  /// Delivers where a scheduler calls its body, for example on a dispatch queue.
  public init(scheduler: @escaping Scheduler) {
    self.scheduler = scheduler
    unsafe loop = nil
    unsafe mode = nil
  }

  deinit {
    cancel()
    if let loop = unsafe loop { unsafe CFRelease(UnsafeRawPointer(loop)) }
    if let mode = unsafe mode { unsafe CFRelease(UnsafeRawPointer(mode)) }
  }

  /// Seconds that mean never: as long as a timer can wait.
  private static let never = 4e8

  /// Makes the timer of a listener, which waits until it is scheduled.
  func prepare(for address: UInt) {
    guard let loop = unsafe loop else { return }
    var context = unsafe CFRunLoopTimerContext(
      version: 0, info: UnsafeMutableRawPointer(bitPattern: address), retain: nil, release: nil,
      copyDescription: nil)
    let callback: CFRunLoopTimerCallBack = { _, info in
      EventCenter.listener(at: UInt(bitPattern: info))?.deliver()
    }
    guard
      let made = unsafe CFRunLoopTimerCreate(
        nil, CFAbsoluteTimeGetCurrent() + Self.never, Self.never, 0, 0, callback, &context)
    else { return }
    unsafe CFRunLoopAddTimer(loop, made, mode)
    let address = UInt(bitPattern: made)
    timer.withLock { $0 = address }
  }

  /// Has a listener deliver after so many seconds.
  func schedule(after seconds: Double, for address: UInt) {
    if let scheduler {
      scheduler(seconds) { EventCenter.listener(at: address)?.deliver() }
      return
    }
    timer.withLock { timer in
      guard let timer = unsafe CFRunLoopTimerRef(bitPattern: timer) else { return }
      unsafe CFRunLoopTimerSetNextFireDate(timer, CFAbsoluteTimeGetCurrent() + seconds)
    }
    unsafe loop.map { unsafe CFRunLoopWakeUp($0) }
  }

  /// Removes the timer.
  func cancel() {
    let address = timer.withLock { timer in
      defer { timer = 0 }
      return timer
    }
    guard let timer = unsafe CFRunLoopTimerRef(bitPattern: address) else { return }
    unsafe CFRunLoopTimerInvalidate(timer)
    unsafe CFRelease(UnsafeRawPointer(timer))
  }
}
