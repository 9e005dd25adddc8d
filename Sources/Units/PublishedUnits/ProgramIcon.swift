// The icons of a program: PNG files of several widths.
// SPDX-License-Identifier: Apache-2.0

package import CAudioToolbox
import Glibc
import HostSystem
import Synchronization

/// PNG files as icons.
package enum ProgramIcon {
  private static let mark: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
  private static let mostBytes = 16 << 20

  /// The bytes of a file; nil for one that is no PNG file. Context: control.
  package static func bytes(of path: String) -> [UInt8]? {
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { return nil }
    defer { close(file) }
    guard let bytes = FileTransfer.readAll(file, limit: mostBytes), width(bytes) != nil else {
      return nil
    }
    return bytes
  }

  /// The width in pixels, from the header that every PNG file begins with; nil for other bytes.
  private static func width(_ bytes: [UInt8]) -> UInt32? {
    guard bytes.count >= 24, bytes[..<8].elementsEqual(mark),
      bytes[12..<16].elementsEqual("IHDR".utf8)
    else { return nil }
    return bytes[16..<20].reduce(0) { $0 << 8 | UInt32($1) }
  }

  private static func widths(of paths: [String]) -> [(path: String, width: UInt32)] {
    paths.compactMap { path in bytes(of: path).flatMap(width).map { (path, $0) } }
  }

  /// The file of the widest icon. Context: control.
  package static func largest(of paths: [String]) -> String? {
    widths(of: paths).max { $0.width < $1.width }?.path
  }

  /// The file of the narrowest icon that is at least so wide, else of the widest. Context: control.
  package static func path(of paths: [String], width: Float) -> String? {
    let all = widths(of: paths)
    return all.filter { Float($0.width) >= width }.min { $0.width < $1.width }?.path
      ?? all.max { $0.width < $1.width }?.path
  }

  /// The bytes of a file as an object that the caller releases; nil for one that is no PNG file. Context: control.
  package static func data(of path: String) -> CFDataRef? {
    guard let bytes = bytes(of: path) else { return nil }
    return unsafe CFDataCreate(nil, bytes, CFIndex(bytes.count))
  }

  /// Icons that were returned without ownership, by their files.
  private static let kept = Mutex<[String: UInt]>([:])

  /// The bytes of a file as an object that lives as long as the process. Context: control.
  package static func keptData(of path: String) -> CFDataRef? {
    let bits = kept.withLock { kept -> UInt in
      if let known = kept[path] { return known }
      let made = unsafe UInt(bitPattern: data(of: path))
      if made != 0 { kept[path] = made }
      return made
    }
    return unsafe CFDataRef(bitPattern: bits)
  }
}
