// Sound files: writing and reading back, places, errors.
// SPDX-License-Identifier: Apache-2.0

import AVFoundation
import Testing

struct FileTests {
  let sound = noise(10_000)

  @Test(arguments: ["wav", "aiff", "caf", "flac"]) func integersComeBack(_ kind: String) throws {
    let folder = try Folder()
    try writeFile(folder.file("a.\(kind)"), sound)
    let file = try AVAudioFile(forReading: folder.file("a.\(kind)"))
    #expect(
      file.length == 10_000 && file.processingFormat == standard() && file.fileFormat.isInterleaved)
    let buffer = AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: 20_000)!
    try file.read(into: buffer)
    #expect(buffer.samples() == sound && file.framePosition == 10_000)
    try file.read(into: buffer)
    #expect(buffer.frameLength == 0)
  }

  @Test func placesAreFrames() throws {
    let folder = try Folder()
    try writeFile(folder.file("a.wav"), sound, channels: 2)
    let file = try AVAudioFile(forReading: folder.file("a.wav"))
    file.framePosition = 5_000
    let buffer = AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: 1_000)!
    try file.read(into: buffer, frameCount: 300)
    #expect(buffer.samples(1) == part(sound, 5_000, 300) && file.framePosition == 5_300)
    try file.read(into: buffer)
    #expect(buffer.frameLength == 1_000 && buffer.samples() == part(sound, 5_300, 1_000))
    #expect(throws: NSError.self) {
      try file.read(into: AVAudioPCMBuffer(pcmFormat: standard(8_000), frameCapacity: 8)!)
    }
  }

  @Test func samplesOfAnotherKind() throws {
    let folder = try Folder()
    let settings: [String: Any] = [
      AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 8_000, AVNumberOfChannelsKey: 1,
      AVLinearPCMBitDepthKey: 32,
      AVLinearPCMIsFloatKey: true, AVLinearPCMIsNonInterleaved: true,
    ]
    try {
      let file = try AVAudioFile(forWriting: folder.file("a.aiff"), settings: settings)
      #expect(
        file.fileFormat.isInterleaved && file.processingFormat.commonFormat == .pcmFormatFloat32)
      try file.write(from: buffer([0.25, -0.5], standard(8_000)))
      #expect(file.length == 2 && file.isOpen)
    }()
    let file = try AVAudioFile(
      forReading: folder.file("a.aiff"), commonFormat: .pcmFormatInt16, interleaved: true)
    let integers = AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: 2)!
    try file.read(into: integers)
    #expect(
      integers.int16ChannelData![0][0] == 8_192 && integers.int16ChannelData![0][1] == -16_384)
  }

  @Test func failuresHaveCodes() throws {
    let folder = try Folder()
    func code(_ body: () throws -> Void) -> Int {
      do { try body() } catch let error as NSError {
        return error.domain == "com.apple.coreaudio.avfaudio" ? error.code : 0
      }
      return 0
    }
    #expect(code { _ = try AVAudioFile(forReading: folder.file("none.wav")) } == 2_003_334_207)
    #expect(
      code { _ = try AVAudioFile(forWriting: folder.file("a.xyz"), settings: standard().settings) }
        == 1_954_115_647)
    try Data("no sound at all, whatever its name".utf8).write(to: folder.file("bad.wav"))
    #expect(code { _ = try AVAudioFile(forReading: folder.file("bad.wav")) } != 0)
    #expect(
      code { _ = try AVAudioFile(forWriting: folder.file("a.wav"), settings: [:]) } == 1_718_449_215
    )
  }

  @Test func assetsHaveLengthAndTracks() async throws {
    let folder = try Folder()
    try writeFile(folder.file("a.wav"), sound)
    let asset = AVURLAsset(url: folder.file("a.wav"))
    #expect(try await asset.load(.duration) == CMTime(value: 10_000, timescale: 44_100))
    #expect(try await asset.loadTracks(withMediaType: .audio).count == 1)
    #expect(asset.tracks(withMediaType: .video).isEmpty && asset.isPlayable)
    #expect(!AVURLAsset(url: folder.file("none")).isPlayable)
    #expect(AVCaptureDevice.authorizationStatus(for: .audio) == .authorized)
  }
}
