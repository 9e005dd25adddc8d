// `auricle file info`: its output about a sound file, for people and for programs.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@Suite struct FileInfoTests {
  private func make(_ name: String, in folder: TemporaryFolder, _ arguments: [String]) throws {
    let result = try runProcess(
      "ffmpeg",
      ["-v", "error", "-f", "lavfi", "-i", "sine=440:r=44100:d=1", "-metadata", "title=Song"]
        + arguments + [folder(name)])
    try #require(result.exitCode == 0, "\(result.summary)")
  }

  @Test("The report has format, packets, an encoder's additions, and texts")
  func text() throws {
    let folder = try TemporaryFolder()
    try make("a.m4a", in: folder, ["-c:a", "aac"])
    let result = try runAuricle(["file", "info", "a.m4a"], in: folder.path)
    #expect(result.exitCode == 0)
    for line in [
      "MPEG-4 AAC", "44100 Hz, 1 channel", "1.00 s, 44100 frames",
      "1024 frames before (priming)", "1024 frames each", "  title ", " Song\n",
    ] {
      #expect(result.standardOutput.contains(line), "\(line) in \(result.standardOutput)")
    }
  }

  @Test("Files that resource forks could be in do not disturb files without marks")
  func resources() throws {
    let folder = try TemporaryFolder()
    try make("a.mp2", in: folder, ["-c:a", "mp2"])
    try Data().write(to: URL(filePath: folder("._")))
    try FileManager.default.createDirectory(
      atPath: folder(".AppleDouble"), withIntermediateDirectories: false)
    for command in [["file", "info"], ["measure"]] {
      let result = try runAuricle(command + ["a.mp2"], in: folder.path)
      #expect(result.exitCode == 0, "\(result.summary)")
    }
  }

  @Test("Layouts have their names")
  func layouts() throws {
    let folder = try TemporaryFolder()
    try make("a.caf", in: folder, ["-ac", "2"])
    try make("b.caf", in: folder, ["-ac", "6"])
    let result = try runAuricle(["file", "info", "a.caf", "b.caf"], in: folder.path)
    let reported = result.standardOutput.split(separator: "\n").filter { $0.contains("  layout ") }
    #expect(reported.first?.hasSuffix("Stereo (L R)") == true, "\(result.summary)")
    #expect(reported.last?.hasSuffix("5.1 (L R C LFE Ls Rs)") == true, "\(result.summary)")
  }

  @Test("JSON has the numbers, and each packet when asked")
  func json() throws {
    let folder = try TemporaryFolder()
    try make("a.mp3", in: folder, ["-c:a", "libmp3lame"])
    let result = try runAuricle(
      ["file", "info", "--format", "json", "--packets", "a.mp3"], in: folder.path)
    struct Report: Decodable {
      struct Packet: Decodable { let bytes: Int }
      let packets: Int
      let frames: Int
      let soundBytes: Int
      let packetList: [Packet]
    }
    let reports = try JSONDecoder().decode([Report].self, from: Data(result.standardOutput.utf8))
    let report = try #require(reports.first)
    #expect(report.frames == 44100)
    #expect(report.packetList.count == report.packets)
    #expect(report.packetList.reduce(0) { $0 + $1.bytes } == report.soundBytes)
  }

  @Test("A file without sound is one sentence and an exit code, and does not hide the others")
  func failures() throws {
    let folder = try TemporaryFolder()
    try make("a.wav", in: folder, [])
    try folder.write("words", to: "words.wav")
    let none = try runAuricle(["file", "info", "none.wav"], in: folder.path)
    #expect(none.exitCode == 66)
    #expect(none.standardError == "auricle: there is no file none.wav\n")
    let place = try runAuricle(["file", "info", folder.path], in: folder.path)
    #expect(place.exitCode == 66)
    #expect(place.standardError.hasSuffix(" is a folder: name the files in it\n"))
    let both = try runAuricle(["file", "info", "words.wav", "a.wav"], in: folder.path)
    #expect(both.exitCode == 1)
    #expect(both.standardError.contains("words.wav is no sound file"))
    #expect(both.standardOutput.hasPrefix("a.wav\n"))
  }
}
