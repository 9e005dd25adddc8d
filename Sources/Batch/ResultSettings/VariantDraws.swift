// Values drawn for a variant of a file, each from separate numbers.
// SPDX-License-Identifier: Apache-2.0

/// Draws by name: the same seed, variant, file and name yield the same value.
package struct VariantDraws: Sendable {
  private let seed: UInt64
  private let variant: Int
  private let key: String

  /// - Parameters:
  ///   - seed: The seed of the whole run.
  ///   - variant: The variant's number, from 1.
  ///   - key: The text that distinguishes the file from others.
  package init(seed: UInt64, variant: Int, key: String) {
    self.seed = seed
    self.variant = variant
    self.key = key
  }

  /// A number from 0 up to but not including 1.
  package func part(_ name: String) -> Double {
    var generator = DrawGenerator(seed: seed, variant: variant, key: "\(key)\u{0}\(name)")
    return generator.unit()
  }

  /// A number of a distribution.
  package func value(of random: RandomNumber, _ name: String) -> Double {
    random.value(at: part(name))
  }

  /// One of several values, which are not empty, and its place among them.
  package func choice<Value>(of values: [Value], _ name: String) -> (index: Int, value: Value) {
    let index = min(Int(part(name) * Double(values.count)), values.count - 1)
    return (index, values[index])
  }
}
