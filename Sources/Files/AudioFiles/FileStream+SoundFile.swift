// An open file as the file library reads and writes it.
// SPDX-License-Identifier: Apache-2.0

import AudioFileParsing
import CSndFile

extension FileStream {
  /// The functions the library calls; `context` is an unretained `FileStream`.
  static func makeCallbacks() -> SF_VIRTUAL_IO {
    var callbacks = SF_VIRTUAL_IO()
    unsafe callbacks.get_filelen = { context in
      unsafe Int64(FileStream.from(context)?.length ?? -1)
    }
    unsafe callbacks.seek = { offset, whence, context in
      unsafe Int64(FileStream.from(context)?.seek(Int(offset), whence) ?? -1)
    }
    unsafe callbacks.read = { pointer, count, context in
      guard let pointer = unsafe pointer, let stream = unsafe FileStream.from(context) else {
        return 0
      }
      return unsafe Int64(stream.read(into: pointer, Int(count)))
    }
    unsafe callbacks.write = { pointer, count, context in
      guard let pointer = unsafe pointer, let stream = unsafe FileStream.from(context) else {
        return 0
      }
      return unsafe Int64(stream.write(from: pointer, Int(count)))
    }
    unsafe callbacks.tell = { context in
      unsafe Int64(FileStream.from(context)?.position ?? -1)
    }
    return callbacks
  }
}
