// Rows of samples in memory that two processes share.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import Glibc
import HostSystem

/// Planar samples in an open file in memory, mapped as long as this lives: a row for each channel, one behind the other.
///
/// Context: control.
@safe final class SharedRows {
  /// One pointer for each channel.
  let rows: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  private let place: UnsafeMutableRawPointer
  private let byteCount: Int

  /// Maps rows behind a header.
  ///
  /// - Throws: When the file is too short for them, or cannot be mapped.
  init(
    _ descriptor: Int32, channelCount: Int, frameCount: Int, headerSize: Int = 0
  ) throws(AuricleError) {
    let (samples, overflows) = channelCount.multipliedReportingOverflow(by: 4 * frameCount)
    byteCount = headerSize + samples
    var status = stat()
    // Memory behind the end of a file ends the process that reads it.
    guard !overflows, unsafe fstat(descriptor, &status) == 0, status.st_size >= byteCount else {
      throw AuricleError(.usage, "the shared memory is smaller than the sound")
    }
    guard
      let place = unsafe mmap(nil, byteCount, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0),
      unsafe place != MAP_FAILED
    else { throw systemError(errno, "map", "memory") }
    unsafe self.place = place
    unsafe rows = .allocate(capacity: channelCount)
    for channel in 0..<channelCount {
      unsafe (rows + channel).initialize(
        to: (place + headerSize + 4 * channel * frameCount)
          .bindMemory(to: Float.self, capacity: frameCount))
    }
  }

  deinit {
    unsafe rows.deallocate()
    unsafe munmap(place, byteCount)
  }

  /// The header in front of the rows.
  var header: UnsafeMutableRawPointer { unsafe place }

  /// Makes a file as large as rows, and writes them.
  static func write(_ rows: [[Float]], to descriptor: Int32) throws(AuricleError) {
    let count = rows.first?.count ?? 0
    guard ftruncate(descriptor, off_t(4 * count * rows.count)) == 0 else {
      throw systemError(errno, "write", "memory")
    }
    let memory = try SharedRows(descriptor, channelCount: rows.count, frameCount: count)
    for (channel, row) in rows.enumerated() {
      for index in 0..<count { unsafe memory.rows[channel][index] = row[index] }
    }
  }
}
