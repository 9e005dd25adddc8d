// Keeps denormal numbers out of render code, where they cost a hundred times a normal one.
// SPDX-License-Identifier: Apache-2.0

public import CRealtime

/// Makes denormal numbers zero on this thread until `restore`.
///
/// ```swift
/// let denormals = DenormalGuard()
/// defer { denormals.restore() }
/// ```
public struct DenormalGuard: BitwiseCopyable, Sendable {
  @usableFromInline let saved: UInt64

  /// Sets flush-to-zero (and denormals-are-zero) and remembers the earlier state.
  ///
  /// Context: any; changes the calling thread only.
  @inlinable @_noLocks
  public init() {
    saved = AuricleGetFloatControl()
    let flush = AuricleFloatControlFlushBits()
    // Setting the word costs ten times as much as reading it, and within a graph it is set already.
    if saved & flush != flush { AuricleSetFloatControl(saved | flush) }
  }

  /// Sets the guard's modes again, if code that was called meanwhile changed the control word.
  ///
  /// Context: the thread that made the guard.
  @inlinable @_noLocks
  public func renew() {
    let wanted = modes
    if !Self.isInForce(wanted) { AuricleSetFloatControl(wanted) }
  }

  /// The modes that `renew` maintains, with which `isInForce` compares.
  @inlinable public var modes: UInt64 {
    @_noLocks get { (saved | AuricleFloatControlFlushBits()) & AuricleFloatControlModeBits() }
  }

  /// Returns whether the control word of the calling thread has the modes that a guard has set.
  ///
  /// Context: the thread that made the guard.
  @inlinable @_noLocks
  public static func isInForce(_ modes: UInt64) -> Bool {
    AuricleGetFloatControl() & AuricleFloatControlModeBits() == modes
  }

  /// Makes denormal numbers zero again where a guard of the caller is in force.
  ///
  /// Context: the thread that made the guard.
  @inlinable @_noLocks
  public static func keep() {
    let present = AuricleGetFloatControl()
    let flush = AuricleFloatControlFlushBits()
    if present & flush != flush { AuricleSetFloatControl(present | flush) }
  }

  /// Whether denormals were zero already when the guard was made.
  @inlinable public var changesNothing: Bool {
    @_noLocks get {
      let flush = AuricleFloatControlFlushBits()
      return saved & flush == flush
    }
  }

  /// A guard that guards nothing, for places that hold one before there is any.
  @inlinable @_noLocks
  public init(saved: UInt64) {
    self.saved = saved
  }

  /// Puts the floating-point control word of the calling thread back.
  ///
  /// Context: the thread that made the guard.
  @inlinable @_noLocks
  public func restore() {
    let modes = AuricleFloatControlModeBits()
    if AuricleGetFloatControl() & modes != saved & modes { AuricleSetFloatControl(saved) }
  }

  /// Does the same as `restore`, without reading the control word: a read waits for all arithmetic before it.
  ///
  /// Context: the thread that made the guard.
  @inlinable @_noLocks
  public func restoreBlindly() { AuricleSetFloatControl(saved) }

  /// True if denormal numbers are zero on this thread now.
  public static var isActive: Bool {
    @_noLocks get {
      let bits = AuricleFloatControlFlushBits()
      return bits != 0 && AuricleGetFloatControl() & bits == bits
    }
  }
}

/// Marks a stretch of render code for RealtimeSanitizer; costs two empty calls without it.
public enum RealtimeSection {
  /// From here on the calling thread must not allocate, lock or block.
  @_noLocks
  public static func enter() {
    AuricleRealtimeEnter()
  }

  /// Ends a section of `enter`; sections nest.
  @_noLocks
  public static func exit() {
    AuricleRealtimeExit()
  }

  /// True if the sanitizer's library is linked into this process.
  public static var isChecked: Bool {
    AuricleRealtimeSanitizerIsPresent()
  }
}
