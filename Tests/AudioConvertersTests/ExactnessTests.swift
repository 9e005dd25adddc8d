// Samples from any layout to any other: exact wherever they fit, to the nearest elsewhere.
// SPDX-License-Identifier: Apache-2.0

import AudioConverters
import AudioTypes
import CAudioToolbox
import RealtimeSupport
import TestSupport
import Testing

@Suite struct ExactnessTests {
  /// Integers of 8 to 32 bits in every container, order, sign, alignment and arrangement.
  private static let integers: [AudioStreamBasicDescription] = {
    var all: [AudioStreamBasicDescription] = []
    for (bits, bytes) in [
      (8, 1), (8, 2), (12, 2), (16, 2), (16, 4), (18, 3), (20, 3), (20, 4), (24, 3), (24, 4),
      (31, 4),
      (32, 4),
    ] as [(UInt32, UInt32)] {
      for order: UInt32 in [0, 2] {
        for sign: UInt32 in [0, 4] {
          for place: UInt32 in bits == bytes * 8 ? [8] : [0, 0x10] {
            for planar: UInt32 in [0, 0x20] {
              all.append(
                pcm(bits: bits, bytes: bytes, flags: order | sign | place | planar))
            }
          }
        }
      }
    }
    return all
  }()

  private func values(_ bits: Int, _ count: Int, _ random: inout SeededGenerator) -> [Int64] {
    let half: Int64 = 1 << Int64(bits - 1)
    return [-half, half - 1, 0, 1, -1]
      + (5..<count).map { _ in .random(in: -half..<half, using: &random) }
  }

  @Test("Integers of every layout become the same numbers of 32 bits, and come back byte by byte")
  func widening() throws {
    let seed = TestSeed.current
    var random = SeededGenerator(seed: seed)
    let wide = pcm(bits: 32, flags: 0xC)
    for narrow in Self.integers {
      let there = try PCMConverter(from: narrow, to: wide)
      let back = try PCMConverter(from: wide, to: narrow)
      let source = SampleList(there.input, frameCount: 40)
      let middle = SampleList(there.output, frameCount: 40)
      let result = SampleList(back.output, frameCount: 40)
      let bits = there.input.bitCount
      let numbers = values(bits, 80, &random)
      for index in 0..<80 { source.store(numbers[index], index % 2, index / 2) }
      try unsafe there.convert(source.list, into: middle.list, frameCount: 40)
      for index in 0..<80 {
        let wanted = Int32(truncatingIfNeeded: numbers[index] << Int64(32 - bits))
        #expect(
          middle.load(index % 2, index / 2, as: Int32.self) == wanted, "\(narrow), seed \(seed)")
      }
      try unsafe back.convert(middle.list, into: result.list, frameCount: 40)
      // Low-aligned signed samples are extended over the bits that are not used.
      if there.input.isAlignedHigh || !there.input.isSigned {
        #expect(result.bytes == source.bytes, "\(narrow), seed \(seed)")
      }
    }
  }

  @Test("Up to 24 bits fit a float of 32, and 32 bits one of 64, in every order")
  func floats() throws {
    let seed = TestSeed.current
    var random = SeededGenerator(seed: seed)
    for narrow in Self.integers {
      let isSmall = narrow.mBitsPerChannel <= 24
      for flags: UInt32 in [0x9, 0xB, 0x29, 0x2B] {
        let wide = pcm(bits: isSmall ? 32 : 64, flags: flags)
        let there = try PCMConverter(from: narrow, to: wide)
        let back = try PCMConverter(from: wide, to: narrow)
        let source = SampleList(there.input, frameCount: 10)
        let middle = SampleList(there.output, frameCount: 10)
        let result = SampleList(back.output, frameCount: 10)
        let numbers = values(there.input.bitCount, 20, &random)
        for index in 0..<20 { source.store(numbers[index], index % 2, index / 2) }
        try unsafe there.convert(source.list, into: middle.list, frameCount: 10)
        if flags & 2 == 0 {
          for index in 0..<20 {
            let wanted = Double(numbers[index]) / Double(1 << (there.input.bitCount - 1))
            let found =
              isSmall
              ? Double(middle.load(index % 2, index / 2, as: Float.self))
              : middle.load(index % 2, index / 2, as: Double.self)
            #expect(found == wanted, "seed \(seed)")
          }
        }
        try unsafe back.convert(middle.list, into: result.list, frameCount: 10)
        if there.input.isAlignedHigh || !there.input.isSigned {
          #expect(result.bytes == source.bytes, "seed \(seed)")
        }
      }
    }
  }

  @Test("Fixed point of 8.24 is itself as a double")
  func fixedPoint() throws {
    let fixed = pcm(channels: 1, bits: 32, flags: 0xC | 24 << 7)
    let double = pcm(channels: 1, bits: 64, flags: 9)
    let there = try PCMConverter(from: fixed, to: double)
    let source = SampleList(there.input, frameCount: 4)
    let result = SampleList(there.output, frameCount: 4)
    for (frame, value) in [1 << 24, -(1 << 23), 1, Int64(Int32.min)].enumerated() {
      source.store(value, 0, frame)
    }
    try unsafe there.convert(source.list, into: result.list, frameCount: 4)
    #expect(
      (0..<4).map { result.load(0, $0, as: Double.self) } == [1, -0.5, 0x1p-24, -128])
  }

  @Test("Floats that change only their arrangement keep every bit, not-a-number too")
  func floatBits() throws {
    let seed = TestSeed.current
    var random = SeededGenerator(seed: seed)
    for (one, other) in [(0x9, 0x29), (0x9, 0xB), (0xB, 0x29)] as [(UInt32, UInt32)] {
      for bits: UInt32 in [32, 64] {
        let there = try PCMConverter(
          from: pcm(bits: bits, flags: one), to: pcm(bits: bits, flags: other))
        let back = try PCMConverter(
          from: pcm(bits: bits, flags: other), to: pcm(bits: bits, flags: one))
        let source = SampleList(there.input, frameCount: 50)
        let middle = SampleList(there.output, frameCount: 50)
        let result = SampleList(back.output, frameCount: 50)
        for index in 0..<100 {
          for byte in 0..<Int(bits / 8) {
            unsafe source.place(index % 2, index / 2).storeBytes(
              of: UInt8.random(in: 0...255, using: &random), toByteOffset: byte, as: UInt8.self)
          }
        }
        try unsafe there.convert(source.list, into: middle.list, frameCount: 50)
        try unsafe back.convert(middle.list, into: result.list, frameCount: 50)
        #expect(result.bytes == source.bytes, "seed \(seed)")
      }
    }
  }

  @Test("Values that do not fit are rounded to the nearest, ties to even, and clipped")
  func narrowing() throws {
    let converter = try PCMConverter(
      from: pcm(channels: 1, bits: 64, flags: 9), to: pcm(channels: 1, bits: 16, flags: 0xC))
    let source = SampleList(converter.input, frameCount: 8)
    let result = SampleList(converter.output, frameCount: 8)
    let samples = [0.5, 1.5, 2.5, -0.5, -1.5, 40_000, -40_000, .nan]
    for (frame, sample) in samples.enumerated() {
      unsafe source.place(0, frame).storeBytes(of: sample / 32_768, as: Double.self)
    }
    try unsafe converter.convert(source.list, into: result.list, frameCount: 8)
    #expect(
      (0..<8).map { result.load(0, $0, as: Int16.self) }
        == [0, 2, 2, 0, -2, 32_767, -32_768, 0])
  }
}
