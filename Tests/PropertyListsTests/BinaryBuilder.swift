// Builds binary property lists byte by byte, right ones and wrong ones.
// SPDX-License-Identifier: Apache-2.0

/// A layout of objects from raw bytes; every number of the trailer can be overridden.
struct BinaryBuilder {
  var magic = "bplist00"
  var objects: [[UInt8]]
  var offsetWidth: UInt8 = 2
  var referenceWidth: UInt8 = 1
  var root: UInt64 = 0
  var objectCount: UInt64?
  var tableOffset: UInt64?
  /// Replaces the offset of an object.
  var offsets: [Int: UInt64] = [:]

  init(_ objects: [[UInt8]]) { self.objects = objects }

  var bytes: [UInt8] {
    var result = Array(magic.utf8)
    var table: [UInt8] = []
    for (number, object) in objects.enumerated() {
      append(offsets[number] ?? UInt64(result.count), Int(offsetWidth), to: &table)
      result += object
    }
    let tableStart = UInt64(result.count)
    result += table
    result += [0, 0, 0, 0, 0, 0, offsetWidth, referenceWidth]
    append(objectCount ?? UInt64(objects.count), 8, to: &result)
    append(root, 8, to: &result)
    append(tableOffset ?? tableStart, 8, to: &result)
    return result
  }

  private func append(_ number: UInt64, _ width: Int, to bytes: inout [UInt8]) {
    for shift in stride(from: 8 * (width - 1), through: 0, by: -8) {
      bytes.append(shift < 64 ? UInt8(truncatingIfNeeded: number >> UInt64(shift)) : 0)
    }
  }
}

/// A chain of arrays, each holding the next one twice: 2^depth leaves from few bytes.
func directedGraphBomb(depth: Int) -> [UInt8] {
  var objects: [[UInt8]] = []
  for level in 0..<depth { objects.append([0xA2, UInt8(level + 1), UInt8(level + 1)]) }
  objects.append([0x09])
  return BinaryBuilder(objects).bytes
}
