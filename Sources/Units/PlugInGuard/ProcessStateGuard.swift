// Keeps the state of the whole process as it was, around code of a plug-in that is loaded.
// SPDX-License-Identifier: Apache-2.0

import Glibc
import Synchronization

/// The changes that a piece of foreign code made in the process.
public struct ProcessStateChanges: OptionSet, Sendable, Hashable, CustomStringConvertible {
  /// One bit a kind of change.
  public let rawValue: UInt8

  /// Makes a set from its bits.
  ///
  /// Context: any.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The file mode creation mask.
  public static let fileModeMask = ProcessStateChanges(rawValue: 1)
  /// The working directory.
  public static let workingDirectory = ProcessStateChanges(rawValue: 2)
  /// The locale of the process or of the thread.
  public static let locale = ProcessStateChanges(rawValue: 4)
  /// The handler of a signal, or the signals this thread blocks.
  public static let signals = ProcessStateChanges(rawValue: 8)
  /// The rounding, exception or denormal bits of the floating-point unit of this thread.
  public static let floatingPoint = ProcessStateChanges(rawValue: 16)
  /// Descriptors that were open, and were closed; `OpenDescriptors` finds them.
  public static let descriptors = ProcessStateChanges(rawValue: 32)

  /// All that was put back in this process so far, by any guard.
  ///
  /// Context: any.
  public static var putBack: ProcessStateChanges {
    ProcessStateChanges(rawValue: bitsPutBack.load(ordering: .relaxed))
  }

  /// The names of the changes, with commas; "nothing" when there are none.
  public var description: String {
    let names: [(ProcessStateChanges, String)] = [
      (.fileModeMask, "file mode mask"), (.workingDirectory, "working directory"),
      (.locale, "locale"), (.signals, "signals"), (.floatingPoint, "floating-point mode"),
      (.descriptors, "open descriptors"),
    ]
    let present = names.filter { contains($0.0) }.map(\.1)
    return present.isEmpty ? "nothing" : present.joined(separator: ", ")
  }
}

/// Runs foreign code, then restores the process state that it changed.
///
/// Plug-ins have been seen to set the locale (and with it the decimal point), the umask, the working
/// directory, signal handlers and the floating-point mode while they are loaded. Put this around
/// `dlopen`, factories and instantiation; the render path has its own, cheaper guard.
///
/// The state is the process's: another thread's changes in this time may be undone.
///
/// - Parameters:
///   - changes: The restored kinds of state are added here.
///   - body: The foreign code.
/// - Returns: The result of `body`.
///
/// Context: control.
public func withProtectedProcessState<Result: ~Copyable, Failure: Error>(
  changes: inout ProcessStateChanges, _ body: () throws(Failure) -> Result
) throws(Failure) -> Result {
  var snapshot = ProcessStateSnapshot()
  defer { changes.formUnion(snapshot.restore()) }
  return try body()
}

/// Runs foreign code, then restores the process state that it changed.
///
/// Context: control.
public func withProtectedProcessState<Result: ~Copyable, Failure: Error>(
  _ body: () throws(Failure) -> Result
) throws(Failure) -> Result {
  var changes: ProcessStateChanges = []
  return try withProtectedProcessState(changes: &changes, body)
}

/// A guard for a process that runs foreign code again and again, and nothing else that changes its state.
///
/// The state of the process is read once, when this is made, and compared after each run: reading it costs some 70
/// system calls, comparing it some 15. Context: control; one thread.
public final class ProcessStateGuard {
  private var snapshot = ProcessStateSnapshot()

  /// Reads the state that is put back.
  public init() {}

  /// Runs foreign code, then restores all state that differs from that at the guard's making.
  ///
  /// - Parameters:
  ///   - changes: The restored kinds of state are added here.
  ///   - body: The foreign code.
  /// - Returns: The result of `body`.
  public func run<Result: ~Copyable, Failure: Error>(
    changes: inout ProcessStateChanges, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    defer { changes.formUnion(snapshot.restore()) }
    return try body()
  }
}

/// `O_PATH`, which is not imported: a descriptor that only names a place.
private let pathOnly: Int32 = 0x20_0000

private let bitsPutBack = Atomic<UInt8>(0)

/// The state of the process at one moment.
@safe private struct ProcessStateSnapshot: ~Copyable {
  private let status = ThreadStatus()
  private let directory: Int32
  private let locale: String?
  private let threadLocale: locale_t?
  private var signalMask = sigset_t()
  private var handlers: [(number: Int32, action: sigaction)] = []
  private var floatingPoint = fenv_t()

  init() {
    directory = unsafe open(".", pathOnly | O_DIRECTORY | O_CLOEXEC)
    locale = unsafe setlocale(LC_ALL, nil).map { unsafe String(cString: $0) }
    unsafe threadLocale = unsafe uselocale(nil)
    unsafe pthread_sigmask(SIG_BLOCK, nil, &signalMask)
    for number in Int32(1)...64 where number != SIGKILL && number != SIGSTOP {
      var action = sigaction()
      if unsafe sigaction(number, nil, &action) == 0 { handlers.append((number, action)) }
    }
    unsafe fegetenv(&floatingPoint)
  }

  deinit { if directory >= 0 { close(directory) } }

  /// Restores all state that differs and returns its kinds.
  mutating func restore() -> ProcessStateChanges {
    var changes: ProcessStateChanges = []
    let present = ThreadStatus()
    if present.fileModeMask != status.fileModeMask {
      umask(status.fileModeMask)
      changes.insert(.fileModeMask)
    }
    if directory >= 0, !isCurrentDirectory(directory), fchdir(directory) == 0 {
      changes.insert(.workingDirectory)
    }
    if let locale, unsafe setlocale(LC_ALL, nil).map({ unsafe String(cString: $0) }) != locale {
      unsafe _ = setlocale(LC_ALL, locale)
      changes.insert(.locale)
    }
    if unsafe uselocale(threadLocale) != threadLocale { changes.insert(.locale) }
    if restoreSignals(present) { changes.insert(.signals) }
    var now = fenv_t()
    unsafe fegetenv(&now)
    // The exceptions raised meanwhile are no change of mode.
    if !sameMode(now, floatingPoint) { changes.insert(.floatingPoint) }
    unsafe fesetenv(&floatingPoint)
    bitsPutBack.bitwiseOr(changes.rawValue, ordering: .relaxed)
    return changes
  }

  private mutating func restoreSignals(_ present: ThreadStatus) -> Bool {
    let doubtful = status.signalsThatMayDiffer(from: present)
    var changed = false
    for (number, before) in handlers where doubtful & 1 << UInt64(number - 1) != 0 {
      var before = before
      var now = sigaction()
      guard unsafe sigaction(number, nil, &now) == 0, !same(now, before) else { continue }
      unsafe sigaction(number, &before, nil)
      changed = true
    }
    var mask = sigset_t()
    unsafe pthread_sigmask(SIG_SETMASK, &signalMask, &mask)
    return !same(mask, signalMask) || changed
  }
}

/// The part of the process's state that the kernel reports in one file.
private struct ThreadStatus {
  /// The umask.
  let fileModeMask: mode_t
  /// The signals that are ignored or have a handler, as two sets of bits; nil where the kernel reports none.
  private let handled: (ignored: UInt64, caught: UInt64)?

  init() {
    let text = Self.text
    // The only call sets the mask as well, and another thread may create a file at that moment.
    fileModeMask =
      Self.value("\nUmask:", in: text, radix: 8).map { mode_t($0) } ?? Self.swappedMask()
    if let ignored = Self.value("\nSigIgn:", in: text, radix: 16),
      let caught = Self.value("\nSigCgt:", in: text, radix: 16)
    {
      handled = (ignored, caught)
    } else {
      handled = nil
    }
  }

  /// The signals whose actions may have changed between two reports, the first in the lowest bit.
  ///
  /// A handler may have been replaced by another. Of a signal with its default action only SIGCHLD has flags that count.
  func signalsThatMayDiffer(from other: ThreadStatus) -> UInt64 {
    guard let handled, let now = other.handled else { return .max }
    return handled.caught | now.caught | (handled.ignored ^ now.ignored)
      | 1 << UInt64(SIGCHLD - 1)
  }

  /// The file with a zero behind it, or only the zero.
  private static var text: [CChar] {
    var text = [CChar](repeating: 0, count: 4096)
    let descriptor = unsafe open("/proc/thread-self/status", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return text }
    defer { close(descriptor) }
    unsafe _ = read(descriptor, &text, text.count - 1)
    return text
  }

  /// The number behind a name in the file.
  private static func value(_ name: String, in text: [CChar], radix: Int32) -> UInt64? {
    unsafe text.withUnsafeBufferPointer {
      guard let start = $0.baseAddress, let found = unsafe strstr(start, name) else {
        return nil
      }
      return unsafe UInt64(strtoull(found + name.utf8.count, nil, radix))
    }
  }

  private static func swappedMask() -> mode_t {
    let mask = umask(0o077)
    umask(mask)
    return mask
  }
}

private func isCurrentDirectory(_ directory: Int32) -> Bool {
  var here = stat()
  var there = stat()
  return unsafe stat(".", &here) == 0 && fstat(directory, &there) == 0
    && here.st_dev == there.st_dev && here.st_ino == there.st_ino
}

private func same(_ first: sigset_t, _ second: sigset_t) -> Bool {
  // 64 signals; the rest of the set is for more than there are.
  first.__val.0 == second.__val.0
}

/// `SA_RESTORER`, which is not public: the C library adds it to all actions that it sets.
private let restorer: Int32 = 0x0400_0000

private func same(_ first: sigaction, _ second: sigaction) -> Bool {
  unsafe unsafeBitCast(first.__sigaction_handler, to: UInt.self)
    == unsafeBitCast(second.__sigaction_handler, to: UInt.self)
    && (first.sa_flags ^ second.sa_flags) & ~restorer == 0 && same(first.sa_mask, second.sa_mask)
}

/// Whether two floating-point environments differ in nothing but raised exceptions.
private func sameMode(_ first: fenv_t, _ second: fenv_t) -> Bool {
  #if arch(x86_64)
    // The low six bits of MXCSR are the exceptions raised.
    first.__control_word == second.__control_word && first.__mxcsr & ~0x3F == second.__mxcsr & ~0x3F
  #elseif arch(arm64)
    first.__fpcr == second.__fpcr
  #else
    true
  #endif
}
