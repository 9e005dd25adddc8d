// The files of the page, as they are installed.
// SPDX-License-Identifier: Apache-2.0

import AuricleHost
import Foundation
import HostSystem

/// The files of the page in their folder.
///
/// The page names them by a path with a mark that changes with any of them: a browser keeps them for good, and asks for
/// the page alone.
struct PageFiles: Sendable {
  /// The folder; nil where none is installed.
  let folder: String?

  private static let types = [
    "html": "text/html; charset=utf-8", "js": "text/javascript; charset=utf-8",
    "mjs": "text/javascript; charset=utf-8", "css": "text/css; charset=utf-8",
    "svg": "image/svg+xml", "png": "image/png", "ico": "image/x-icon",
    "json": "application/json; charset=utf-8", "txt": "text/plain; charset=utf-8",
    "woff2": "font/woff2", "webmanifest": "application/manifest+json",
  ]

  /// Finds the folder: the one of `AURICLE_STUDIO_PAGE`, the installed one, or the one of the source tree.
  init(program: String) {
    var places = [RuntimeFolder.environmentVariable("AURICLE_STUDIO_PAGE")].compactMap(\.self)
    let folder = Path.folder(of: program)
    places.append(folder + "/../share/auricle/studio")
    var above = folder
    while above.count > 1 {
      places.append(above + "/Sources/Host/StudioServer/Page")
      above = Path.folder(of: above)
    }
    self.folder = places.first { FileIdentity.of($0 + "/index.html") != nil }
  }

  /// A file of the page.
  ///
  /// - Parameter parts: Its path; empty for the page itself.
  func answer(_ parts: [String], _ question: Question) -> Answer {
    let isPage = parts.isEmpty || parts == ["index.html"]
    guard let folder else {
      guard isPage else {
        return .fault(StudioFault(.notFound, "the files of the page are not installed"))
      }
      return .bytes(
        Array("The files of the page are not installed: share/auricle/studio is missing.\n".utf8),
        type: "text/plain; charset=utf-8")
    }
    if isPage { return page(folder, question) }
    let isMarked = parts.count > 1 && parts[0].hasPrefix(Self.markPrefix)
    let lasts = isMarked && parts[0] == Self.mark(of: folder)
    let parts = parts.dropFirst(isMarked ? 1 : 0)
    let path = folder + "/" + parts.joined(separator: "/")
    guard parts.allSatisfy({ !$0.isEmpty && !$0.hasPrefix(".") && !$0.contains("/") }),
      let type = Self.types[Path.fileExtension(of: path)], let stamp = FileStamp(path: path),
      FileIdentity.of(path)?.kind == .file,
      let answer = try? Answer.file(path, type: type, range: nil)
    else {
      return .fault(StudioFault(.notFound, "the page has no file \(parts.joined(separator: "/"))"))
    }
    return Self.kept(answer, "\(stamp.byteCount)-\(stamp.modified)", question, lasts: lasts)
  }

  /// The page itself, which names the files as they are now.
  private func page(_ folder: String, _ question: Question) -> Answer {
    let mark = Self.mark(of: folder)
    guard let file = try? HostSystem.FileDescriptor(opening: folder + "/index.html"),
      let bytes = FileTransfer.readAll(file.number, limit: 1 << 20)
    else { return .fault(StudioFault(.notFound, "the page cannot be read")) }
    let text = String(decoding: bytes, as: UTF8.self)
      .replacingOccurrences(of: "\"/page/", with: "\"/page/\(mark)/")
    return Self.kept(
      .bytes(Array(text.utf8), type: Self.types["html"] ?? ""), mark, question, lasts: false)
  }

  /// An answer that a browser keeps: for good, or until it has asked whether there is another.
  private static func kept(
    _ answer: Answer, _ name: String, _ question: Question, lasts: Bool
  ) -> Answer {
    let tag = "\"\(name)\""
    var answer = answer
    if question.headers["if-none-match"] == tag { answer = Answer(status: 304, type: answer.type) }
    let keeping = lasts ? "private, max-age=31536000, immutable" : "no-cache"
    answer.headers += [("ETag", tag), ("Cache-Control", keeping)]
    return answer
  }

  private static let markPrefix = "v-"

  /// The mark of all files as they are now, which is a part of their paths.
  private static func mark(of folder: String) -> String {
    let lines = FolderListing.names(in: folder).sorted().map { name in
      let stamp = FileStamp(path: Path.joining(folder, name))
      return "\(name) \(stamp?.byteCount ?? 0) \(stamp?.modified ?? 0)\n"
    }
    return markPrefix + ContentMark.text(lines.joined().utf8)
  }
}
