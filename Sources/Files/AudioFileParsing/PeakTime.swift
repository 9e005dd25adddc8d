// Clears the time of writing in RF64 and MAT files, which the file library always writes.
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The peak chunk of RF64 files, and of WAV files that were prepared to become such.
package enum PeakTime {
  /// Sets the time to 0: the same sound makes the same bytes.
  package static func clear(_ stream: FileStream) {
    var position = 12
    for _ in 0..<100 {
      let name = stream.bytes(at: position, count: 4)
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

/// The text at the beginning of MAT files of version 5.
package enum MatrixTime {
  /// Leaves the time out: the same sound makes the same bytes.
  package static func clear(_ stream: FileStream) {
    let text = Array(stream.bytes(at: 0, count: 116))
    guard text.starts(with: "MATLAB".utf8), let comma = text.lastIndex(of: UInt8(ascii: ",")),
      let end = text[comma...].firstIndex(of: 0)
    else { return }
    var spaces = [UInt8](repeating: UInt8(ascii: " "), count: end - comma)
    _ = stream.seek(comma, SEEK_SET)
    _ = unsafe stream.write(from: &spaces, spaces.count)
  }
}
