// The least of the values of the last seconds: the fastest of many packets, the most punctual of many slices.
// SPDX-License-Identifier: Apache-2.0

/// A sliding minimum over four seconds, in sixteen parts.
struct MinimumWindow {
  private var parts = InlineArray<16, Double>(repeating: .infinity)
  private var present: UInt64 = 0
  private var isEmpty = true

  /// Nanoseconds of a part.
  private static var length: UInt64 { @_noLocks get { 250_000_000 } }

  @_noLocks init() {}

  /// Adds a value at a time (ns).
  @_noLocks mutating func add(_ value: Double, at time: UInt64) {
    let part = time / Self.length
    if isEmpty || part > present &+ 15 {
      for index in 0..<16 { parts[index] = .infinity }
      isEmpty = false
      present = part
    }
    while present < part {
      present += 1
      parts[Int(present & 15)] = .infinity
    }
    let index = Int(present & 15)
    if value < parts[index] { parts[index] = value }
  }

  /// The least value; infinite for none.
  var value: Double {
    @_noLocks get {
      var least = Double.infinity
      for index in 0..<16 where parts[index] < least { least = parts[index] }
      return least
    }
  }
}
