// Figures of whole files.
// SPDX-License-Identifier: Apache-2.0

import AudioConversion
import AudioFiles
import AudioTypes
import TestSupport
import Testing

@Suite struct FileMeasurementTests {
  @Test func aFileIsMeasuredAsAWhole() throws {
    let folder = try TemporaryFolder()
    let sine = TestSignal.sine(frequency: 997, amplitude: 0.25, frameCount: 96_000)
    for (container, encoding) in [
      (AudioContainer.wav, AudioEncoding.float32), (.flac, .pcm16), (.aiff, .pcm24),
    ] {
      let path = folder.file("sine.\(container.fileExtension)")
      let format = AudioFileFormat(
        container: container, encoding: encoding, sampleRate: 48_000, channelCount: 2)
      try writeFile(path, [sine, sine], format)
      let figures = try AudioMeasurement.measure(path: path)
      #expect(figures.frameCount == 96_000)
      #expect(abs(try #require(figures.samplePeak) - decibels(0.25)) < 0.01)
      #expect(figures.truePeak == nil)
    }
    #expect(
      failure { _ = try AudioMeasurement.measure(path: folder.file("no")) }?.category == .noInput)
  }
}
