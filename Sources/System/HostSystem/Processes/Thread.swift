// Starts threads that leave signals to the others of the process.
// SPDX-License-Identifier: Apache-2.0

package import Glibc

/// The body of a thread, kept until it has run.
private final class ThreadBody: Sendable {
  let run: @Sendable () -> Void
  init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}

/// The signals of faults in code, whose handlers run on the thread at fault: where one is blocked, the process ends without
/// its handler.
private let signalsOfFaults = [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT, SIGSYS]

/// Starts a thread that runs a body and ends with it. Signals, but those of faults on it, are left to the process's
/// other threads.
///
/// - Parameters:
///   - signals: Signals that the thread receives all the same.
///   - body: The code that it runs; all that it captures is kept until it returns.
/// - Returns: The thread, which the caller joins or detaches; nil where the system has none left.
///
/// Context: control.
package func startThread(
  letting signals: [Int32] = [], _ body: @escaping @Sendable () -> Void
) -> pthread_t? {
  var masked = sigset_t()
  var before = sigset_t()
  unsafe sigfillset(&masked)
  for signal in signals + signalsOfFaults { unsafe sigdelset(&masked, signal) }
  // A new thread has the mask of the one that makes it.
  unsafe pthread_sigmask(SIG_SETMASK, &masked, &before)
  defer { unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
  let context = unsafe Unmanaged.passRetained(ThreadBody(body))
  var thread = pthread_t()
  let status = unsafe pthread_create(
    &thread, nil,
    { context in
      guard let context = unsafe context else { return nil }
      unsafe Unmanaged<ThreadBody>.fromOpaque(context).takeRetainedValue().run()
      return nil
    }, context.toOpaque())
  guard status == 0 else {
    unsafe context.release()
    return nil
  }
  return thread
}
