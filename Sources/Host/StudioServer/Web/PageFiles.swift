// The files of the page, as they are installed.
// SPDX-License-Identifier: Apache-2.0

import AuricleHost
import HostSystem

/// The files of the page in their folder.
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
    let parts = parts.isEmpty ? ["index.html"] : parts
    guard let folder else {
      guard parts == ["index.html"] else {
        return .fault(StudioFault(.notFound, "the files of the page are not installed"))
      }
      return .bytes(
        Array("The files of the page are not installed: share/auricle/studio is missing.\n".utf8),
        type: "text/plain; charset=utf-8")
    }
    let path = folder + "/" + parts.joined(separator: "/")
    guard parts.allSatisfy({ !$0.isEmpty && !$0.hasPrefix(".") && !$0.contains("/") }),
      let type = Self.types[Path.fileExtension(of: path)], let stamp = FileStamp(path: path),
      FileIdentity.of(path)?.kind == .file,
      var answer = try? Answer.file(path, type: type, range: nil)
    else {
      return .fault(StudioFault(.notFound, "the page has no file \(parts.joined(separator: "/"))"))
    }
    let tag = "\"\(stamp.byteCount)-\(stamp.modified)\""
    if question.headers["if-none-match"] == tag { answer = Answer(status: 304, type: type) }
    answer.headers += [("ETag", tag), ("Cache-Control", "no-cache")]
    return answer
  }
}
