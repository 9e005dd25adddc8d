// The bytes of an open file on the disk, independent of its decoder's view.
// SPDX-License-Identifier: Apache-2.0

import AudioFilePackets
import AudioFileParsing
import Glibc
import HostSystem

/// The bytes of an open file as they are on the disk, independent of its decoder's view; for reading.
final class StoredBytes: ByteStore {
  private let stream: FileStream
  let byteCount: Int64

  /// The bytes of a stream, as many as it has now.
  init(_ stream: FileStream) {
    self.stream = stream
    byteCount = Int64(stream.origin + stream.length)
  }

  func read(
    at position: Int64, into buffer: UnsafeMutableRawBufferPointer
  ) throws(AudioFileFailure) -> Int {
    guard position >= 0 else { throw .parameter }
    var done = 0
    let count = min(buffer.count, Int(max(0, byteCount - position)))
    while done < count {
      let step = retrying {
        unsafe pread(
          stream.descriptor, buffer.baseAddress.map { unsafe $0 + done }, count - done,
          off_t(position) + done)
      }
      guard step >= 0 else {
        stream.record(errno)
        throw .unspecified
      }
      if step == 0 { break }
      done += step
    }
    return done
  }

  func write(_ bytes: UnsafeRawBufferPointer, at position: Int64) throws(AudioFileFailure) {
    throw .permission
  }

  func resize(to byteCount: Int64) throws(AudioFileFailure) { throw .permission }
}
