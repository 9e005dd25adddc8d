// Files of lines: written in blocks, read line by line in little memory.
// SPDX-License-Identifier: Apache-2.0

package import AudioTypes
import CHostSystem
import Glibc

/// Writes lines into a new file, a block at a time.
package final class LineFileWriter {
  package let path: String
  private let descriptor: Int32
  private var block: [UInt8] = []
  /// Bytes written or about to be.
  package private(set) var length = 0

  package init(path: String) throws(AuricleError) {
    self.path = path
    descriptor = unsafe open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw systemError(errno, "write", path) }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Appends bytes.
  package func write(_ bytes: [UInt8]) throws(AuricleError) {
    block += bytes
    length += bytes.count
    if block.count >= 1 << 16 { try flush() }
  }

  /// Hands everything to the system.
  package func flush() throws(AuricleError) {
    let number = FileTransfer.writeAll(block, to: descriptor)
    guard number == 0 else { throw systemError(number, "write", path) }
    block.removeAll(keepingCapacity: true)
  }

  /// Brings everything to the disk, or leaves that to the caller; the XXH64 of the file.
  package func finish(synchronizes: Bool = true) throws(AuricleError) -> UInt64 {
    try flush()
    var number = synchronizes ? FileTransfer.synchronize(descriptor) : 0
    guard number == 0 else { throw systemError(number, "write", path) }
    var hash: UInt64 = 0
    var count: UInt64 = 0
    number = unsafe AuricleXXH64File(descriptor, &hash, &count)
    guard number == 0 else { throw systemError(number, "read", path) }
    return hash
  }
}

/// Reads lines; the last one only when it is ended by a newline.
package final class LineFileReader {
  package let path: String
  private let descriptor: Int32
  private var block: [UInt8] = []
  private var position = 0
  private var isAtEnd = false
  /// The offset of the line that `next` returned last.
  package private(set) var lineOffset = 0
  private var offset = 0

  package init(path: String) throws(AuricleError) {
    self.path = path
    descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { throw systemError(errno, "read", path) }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// The next line without its newline; nil at the end. A line that is too long is passed over.
  package func next() throws(AuricleError) -> ArraySlice<UInt8>? {
    var searched = position
    var isTooLong = false
    while true {
      if let end = block[searched...].firstIndex(of: 0x0A) {
        let line = block[position..<end]
        lineOffset = offset
        offset += end + 1 - position
        position = end + 1
        if isTooLong {
          isTooLong = false
          searched = position
          continue
        }
        return line
      }
      if isAtEnd { return nil }
      if position > 0 {
        block.removeFirst(position)
        position = 0
      }
      if block.count > CheckedLine.maximumByteCount {
        offset += block.count
        block.removeAll(keepingCapacity: true)
        isTooLong = true
      }
      searched = block.count
      try fill()
    }
  }

  private func fill() throws(AuricleError) {
    let size = 1 << 16
    let start = block.count
    block += repeatElement(0, count: size)
    let count = retrying {
      unsafe block.withUnsafeMutableBytes {
        unsafe read(descriptor, $0.baseAddress?.advanced(by: start), size)
      }
    }
    let number = errno
    block.removeLast(size - max(count, 0))
    if count < 0 { throw systemError(number, "read", path) }
    if count == 0 { isAtEnd = true }
  }

  /// The line that begins at an offset; nil when there is none.
  package func line(at offset: Int) -> ArraySlice<UInt8>? {
    var bytes: [UInt8] = []
    var size = 4096
    while true {
      let wanted = size
      bytes = unsafe [UInt8](unsafeUninitializedCapacity: wanted) { buffer, filled in
        filled = unsafe max(0, pread(descriptor, buffer.baseAddress, wanted, off_t(offset)))
      }
      if let end = bytes.firstIndex(of: 0x0A) { return bytes[..<end] }
      guard bytes.count == size, size <= CheckedLine.maximumByteCount else { return nil }
      size *= 4
    }
  }
}
