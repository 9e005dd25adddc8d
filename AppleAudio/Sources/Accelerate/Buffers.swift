// The vector types of the functions of vDSP in Swift.
// SPDX-License-Identifier: Apache-2.0

/// Elements that lie behind each other in memory.
public protocol AccelerateBuffer {
  /// The kind of element.
  associatedtype Element
  /// The number of elements.
  var count: Int { get }
  /// Calls a body with the elements.
  func withUnsafeBufferPointer<Result>(_ body: (UnsafeBufferPointer<Element>) throws -> Result)
    rethrows -> Result
}

/// Elements that lie behind each other in memory and can be changed.
public protocol AccelerateMutableBuffer: AccelerateBuffer {
  /// Calls a body with the elements.
  mutating func withUnsafeMutableBufferPointer<Result>(
    _ body: (inout UnsafeMutableBufferPointer<Element>) throws -> Result
  ) rethrows -> Result
}

extension Array: AccelerateMutableBuffer {}
extension ArraySlice: AccelerateMutableBuffer {}
extension ContiguousArray: AccelerateMutableBuffer {}

extension UnsafeBufferPointer: AccelerateBuffer {
  /// Calls a body with the elements.
  public func withUnsafeBufferPointer<Result>(
    _ body: (UnsafeBufferPointer<Element>) throws -> Result
  ) rethrows -> Result {
    try body(self)
  }
}

extension UnsafeMutableBufferPointer: AccelerateMutableBuffer {
  /// Calls a body with the elements.
  public func withUnsafeBufferPointer<Result>(
    _ body: (UnsafeBufferPointer<Element>) throws -> Result
  ) rethrows -> Result {
    try body(UnsafeBufferPointer(self))
  }
  /// Calls a body with the elements.
  public mutating func withUnsafeMutableBufferPointer<Result>(
    _ body: (inout UnsafeMutableBufferPointer<Element>) throws -> Result
  ) rethrows -> Result {
    try body(&self)
  }
}
