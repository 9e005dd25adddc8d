// The bytes of an open file as containers of packets read and write them.
// SPDX-License-Identifier: Apache-2.0

import AudioFilePackets
import AudioFileParsing
import Glibc
import HostSystem

/// A stream as a store of bytes; the system's errors are noted in the stream.
final class StreamStore: ByteStore {
  private let stream: FileStream

  init(_ stream: FileStream) { self.stream = stream }

  var byteCount: Int64 {
    get throws(AudioFileFailure) { Int64(stream.length) }
  }

  func read(
    at position: Int64, into buffer: UnsafeMutableRawBufferPointer
  ) throws(AudioFileFailure) -> Int {
    guard let start = buffer.baseAddress else { return 0 }
    guard stream.seek(Int(position), SEEK_SET) >= 0 else { throw .parameter }
    let count = unsafe stream.read(into: start, buffer.count)
    guard stream.failure == 0 else { throw .unspecified }
    return count
  }

  func write(_ bytes: UnsafeRawBufferPointer, at position: Int64) throws(AudioFileFailure) {
    guard let start = bytes.baseAddress else { return }
    guard stream.seek(Int(position), SEEK_SET) >= 0 else { throw .parameter }
    guard unsafe stream.write(from: start, bytes.count) == bytes.count else { throw .unspecified }
  }

  func resize(to byteCount: Int64) throws(AudioFileFailure) {
    guard retrying({ ftruncate(stream.descriptor, off_t(byteCount)) }) == 0 else {
      stream.record(errno)
      throw .unspecified
    }
    stream.setLength(Int(byteCount))
  }
}
