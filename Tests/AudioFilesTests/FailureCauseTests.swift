// Causes of failures of files, for code that decides by them.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import AudioTypes
import Glibc
import HostSystem
import TestSupport
import Testing

@Suite struct FailureCauseTests {
  private static let format = AudioFileFormat(
    container: .wav, encoding: .pcm16, sampleRate: 48_000, channelCount: 1)

  @Test(arguments: [
    (ENOENT, "read", AuricleError.Category.noInput), (EACCES, "write", .inputOutput),
    (ENOSPC, "write", .temporary), (EIO, "verify", .temporary), (EIO, "read", .inputOutput),
    (EMFILE, "read", .temporary), (EINVAL, "write", .inputOutput),
  ])
  func systemErrorsCarryTheirNumber(
    number: Int32, verb: String, category: AuricleError.Category
  ) {
    let error = systemError(number, verb, "a.wav")
    #expect(error.cause == .errno(number))
    #expect(error.category == category)
    #expect(error.message.contains("a.wav"))
  }

  @Test func missingFilesAndFolders() throws {
    let folder = try TemporaryFolder()
    #expect(
      failure { _ = try AudioFileReader(path: folder.file("no.wav")) }?.cause == .errno(ENOENT))
    let unwritten = failure {
      _ = try AudioFileWriter(path: folder.file("no/a.wav"), format: Self.format)
    }
    #expect(unwritten?.cause == .errno(ENOENT))
  }

  @Test func aDescriptorThatCannotBeWritten() throws {
    let folder = try TemporaryFolder()
    try put([], folder.file("a.wav"))
    let descriptor = unsafe open(folder.file("a.wav"), O_RDONLY)
    defer { close(descriptor) }
    let error = failure {
      let writer = try AudioFileWriter(
        descriptor: descriptor, path: "a.wav", format: Self.format)
      var sound = [[Float](repeating: 0.5, count: 100_000)]
      try unsafe withRows(&sound) { try unsafe writer.write($0, frameCount: 100_000) }
      try writer.finish()
    }
    #expect(error?.cause == .errno(EBADF), "\(String(describing: error))")
  }

  @Test func tracksThatAreNotThere() throws {
    let folder = try TemporaryFolder()
    try writeFile(folder.file("a.wav"), [[0.5, 0.25]], Self.format)
    let error = failure {
      _ = try AudioFileReader(
        descriptor: InputFile.open(folder.file("a.wav")), path: "a.wav", track: 2)
    }
    #expect(error?.cause == .noSuchTrack)
    #expect(error?.message.contains("--track") == true)
  }

  /// Neither of damage nor of files of no known kind does code have to know more.
  @Test func damageHasNoCause() throws {
    let folder = try TemporaryFolder()
    try put(Array("no sound at all".utf8), folder.file("text"))
    let error = failure { _ = try AudioFileReader(path: folder.file("text")) }
    #expect(error?.category == .badData)
    #expect(error?.cause == nil)
  }
}
