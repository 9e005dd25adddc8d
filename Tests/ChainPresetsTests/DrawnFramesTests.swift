// Random values of parameters that accept whole numbers.
// SPDX-License-Identifier: Apache-2.0

import ChainPresets
import Testing

@Suite struct DrawnFramesTests {
  private func drawn(_ range: String) throws -> [Float] {
    let chain = try PresetPlayer.chain(
      "  - {unit: aufx:sdly:appl, parameters: {delay frames: {random: \(range)}}}")
    return (1...300).flatMap { chain.variant($0, seed: 5).drawnValues.map(\.value) }
  }

  @Test func framesAreDrawnWhole() throws {
    let values = try drawn("[1, 6]")
    #expect(Set(values) == [1, 2, 3, 4, 5, 6])
  }

  @Test func wholeNumbersFollowALogarithmicRangeToo() throws {
    let values = try drawn("[1, 44100, log]").sorted()
    #expect(values.count == 300)
    #expect(values.allSatisfy { $0 == $0.rounded() && $0 >= 1 && $0 <= 44_100 })
    // As many below the geometric middle, 210, as above.
    #expect(values[150] > 100 && values[150] < 450, "\(values[150])")
  }
}
