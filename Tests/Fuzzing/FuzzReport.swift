// libFuzzer target: a run whose plan and ledgers hold anything is reported whole. Built by Scripts/fuzz.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import Glibc
import HostSystem
import RunLedgers

/// The folder that each input is written into, in memory.
private let folder: String = {
  let path = "/dev/shm/auricle-fuzz-\(getpid())"
  unsafe mkdir(path, 0o700)
  unsafe mkdir(path + "/.auricle", 0o700)
  unsafe mkdir(path + "/.auricle/run", 0o700)
  // A run is seen by its manifest.
  write(Array("{}".utf8), to: "run.json")
  atexit { removeFolder() }
  return path
}()

private func removeFolder() {
  let path = "/dev/shm/auricle-fuzz-\(getpid())"
  for name in ["run.json", "plan.jsonl", "ledger-1.jsonl", "ledger-2.jsonl"] {
    unsafe unlink(path + "/.auricle/run/" + name)
  }
  for name in ["/.auricle/run", "/.auricle", ""] { unsafe rmdir(path + name) }
}

/// Uses the bytes as a plan and two ledgers, and reads all that `status` and `report` read.
func fuzzReport(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  unsafe withinBudget(start, count) { bytes in
    let parts = bytes.split(separator: 0, maxSplits: 2, omittingEmptySubsequences: false)
    for (part, name) in zip(parts, ["plan.jsonl", "ledger-1.jsonl", "ledger-2.jsonl"]) {
      write(summed(part), to: name)
    }
    do throws(AuricleError) {
      let run = try RunFolder.find(in: folder)
      let state = try RunState(run, fileCount: 8)
      precondition((0...8).contains(state.settledCount), "more is accounted for than there is")
      var reported = 0
      try RunRecords(run, fileCount: 8).forEach { (file) throws(AuricleError) in
        reported += 1
        _ = file.status
        if let record = file.record { _ = record.json.compactText }
      }
    } catch {
      precondition(!error.message.isEmpty)
    }
  }
}

/// The lines with checksums that fit, where they are objects.
private func summed(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
  var text: [UInt8] = []
  for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
    if let members = JSONValue(line)?.members, !members.isEmpty,
      let encoded = CheckedLine.encode(members)
    {
      text += encoded
    } else {
      text += line
      text.append(0x0A)
    }
  }
  // The last line stays torn.
  if bytes.last != 0x0A, !text.isEmpty { text.removeLast() }
  return text
}

private func write(_ bytes: [UInt8], to name: String) {
  let path = "/dev/shm/auricle-fuzz-\(getpid())/.auricle/run/" + name
  let file = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
  _ = unsafe write(file, bytes, bytes.count)
  close(file)
}
