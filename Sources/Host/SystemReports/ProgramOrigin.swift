// The origin of the program: its commit and its build id.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostSystem

/// The origin of a program.
enum ProgramOrigin {
  /// The commit that an installation names, or that of the source tree around the program; nil for neither.
  static func commit(of executable: String) -> String? {
    var folder = Path.folder(of: executable)
    if let text = line(folder + "/../share/auricle/commit") { return text }
    while folder.count > 1 {
      if FileManager.default.fileExists(atPath: folder + "/Package.swift") {
        return head(of: folder + "/.git")
      }
      folder = Path.folder(of: folder)
    }
    return nil
  }

  private static func head(of repository: String) -> String? {
    guard let head = line(repository + "/HEAD") else { return nil }
    guard head.hasPrefix("ref: ") else { return head }
    let name = String(head.dropFirst(5))
    if let commit = line(repository + "/" + name) { return commit }
    let packed = (try? String(contentsOfFile: repository + "/packed-refs", encoding: .utf8)) ?? ""
    return packed.split(separator: "\n").first { $0.hasSuffix(" " + name) }
      .map { String($0.prefix { $0 != " " }) }
  }

  private static func line(_ path: String) -> String? {
    let text = try? String(contentsOfFile: path, encoding: .utf8)
    return text?.split(separator: "\n").first.map(String.init)
  }

  /// The build id of a binary in hexadecimal digits; nil for none.
  static func buildID(of path: String) -> String? {
    guard let file = FileDescriptor(ifReadable: path),
      let bytes = FileTransfer.readAll(file.number, limit: 1 << 16)
    else { return nil }
    // The note: length of the name (4), length of the id (20), type 3, "GNU".
    let mark: [UInt8] = [4, 0, 0, 0, 20, 0, 0, 0, 3, 0, 0, 0, 0x47, 0x4E, 0x55, 0]
    guard let place = bytes.indices.first(where: { bytes[$0...].starts(with: mark) }),
      place + mark.count + 20 <= bytes.count
    else { return nil }
    return bytes[(place + mark.count)..<(place + mark.count + 20)].map {
      let digits = String($0, radix: 16)
      return digits.count < 2 ? "0" + digits : digits
    }.joined()
  }
}
