// Plug-ins that read memory they never set: offline they get zeros, whatever was there before.
// SPDX-License-Identifier: Apache-2.0

import AudioUnits
import TestSupport
import Testing

@Suite struct LV2RepeatabilityTests {
  private let noise = TestSignal.noise(seed: 7, frameCount: 5000)

  /// Leaves the heap full of other numbers.
  private func fillHeap() {
    for size in stride(from: 16, through: 2048, by: 16) {
      let blocks = (0..<32).map { _ in [UInt8](repeating: 0x41, count: size) }
      #expect(blocks.count == 32)
    }
  }

  @Test(arguments: ["never-sets", "reads-heap", "reads-stack"]) func memoryIsZero(
    name: String
  ) throws {
    fillHeap()
    let host = try LV2TestHost(LV2Fixture(name))
    try host.unit.initialize()
    for slice in [64, 1000] {
      let output = try host.render([[noise]], frameCount: 2000, slice: slice)
      let expected = slice == 64 ? noise[..<2000] : noise[2000..<4000]
      #expect(output[0].elementsEqual(expected), "slices of \(slice)")
    }
  }
}
