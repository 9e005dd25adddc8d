// The limit of one input: more processor time than this is a fault, like a crash.
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Runs a harness, and stops the process when it lasted too long.
///
/// Processor time, not the clock's: other programs on the machine are no fault of the parser.
func withinBudget(
  _ start: UnsafePointer<UInt8>?, _ count: Int, _ body: ([UInt8]) -> Void
) -> Int32 {
  let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
  let before = threadSeconds()
  body(bytes)
  precondition(threadSeconds() - before < 1, "one input took longer than a second")
  return 0
}

private func threadSeconds() -> Double {
  var now = timespec()
  unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now)
  return Double(now.tv_sec) + Double(now.tv_nsec) * 1e-9
}

/// Ends the process when a promise is broken, and says which.
func promise(_ holds: Bool, _ text: @autoclosure () -> String) {
  if !holds { broken(text()) }
}

/// Ends the process with the words of a broken promise.
func broken(_ text: String) -> Never {
  var line = "fuzz: " + text + "\n"
  line.withUTF8 { bytes in _ = unsafe write(STDERR_FILENO, bytes.baseAddress, bytes.count) }
  abort()
}
