// Runs of one length out of slices of any.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
import Testing

@Suite struct FixedBlocksTests {
  @Test(
    "The output is the input, one block later, however it is sliced", arguments: [1, 17, 64, 500])
  func delaysByABlock(sliceFrames: Int) {
    let total = 2_000
    let input = (0..<total).map { Float($0 + 1) }
    var output = [Float](repeating: -1, count: total)
    var blocks = FixedBlocks(frameCount: 64)
    var (gathered, made) = ([Float](repeating: 0, count: 64), [Float](repeating: 0, count: 64))
    var start = 0
    while start < total {
      let end = min(start + sliceFrames, total)
      while start < end {
        let count = blocks.stretch(of: end - start)
        unsafe input.withUnsafeBufferPointer { from in
          unsafe output.withUnsafeMutableBufferPointer { to in
            guard let source = from.baseAddress, let target = to.baseAddress else { return }
            unsafe gathered.withUnsafeMutableBufferPointer {
              if let block = $0.baseAddress {
                unsafe blocks.gather(source + start, into: block, count: count)
              }
            }
            unsafe made.withUnsafeBufferPointer {
              if let block = $0.baseAddress {
                unsafe blocks.deliver(block, to: target + start, count: count)
              }
            }
          }
        }
        start += count
        if blocks.advance(by: count) { made = gathered }
      }
    }
    #expect(output == [Float](repeating: 0, count: 64) + input.dropLast(64))
  }

  @Test func theLengthIsAPowerOfTwoThatFitsTheSlices() {
    #expect(
      [1, 64, 100, 512, 1000, 100_000].map(FixedBlocks.powerOfTwo(maximumFrames:))
        == [64, 64, 64, 512, 512, 8192])
  }

  @Test func aNewInstanceIsAsLateAsTheOneBefore() {
    var first = LatencyHistory()
    first.add(0, 512)
    #expect(first.reported == 0)
    first.add(256, 512)
    #expect(first.reported == 256)
    var second = LatencyHistory()
    second.inherit(first)
    #expect(second.reported == 256, "it has not reported yet")
    second.add(0, 512)
    #expect(second.reported == 256)
    for _ in 0..<2 { second.add(0, 512) }
    #expect(second.reported == 0, "it has run for longer than the other took to tell")
  }
}
