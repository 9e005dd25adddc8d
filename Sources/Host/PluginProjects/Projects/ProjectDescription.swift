// The name and codes of a new plug-in: the answers that its templates are filled in with.
// SPDX-License-Identifier: Apache-2.0

package import AudioTypes

/// A plug-in to be made.
package struct ProjectDescription: Sendable {
  /// The title for people: "Warm Tremolo".
  package let title: String
  /// Its name in sources: `WarmTremolo`; of `Ünï Cöde` `UniCode`, of `日本` `Unit` and its subtype.
  package private(set) var identifier: String
  /// Whether the name has no letter from A to Z to name sources after.
  package let isNamedByCode: Bool
  /// The name of its folder: `warm-tremolo`.
  package let folderName: String
  /// The name of a folder of templates.
  package let language: String
  /// Its codes.
  package let type, subtype, manufacturer: FourCharacterCode

  /// Checks a name and codes.
  ///
  /// - Throws: `.usage` with the fault and the valid form.
  ///
  /// Context: any.
  package init(
    title: String, language: String, type: String, subtype: String, manufacturer: String
  ) throws(AuricleError) {
    let words = title.split(separator: " ").map(String.init)
    // The text of a source, a property list and a make file alike.
    let allowed: (Unicode.Scalar) -> Bool = {
      $0.properties.isAlphabetic || $0.properties.numericType != nil || $0.isMark
        || " -_.+()".unicodeScalars.contains($0)
    }
    guard !words.isEmpty, title.unicodeScalars.allSatisfy(allowed), title.utf8.count <= 60 else {
      throw AuricleError(
        .usage,
        "the name '\(title)' must be letters, digits, spaces and -_.+(), at most 60 bytes")
    }
    var parts = words.map { $0.unicodeScalars.compactMap(\.plainLetters).joined() }
      .filter { !$0.isEmpty }
    isNamedByCode =
      !parts.joined().contains { $0.isLetter }
      && title.unicodeScalars.contains { $0.properties.isAlphabetic }
    if isNamedByCode { parts = ["Unit", subtype] }
    let joined = parts.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    guard let first = joined.first, first.isLetter else {
      throw AuricleError(
        .usage,
        "the name '\(title)' must begin with a letter from A to Z, for sources are named after it")
    }
    self.title = words.joined(separator: " ")
    identifier = joined
    folderName = parts.map { $0.lowercased() }.joined(separator: "-")
    self.language = language
    self.type = try Self.code(type, "type", "aufx, augn or aumu")
    self.subtype = try Self.code(subtype, "subtype", "wtrm")
    self.manufacturer = try Self.code(manufacturer, "manufacturer", "Demo")
    guard manufacturer.unicodeScalars.contains(where: { !("a"..."z").contains($0) }) else {
      throw AuricleError(
        .usage,
        "the manufacturer '\(manufacturer)' is all in lower case, which is Apple's: use a capital "
          + "letter, as in 'Demo'")
    }
  }

  /// The same with `My` before its identifier where that is one of the words that its source needs: a
  /// struct `EffectUnit` could not be an `EffectUnit`.
  ///
  /// Context: any.
  package func avoiding(_ words: Set<String>) -> ProjectDescription {
    var result = self
    if words.contains(identifier) { result.identifier = "My" + identifier }
    return result
  }

  private static func code(
    _ text: String, _ name: String, _ example: String
  ) throws(AuricleError) -> FourCharacterCode {
    let isPlain = text.unicodeScalars.allSatisfy {
      $0.isASCII && ($0.properties.isAlphabetic || ("0"..."9").contains($0))
    }
    guard isPlain, let code = FourCharacterCode(text), text.utf8.count == 4 else {
      throw AuricleError(
        .usage, "the \(name) '\(text)' must be four letters or digits, such as \(example)")
    }
    return code
  }
}
