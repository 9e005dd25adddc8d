// The page of a report from `Page/`: markup, style sheet and script, embedded in the program.
// SPDX-License-Identifier: Apache-2.0

/// The files of the page. Names of sound files reach its script as data, never as markup.
enum HTMLPage {
  /// The style sheet.
  static let style = String(decoding: PackageResources.page_css, as: UTF8.self)
  /// The script: the part that listens, which other pages use, too, and that of the page.
  static let script = [PackageResources.listening_js, PackageResources.page_js]
    .map { String(decoding: $0, as: UTF8.self) }.joined()

  private static let markup = String(decoding: PackageResources.page_html, as: UTF8.self)
  private static let files = "{{files}}"

  /// The page up to its files, with each `{{name}}` replaced by its value.
  static func head(_ values: [String: String]) -> String {
    filled(markup.components(before: files), values)
  }

  /// The page after its files.
  static var foot: String { filled(markup.components(after: files), [:]) }

  private static func filled(_ text: Substring, _ values: [String: String]) -> String {
    var result = ""
    var rest = text
    while let start = rest.firstRange(of: "{{"),
      let end = rest[start.upperBound...].firstRange(of: "}}")
    {
      result += rest[..<start.lowerBound]
      switch rest[start.upperBound..<end.lowerBound] {
      case "style": result += style
      case "script": result += script
      case let name: result += values[String(name)] ?? ""
      }
      rest = rest[end.upperBound...]
    }
    return result + rest
  }
}

extension String {
  /// The text before a marker; all of it without one.
  fileprivate func components(before marker: String) -> Substring {
    firstRange(of: marker).map { self[..<$0.lowerBound] } ?? self[...]
  }

  /// The text after a marker; nothing without one.
  fileprivate func components(after marker: String) -> Substring {
    firstRange(of: marker).map { self[$0.upperBound...] } ?? ""
  }
}
