// The text of a guide, for tests that take it literally.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// A page of `docs/guides`.
struct Guide {
  private let text: String

  init(_ name: String) throws {
    text = try String(contentsOfFile: Places.inPackage("docs/guides/" + name), encoding: .utf8)
  }

  /// The first block of code in a language.
  func block(_ language: String) throws -> String {
    let start = try #require(text.range(of: "```\(language)\n"))
    let end = try #require(text.range(of: "```", range: start.upperBound..<text.endIndex))
    return String(text[start.upperBound..<end.lowerBound])
  }
}
