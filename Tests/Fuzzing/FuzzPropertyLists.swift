// libFuzzer target: any bytes must yield a value or an error. Built by Scripts/fuzz.
// SPDX-License-Identifier: Apache-2.0

/// Reads the bytes; writes the value in both forms, and expects to read the same again.
@c(LLVMFuzzerTestOneInput)
public func fuzzPropertyLists(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  unsafe withinBudget(start, count, read)
}

private func read(_ bytes: [UInt8]) {
  guard let value = try? PropertyListReader().read(bytes) else { return }
  guard let binary = try? PropertyListWriter.binary(value),
    let copy = try? PropertyListReader().read(binary)
  else {
    // Only size can part the two forms: many small objects may share bytes in the input.
    return
  }
  precondition(same(copy, value), "the binary form does not come back")
  if let text = try? PropertyListWriter.xml(value),
    let again = try? PropertyListReader().read(Array(text.utf8)), !hasFractionalDate(value)
  {
    precondition(same(again, value), "the XML form does not come back")
  }
}

/// Equality in which NaN equals NaN.
private func same(_ first: PropertyListValue, _ second: PropertyListValue) -> Bool {
  switch (first, second) {
  case (.dictionary(let first), .dictionary(let second)):
    first.count == second.count
      && first.allSatisfy { key, value in second[key].map { same(value, $0) } ?? false }
  case (.array(let first), .array(let second)):
    first.count == second.count && zip(first, second).allSatisfy(same)
  case (.real(let first), .real(let second)): first == second || first.isNaN && second.isNaN
  default: first == second
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
