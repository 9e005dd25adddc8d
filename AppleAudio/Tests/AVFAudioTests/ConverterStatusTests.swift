// Converters as programs use them: blocks of any statuses, priming, samples of all kinds, packets.
// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: NeverForceUnwrap, NeverUseImplicitlyUnwrappedOptionals

import AVFoundation
import Testing

/// Supplies samples in chunks, with an answer of no data between them where that is wanted.
private final class Supply {
  let samples: [Float]
  let format: AVAudioFormat
  let chunk: Int
  let pauses: Bool
  private var place = 0
  private var isPause = false
  private(set) var wishes: [AVAudioPacketCount] = []

  init(_ samples: [Float], _ format: AVAudioFormat, chunk: Int, pauses: Bool = false) {
    (self.samples, self.format, self.chunk, self.pauses) = (samples, format, chunk, pauses)
  }
  func next(
    _ packets: AVAudioPacketCount, _ status: UnsafeMutablePointer<AVAudioConverterInputStatus>
  ) -> AVAudioBuffer? {
    wishes.append(packets)
    guard place < samples.count else {
      status.pointee = .endOfStream
      return nil
    }
    isPause = pauses && !isPause
    guard !isPause else {
      status.pointee = .noDataNow
      return nil
    }
    let count = min(chunk, samples.count - place)
    defer { place += count }
    status.pointee = .haveData
    return buffer(Array(samples[place..<place + count]), format)
  }
}

struct ConverterStatusTests {
  /// All that comes out until the end of the stream.
  private func drain(_ converter: AVAudioConverter, _ supply: Supply, output: Int) throws -> [Float]
  {
    let block = AVAudioPCMBuffer(
      pcmFormat: converter.outputFormat, frameCapacity: AVAudioFrameCount(output))!
    var result: [Float] = []
    for _ in 0..<100_000 {
      var error: NSError?
      let status = converter.convert(to: block, error: &error, withInputFrom: supply.next)
      try #require(status != .error && error == nil)
      result += block.samples()
      if status == .endOfStream { return result }
      if status == .haveData { #expect(block.frameLength == block.frameCapacity) }
    }
    Issue.record("the stream has no end")
    return result
  }
  private func make(_ from: Double, _ to: Double) throws -> AVAudioConverter {
    try #require(AVAudioConverter(from: standard(from), to: standard(to)))
  }

  @Test(
    "Pauses of the input change no sample and no count",
    arguments: [(44_100.0, 48_000.0), (48_000, 16_000), (8_000, 48_000), (22_050, 44_100)],
    [(37, 64), (1_024, 500), (4_800, 9_999)])
  func pausesChangeNothing(_ rates: (Double, Double), _ sizes: (chunk: Int, output: Int)) throws {
    let sound = sine(6_000, 300, rates.0)
    let straight = try drain(
      make(rates.0, rates.1), Supply(sound, standard(rates.0), chunk: 6_000), output: 40_000)
    let broken = try drain(
      make(rates.0, rates.1),
      Supply(sound, standard(rates.0), chunk: sizes.chunk, pauses: true), output: sizes.output)
    #expect(broken == straight)
    #expect(abs(Double(straight.count) - 6_000 * rates.1 / rates.0) <= 1)
  }

  @Test(
    "Frames for all pairs of usual rates are those of the duration",
    arguments: [8_000.0, 11_025, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 88_200, 96_000],
    [16_000.0, 44_100, 48_000])
  func pairsOfRates(_ from: Double, _ to: Double) throws {
    for count in [160, 4_096, 12_345] {
      let result = try drain(
        make(from, to), Supply(sine(count, 200, from), standard(from), chunk: 480),
        output: 441)
      #expect(abs(Double(result.count) - Double(count) * to / from) <= 1, "\(count) frames")
    }
  }

  @Test("An output of one frame at a time is the same sound")
  func singleFrames() throws {
    let sound = sine(500, 300, 48_000)
    let all = try drain(
      make(48_000, 24_000), Supply(sound, standard(48_000), chunk: 500), output: 1_000)
    let singles = try drain(
      make(48_000, 24_000), Supply(sound, standard(48_000), chunk: 1), output: 1)
    #expect(all == singles)
  }

  @Test("A stream without a frame ends at once")
  func emptyStream() throws {
    let block = AVAudioPCMBuffer(pcmFormat: standard(24_000), frameCapacity: 10)!
    let converter = try make(48_000, 24_000)
    let status = converter.convert(to: block, error: nil) { _, status in
      status.pointee = .endOfStream
      return nil
    }
    #expect(status == .endOfStream && block.frameLength == 0)
  }

  @Test("A block that has nothing yet is asked again")
  func nothingYet() throws {
    let converter = try make(48_000, 24_000)
    let block = AVAudioPCMBuffer(pcmFormat: standard(24_000), frameCapacity: 100)!
    for _ in 0..<3 {
      let status = converter.convert(to: block, error: nil) { _, status in
        status.pointee = .noDataNow
        return nil
      }
      #expect(status == .inputRanDry && block.frameLength == 0)
    }
    let result = try drain(
      converter, Supply(sine(480, 300, 48_000), standard(48_000), chunk: 480), output: 1_000)
    #expect(abs(result.count - 240) <= 1)
  }

  @Test("The block is told how many frames would do")
  func wishes() throws {
    let supply = Supply(sine(48_000, 300, 48_000), standard(48_000), chunk: 4_800)
    let block = AVAudioPCMBuffer(pcmFormat: standard(16_000), frameCapacity: 1_600)!
    let converter = try make(48_000, 16_000)
    #expect(converter.convert(to: block, error: nil, withInputFrom: supply.next) == .haveData)
    #expect(supply.wishes.allSatisfy { $0 > 0 && $0 <= 48_000 })
  }

  @Test("After a reset, a converter converts like a new one")
  func resetIsANewStream() throws {
    let sound = noise(3_000)
    let converter = try make(48_000, 44_100)
    let first = try drain(converter, Supply(sound, standard(48_000), chunk: 700), output: 512)
    _ = converter.convert(
      to: AVAudioPCMBuffer(pcmFormat: standard(44_100), frameCapacity: 8)!, error: nil
    ) { _, status in
      Issue.record("asked behind the end")
      status.pointee = .endOfStream
      return nil
    }
    converter.reset()
    #expect(
      try drain(converter, Supply(sound, standard(48_000), chunk: 700), output: 512) == first)
  }

  @Test("Formats of buffers that are not the converter's are an error")
  func otherFormats() throws {
    let converter = try make(48_000, 44_100)
    var error: NSError?
    let wrong = AVAudioPCMBuffer(pcmFormat: standard(48_000), frameCapacity: 10)!
    #expect(
      converter.convert(to: wrong, error: &error) { _, _ in nil } == .error
        && error?.domain == "com.apple.coreaudio.avfaudio" && error?.code == -50)
    error = nil
    let right = AVAudioPCMBuffer(pcmFormat: standard(44_100), frameCapacity: 10)!
    let status = converter.convert(to: right, error: &error) { _, status in
      status.pointee = .haveData
      return buffer([0, 0], standard(8_000))
    }
    #expect(status == .error && error != nil && right.frameLength == 0)
  }

  @Test("Without priming the sound is late by the filter; with it, it stays in place")
  func primingMovesTheSound() throws {
    var click = silence(4_800)
    click[1_200] = 1
    func place(_ method: AVAudioConverterPrimeMethod) throws -> Int {
      let converter = try make(48_000, 24_000)
      converter.primeMethod = method
      #expect(converter.primeMethod == method)
      let result = try drain(converter, Supply(click, standard(48_000), chunk: 256), output: 200)
      return try #require(result.indices.max { abs(result[$0]) < abs(result[$1]) })
    }
    #expect(try place(.normal) == 600)
    let late = try place(.none)
    #expect(late > 600)
    let converter = try make(48_000, 24_000)
    converter.primeMethod = .none
    #expect(abs(Double(late - 600) - Double(converter.primeInfo.leadingFrames) / 2) <= 1)
  }

  @Test("Priming from the stream begins within it: the frames before are not output")
  func primingFromTheStream() throws {
    let sound = sine(9_600, 300, 48_000)
    let converter = try make(48_000, 24_000)
    converter.primeMethod = .pre
    let lead = Int(converter.primeInfo.leadingFrames)
    let result = try drain(converter, Supply(sound, standard(48_000), chunk: 960), output: 480)
    #expect(lead > 0 && abs(result.count - (9_600 - lead) / 2) <= 1)
  }

  @Test("Qualities and algorithms keep counts and levels", arguments: [0, 32, 64, 96, 127])
  func qualities(_ quality: Int) throws {
    for algorithm in [
      AVSampleRateConverterAlgorithm_Normal, AVSampleRateConverterAlgorithm_Mastering,
    ] {
      let converter = try make(44_100, 48_000)
      converter.sampleRateConverterQuality = quality
      converter.sampleRateConverterAlgorithm = algorithm
      #expect(converter.sampleRateConverterAlgorithm == algorithm)
      let result = try drain(
        converter, Supply(sine(22_050, 440, 44_100), standard(44_100), chunk: 1_000), output: 999)
      #expect(abs(result.count - 24_000) <= 1)
      let power = result[4_000..<20_000].map { $0 * $0 }.reduce(0, +) / 16_000
      #expect(abs(power - 0.125) < 0.002)
    }
  }

  @Test("A frequency above half of the output's rate is gone")
  func noAliases() throws {
    let result = try drain(
      make(48_000, 16_000), Supply(sine(48_000, 11_000, 48_000), standard(48_000), chunk: 4_800),
      output: 1_600)
    #expect(result[1_000..<15_000].map(abs).max()! < 1e-3)
  }

  // MARK: Samples

  private func linear(_ kind: AVAudioCommonFormat, _ channels: UInt32, interleaved: Bool)
    -> AVAudioFormat
  {
    AVAudioFormat(
      commonFormat: kind, sampleRate: 44_100, channels: channels, interleaved: interleaved)!
  }

  @Test(
    "Whole numbers go through floats and come back the same",
    arguments: [AVAudioCommonFormat.pcmFormatInt16, .pcmFormatInt32], [true, false])
  func integersReturn(_ kind: AVAudioCommonFormat, _ isInterleaved: Bool) throws {
    let format = linear(kind, 2, interleaved: isInterleaved)
    let source = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 256)!
    source.frameLength = 256
    let list = UnsafeMutableAudioBufferListPointer(source.mutableAudioBufferList)
    for buffer in list {
      let bytes = buffer.mData!.assumingMemoryBound(to: UInt8.self)
      // Whole numbers of 24 bits are exact as floats.
      for index in 0..<Int(buffer.mDataByteSize) {
        bytes[index] = kind == .pcmFormatInt32 && index % 4 == 0 ? 0 : UInt8(index * 7 & 255)
      }
    }
    let floats = AVAudioPCMBuffer(pcmFormat: standard(44_100, 2), frameCapacity: 256)!
    try AVAudioConverter(from: format, to: floats.format)!.convert(to: floats, from: source)
    let back = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 256)!
    try AVAudioConverter(from: floats.format, to: format)!.convert(to: back, from: floats)
    for (one, other) in zip(list, UnsafeMutableAudioBufferListPointer(back.mutableAudioBufferList))
    {
      #expect(one.mDataByteSize == other.mDataByteSize)
      #expect(memcmp(one.mData!, other.mData!, Int(one.mDataByteSize)) == 0)
    }
  }

  @Test("Floats beyond full scale become the greatest whole numbers")
  func floatsAreLimited() throws {
    let format = linear(.pcmFormatInt16, 1, interleaved: true)
    let result = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 4)!
    try AVAudioConverter(from: standard(), to: format)!.convert(
      to: result, from: buffer([2, -2, 0.5, -0.5]))
    #expect(
      Array(UnsafeBufferPointer(start: result.int16ChannelData![0], count: 4)) == [
        32_767, -32_768, 16_384, -16_384,
      ])
  }

  @Test("Interleaving changes the order and no sample")
  func interleaving() throws {
    let planar = standard(44_100, 2)
    let source = AVAudioPCMBuffer(pcmFormat: planar, frameCapacity: 3)!
    source.frameLength = 3
    for frame in 0..<3 {
      source.floatChannelData![0][frame] = Float(frame) / 8
      source.floatChannelData![1][frame] = -Float(frame) / 16
    }
    let result = AVAudioPCMBuffer(
      pcmFormat: linear(.pcmFormatFloat32, 2, interleaved: true), frameCapacity: 3)!
    try AVAudioConverter(from: planar, to: result.format)!.convert(to: result, from: source)
    #expect(
      Array(UnsafeBufferPointer(start: result.floatChannelData![0], count: 6)) == [
        0, 0, 0.125, -0.0625, 0.25, -0.125,
      ] && result.stride == 2)
  }

  @Test("Doubles keep more than floats have")
  func doubles() throws {
    let format = linear(.pcmFormatFloat64, 1, interleaved: false)
    let source = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 2)!
    source.frameLength = 2
    let samples = UnsafeMutableAudioBufferListPointer(source.mutableAudioBufferList)[0].mData!
      .assumingMemoryBound(to: Double.self)
    (samples[0], samples[1]) = (0.5, -0.25)
    #expect(source.floatChannelData == nil && source.int16ChannelData == nil)
    let result = AVAudioPCMBuffer(pcmFormat: standard(), frameCapacity: 2)!
    try AVAudioConverter(from: format, to: standard())!.convert(to: result, from: source)
    #expect(result.samples() == [0.5, -0.25])
  }

  // MARK: Channels

  private func stereo(_ left: Float, _ right: Float) -> AVAudioPCMBuffer {
    let made = AVAudioPCMBuffer(pcmFormat: standard(44_100, 2), frameCapacity: 1)!
    made.frameLength = 1
    (made.floatChannelData![0][0], made.floatChannelData![1][0]) = (left, right)
    return made
  }

  @Test("A map swaps, repeats and silences channels")
  func maps() throws {
    let converter = AVAudioConverter(from: standard(44_100, 2), to: standard(44_100, 2))!
    let result = AVAudioPCMBuffer(pcmFormat: standard(44_100, 2), frameCapacity: 1)!
    for (map, wanted) in [
      ([1, 0], [0.25, 0.5]), ([0, 0], [0.5, 0.5]), ([-1, 1], [0, 0.25]), ([1, -1], [0.25, 0]),
    ] as [([NSNumber], [Float])] {
      converter.channelMap = map
      try converter.convert(to: result, from: stereo(0.5, 0.25))
      #expect([result.samples(0)[0], result.samples(1)[0]] == wanted, "\(map)")
    }
  }

  @Test("A mix of two channels is asked for; without, the first one is kept")
  func downmix() throws {
    let converter = AVAudioConverter(from: standard(44_100, 2), to: standard())!
    let result = AVAudioPCMBuffer(pcmFormat: standard(), frameCapacity: 1)!
    #expect(!converter.downmix)
    try converter.convert(to: result, from: stereo(0.5, 0.25))
    #expect(result.samples() == [0.5])
    converter.downmix = true
    try converter.convert(to: result, from: stereo(0.5, 0.25))
    let mixed = result.samples()[0]
    #expect(mixed > 0.3 && mixed < 0.8 && mixed != 0.5)
    try converter.convert(to: result, from: stereo(0.25, 0.5))
    #expect(abs(result.samples()[0] - mixed) < 1e-6)
  }

  @Test("More than two channels have a layout, and keep their order")
  func sixChannels() throws {
    let layout = AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_DiscreteInOrder | 6)!
    let six = AVAudioFormat(standardFormatWithSampleRate: 44_100, channelLayout: layout)
    let source = AVAudioPCMBuffer(pcmFormat: six, frameCapacity: 1)!
    source.frameLength = 1
    for channel in 0..<6 { source.floatChannelData![channel][0] = Float(channel) / 8 }
    let result = AVAudioPCMBuffer(pcmFormat: standard(44_100, 2), frameCapacity: 1)!
    let converter = try #require(AVAudioConverter(from: six, to: result.format))
    converter.channelMap = [5, 3]
    try converter.convert(to: result, from: source)
    #expect(result.samples(0) == [0.625] && result.samples(1) == [0.375])
  }

  @Test("Formats that nothing converts have no converter")
  func noConverter() {
    var raw = AudioStreamBasicDescription()
    (raw.mSampleRate, raw.mFormatID, raw.mChannelsPerFrame) = (44_100, 0x3F3F_3F3F, 1)
    if let unknown = AVAudioFormat(streamDescription: &raw) {
      #expect(AVAudioConverter(from: standard(), to: unknown) == nil)
    }
    #expect(AVAudioConverter(from: AVAudioFormat(), to: standard()) == nil)
  }

  // MARK: Packets

  private func compressed(_ code: AudioFormatID, _ framesPerPacket: UInt32) -> AVAudioFormat {
    var raw = AudioStreamBasicDescription()
    (raw.mSampleRate, raw.mFormatID, raw.mChannelsPerFrame) = (44_100, code, 1)
    raw.mFramesPerPacket = framesPerPacket
    return AVAudioFormat(streamDescription: &raw)!
  }

  @Test("Packets of a lossless encoder decode to the samples that went in")
  func losslessPackets() throws {
    let sound = noise(4_096 * 3)
    let format = compressed(kAudioFormatAppleLossless, 4_096)
    let encoder = try #require(AVAudioConverter(from: standard(), to: format))
    let packets = AVAudioCompressedBuffer(
      format: encoder.outputFormat, packetCapacity: 8,
      maximumPacketSize: encoder.maximumOutputPacketSize)
    let supply = Supply(sound, standard(), chunk: 1_000)
    #expect(
      encoder.convert(to: packets, error: nil, withInputFrom: supply.next) == .endOfStream
        && packets.packetCount == 3 && packets.byteLength > 0)
    let decoder = try #require(AVAudioConverter(from: encoder.outputFormat, to: standard()))
    if let cookie = encoder.magicCookie { decoder.magicCookie = cookie }
    let block = AVAudioPCMBuffer(pcmFormat: standard(), frameCapacity: 20_000)!
    var isSupplied = false
    let status = decoder.convert(to: block, error: nil) { _, status in
      status.pointee = isSupplied ? .endOfStream : .haveData
      defer { isSupplied = true }
      return isSupplied ? nil : packets
    }
    #expect(status == .endOfStream && block.samples() == sound)
  }

  @Test("An encoder lists its bit rates, and keeps the one that is set")
  func bitRates() throws {
    let encoder = try #require(
      AVAudioConverter(from: standard(), to: compressed(kAudioFormatMPEG4AAC, 1_024)))
    let rates = try #require(encoder.applicableEncodeBitRates ?? encoder.availableEncodeBitRates)
    #expect(!rates.isEmpty && encoder.maximumOutputPacketSize > 0)
    encoder.bitRate = 64_000
    #expect(encoder.bitRate == 64_000)
    encoder.bitRateStrategy = AVAudioBitRateStrategy_Constant
    #expect(encoder.bitRateStrategy == AVAudioBitRateStrategy_Constant)
  }

  @Test("A buffer of packets has their sizes, and room for as many as it was made for")
  func buffersOfPackets() {
    let packets = AVAudioCompressedBuffer(
      format: compressed(kAudioFormatMPEG4AAC, 1_024), packetCapacity: 5, maximumPacketSize: 100)
    #expect(packets.byteCapacity == 500 && packets.packetCount == 0 && packets.byteLength == 0)
    packets.packetCount = 2
    packets.byteLength = 150
    #expect(packets.packetCount == 2 && packets.byteLength == 150)
    #expect(packets.packetDescriptions != nil && packets.packetCapacity == 5)
    #expect(packets.audioBufferList.pointee.mBuffers.mDataByteSize == 150)
  }
}
