// A part of an open file, sent in pieces as the client takes them.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import FlyingSocks
import Glibc
import HostSystem

/// An open file, closed with the last answer that sends it.
private final class SharedFile: Sendable {
  let descriptor: Int32
  init(_ descriptor: Int32) { self.descriptor = descriptor }
  deinit { close(descriptor) }
}

/// Bytes of an open file, all of the same file even if that is replaced meanwhile.
struct FilePart: Sendable, AsyncBufferedSequence {
  typealias Element = UInt8
  private let file: SharedFile
  private let range: Range<Int>

  /// Opens a file.
  ///
  /// - Throws: `.notFound` for one that is not there or no regular file.
  init(_ path: String) throws {
    let descriptor = unsafe path.withFileName {
      unsafe open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    }
    guard descriptor >= 0 else { throw StudioFault(.notFound, "there is no file \(path)") }
    file = SharedFile(descriptor)
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw StudioFault(.notFound, "\(path) is no file")
    }
    range = 0..<Int(status.st_size)
  }

  private init(_ file: SharedFile, _ range: Range<Int>) { (self.file, self.range) = (file, range) }

  /// The number of bytes.
  var count: Int { range.count }

  /// The bytes of a range.
  func part(_ bounds: Range<Int>) -> FilePart {
    FilePart(file, (range.lowerBound + bounds.lowerBound)..<(range.lowerBound + bounds.upperBound))
  }

  func makeAsyncIterator() -> Iterator {
    Iterator(file: file, place: range.lowerBound, end: range.upperBound)
  }

  /// Reads piece after piece.
  struct Iterator: AsyncBufferedIteratorProtocol {
    typealias Element = UInt8
    fileprivate let file: SharedFile
    fileprivate var place: Int
    fileprivate let end: Int

    mutating func next() async throws -> UInt8? { try await nextBuffer(suggested: 1)?.first }

    mutating func nextBuffer(suggested count: Int) async throws -> [UInt8]? {
      guard place < end else { return nil }
      var block = [UInt8](repeating: 0, count: Swift.min(Swift.max(count, 1), end - place))
      let descriptor = file.descriptor
      let offset = off_t(place)
      let read = retrying { unsafe pread(descriptor, &block, block.count, offset) }
      // A file that became shorter: the client notices that bytes are missing.
      guard read > 0 else { throw StudioFault(.inputOutput, "the file became shorter") }
      place += read
      return Array(block[..<read])
    }
  }
}
