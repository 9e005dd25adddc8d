// A constant beside the number it must be; the parameter's type is the type it must have.
// SPDX-License-Identifier: Apache-2.0

import Testing

private func compare<Value: Equatable>(
  _ value: Value, _ expected: Value, _ location: SourceLocation
) {
  if value != expected {
    Issue.record("is \(value), not \(expected)", sourceLocation: location)
  }
}

func number(_ value: UInt32, _ expected: UInt32, at location: SourceLocation = #_sourceLocation) {
  compare(value, expected, location)
}

func status(_ value: Int32, _ expected: Int32, at location: SourceLocation = #_sourceLocation) {
  compare(value, expected, location)
}

func selector(_ value: Int16, _ expected: Int16, at location: SourceLocation = #_sourceLocation) {
  compare(value, expected, location)
}

func byte(_ value: UInt8, _ expected: UInt8, at location: SourceLocation = #_sourceLocation) {
  compare(value, expected, location)
}

func text(_ value: String, _ expected: String, at location: SourceLocation = #_sourceLocation) {
  compare(value, expected, location)
}

/// A struct's size and alignment in bytes.
func layout<Value>(
  _ type: Value.Type, size: Int, alignment: Int, at location: SourceLocation = #_sourceLocation
) {
  compare(MemoryLayout<Value>.size, size, location)
  compare(MemoryLayout<Value>.stride, size, location)
  compare(MemoryLayout<Value>.alignment, alignment, location)
}

/// Where a field lies, in bytes from the start of its struct.
func field<Value>(
  _ path: PartialKeyPath<Value>, _ offset: Int, at location: SourceLocation = #_sourceLocation
) {
  compare(MemoryLayout<Value>.offset(of: path), offset, location)
}
