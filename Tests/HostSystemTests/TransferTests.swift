// Whole reads and writes, through any partial ones of the system.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import Foundation
import Glibc
import HostSystem
import Synchronization
import TestSupport
import Testing

@Suite struct TransferTests {
  /// Makes a pipe whose writing end accepts little at once.
  private func pipeEnds() throws -> (read: Int32, write: Int32) {
    var ends: [Int32] = [-1, -1]
    try #require(unsafe pipe(&ends) == 0)
    return (ends[0], ends[1])
  }

  /// The writer is a separate thread: a task might wait for the very thread that reads.
  @Test func aPipeReadsAndWritesAllInParts() throws {
    let ends = try pipeEnds()
    let bytes = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let written = Atomic<Int32>(-1)
    let isDone = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      written.store(FileTransfer.writeAll(bytes, to: ends.write), ordering: .relaxed)
      close(ends.write)
      isDone.signal()
    }
    let read = FileTransfer.readAll(ends.read)
    close(ends.read)
    isDone.wait()
    #expect(written.load(ordering: .relaxed) == 0)
    #expect(read == bytes)
  }

  @Test func readingStopsAtItsLimitOrTheEnd() throws {
    let file = try NamelessFile.make()
    defer { close(file) }
    #expect(FileTransfer.writeAll([1, 2, 3, 4, 5], to: file, at: 2) == 0)
    lseek(file, 0, SEEK_SET)
    #expect(FileTransfer.readAll(file, limit: 4) == [0, 0, 1, 2])
    #expect(FileTransfer.readAll(file) == [3, 4, 5])
    #expect(FileTransfer.readAll(file) == [])
    lseek(file, 5, SEEK_SET)
    var memory = [UInt8](repeating: 9, count: 4)
    let count = unsafe memory.withUnsafeMutableBytes { unsafe FileTransfer.read(file, into: $0) }
    #expect(count == 2 && memory == [4, 5, 9, 9])
  }

  @Test func failuresAreTheirNumbers() throws {
    let full = try FileDescriptor(opening: "/dev/full", O_WRONLY)
    #expect(FileTransfer.writeAll([1], to: full.number) == ENOSPC)
    #expect(FileTransfer.writeAll([1], to: full.number, at: 7) == ENOSPC)
    #expect(FileTransfer.writeAll([], to: full.number) == 0)
    #expect(FileTransfer.readAll(-1) == nil)
    #expect(FileTransfer.writeAll([1], to: -1) == EBADF)
    let reading = try FileDescriptor(opening: "/dev/null")
    #expect(FileTransfer.writeAll([1], to: reading.number) == EBADF)
  }

  @Test func anInterruptedCallIsMadeAgain() {
    var calls = 0
    let result: Int32 = retrying {
      calls += 1
      errno = EINTR
      return calls < 4 ? -1 : 7
    }
    #expect(result == 7 && calls == 4)
    let failed: Int = retrying {
      errno = EIO
      return -1
    }
    #expect(failed == -1 && errno == EIO)
  }

  @Test func aDescriptorClosesItsFileOnceAndForItsOwnerAlone() throws {
    let folder = try TemporaryFolder("auricle-descriptor")
    try folder.write("x", to: "a")
    let released = try FileDescriptor(opening: folder("a")).release()
    #expect(fcntl(released, F_GETFD) & FD_CLOEXEC != 0)
    close(released)
    if FileDescriptor(ifReadable: folder("none")) != nil {
      Issue.record("a file that is not there")
    }
    let error = #expect(throws: AuricleError.self) {
      _ = try FileDescriptor(opening: folder("none"))
    }
    #expect(error?.category == .noInput && error?.cause == .errno(ENOENT))
  }

  @Test(
    arguments: [
      (ENOSPC, "write", .temporary), (EACCES, "read", .inputOutput), (ENOENT, "read", .noInput),
      (ENOENT, "write", .inputOutput), (EIO, "read", .inputOutput), (EIO, "write", .temporary),
      (EMFILE, "read", .temporary),
    ] as [(Int32, String, AuricleError.Category)])
  func systemErrorsSayWhatAndWhere(number: Int32, verb: String, category: AuricleError.Category) {
    let error = systemError(number, verb, "talk.wav")
    #expect(error.category == category && error.cause == .errno(number))
    #expect(error.message.contains("talk.wav"))
  }
}
