// Recorders: their files, pauses, limits and meters, on a device whose input is a file.
// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: NeverForceUnwrap, NeverUseImplicitlyUnwrappedOptionals

import AVFoundation
import Testing

/// Receives the ends of recordings, as whether they succeeded.
private final class Ends: AVAudioRecorderDelegate {
  let stream = AsyncStream.makeStream(of: Bool.self)
  func audioRecorderDidFinishRecording(_ recorder: AVAudioRecorder, successfully flag: Bool) {
    stream.continuation.yield(flag)
  }
  /// Waits for the next end; nil for none.
  func next() async -> Bool? {
    var iterator = stream.stream.makeAsyncIterator()
    return await iterator.next()
  }
}

extension SharedDevice {
  @Suite(.enabled(if: hasFileDevice)) struct RecorderTests {
    private let folder: Folder
    private let ends = Ends()

    init() throws { folder = try Folder() }

    private func settings(
      _ rate: Double, _ channels: Int = 1, _ id: AudioFormatID = kAudioFormatLinearPCM
    ) -> [String: Any] {
      var settings: [String: Any] = [
        AVFormatIDKey: id, AVSampleRateKey: rate, AVNumberOfChannelsKey: channels,
      ]
      if id == kAudioFormatLinearPCM { settings[AVLinearPCMBitDepthKey] = 16 }
      return settings
    }
    private func recorder(_ name: String, _ settings: [String: Any]) throws -> AVAudioRecorder {
      let recorder = try AVAudioRecorder(url: folder.file(name), settings: settings)
      recorder.delegate = ends
      return recorder
    }

    @Test(
      "A recording for a time has its frames exactly, at any rate", arguments: [24_000.0, 48_000])
    func limits(_ rate: Double) async throws {
      let recorder = try recorder("take.wav", settings(rate))
      try #require(recorder.record(forDuration: 0.25))
      #expect(await ends.next() == true)
      #expect(!recorder.isRecording && recorder.currentTime == 0)
      let file = try AVAudioFile(forReading: recorder.url)
      #expect(file.length == AVAudioFramePosition(rate / 4) && file.fileFormat.sampleRate == rate)
      #expect(recorder.deleteRecording())
      #expect(!FileManager.default.fileExists(atPath: recorder.url.path))
      #expect(!recorder.deleteRecording(), "there is none left")
    }

    @Test("The samples are the device's, from one frame on without a gap")
    func samples() async throws {
      let recorder = try recorder("take.wav", settings(48_000, 2))
      try #require(recorder.record(forDuration: 0.1))
      _ = await ends.next()
      let file = try AVAudioFile(forReading: recorder.url)
      let taken = AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: 4_800)!
      try file.read(into: taken)
      // The input of the check repeats each 128 samples of its two channels.
      let left = taken.samples()
      try #require(left.count == 4_800)
      let period = (1..<2_000).first { step in
        (0..<2_000).allSatisfy { left[$0] == left[$0 + step] }
      }
      #expect(period != nil, "the frames of a periodic input stay periodic")
    }

    @Test("A pause leaves its sound out; the recording goes on behind it")
    func pauses() async throws {
      let recorder = try recorder("take.wav", settings(48_000))
      try #require(recorder.record(forDuration: 0.5))
      recorder.pause()
      #expect(!recorder.isRecording)
      try #require(recorder.record())
      #expect(await ends.next() == true)
      #expect(try AVAudioFile(forReading: folder.file("take.wav")).length == 24_000)
    }

    @Test("Meters have the levels of what was recorded")
    func meters() async throws {
      let recorder = try recorder("take.wav", settings(48_000, 2))
      #expect(recorder.averagePower(forChannel: 0) == -160)
      recorder.isMeteringEnabled = true
      try #require(recorder.record(forDuration: 0.2))
      _ = await ends.next()
      recorder.updateMeters()
      for channel in 0..<2 {
        let (average, peak) = (
          recorder.averagePower(forChannel: channel), recorder.peakPower(forChannel: channel)
        )
        #expect(average > -20 && average <= peak && peak <= 0.1, "\(average) \(peak)")
      }
      #expect(recorder.peakPower(forChannel: 9) == -160)
    }

    @Test("A stop ends the file at once, and the next recording replaces it")
    func stops() async throws {
      let recorder = try recorder("take.wav", settings(48_000))
      try #require(recorder.prepareToRecord())
      #expect(FileManager.default.fileExists(atPath: recorder.url.path))
      try #require(recorder.record())
      #expect(recorder.isRecording)
      recorder.stop()
      #expect(await ends.next() == true)
      _ = try AVAudioFile(forReading: recorder.url)
      recorder.stop()
      try #require(recorder.record(forDuration: 0.1))
      #expect(await ends.next() == true)
      try #require(recorder.record(forDuration: 0.05))
      #expect(await ends.next() == true)
      #expect(try AVAudioFile(forReading: recorder.url).length == 2_400)
    }

    @Test("A recording ends with its device, with the frames until then")
    func deviceEnd() async throws {
      let recorder = try recorder("whole.wav", settings(48_000, 2))
      try #require(recorder.record(forDuration: 1_000))
      #expect(await ends.next() == true)
      #expect(!recorder.isRecording)
      let file = try AVAudioFile(forReading: recorder.url)
      let seconds = Double(file.length) / file.processingFormat.sampleRate
      #expect(abs(seconds - 10) < 0.05, "whole cycles, and whole buffers of a tap")
    }

    @Test("Packets are recorded, and a format makes a recorder")
    func formats() async throws {
      let recorder = try recorder("take.m4a", settings(48_000, 1, kAudioFormatMPEG4AAC))
      try #require(recorder.record(forDuration: 0.3))
      _ = await ends.next()
      let file = try AVAudioFile(forReading: recorder.url)
      #expect(file.fileFormat.streamDescription.pointee.mFormatID == kAudioFormatMPEG4AAC)
      #expect(abs(file.length - 14_400) <= 1)
      let plain = try AVAudioRecorder(url: folder.file("plain.caf"), format: standard(44_100, 2))
      #expect(plain.format.sampleRate == 44_100 && plain.format.channelCount == 2)
      #expect(throws: NSError.self) {
        try AVAudioRecorder(url: folder.file("x.wav"), settings: [:])
      }
    }
  }
}
