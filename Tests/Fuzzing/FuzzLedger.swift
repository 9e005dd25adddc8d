// libFuzzer target: any bytes are lines of a ledger or of a plan, or no such lines. Built by Scripts/fuzz.
// SPDX-License-Identifier: Apache-2.0

import HostSystem
import RunLedgers

/// Reads each line as it is and as the text of a line whose checksum fits.
func fuzzLedger(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  unsafe withinBudget(start, count) { bytes in
    for line in bytes.split(separator: 0x0A) {
      consume(line)
      // A fuzzer finds no checksum: it is provided.
      if let value = JSONValue(line), let members = value.members, !members.isEmpty,
        var summed = CheckedLine.encode(members)
      {
        summed.removeLast()
        let decoded = CheckedLine.decode(summed)
        precondition(decoded != nil, "a line that was written cannot be read")
        consume(summed[...])
      }
    }
  }
}

private func consume(_ line: ArraySlice<UInt8>) {
  guard let value = CheckedLine.decode(line) else { return }
  precondition(JSONValue(text: value.compactText) == value, "JSON does not come back")
  if let record = FileRecord(json: value) {
    let again = FileRecord(json: record.json)
    precondition(again?.index == record.index && again?.status == record.status)
    precondition(again?.json == record.json, "a record does not come back")
  }
  if let entry = PlanEntry(json: value), let written = entry.line {
    let again = CheckedLine.decode(written.dropLast()).flatMap(PlanEntry.init(json:))
    precondition(again == entry, "an entry of a plan does not come back")
  }
}
