// What one input may cost: more processor time than this is a fault, like a crash.
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Runs a harness, and stops the process when it took too long.
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
