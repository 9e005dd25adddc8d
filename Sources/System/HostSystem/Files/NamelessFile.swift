// Files without a name, for data that is too much for memory; gone with the process.
// SPDX-License-Identifier: Apache-2.0

package import AudioTypes
import Glibc

/// Makes temporary files that no folder shows.
package enum NamelessFile {
  /// An open one, in the folder for temporary files; the caller closes it.
  package static func make() throws(AuricleError) -> Int32 {
    try make(in: unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp")
  }

  /// An open one in some folder; the caller closes it.
  package static func make(in folder: String) throws(AuricleError) -> Int32 {
    var template = Array((Path.joining(folder, ".auricle-XXXXXX")).utf8CString)
    let descriptor = unsafe mkstemp(&template)
    guard descriptor >= 0 else { throw systemError(errno, "write into", folder) }
    unsafe unlink(template)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    return descriptor
  }
}
