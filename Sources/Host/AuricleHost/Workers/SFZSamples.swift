// The files that an SFZ file names: a run is tied to them as to the file.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostSystem

/// Finds the sounds of SFZ files, and the files that these include.
enum SFZSamples {
  /// Bytes of a file that are read at most, and files that one includes.
  private static let (mostBytes, mostFiles) = (1 << 24, 256)

  /// The paths of the files that a file names and that are there. Context: control.
  static func paths(in path: String) -> [String] {
    let folder = ParentFolder.of(path) + "/"
    var text = ""
    var files = [path]
    var read = 0
    while read < files.count, read < mostFiles {
      let part = contents(files[read])
      read += 1
      text += part + "\n"
      for found in part.matches(of: #/#include\s*"([^"]*)"/#) {
        let file = folder + String(found.output.1).replacing("\\", with: "/")
        if !files.contains(file) { files.append(file) }
      }
    }
    let definitions = text.matches(of: #/#define\s+(\$\S+)\s+(\S+)/#)
      .map { (name: String($0.output.1), value: String($0.output.2)) }
    for definition in definitions.sorted(by: { $0.name.count > $1.name.count }) {
      text = text.replacing(definition.name, with: definition.value)
    }
    let starts = [""] + values(of: "default_path", in: text)
    let names = Set(values(of: "sample", in: text))
    let sounds = Set(names.flatMap { name in starts.map { folder + $0 + name } })
    return sounds.union(files.dropFirst())
      .map { URL(fileURLWithPath: $0).standardizedFileURL.path }
      .filter { FileIdentity.of($0)?.kind == .file }.sorted()
  }

  private static func contents(_ path: String) -> String {
    guard let size = FileIdentity.of(path)?.stamp.byteCount, size <= mostBytes,
      let data = FileManager.default.contents(atPath: path)
    else { return "" }
    return String(decoding: data, as: UTF8.self)
  }

  /// The values of an opcode: each extends, spaces included, to the next opcode, a header or the end of the line.
  private static func values(of opcode: String, in text: String) -> [String] {
    text.split(whereSeparator: \.isNewline).flatMap { line in
      line.matches(of: #/(?i)(?:^|[\s>])([a-z_]+)=([^<]*?)(?=\s+[A-Za-z_0-9]+=|\s*<|\s*//|\s*$)/#)
        .filter { $0.output.1.lowercased() == opcode }
        .map { String($0.output.2).replacing("\\", with: "/") }
    }
  }
}
