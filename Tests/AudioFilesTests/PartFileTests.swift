// A file appears under its name only when it is complete; nothing is left of one that is not.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import AudioTypes
import Foundation
import HostSystem
import TestSupport
import Testing

private let format = AudioFileFormat(
  container: .wav, encoding: .pcm16, sampleRate: 48_000, channelCount: 1)

private func writeSome(_ writer: AudioFileWriter, _ frames: Int) throws {
  var rows = [TestSignal.noise(seed: 5, frameCount: frames)]
  try unsafe withRows(&rows) { try unsafe writer.write($0, frameCount: frames) }
}

@Suite(.serialized) struct PartFileTests {
  @Test func life() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("sound.wav")
    let writer = try AudioFileWriter(path: path, format: format)
    try writeSome(writer, 1_000)
    #expect(folder.names == [".sound.wav.part"])
    try writer.finish()
    #expect(folder.names == ["sound.wav"])
    #expect(try readFile(path).channels[0].count == 1_000)
    writer.cancel()
    #expect(folder.names == ["sound.wav"])
  }

  @Test func cancelledOrForgotten() throws {
    let folder = try TemporaryFolder()
    let writer = try AudioFileWriter(path: folder.file("a.wav"), format: format)
    try writeSome(writer, 1_000)
    writer.cancel()
    #expect(folder.names.isEmpty)
    #expect(failure { try writeSome(writer, 10) }?.category == .software)
    do {
      let forgotten = try AudioFileWriter(path: folder.file("b.wav"), format: format)
      try writeSome(forgotten, 1_000)
    }
    #expect(folder.names.isEmpty)
  }

  @Test func existingFilesStay() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("sound.wav")
    try put([1, 2, 3], path)
    let error = failure { _ = try AudioFileWriter(path: path, format: format) }
    #expect(error?.category == .inputOutput)
    #expect(error?.message == "\(path) is there already and is not overwritten")
    #expect(folder.names == ["sound.wav"])

    // One that comes while the sound is written.
    let late = folder.file("late.wav")
    let writer = try AudioFileWriter(path: late, format: format)
    try writeSome(writer, 100)
    try put([4, 5], late)
    #expect(failure { try writer.finish() }?.message.contains("is there already") == true)
    #expect(try bytes(of: late) == [4, 5])
    #expect(folder.names == ["late.wav", "sound.wav"])
    // A dangling link has the name too.
    #expect(unsafe symlink("nowhere", folder.file("link.wav")) == 0)
    #expect(
      failure { _ = try AudioFileWriter(path: folder.file("link.wav"), format: format) } != nil)
  }

  @Test func overwriting() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("sound.wav")
    try put([1, 2, 3], path)
    unsafe chmod(path, 0o640)
    let writer = try AudioFileWriter(path: path, format: format, overwrite: true)
    try writeSome(writer, 100)
    #expect(try bytes(of: path) == [1, 2, 3])
    try writer.finish()
    #expect(try readFile(path).channels[0].count == 100)
    var status = stat()
    #expect(unsafe lstat(path, &status) == 0 && status.st_mode & 0o777 == 0o640)
    #expect(folder.names == ["sound.wav"])
  }

  @Test func twoWritersOfOneFile() throws {
    let folder = try TemporaryFolder()
    let first = try AudioFileWriter(path: folder.file("sound.wav"), format: format)
    let error = failure { _ = try AudioFileWriter(path: folder.file("sound.wav"), format: format) }
    #expect(error?.message.contains("another job is writing it") == true)
    try writeSome(first, 100)
    try first.finish()
    #expect(folder.names == ["sound.wav"])
  }

  @Test func leftByADeadProcess() throws {
    let folder = try TemporaryFolder()
    try put([9, 9, 9], folder.file(".sound.wav.part"))
    try writeFile(folder.file("sound.wav"), [TestSignal.noise(seed: 1, frameCount: 50)], format)
    #expect(folder.names == ["sound.wav"])
    // Anything but a regular file is not touched.
    let link = folder.file(".linked.wav.part")
    #expect(unsafe symlink(folder.file("sound.wav"), link) == 0)
    let before = try bytes(of: folder.file("sound.wav"))
    let error = failure { _ = try AudioFileWriter(path: folder.file("linked.wav"), format: format) }
    #expect(error?.message.contains("is in the way") == true)
    #expect(try bytes(of: folder.file("sound.wav")) == before)
  }

  @Test func impossiblePlaces() throws {
    let folder = try TemporaryFolder()
    let noFolder = failure {
      _ = try AudioFileWriter(path: folder.file("no/sound.wav"), format: format)
    }
    #expect(noFolder?.category == .inputOutput)
    #expect(noFolder?.message.contains("folder it is to be in does not exist") == true)
    let isFolder = failure { _ = try AudioFileWriter(path: folder.path, format: format) }
    #expect(isFolder?.message.contains("it is a folder") == true)
    #expect(failure { _ = try AudioFileWriter(path: "", format: format) }?.category == .usage)
    let inFile = folder.file("file")
    try put([1], inFile)
    #expect(
      failure { _ = try AudioFileWriter(path: inFile + "/sound.wav", format: format) }?.category
        == .inputOutput)
    #expect(failure { _ = try AudioFileWriter(path: "/proc/sound.wav", format: format) } != nil)
  }

  @Test(.enabled(if: geteuid() != 0, "the superuser may write everywhere"))
  func unwritable() throws {
    let folder = try TemporaryFolder()
    unsafe chmod(folder.path, 0o500)
    defer { unsafe chmod(folder.path, 0o700) }
    let error = failure { _ = try AudioFileWriter(path: folder.file("a.wav"), format: format) }
    #expect(error?.category == .inputOutput)
    #expect(error?.message.contains("permission denied") == true)
  }

  @Test func longNames() throws {
    let folder = try TemporaryFolder()
    let name = String(repeating: "ö", count: 125) + ".wav"
    try writeFile(folder.file(name), [TestSignal.noise(seed: 1, frameCount: 50)], format)
    #expect(folder.names == [name])
  }

  @Test func relativePathsSurviveAChangeOfFolder() throws {
    // The unfinished file's own path is absolute.
    let writer = try AtomicFile(path: "auricle-relative-test", overwrite: true)
    #expect(writer.partPath.hasPrefix("/"))
    writer.cancel()
  }

  /// In a separate process, whose unfinished files all go.
  @Test func interruption() async {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      try writeFile(folder.file("done.wav"), [[0.1, 0.2]], format)
      let one = try AudioFileWriter(path: folder.file("one.wav"), format: format)
      let two = try AtomicFile(path: folder.file("two.wav"), overwrite: false)
      try writeSome(one, 5_000)
      try #require(folder.names == [".one.wav.part", ".two.wav.part", "done.wav"])
      try #require(PartFiles.removeAllFromSignalHandler() == 2)
      try #require(folder.names == ["done.wav"])
      // Going on after that ends in an error, not a file.
      try #require(failure { try one.finish() }?.category == .inputOutput)
      try #require(failure { try two.commit() }?.category == .inputOutput)
      try #require(folder.names == ["done.wav"])
    }
  }
}

@Suite(.serialized) struct FullDiskTests {
  /// A file system of a quarter of a megabyte, when this process may mount one.
  private final class TinyDisk {
    let folder: TemporaryFolder

    init?() throws {
      folder = try TemporaryFolder()
      guard unsafe mount("none", folder.path, "tmpfs", 0, "size=256k") == 0 else { return nil }
    }

    deinit { unsafe umount2(folder.path, Int32(MNT_DETACH)) }
  }

  @Test(arguments: [AudioContainer.wav, .flac, .ogg, .caf, .mp3, .aiff])
  func nothingIsLeft(container: AudioContainer) throws {
    guard let disk = try TinyDisk() else { return }
    let encoding = try #require(container.defaultEncoding)
    let format = AudioFileFormat(
      container: container, encoding: encoding, sampleRate: 48_000, channelCount: 2)
    let noise = TestSignal.noise(seed: 1, amplitude: 0.9, frameCount: 96_000)
    let error = failure {
      let writer = try AudioFileWriter(path: disk.folder.file("sound"), format: format)
      for _ in 0..<200 {
        var rows = [noise, noise]
        try unsafe withRows(&rows) { try unsafe writer.write($0, frameCount: 96_000) }
      }
      try writer.finish()
    }
    #expect(error?.category == .temporary)
    #expect(
      error?.message.contains("no space left on device") == true, "\(String(describing: error))")
    #expect(disk.folder.names.isEmpty)
  }

  /// The disk is full only when the encoder writes its last bytes: found when closing.
  @Test(arguments: [AudioContainer.flac, .ogg, .opus, .mp3, .caf])
  func fullAtTheVeryEnd(container: AudioContainer) throws {
    guard let disk = try TinyDisk() else { return }
    let encoding = try #require(container.defaultEncoding)
    let format = AudioFileFormat(
      container: container, encoding: encoding, sampleRate: 48_000, channelCount: 1)
    let writer = try AudioFileWriter(path: disk.folder.file("sound"), format: format)
    var rows = [TestSignal.noise(seed: 1, amplitude: 0.9, frameCount: 1_000)]
    try unsafe withRows(&rows) { try unsafe writer.write($0, frameCount: 1_000) }
    // Fill all the room that is left.
    let filler = unsafe open(disk.folder.file("filler"), O_WRONLY | O_CREAT, 0o600)
    let block = [UInt8](repeating: 1, count: 4_096)
    while unsafe write(filler, block, block.count) > 0 {}
    close(filler)
    // A part may fit into the last page of the unfinished file; then all is well.
    if let error = failure({ try writer.finish() }) {
      #expect(error.category == .temporary)
      #expect(disk.folder.names == ["filler"])
    } else {
      #expect(try readFile(disk.folder.file("sound")).channels[0].count >= 1_000)
    }
  }

  /// Without the rights to mount: a limit on the size of files, in a separate process.
  @Test func limitOnFileSize() async {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      signal(SIGXFSZ, SIG_IGN)
      var limit = rlimit(rlim_cur: 1_000_000, rlim_max: 1_000_000)
      try #require(unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
      let error = failure {
        let writer = try AudioFileWriter(path: folder.file("sound.wav"), format: format)
        for _ in 0..<20 { try writeSome(writer, 50_000) }
        try writer.finish()
      }
      try #require(error?.category == .inputOutput)
      try #require(error?.message.contains("file too large") == true)
      try #require(folder.names.isEmpty)
    }
  }
}
