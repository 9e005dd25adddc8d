// The URL of a program: opening it brings the program to the front.
// SPDX-License-Identifier: Apache-2.0

package import CAudioToolbox
import HostSystem

/// URLs of programs, as text.
package enum ProgramURL {
  /// The URL of this process as a host: that in `AURICLE_HOST_URL`, else that of its file. Context: control.
  package static var ofHost: String {
    RuntimeFolder.environmentVariable("AURICLE_HOST_URL") ?? file(of: "/proc/self/exe")
  }

  /// The URL of a program that publishes a unit: that of its entry, else that of its file; empty for none. Context: control.
  package static func of(_ entry: ProgramEntry) -> String {
    if !entry.url.isEmpty { return entry.url }
    let running = entry.process > 0 ? file(of: "/proc/\(entry.process)/exe") : ""
    return running.isEmpty ? entry.command.first.map { file(of: $0) } ?? "" : running
  }

  /// The URL of a file, with links followed; empty for a path that is none, and for a name without a folder.
  private static func file(of path: String) -> String {
    guard Path.isFromRoot(path), let real = FileIdentity.realPath(path) else { return "" }
    let plain = Set("/-._~".utf8)
    return real.utf8.reduce(into: "file://") { text, byte in
      let isPlain =
        plain.contains(byte) || (48...57).contains(byte) || (65...90).contains(byte)
        || (97...122).contains(byte)
      text += isPlain ? String(UnicodeScalar(byte)) : "%" + Hexadecimal.text(UInt64(byte)).suffix(2)
    }
  }

  /// A URL as an object that the caller releases; nil for a text that is none. Context: control.
  package static func object(_ text: String) -> CFURLRef? {
    guard !text.isEmpty else { return nil }
    let bytes = Array(text.utf8)
    return unsafe CFURLCreateWithBytes(
      nil, bytes, CFIndex(bytes.count), kCFStringEncodingUTF8, nil)
  }
}
