// Damaged, missing and senseless files: an error each, with its sentence; never a crash.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import AudioTypes
import Foundation
import TestSupport
import Testing

@Suite struct DamageTests {
  static let stereo = RoundTripTests.signal(channels: 2, frames: 30_000, rate: 48_000)

  /// A good file of a container, as bytes.
  static func sound(_ container: AudioContainer) throws -> [UInt8] {
    let folder = try TemporaryFolder()
    let encoding = try #require(container.defaultEncoding)
    let format = AudioFileFormat(
      container: container, encoding: encoding, sampleRate: 48_000, channelCount: 2)
    var metadata = AudioFileMetadata()
    // MP3 has its texts at the end, where cutting them does the sound no harm.
    metadata[.title] = container == .mp3 ? nil : "A title"
    try writeFile(folder.file("sound"), stereo, format, metadata: metadata)
    return try bytes(of: folder.file("sound"))
  }

  static let usual: [AudioContainer] = [
    .wav, .wavex, .rf64, .w64, .aiff, .caf, .au, .flac, .ogg, .opus, .mp3,
  ]

  @Test(arguments: usual, [0.999, 0.9, 0.5, 0.2])
  func cutShort(container: AudioContainer, part: Double) throws {
    let folder = try TemporaryFolder()
    let whole = try Self.sound(container)
    let path = folder.file("cut.\(container.fileExtension)")
    try put(Array(whole.prefix(Int(Double(whole.count) * part))), path)
    let error = try #require(
      failure { _ = try readFile(path) }, "\(container) cut to \(part) passed for good")
    #expect(error.category == .badData)
    #expect(error.message.contains(path))
  }

  @Test(arguments: [AudioContainer.wav, .aiff, .au, .caf, .w64, .rf64, .flac, .ogg])
  func oneByteShort(container: AudioContainer) throws {
    let folder = try TemporaryFolder()
    let whole = try Self.sound(container)
    let path = folder.file("cut.\(container.fileExtension)")
    // Wave64 fills its last chunk up to eight bytes: cut into the sound itself.
    let missing = container == .w64 ? 9 : 1
    try put(Array(whole.dropLast(missing)), path)
    #expect(failure { _ = try readFile(path) }?.category == .badData)
  }

  /// A header left by a pipe's writer after more than 4 GiB: the file's length counts.
  @Test func unknownLengthBeyondWhatAHeaderHolds() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("pipe.wav")
    try writeFile(
      path, Self.stereo,
      AudioFileFormat(container: .wav, encoding: .pcm16, sampleRate: 48_000, channelCount: 2))
    var header = Array(try bytes(of: path).prefix(44))
    try #require(Array(header[36..<40]) == Array("data".utf8))
    for place in [4, 40] { header.replaceSubrange(place..<place + 4, with: [255, 255, 255, 255]) }
    try put(header, path)
    for frames in [1 << 20, 1 << 30, (1 << 30) + 1, 5 << 30] {
      // Without blocks on the disk.
      try #require(unsafe truncate(path, off_t(44 + 4 * frames)) == 0)
      let reader = try AudioFileReader(path: path)
      #expect(reader.frameCount == frames)
      #expect(reader.format.container == (frames < 1 << 30 ? .wav : .rf64))
    }
  }

  /// A header as SoX writes it into a pipe: about 2 GiB, in whole frames.
  @Test(arguments: [2, 6, 24])
  func aiffOutOfAPipe(frameBytes: Int) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("pipe.aiff")
    let channels = frameBytes == 2 ? 1 : frameBytes / 3
    let sound = [[Float]](repeating: Self.stereo[0], count: channels)
    try writeFile(
      path, sound,
      AudioFileFormat(
        container: .aiff, encoding: frameBytes == 2 ? .pcm16 : .pcm24, sampleRate: 48_000,
        channelCount: channels))
    var whole = try bytes(of: path)
    func place(_ name: String) throws -> Int {
      try #require(
        (0..<whole.count - 4).first { Array(whole[$0..<$0 + 4]) == Array(name.utf8) })
    }
    func store(_ number: Int, at place: Int) {
      let bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
      whole.replaceSubrange(place..<place + 4, with: bytes)
    }
    let frames = 0x7F00_0000 / frameBytes
    let (common, chunk) = try (place("COMM"), place("SSND"))
    store(frames * frameBytes + 8, at: chunk + 4)
    store(frames, at: common + 10)
    store(frames * frameBytes + 46, at: 4)
    try put(whole, path)
    #expect(try readFile(path).channels[0].count == 30_000)
    // Where the whole is not as large, the sound is cut short.
    store(whole.count - 8, at: 4)
    try put(whole, path)
    #expect(failure { _ = try readFile(path) }?.category == .badData)
  }

  /// A header that declares less sound than there is loses the rest of it.
  @Test(arguments: [AudioContainer.wav, .wavex, .aiff])
  func soundBehindTheSound(container: AudioContainer) throws {
    let folder = try TemporaryFolder()
    var whole = try Self.sound(container)
    let name = Array((container == .aiff ? "SSND" : "data").utf8)
    let place = try #require((0..<whole.count - 4).first { Array(whole[$0..<$0 + 4]) == name })
    let size = [0, 0, 0x10, 0x02] as [UInt8]
    whole.replaceSubrange(
      place + 4..<place + 8, with: container == .aiff ? size : size.reversed())
    let path = folder.file("short.\(container.fileExtension)")
    try put(whole, path)
    let error = try #require(failure { _ = try readFile(path) }, "the rest was lost in silence")
    #expect(error.category == .badData)
    #expect(container == .aiff || error.message.contains("no chunk"), "\(error.message)")
  }

  @Test func framesThatAreNotThere() throws {
    let folder = try TemporaryFolder()
    var whole = try Self.sound(.aiff)
    let place = try #require(
      (0..<whole.count - 4).first { Array(whole[$0..<$0 + 4]) == Array("COMM".utf8) })
    whole[place + 11] = 1
    let path = folder.file("long.aiff")
    try put(whole, path)
    #expect(failure { _ = try readFile(path) }?.category == .badData)
  }

  /// Bytes behind a whole file are no part of it.
  @Test(arguments: [AudioContainer.wav, .aiff], [1, 7, 700])
  func bytesBehindAWholeFile(container: AudioContainer, count: Int) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("more.\(container.fileExtension)")
    try put(try Self.sound(container) + [UInt8](repeating: 0xFF, count: count), path)
    #expect(failure { _ = try readFile(path) } == nil)
  }

  @Test(arguments: [AudioContainer.flac, .ogg, .opus, .mp3])
  func brokenWithin(container: AudioContainer) throws {
    let folder = try TemporaryFolder()
    let whole = try Self.sound(container)
    var generator = SeededGenerator(seed: 11)
    for round in 0..<40 {
      var damaged = whole
      let index = Int.random(in: whole.count / 4..<whole.count, using: &generator)
      damaged[index] ^= UInt8.random(in: 1...255, using: &generator)
      let path = folder.file("\(round)")
      try put(damaged, path)
      #expect(
        failure { _ = try readFile(path) }?.category == .badData,
        "\(container): byte \(index) changed, and nobody saw it")
    }
  }

  /// Random damage anywhere: an error or a clean read, no crash, no endless length.
  @Test(arguments: usual)
  func mutations(container: AudioContainer) throws {
    let folder = try TemporaryFolder()
    let whole = Array(try Self.sound(container).prefix(60_000))
    var generator = SeededGenerator(seed: 2_026)
    for round in 0..<150 {
      var damaged = whole
      // Half of the rounds in the header, where it hurts.
      let end = round % 2 == 0 ? min(200, damaged.count) : damaged.count
      for _ in 0..<Int.random(in: 1...8, using: &generator) {
        let index = Int.random(in: 0..<end, using: &generator)
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: damaged[index] = 0xFF
        case 1: damaged[index] = 0
        case 2: damaged[index] = UInt8.random(in: 0...255, using: &generator)
        default: damaged[index] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
        }
      }
      let path = folder.file("m\(round).\(container.fileExtension)")
      try put(damaged, path)
      if let error = failure({ try drain(path) }) {
        #expect(error.message.contains(path), "round \(round)")
        #expect([.badData, .inputOutput].contains(error.category), "round \(round): \(error)")
      }
    }
  }

  /// Reads a file to its end, or to ten million frames, without keeping anything.
  private func drain(_ path: String) throws {
    let reader = try AudioFileReader(path: path)
    var rows = [[Float]](
      repeating: [Float](repeating: 0, count: 4096), count: reader.format.channelCount)
    _ = try unsafe withRows(&rows) { rows in
      while try unsafe reader.read(into: rows, frameCount: 4096) > 0,
        reader.position < 10_000_000
      {}
    }
  }

  @Test func samplesThatAreNoNumbers() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("nan.wav")
    let format = AudioFileFormat(
      container: .wav, encoding: .float32, sampleRate: 48_000, channelCount: 2)
    var channels = Self.stereo
    channels[1][12_345] = .nan
    try writeFile(path, channels, format)
    let error = try #require(failure { _ = try readFile(path) })
    #expect(error.category == .badData)
    #expect(error.message.contains("frame 12345"))
  }
}

@Suite struct WrongPlaceTests {
  private func message(_ path: String, _ category: AuricleError.Category) throws -> String {
    let error = try #require(failure { _ = try AudioFileReader(path: path) })
    #expect(error.category == category)
    #expect(error.message.contains(path))
    return error.message
  }

  @Test func missing() throws {
    let folder = try TemporaryFolder()
    #expect(try message(folder.file("no.wav"), .noInput).contains("there is no file"))
    #expect(try message(folder.file("no/no.wav"), .noInput).contains("there is no file"))
  }

  @Test func aFolder() throws {
    let folder = try TemporaryFolder()
    #expect(try message(folder.path, .inputOutput).contains("is a folder"))
  }

  @Test func aPipe() throws {
    let folder = try TemporaryFolder()
    #expect(unsafe mkfifo(folder.file("pipe"), 0o600) == 0)
    #expect(try message(folder.file("pipe"), .inputOutput).contains("no regular file"))
  }

  @Test func empty() throws {
    let folder = try TemporaryFolder()
    try put([], folder.file("empty.wav"))
    #expect(try message(folder.file("empty.wav"), .badData).contains("is empty"))
  }

  @Test func noAudio() throws {
    let folder = try TemporaryFolder()
    try put(Array("This is a letter, not a sound.\n".utf8), folder.file("letter.wav"))
    #expect(try message(folder.file("letter.wav"), .badData).contains("no audio file"))
    // Names that the library would mistake for headerless sound.
    for name in ["letter.au", "letter.snd", "letter.vox", "letter.gsm"] {
      try put(Array("This is a letter, not a sound.\n".utf8), folder.file(name))
      #expect(try message(folder.file(name), .badData).contains("no audio file"))
    }
  }

  @Test(.enabled(if: geteuid() != 0, "the superuser may read everything"))
  func unreadable() throws {
    let folder = try TemporaryFolder()
    try put([1, 2, 3], folder.file("secret.wav"))
    unsafe chmod(folder.file("secret.wav"), 0)
    #expect(try message(folder.file("secret.wav"), .inputOutput).contains("permission denied"))
  }

  /// Makes a WAV header with this channel count and sample rate.
  private func header(channels: UInt16, rate: UInt32) -> [UInt8] {
    func little(_ value: UInt32, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * UInt32($0))) }
    }
    return Array("RIFF".utf8) + little(44, 4) + Array("WAVEfmt ".utf8) + little(16, 4)
      + little(1, 2) + little(UInt32(channels), 2) + little(rate, 4)
      + little(rate &* UInt32(channels) &* 2, 4) + little(UInt32(channels) &* 2, 2) + little(16, 2)
      + Array("data".utf8) + little(8, 4) + [1, 2, 3, 4, 5, 6, 7, 8]
  }

  @Test(
    arguments: [
      (0, 48_000, "channel"), (1025, 48_000, "channel"), (65_535, 48_000, "channel"),
      (2, 0, "sample rate"), (2, 2_000_000_000, "sample rate"), (2, 0xFFFF_FFFF, "sample rate"),
    ] as [(UInt16, UInt32, String)])
  func absurdHeader(channels: UInt16, rate: UInt32, word: String) throws {
    let folder = try TemporaryFolder()
    try put(header(channels: channels, rate: rate), folder.file("odd.wav"))
    let text = try message(folder.file("odd.wav"), .badData)
    #expect(text.contains(word), "\(text)")
  }

  @Test func headerHelperIsRight() throws {
    let folder = try TemporaryFolder()
    try put(header(channels: 2, rate: 48_000), folder.file("good.wav"))
    #expect(try readFile(folder.file("good.wav")).channels[0].count == 2)
  }

  /// Recorders that cannot know the length write 0 or all ones: the sound counts as it is.
  @Test(arguments: [0, 0xFFFF_FFFF, 0x7FFF_F000] as [UInt32])
  func lengthNotKnown(size: UInt32) throws {
    let folder = try TemporaryFolder()
    var stream = header(channels: 2, rate: 48_000)
    for byte in 0..<4 { stream[40 + byte] = UInt8(truncatingIfNeeded: size >> (8 * UInt32(byte))) }
    try put(stream, folder.file("stream.wav"))
    #expect(try readFile(folder.file("stream.wav")).channels[0].count == 2)
  }

  @Test func soundThatIsNotWhatItsChecksumIsOf() throws {
    let folder = try TemporaryFolder()
    var whole = try DamageTests.sound(.flac)
    try put(whole, folder.file("good.flac"))
    _ = try readFile(folder.file("good.flac"))
    // The MD5 of the samples is at the end of the first block.
    whole[30] ^= 1
    try put(whole, folder.file("other.flac"))
    let error = try #require(failure { _ = try readFile(folder.file("other.flac")) })
    #expect(error.category == .badData && error.message.contains("MD5"), "\(error)")
    // Zeros mean none.
    for index in 26..<42 { whole[index] = 0 }
    try put(whole, folder.file("none.flac"))
    _ = try readFile(folder.file("none.flac"))
  }
}
