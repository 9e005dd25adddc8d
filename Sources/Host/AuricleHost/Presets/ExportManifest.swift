// SHA256SUMS of an exported folder: writes and verifies it.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import Foundation
import HostSystem
import RunReports

/// The list of files with their checksums, in the form of `sha256sum`.
package enum ExportManifest {
  static let fileName = "SHA256SUMS"

  /// Writes the list.
  static func write(_ files: [String], in folder: String) throws(AuricleError) {
    var text = ""
    for name in files {
      guard let sum = sum(of: folder + "/" + name) else {
        throw AuricleError(.inputOutput, "\(folder)/\(name) cannot be read")
      }
      text += "\(sum)  \(name)\n"
    }
    do {
      try text.write(toFile: folder + "/" + fileName, atomically: true, encoding: .utf8)
    } catch { throw AuricleError(.inputOutput, "\(folder)/\(fileName) cannot be written") }
  }

  /// Whether a path is an exported folder.
  package static func isExport(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: path + "/" + fileName)
  }

  /// Sentences about files that changed since they were written.
  package static func problems(in folder: String) -> [String] {
    guard let data = FileManager.default.contents(atPath: folder + "/" + fileName) else {
      return ["\(folder)/\(fileName) cannot be read"]
    }
    var problems: [String] = []
    var listed: Set<String> = [fileName]
    for line in String(decoding: data, as: UTF8.self).split(separator: "\n") {
      guard let match = line.wholeMatch(of: /([0-9a-f]{64}) [ *](.+)/) else {
        problems.append("\(folder)/\(fileName): a line is not a checksum and a name")
        continue
      }
      let name = String(match.2)
      if name.hasPrefix("/") || name.split(separator: "/").contains("..") {
        problems.append("\(folder)/\(fileName): \(name) is outside of the folder")
        continue
      }
      listed.insert(name)
      guard let sum = sum(of: folder + "/" + name) else {
        problems.append("\(folder)/\(name) is missing; copy the folder again")
        continue
      }
      if sum != String(match.1) {
        problems.append("\(folder)/\(name) is not as it was exported; copy the folder again")
      }
    }
    for name in (FileManager.default.subpaths(atPath: folder) ?? []).sorted() {
      var isFolder: ObjCBool = false
      _ = unsafe FileManager.default.fileExists(atPath: folder + "/" + name, isDirectory: &isFolder)
      if !isFolder.boolValue, !listed.contains(name) {
        problems.append("\(folder)/\(name) was not exported with the rest; remove it")
      }
    }
    return problems
  }

  private static func sum(of path: String) -> String? {
    guard let data = FileManager.default.contents(atPath: path) else { return nil }
    return SHA256.sum(Array(data)).map { byte in
      let digits = String(byte, radix: 16)
      return digits.count == 1 ? "0" + digits : digits
    }.joined()
  }
}
