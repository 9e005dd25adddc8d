// libFuzzer target of the batch: one program for its three harnesses, chosen by FUZZ_HARNESS. Built by Scripts/fuzz.
// SPDX-License-Identifier: Apache-2.0

import Glibc

private let harness = unsafe getenv("FUZZ_HARNESS").map { unsafe String(cString: $0) } ?? ""

/// Compiling the modules costs more than running a harness in short: so it is done once.
@c(LLVMFuzzerTestOneInput)
public func fuzzBatch(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  switch harness {
  case "ledger": unsafe fuzzLedger(start, count)
  case "manifest": unsafe fuzzManifest(start, count)
  case "report": unsafe fuzzReport(start, count)
  default: preconditionFailure("FUZZ_HARNESS names no harness: \(harness)")
  }
}
