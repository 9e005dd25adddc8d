// libFuzzer target: any bytes must give a value or an error. Built by Scripts/fuzz-property-lists.
// SPDX-License-Identifier: Apache-2.0

/// Reads the bytes; writes what was read in both forms, and expects to read the same again.
@c(LLVMFuzzerTestOneInput)
public func fuzzPropertyLists(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
  guard let value = try? PropertyListReader().read(bytes) else { return 0 }
  guard let binary = try? PropertyListWriter.binary(value),
    let copy = try? PropertyListReader().read(binary)
  else {
    // Only size can part the two forms: many small objects may share bytes in the input.
    return 0
  }
  precondition(describe(copy) == describe(value), "the binary form does not come back")
  if let text = try? PropertyListWriter.xml(value),
    let again = try? PropertyListReader().read(Array(text.utf8)), !hasFractionalDate(value)
  {
    precondition(describe(again) == describe(value), "the XML form does not come back")
  }
  return 0
}

/// A text that is the same for the same values, NaN included.
private func describe(_ value: PropertyListValue) -> String {
  switch value {
  case .dictionary(let entries):
    entries.map { "\($0.debugDescription)=\(describe($1))" }.sorted().joined(separator: ",")
  case .array(let elements): "[" + elements.map(describe).joined(separator: ",") + "]"
  case .real(let number): number.isNaN ? "nan" : "r\(number)"
  default: "\(value)"
  }
}

/// XML keeps whole seconds only.
private func hasFractionalDate(_ value: PropertyListValue) -> Bool {
  switch value {
  case .dictionary(let entries): entries.values.contains(where: hasFractionalDate)
  case .array(let elements): elements.contains(where: hasFractionalDate)
  case .date(let seconds): seconds != seconds.rounded() || seconds == 0
  default: false
  }
}
