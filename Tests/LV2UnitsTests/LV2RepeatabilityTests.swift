// Plug-ins that read memory they never set: offline they get zeros, whatever was there before.
// SPDX-License-Identifier: Apache-2.0

import AudioUnits
import TestSupport
import Testing

/// Each runs in a process of its own, as files do: threads that share an allocator's arena with the
/// one that renders could put what they free where the plug-in finds it.
@Suite struct LV2RepeatabilityTests {
  @Test(arguments: ["never-sets", "reads-heap", "reads-stack"]) func memoryIsZero(
    name: String
  ) async {
    await #expect(processExitsWith: .success) { [name = name as String] in
      fillHeap(smallBlocks: 32)
      try expectItsInput(of: name)
    }
  }

  @Test func manyFreeBlocksOfOneSize() async {
    await #expect(processExitsWith: .success) {
      fillHeap(smallBlocks: 32)
      // More of the size that the plug-in asks for than the thread's own stock holds, and none beside
      // another: they stay apart.
      let kept = freeEverySecond(count: 40_000, size: 264)
      try expectItsInput(of: "reads-heap")
      #expect(kept.count == 20_000)
    }
  }
}

/// Leaves the heap full of other numbers.
private func fillHeap(smallBlocks: Int) {
  for size in stride(from: 16, through: 2048, by: 16) {
    let blocks = (0..<smallBlocks).map { _ in [UInt8](repeating: 0x41, count: size) }
    #expect(blocks.count == smallBlocks)
  }
}

/// Allocates blocks full of other numbers and frees every second; those that are left.
private func freeEverySecond(count: Int, size: Int) -> [[UInt8]] {
  // An array's head is 32 bytes.
  var blocks = (0..<count).map { _ in [UInt8](repeating: 0x41, count: size - 32) }
  var kept: [[UInt8]] = []
  kept.reserveCapacity(count / 2)
  for index in stride(from: 0, to: count, by: 2) {
    kept.append(blocks[index])
    blocks[index] = []
    blocks[index + 1] = []
  }
  return kept
}

/// Renders a plug-in that adds to its input what it finds, in short and long slices.
private func expectItsInput(of name: String) throws {
  let noise = TestSignal.noise(seed: 7, frameCount: 5000)
  let host = try LV2TestHost(LV2Fixture(name))
  try host.unit.initialize()
  for slice in [64, 1000] {
    let output = try host.render([[noise]], frameCount: 2000, slice: slice)
    let expected = slice == 64 ? noise[..<2000] : noise[2000..<4000]
    #expect(output[0].elementsEqual(expected), "slices of \(slice)")
  }
}
