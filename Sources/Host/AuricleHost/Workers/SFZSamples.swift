// The sounds that an SFZ file names: a run is tied to them as to the file.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostSystem

/// Finds the sounds of SFZ files.
enum SFZSamples {
  /// Bytes of a file that are read at most.
  private static let mostBytes = 1 << 24

  /// The paths of the sounds that a file names and that are there. Context: control.
  static func paths(in path: String) -> [String] {
    guard let size = FileIdentity.of(path)?.stamp.byteCount, size <= mostBytes,
      let data = FileManager.default.contents(atPath: path)
    else { return [] }
    let text = String(decoding: data, as: UTF8.self)
    let folder = ParentFolder.of(path) + "/"
    let starts = [""] + values(of: "default_path", in: text)
    let names = Set(values(of: "sample", in: text))
    return Set(names.flatMap { name in starts.map { folder + $0 + name } })
      .filter { FileIdentity.of($0)?.kind == .file }.sorted()
  }

  /// The values of an opcode: each goes on, spaces included, until the next opcode, a header or the end of the line.
  private static func values(of opcode: String, in text: String) -> [String] {
    text.split(whereSeparator: \.isNewline).flatMap { line in
      line.matches(of: #/(?i)(?:^|[\s>])([a-z_]+)=([^<]*?)(?=\s+[A-Za-z_0-9]+=|\s*<|\s*//|\s*$)/#)
        .filter { $0.output.1.lowercased() == opcode }
        .map { String($0.output.2).replacing("\\", with: "/") }
    }
  }
}
