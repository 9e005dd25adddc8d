// Files as programs write and read them: kinds, depths, ends, and what was written by others.
// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: NeverForceUnwrap, NeverUseImplicitlyUnwrappedOptionals

import AVFoundation
import Testing

struct FileKindTests {
  let folder: Folder
  let sound = noise(5_000, 3)
  init() throws { folder = try Folder() }

  private func settings(
    _ depth: Int, isFloat: Bool = false, isBigEndian: Bool = false, channels: Int = 1
  ) -> [String: Any] {
    [
      AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 44_100.0,
      AVNumberOfChannelsKey: channels, AVLinearPCMBitDepthKey: depth,
      AVLinearPCMIsFloatKey: isFloat, AVLinearPCMIsBigEndianKey: isBigEndian,
    ]
  }
  private func read(_ name: String) throws -> (file: AVAudioFile, samples: [Float]) {
    let file = try AVAudioFile(forReading: folder.file(name))
    let block = AVAudioPCMBuffer(
      pcmFormat: file.processingFormat, frameCapacity: AVAudioFrameCount(file.length) + 10)!
    try file.read(into: block)
    return (file, block.samples())
  }

  @Test(
    "Depths of linear files keep the samples that they can hold",
    arguments: [
      ("wav", 24, false), ("wav", 32, true), ("aiff", 24, false), ("aiff", 32, true),
      ("caf", 32, false), ("caf", 64, true), ("wav", 32, false),
    ])
  func depths(_ kind: (name: String, depth: Int, isFloat: Bool)) throws {
    try {
      let file = try AVAudioFile(
        forWriting: folder.file("a.\(kind.name)"),
        settings: settings(kind.depth, isFloat: kind.isFloat))
      try file.write(from: buffer(sound))
    }()
    let (file, samples) = try read("a.\(kind.name)")
    #expect(samples == sound)
    #expect(file.fileFormat.streamDescription.pointee.mBitsPerChannel == UInt32(kind.depth))
  }

  @Test("Eight bits are the nearest of 256 levels")
  func eightBits() throws {
    try {
      let file = try AVAudioFile(forWriting: folder.file("a.wav"), settings: settings(8))
      try file.write(from: buffer([0, 0.5, -0.5, 0.25]))
    }()
    #expect(try read("a.wav").samples == [0, 0.5, -0.5, 0.25])
  }

  @Test("The order of bytes is the container's", arguments: [("wav", false), ("aiff", true)])
  func byteOrder(_ kind: (name: String, isBig: Bool)) throws {
    try {
      let file = try AVAudioFile(
        forWriting: folder.file("a.\(kind.name)"), settings: settings(16, isBigEndian: !kind.isBig))
      try file.write(from: buffer(sound))
    }()
    let (file, samples) = try read("a.\(kind.name)")
    let flags = file.fileFormat.streamDescription.pointee.mFormatFlags
    #expect(samples == sound && (flags & kAudioFormatFlagIsBigEndian != 0) == kind.isBig)
  }

  @Test("Buffers are appended in the order of the writes, in any sizes")
  func appended() throws {
    try {
      let file = try AVAudioFile(forWriting: folder.file("a.caf"), settings: settings(16))
      for (start, count) in [(0, 1), (1, 999), (1_000, 4_000)] {
        try file.write(from: buffer(part(sound, start, count)))
        #expect(file.length == AVAudioFramePosition(start + count))
        #expect(file.framePosition == AVAudioFramePosition(start + count))
      }
    }()
    #expect(try read("a.caf").samples == sound)
  }

  @Test("A file that is opened for writing is empty, and what was in it is gone")
  func truncated() throws {
    try writeFile(folder.file("a.wav"), sound)
    try { _ = try AVAudioFile(forWriting: folder.file("a.wav"), settings: settings(16)) }()
    #expect(try AVAudioFile(forReading: folder.file("a.wav")).length == 0)
  }

  @Test("A file that is closed can be read at once, and takes no more")
  func closed() throws {
    let file = try AVAudioFile(forWriting: folder.file("a.wav"), settings: settings(16))
    try file.write(from: buffer(sound))
    file.close()
    #expect(!file.isOpen)
    #expect(try read("a.wav").samples == sound)
    #expect(throws: NSError.self) { try file.write(from: buffer(sound)) }
  }

  @Test("Only buffers of the processing format are written")
  func otherBuffers() throws {
    let file = try AVAudioFile(forWriting: folder.file("a.wav"), settings: settings(16))
    let format = AVAudioFormat(
      commonFormat: .pcmFormatInt16, sampleRate: 44_100, channels: 1, interleaved: true)!
    let integers = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 4)!
    integers.frameLength = 4
    #expect(throws: NSError.self) { try file.write(from: integers) }
    #expect(throws: NSError.self) { try file.write(from: buffer([0], standard(44_100, 2))) }
    #expect(file.length == 0 && file.processingFormat == standard())
  }

  @Test("A processing format of integers takes and gives integers")
  func integerProcessing() throws {
    try {
      let file = try AVAudioFile(
        forWriting: folder.file("a.wav"), settings: settings(16), commonFormat: .pcmFormatInt16,
        interleaved: true)
      let integers = AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: 3)!
      integers.frameLength = 3
      for (frame, sample) in [Int16(1), -2, 32_767].enumerated() {
        integers.int16ChannelData![0][frame] = sample
      }
      try file.write(from: integers)
    }()
    let file = try AVAudioFile(
      forReading: folder.file("a.wav"), commonFormat: .pcmFormatInt16, interleaved: true)
    let integers = AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: 3)!
    try file.read(into: integers)
    #expect(
      Array(UnsafeBufferPointer(start: integers.int16ChannelData![0], count: 3)) == [1, -2, 32_767])
  }

  @Test("Places are set to any frame, and reading goes on from there", arguments: [0, 1, 4_999])
  func places(_ frame: Int) throws {
    try writeFile(folder.file("a.wav"), sound)
    let file = try AVAudioFile(forReading: folder.file("a.wav"))
    let block = AVAudioPCMBuffer(pcmFormat: standard(), frameCapacity: 7)!
    try file.read(into: block)
    file.framePosition = AVAudioFramePosition(frame)
    try file.read(into: block)
    #expect(block.samples() == Array(sound[frame...].prefix(7)))
    #expect(file.framePosition == AVAudioFramePosition(frame + Int(block.frameLength)))
  }

  @Test("A file read in small pieces is the file read at once", arguments: ["wav", "flac", "m4a"])
  func pieces(_ kind: String) throws {
    var wanted = settings(16)
    if kind == "m4a" {
      wanted = [
        AVFormatIDKey: kAudioFormatMPEG4AAC, AVSampleRateKey: 44_100, AVNumberOfChannelsKey: 1,
      ]
    }
    if kind == "flac" { wanted[AVFormatIDKey] = kAudioFormatFLAC }
    try {
      let file = try AVAudioFile(forWriting: folder.file("a.\(kind)"), settings: wanted)
      try file.write(from: buffer(sine(30_000, 440, 44_100)))
    }()
    let all = try read("a.\(kind)").samples
    let file = try AVAudioFile(forReading: folder.file("a.\(kind)"))
    let block = AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: 777)!
    var joined: [Float] = []
    while file.framePosition < file.length {
      try file.read(into: block)
      joined += block.samples()
    }
    #expect(joined == all && all.count == 30_000 && file.length == 30_000)
  }

  @Test("A compressed file has the length and the sound that went in")
  func compressedLength() throws {
    let tone = sine(44_100, 440, 44_100)
    try {
      let file = try AVAudioFile(
        forWriting: folder.file("a.m4a"),
        settings: [
          AVFormatIDKey: kAudioFormatMPEG4AAC, AVSampleRateKey: 44_100, AVNumberOfChannelsKey: 1,
          AVEncoderBitRateKey: 128_000,
        ])
      try file.write(from: buffer(tone))
    }()
    let (file, samples) = try read("a.m4a")
    #expect(samples.count == 44_100 && file.fileFormat.commonFormat == .otherFormat)
    for frame in 4_000..<40_000 { #expect(abs(samples[frame] - tone[frame]) < 0.02) }
  }

  @Test("Apple's lossless packets in a file keep each sample")
  func lossless() throws {
    try {
      let file = try AVAudioFile(
        forWriting: folder.file("a.m4a"),
        settings: [
          AVFormatIDKey: kAudioFormatAppleLossless, AVSampleRateKey: 44_100,
          AVNumberOfChannelsKey: 1, AVEncoderBitDepthHintKey: 16,
        ])
      try file.write(from: buffer(sound))
    }()
    #expect(try read("a.m4a").samples == sound)
  }

  @Test("Two channels stay apart")
  func channels() throws {
    try {
      let file = try AVAudioFile(
        forWriting: folder.file("a.aiff"), settings: settings(16, channels: 2))
      let both = AVAudioPCMBuffer(pcmFormat: standard(44_100, 2), frameCapacity: 5_000)!
      both.frameLength = 5_000
      for frame in 0..<5_000 {
        both.floatChannelData![0][frame] = sound[frame]
        both.floatChannelData![1][frame] = -sound[4_999 - frame] / 2
      }
      try file.write(from: both)
    }()
    let file = try AVAudioFile(forReading: folder.file("a.aiff"))
    let both = AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: 5_000)!
    try file.read(into: both)
    #expect(both.samples(0) == sound)
    #expect(abs(both.samples(1)[0] + sound[4_999] / 2) <= 1 / 32_768)
  }

  @Test("Six channels come with a layout, and in their order")
  func sixChannels() throws {
    let layout = AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_DiscreteInOrder | 6)!
    let six = AVAudioFormat(standardFormatWithSampleRate: 44_100, channelLayout: layout)
    try {
      let file = try AVAudioFile(forWriting: folder.file("a.wav"), settings: six.settings)
      let block = AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: 1)!
      block.frameLength = 1
      for channel in 0..<6 { block.floatChannelData![channel][0] = Float(channel) / 8 }
      try file.write(from: block)
    }()
    let file = try AVAudioFile(forReading: folder.file("a.wav"))
    #expect(file.processingFormat.channelCount == 6 && file.processingFormat.channelLayout != nil)
    let block = AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: 1)!
    try file.read(into: block)
    #expect((0..<6).map { block.samples($0)[0] } == (0..<6).map { Float($0) / 8 })
  }

  @Test("A kind in the settings wins over the name's ending")
  func kindInSettings() throws {
    var wanted = settings(16)
    wanted[AVAudioFileTypeKey] = kAudioFileCAFType
    try {
      let file = try AVAudioFile(forWriting: folder.file("a.sound"), settings: wanted)
      try file.write(from: buffer(sound))
    }()
    #expect(try Data(contentsOf: folder.file("a.sound")).prefix(4) == Data("caff".utf8))
    #expect(try read("a.sound").samples == sound)
  }

  @Test("The settings of a format make the same format again")
  func settingsRoundTrip() throws {
    for format in [
      standard(), standard(48_000, 2),
      AVAudioFormat(
        commonFormat: .pcmFormatInt16, sampleRate: 8_000, channels: 2, interleaved: true)!,
      AVAudioFormat(
        commonFormat: .pcmFormatInt32, sampleRate: 96_000, channels: 1, interleaved: false)!,
    ] {
      #expect(AVAudioFormat(settings: format.settings) == format)
      #expect(format.settings.count == 7)
    }
  }
}
