// Where the links of a report's page lead to: inputs and results, from where the page lies.
// SPDX-License-Identifier: Apache-2.0

import HostSystem
import RunLedgers

/// Makes links to files.
struct FileLinks {
  /// The folder that the page is written into; nil where nobody knows, and links name the whole path.
  private let page: [Substring]?
  private let inputs: String
  private let results: String

  /// - Parameters:
  ///   - manifest: The run: inputs are named from the folder that it was begun in.
  ///   - page: The file that the page is written to; nil where that is not known.
  init(_ manifest: RunManifest, page: String?) {
    let here = WorkingFolder.path ?? ""
    inputs = manifest.workingFolder
    results = here
    self.page = page.map { Self.parts(Self.whole($0, from: here)).dropLast() }
  }

  /// The link to an input; nil where its place is not known.
  func input(_ path: String) -> String? { link(Self.whole(path, from: inputs)) }

  /// The link to a result.
  func result(_ path: String) -> String? { link(Self.whole(path, from: results)) }

  private func link(_ path: String) -> String? {
    guard path.hasPrefix("/") else { return nil }
    let parts = Self.parts(path)
    guard let page else { return "file:///" + parts.map(Self.encoded).joined(separator: "/") }
    var shared = 0
    while shared < min(page.count, parts.count - 1), page[shared] == parts[shared] { shared += 1 }
    let up = [String](repeating: "..", count: page.count - shared)
    return (up + parts[shared...].map(Self.encoded)).joined(separator: "/")
  }

  private static func whole(_ path: String, from folder: String) -> String {
    path.hasPrefix("/") ? path : folder + "/" + path
  }

  /// The parts of a path, with `.` and `..` resolved by their names.
  private static func parts(_ path: String) -> [Substring] {
    var parts: [Substring] = []
    for part in path.split(separator: "/") where part != "." {
      if part == ".." { parts = parts.dropLast() } else { parts.append(part) }
    }
    return parts
  }

  /// A name in the form of a link: all but letters, digits and `-._~` by the numbers of its bytes.
  private static func encoded(_ name: Substring) -> String {
    var text = ""
    for byte in FileNameText.bytes(String(name)) {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "_"), UInt8(ascii: "~"):
        text.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        text += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }
    return text
  }
}
