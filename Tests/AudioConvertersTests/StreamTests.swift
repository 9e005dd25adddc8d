// Streams: rates, their beginnings and ends, channels, dither.
// SPDX-License-Identifier: Apache-2.0

import AudioConverters
import AudioFormats
import AudioTypes
import CAudioToolbox
import Glibc
import RealtimeSupport
import Testing

@Suite struct StreamTests {
  private func rates(_ from: Double, _ to: Double) throws -> PCMConverter {
    try PCMConverter(
      from: pcm(from, channels: 1, bits: 64, flags: 9), to: pcm(to, channels: 1, bits: 64, flags: 9)
    )
  }

  private func sine(_ frequency: Double, _ rate: Double, _ count: Int) -> [Double] {
    (0..<count).map { 0.5 * sin(2 * .pi * frequency * Double($0) / rate) }
  }

  private func worst(_ found: [Double], _ wanted: [Double], edge: Int) -> Double {
    zip(found, wanted).enumerated().dropFirst(edge)
      .prefix(max(0, min(found.count, wanted.count) - 2 * edge))
      .map { abs($1.0 - $1.1) }.max() ?? .infinity
  }

  @Test(
    "A sine stays one at the new rate, in its place, whatever the pieces",
    arguments: [(44_100.0, 48_000.0), (48_000, 44_100), (96_000, 44_100), (22_050, 48_000)])
  func sines(from: Double, to: Double) throws {
    let input = sine(997, from, 20_000)
    let converter = try rates(from, to)
    for (complexity, quality, limit) in [
      (.normal, 127, 1e-7), (.normal, 96, 1e-6), (.normal, 64, 1e-5), (.normal, 32, 2e-4),
      (.mastering, 64, 1e-8),
    ] as [(ConverterSettings.Complexity, UInt32, Double)] {
      converter.settings.complexity = complexity
      converter.settings.quality = quality
      try converter.reset()
      let result = try stream(converter, input, piece: 777, into: 1000)
      #expect(result.count == Int((20_000 * to / from).rounded()))
      let found = worst(result, sine(997, to, result.count), edge: 1000)
      #expect(found < limit, "\(complexity) \(quality): \(found)")
      try converter.reset()
      #expect(try stream(converter, input, piece: 20_000, into: 333) == result)
    }
  }

  @Test("Between two samples lies a straight line")
  func lines() throws {
    let converter = try rates(3, 4)
    converter.settings.complexity = .linear
    let result = try stream(converter, [0, 4, 8, 4, 0, -4], piece: 2, into: 3)
    #expect(result == [0, 3, 6, 7, 4, 1, -2, -3])
    let down = try rates(4, 1)
    down.settings.complexity = .linear
    #expect(try stream(down, (0..<16).map(Double.init), piece: 3, into: 5) == [0, 4, 8, 12])
  }

  @Test("The first frames are read for the filter, or the output is late by its reach")
  func priming() throws {
    let input = sine(997, 44_100, 20_000)
    let converter = try rates(44_100, 88_200)
    let normal = try stream(converter, input, piece: 500, into: 500)
    #expect(normal.count == 40_000)
    let reach = converter.reach
    #expect(reach > 0)
    converter.settings.primeMethod = .pre
    try converter.reset()
    let pre = try stream(converter, input, piece: 500, into: 500)
    #expect(pre.count == 40_000 - 2 * reach)
    #expect(worst(pre, Array(normal.dropFirst(2 * reach)), edge: 0) < 1e-12)
    converter.settings.primeMethod = .none
    try converter.reset()
    let late = try stream(converter, input, piece: 500, into: 500)
    #expect(late.count == 40_000 + 2 * reach)
    #expect(worst(Array(late.dropFirst(2 * reach)), normal, edge: 0) < 1e-6)
  }

  @Test("No input produces no output, and a frame is never lost", arguments: [8000.0, 192_000])
  func shortStreams(to: Double) throws {
    let converter = try rates(48_000, to)
    #expect(try stream(converter, [], piece: 1, into: 10) == [])
    for count in 1...5 {
      try converter.reset()
      let result = try stream(
        converter, [Double](repeating: 0.1, count: count), piece: 2, into: 3)
      #expect(result.count == max(1, Int((Double(count) * to / 48_000).rounded())))
    }
  }

  @Test("The end of the input is remembered until the converter is reset, also by new settings")
  func end() throws {
    let converter = try rates(48_000, 44_100)
    #expect(try stream(converter, sine(100, 48_000, 480), piece: 480, into: 100).count == 441)
    converter.settings.quality = 0
    #expect(try stream(converter, [1, 2, 3], piece: 3, into: 10) == [])
  }

  /// Converts one frame of a channel each.
  private func frame(_ converter: PCMConverter, _ samples: [Float]) throws -> [Float] {
    let input = SampleList(converter.input, frameCount: 1)
    let output = SampleList(converter.output, frameCount: 1)
    for (channel, sample) in samples.enumerated() {
      unsafe input.place(channel, 0).storeBytes(of: sample, as: Float.self)
    }
    try unsafe converter.convert(input.list, into: output.list, frameCount: 1)
    return (0..<converter.output.channelCount).map { output.load($0, 0, as: Float.self) }
  }

  private func channels(_ from: UInt32, _ to: UInt32) throws -> PCMConverter {
    try PCMConverter(
      from: pcm(channels: from, bits: 32, flags: 9), to: pcm(channels: to, bits: 32, flags: 0x29))
  }

  @Test("Channels keep their numbers, follow a map, their layouts, or are mixed")
  func channelWays() throws {
    #expect(try frame(channels(1, 2), [0.5]) == [0.5, 0])
    #expect(try frame(channels(3, 2), [0.1, 0.2, 0.3]) == [0.1, 0.2])
    let mapped = try channels(2, 3)
    mapped.settings.channelMap = [1, -1, 1]
    #expect(try frame(mapped, [0.1, 0.2]) == [0.2, 0, 0.2])
    let film = try channels(6, 6)
    film.settings.inputLayout = ChannelLayout(tag: kAudioChannelLayoutTag_MPEG_5_1_D)
    film.settings.outputLayout = ChannelLayout(tag: kAudioChannelLayoutTag_MPEG_5_1_A)
    #expect(try frame(film, [3, 1, 2, 5, 6, 4]) == [1, 2, 3, 4, 5, 6])
    let mixed = try channels(2, 1)
    mixed.settings.isMixing = true
    mixed.settings.mixMap = [[0.25], [0.5]]
    #expect(try frame(mixed, [0.5, 0.5]) == [0.375])
    mixed.settings.mixMap = nil
    #expect(try frame(mixed, [0.5, 0.5]) == [0.707_106_77])
  }

  @Test("Dither is noise of a step at most, the same each time, and none where nothing is lost")
  func dither() throws {
    let from = pcm(channels: 1, bits: 64, flags: 9)
    let to = pcm(channels: 1, bits: 16, flags: 0xC)
    let quiet = [Double](repeating: 0.3 / 32_768, count: 50_000)
    for (dithering, most) in [(.none, 0), (.triangular, 2), (.shaped, 8)]
      as [(ConverterSettings.Dithering, Double)]
    {
      let converter = try PCMConverter(from: from, to: to)
      converter.settings.dithering = dithering
      let first = try integers(converter, quiet)
      #expect(first.allSatisfy { abs(Double($0)) <= most })
      let mean = first.map(Double.init).reduce(0, +) / Double(first.count)
      #expect(abs(mean - (dithering == .none ? 0 : 0.3)) < 0.02, "\(dithering): \(mean)")
      try converter.reset()
      #expect(try integers(converter, quiet) == first)
    }
    let exact = try PCMConverter(from: from, to: to)
    exact.settings.dithering = .triangular
    exact.settings.bitDepthHint = 16
    #expect(try integers(exact, [0.25, 0.5, -1]) == [8192, 16_384, -32_768])
  }

  private func integers(_ converter: PCMConverter, _ samples: [Double]) throws -> [Int16] {
    let input = SampleList(converter.input, frameCount: samples.count)
    let output = SampleList(converter.output, frameCount: samples.count)
    for (frame, sample) in samples.enumerated() {
      unsafe input.place(0, frame).storeBytes(of: sample, as: Double.self)
    }
    try unsafe converter.convert(input.list, into: output.list, frameCount: samples.count)
    return (0..<samples.count).map { output.load(0, $0, as: Int16.self) }
  }
}
