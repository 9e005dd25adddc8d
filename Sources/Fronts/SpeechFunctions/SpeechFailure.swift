// A result of speech functions, and their common parts.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox

/// A result of speech functions.
struct SpeechFailure: Error {
  let result: OSErr

  init(_ result: Int32) { self.result = OSErr(truncatingIfNeeded: result) }

  static var parameter: SpeechFailure { SpeechFailure(paramErr) }
}

/// Runs a body, and converts errors to a result. Context: control.
func withResult(_ body: () throws(SpeechFailure) -> Void) -> OSErr {
  do throws(SpeechFailure) {
    try body()
    return 0
  } catch {
    return error.result
  }
}

/// Writes a value where a program wants it.
func store<Value>(
  _ value: Value, _ result: UnsafeMutablePointer<Value>?
) throws(SpeechFailure) {
  guard let result = unsafe result else { throw .parameter }
  unsafe result.pointee = value
}

/// Numbers of 16 bits behind the point.
extension Fixed {
  init(rounding number: Double) { self = Fixed((number * 65_536).rounded()) }

  /// The number.
  var number: Double { Double(self) / 65_536 }
}
