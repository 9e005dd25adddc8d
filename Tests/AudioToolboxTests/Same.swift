// Comparing the result of a C function, without a macro around unsafe calls.
// SPDX-License-Identifier: Apache-2.0

import Testing

/// Expects a value to be another.
func same<Value: Equatable>(
  _ value: Value, _ expected: Value, at location: SourceLocation = #_sourceLocation
) {
  if value != expected {
    Issue.record("is \(value), not \(expected)", sourceLocation: location)
  }
}
