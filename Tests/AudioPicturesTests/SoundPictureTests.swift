// Pictures of sounds: real PNG files, small, and true to the sound.
// SPDX-License-Identifier: Apache-2.0

import AudioPictures
import Foundation
import TestSupport
import Testing

@Suite struct SoundPictureTests {
  /// Pictures are read with other programs than ours.
  static let hasReader =
    (try? runProcess("ffprobe", ["-version"]))?.exitCode == 0
    && (try? runProcess("ffmpeg", ["-version"]))?.exitCode == 0

  /// Draws the picture of channels at 48 kHz, in blocks of odd lengths.
  private func picture(
    _ channels: [[Float]], size: PictureSize = .large, seconds: Double? = nil
  ) -> [UInt8] {
    var picture = SoundPicture(size: size, sampleRate: 48_000, channelCount: channels.count)
    var start = 0
    let total = channels.first?.count ?? 0
    var block = 1
    while start < total {
      let count = min(block, total - start)
      let rows = unsafe channels.map { channel in
        let row = UnsafeMutablePointer<Float>.allocate(capacity: count)
        for index in 0..<count { unsafe row[index] = channel[start + index] }
        return unsafe row
      }
      unsafe picture.add(rows, frameCount: count)
      unsafe rows.forEach { unsafe $0.deallocate() }
      start += count
      block = block * 3 % 9973 + 1
    }
    return picture.png(widthInSeconds: seconds ?? picture.seconds)
  }

  private func pixels(_ png: [UInt8]) throws -> (width: Int, height: Int, rows: [[UInt8]]) {
    // An independent reader: ffmpeg writes the alpha plane and the colours as raw bytes.
    let folder = try TemporaryFolder("picture")
    let path = try folder.write(Data(png), to: "x.png")
    let info = try runProcess(
      "ffprobe",
      ["-v", "error", "-show_entries", "stream=width,height", "-of", "csv=p=0", path])
    #expect(info.exitCode == 0, "\(info.summary)")
    let numbers = info.standardOutput.split { ",\n".contains($0) }.compactMap { Int($0) }
    try #require(numbers.count == 2)
    let raw = folder("x.raw")
    let result = try runProcess(
      "ffmpeg", ["-v", "error", "-i", path, "-f", "rawvideo", "-pix_fmt", "rgba", raw])
    #expect(result.exitCode == 0, "\(result.summary)")
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: raw)))
    try #require(bytes.count == numbers[0] * numbers[1] * 4)
    let rows = (0..<numbers[1]).map { row in
      (0..<numbers[0]).map { bytes[(row * numbers[0] + $0) * 4 + 3] }
    }
    return (numbers[0], numbers[1], rows)
  }

  @Test(.enabled(if: hasReader), arguments: PictureSize.allCases) func areSmallAndOfTheirSize(
    size: PictureSize
  ) throws {
    let noise = TestSignal.noise(seed: 3, amplitude: 0.5, frameCount: 480_000)
    let png = picture([noise, noise.reversed()], size: size)
    #expect(png.starts(with: [0x89, 0x50, 0x4E, 0x47]))
    let limit = size == .large ? 16_384 : size == .medium ? 6000 : 2000
    #expect(png.count < limit, "\(png.count) bytes")
    let (width, height, _) = try pixels(png)
    #expect(width == size.width && height == size.height)
  }

  @Test(.enabled(if: hasReader)) func aSineIsALineAtItsFrequency() throws {
    let sine = TestSignal.sine(frequency: 1000, sampleRate: 48_000, frameCount: 96_000)
    let size = PictureSize.large
    let (width, _, rows) = try pixels(picture([sine]))
    let spectrum = rows[size.waveformHeight...].map { row in row.map { Int($0) }.reduce(0, +) }
    let loudest = try #require(spectrum.indices.max { spectrum[$0] < spectrum[$1] })
    let band = size.spectrogramHeight - 1 - loudest
    let wanted = log(1000 / 40) / log(20_000 / 40.0) * Double(size.spectrogramHeight)
    #expect(abs(Double(band) - wanted) <= 1.5, "band \(band), wanted \(wanted)")
    #expect(width == 320)
  }

  @Test(.enabled(if: hasReader)) func whatIsShorterLeavesRoom() throws {
    let noise = TestSignal.noise(seed: 4, amplitude: 0.9, frameCount: 24_000)
    let (_, _, rows) = try pixels(picture([noise], seconds: 1))
    let used = (0..<320).filter { x in rows.contains { $0[x] > 0 } }
    #expect(used.count == 160 && used.last == 159, "\(used.count), \(used.last ?? -1)")
  }

  @Test(.enabled(if: hasReader)) func strangeSoundsAreDrawnToo() throws {
    for count in [0, 1, 2, 15, 255, 256, 257, 2049] {
      #expect(!picture([TestSignal.noise(seed: 5, frameCount: count)]).isEmpty)
    }
    #expect(!picture([[.nan, .infinity, -.infinity, 0, 1e30, -1e30]]).isEmpty)
    let (_, _, rows) = try pixels(picture([TestSignal.silence(frameCount: 48_000)]))
    #expect(rows[PictureSize.large.waveformHeight...].allSatisfy { $0.allSatisfy { $0 == 0 } })
  }

  @Test func theSameSoundIsTheSamePicture() {
    let noise = TestSignal.noise(seed: 6, frameCount: 100_000)
    #expect(picture([noise, noise]) == picture([noise, noise]))
  }
}
