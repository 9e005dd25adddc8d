// The time of writing in RF64 files, which the library does not let one leave out.
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The peak chunk of RF64 files, and of WAV files that were prepared to become such.
enum PeakTime {
  /// Sets the time to 0: the same sound gives the same bytes.
  static func clear(_ stream: FileStream) {
    var position = 12
    for _ in 0..<100 {
      let name = readBytes(stream.descriptor, at: position, count: 4)
      guard name.count == 4, !name.elementsEqual("data".utf8),
        let size = SizeWalk.integer(stream, at: position + 4, bytes: 4, bigEndian: false)
      else { return }
      if name.elementsEqual("PEAK".utf8), size >= 8 {
        var zero: UInt32 = 0
        _ = stream.seek(position + 12, SEEK_SET)
        _ = unsafe stream.write(from: &zero, 4)
        return
      }
      position += 8 + size + (size & 1)
    }
  }
}
