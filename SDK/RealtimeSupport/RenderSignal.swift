// A signal between threads that a render thread may post.
// SPDX-License-Identifier: Apache-2.0

import CRealtime

/// A count of posts that threads wait for; it owns the words.
///
/// A thread reads `mark`, checks its condition, and waits with the mark: a post in between is not missed.
@safe public final class RenderSignal: Sendable {
  /// The words, which render code keeps in place of this object.
  public let words: RenderSignalWords

  /// Makes a signal without posts.
  ///
  /// Context: control.
  public init() { words = RenderSignalWords() }

  deinit { words.deallocate() }

  /// The posts so far.
  ///
  /// Context: any.
  public var mark: UInt32 { words.mark }

  /// Wakes all threads that wait.
  ///
  /// Context: any, also render.
  public func post() { words.post() }

  /// Waits for a post after a mark.
  ///
  /// - Returns: False when so many nanoseconds passed without one.
  ///
  /// Context: control.
  @discardableResult public func wait(since mark: UInt32, nanoseconds: UInt64) -> Bool {
    words.wait(since: mark, nanoseconds: nanoseconds)
  }

  /// Waits until a condition holds, which is checked after each post.
  ///
  /// - Returns: Whether it held before so many nanoseconds passed.
  ///
  /// Context: control.
  @discardableResult
  public func wait(nanoseconds: UInt64, until condition: () -> Bool) -> Bool {
    let end = RenderClock.nanoseconds() &+ nanoseconds
    while true {
      let mark = mark
      if condition() { return true }
      let now = RenderClock.nanoseconds()
      guard now < end else { return false }
      wait(since: mark, nanoseconds: end - now)
    }
  }
}

/// The words of a signal, for render code; valid as long as the signal.
///
/// @unchecked Sendable because the words are changed by atomic operations alone.
@safe public struct RenderSignalWords: @unchecked Sendable {
  private let words: UnsafeMutablePointer<AuricleSignal>

  fileprivate init() {
    unsafe words = .allocate(capacity: 1)
    unsafe words.initialize(to: AuricleSignal())
  }

  fileprivate func deallocate() { unsafe words.deallocate() }

  /// The posts so far.
  ///
  /// Context: any.
  public var mark: UInt32 {
    @_noLocks get { unsafe AuricleSignalMark(words) }
  }

  /// Wakes all threads that wait, by one system call at most; it never waits itself.
  ///
  /// Context: any, also render.
  @_noLocks public func post() { unsafe AuricleSignalPost(words) }

  /// Waits for a post after a mark.
  ///
  /// - Returns: False when so many nanoseconds passed without one.
  ///
  /// Context: control; the thread of a device that waits for its clients.
  @_noLocks @discardableResult
  public func wait(since mark: UInt32, nanoseconds: UInt64) -> Bool {
    unsafe AuricleSignalWait(words, mark, nanoseconds)
  }
}
