// libFuzzer target: any text is a preset or a list of mistakes. Built by Scripts/fuzz.
// SPDX-License-Identifier: Apache-2.0

/// Reads the bytes as a preset; a readable one is written in canonical form and read again.
@c(LLVMFuzzerTestOneInput)
public func fuzzPresets(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  unsafe withinBudget(start, count, readPreset)
}

private func readPreset(_ bytes: [UInt8]) {
  do throws(PresetErrors) {
    let source = try PresetSource(name: "preset", bytes: bytes)
    let preset = try ChainPreset(source: source)
    let text = preset.canonicalJSON
    do throws(PresetErrors) {
      let again = try ChainPreset(text: text, name: "preset")
      precondition(again.canonicalJSON == text, "the canonical form is not the same again")
    } catch {
      preconditionFailure("the canonical form cannot be read: \(error.diagnostics)")
    }
  } catch {
    precondition(!error.diagnostics.isEmpty, "refused without a reason")
    // Every diagnostic must have a text.
    for diagnostic in error.diagnostics { precondition(!"\(diagnostic)".isEmpty) }
  }
}
