// Finds the one component a user means: by triple, by URI, or by a unique name.
// SPDX-License-Identifier: Apache-2.0

public import AudioTypes
import HostSystem

extension AudioComponentRegistry {
  /// The component that a text names.
  ///
  /// Tried in this order: a whole triple (`aufx:lpas:appl`), its format's name for it, such as a URI.
  /// Then come the absolute path of a bundle that holds one component, or such a path with `/` and a triple. Last are a triple, and a name in
  /// any case: the whole name or the part after the maker, its name on macOS, a subtype alone. A triple with wildcards
  /// will do if it finds exactly one. A plug-in that several formats have is used in the first of them; before a name,
  /// a format's word and a colon choose another (`clap:ZamDelay`).
  ///
  /// - Throws: `.unavailable` if nothing is found, naming similar components, or if several are,
  ///   naming them; `.badData` for the path of a file of sound or notes.
  ///
  /// Context: control.
  public func resolve(_ text: String) throws(AuricleError) -> AudioComponent {
    if let component = named(text) ?? uniquelyNamed(text) { return component }
    let all = components
    if let component = all.first(where: { $0.location.identifier == text }) { return component }
    if let component = try Self.inFormat(text, all) { return component }
    if text.hasPrefix("/") {
      // Components that another of the same identity keeps out are reached so.
      let known = all + leftOut
      let found = known.filter { $0.location.path == text || $0.uniqueName == text }
      if found.count == 1, let component = found.first { return component }
      if found.count > 1 { throw Self.ambiguous(text, found, in: known) }
    }

    // A name may hold colons ("Maker: Unit"), so a text that is no pattern may still be a name.
    let pattern = text.isEmpty || !text.contains(":") ? nil : try? ComponentPattern(text)
    if let pattern {
      let found = all.filter { $0.description.matches(pattern.search) }
      if found.count == 1, let component = found.first { return component }
      if found.count > 1 { throw Self.ambiguous(text, found, in: all) }
    }

    let wanted = text.lowercased()
    let whole = all.filter { $0.name.lowercased() == wanted }
    let named = whole.isEmpty ? all.filter { $0.shortName.lowercased() == wanted } : whole
    if let component = Self.preferred(named) { return component }
    if named.count > 1 { throw Self.ambiguous(text, named, in: all) }
    if let triple = MacNames.triple(of: text), let component = self.named(triple) {
      return component
    }
    // A subtype alone, with or without the spaces that fill it up: `dls `.
    if let code = FourCharacterCode(text.count < 4 ? text + "   ".prefix(4 - text.count) : text) {
      let search = ComponentPattern(subtype: code).search
      let found = all.filter { $0.description.matches(search) }
      if found.count == 1, let component = found.first { return component }
      if found.count > 1 { throw Self.ambiguous(text, found, in: all) }
    }
    throw Self.missing(text, among: all)
  }

  /// The component of a format's word and a name: `clap:ZamDelay`; nil where there is none.
  private static func inFormat(
    _ text: String, _ all: [AudioComponent]
  ) throws(AuricleError) -> AudioComponent? {
    guard let colon = text.firstIndex(of: ":") else { return nil }
    let format = text[..<colon].lowercased()
    let name = text[text.index(after: colon)...].drop { $0 == " " }.lowercased()
    let own = all.filter { $0.origin.format == format }
    // Identifiers of classes are also written with dashes, braces and small letters.
    let plain = plainIdentifier(text)
    let alike = own.filter { $0.location.identifier.map(plainIdentifier) == plain }
    if alike.count == 1 { return alike.first }
    let whole = own.filter { $0.name.lowercased() == name }
    let found = whole.isEmpty ? own.filter { $0.shortName.lowercased() == name } : whole
    if found.count > 1 { throw ambiguous(text, found, in: all) }
    return found.first
  }

  /// An identifier without the marks and capitals in which its writings differ.
  private static func plainIdentifier(_ text: String) -> String {
    text.filter { !"-{} ".contains($0) }.lowercased()
  }

  /// The first of components that are one plug-in in several formats: all have its maker and name, and none its
  /// format; nil for others.
  private static func preferred(_ named: [AudioComponent]) -> AudioComponent? {
    guard let first = named.first else { return nil }
    let formats = Set(named.map(\.origin.format))
    let isOne = named.allSatisfy { $0.name.lowercased() == first.name.lowercased() }
    return isOne && formats.count == named.count ? first : nil
  }

  /// The component of a whole triple; nil for any other text.
  private func named(_ text: String) -> AudioComponent? {
    guard let pattern = try? ComponentPattern(text), let type = pattern.type,
      let subtype = pattern.subtype, let manufacturer = pattern.manufacturer,
      let found = component(
        type: type.rawValue, subtype: subtype.rawValue, manufacturer: manufacturer.rawValue)
    else { return nil }
    return found.description.matches(pattern.search) ? found : nil
  }

  /// The component of a bundle's path with `/` and a triple, where the bundle's is the first of its identity.
  private func uniquelyNamed(_ text: String) -> AudioComponent? {
    guard text.hasPrefix("/"), let slash = text.lastIndex(of: "/"),
      let pattern = try? ComponentPattern(String(text[text.index(after: slash)...])),
      let type = pattern.type, let subtype = pattern.subtype,
      let manufacturer = pattern.manufacturer
    else { return nil }
    return component(
      type: type.rawValue, subtype: subtype.rawValue, manufacturer: manufacturer.rawValue,
      uniqueName: text)
  }

  private static func ambiguous(
    _ text: String, _ found: [AudioComponent], in known: [AudioComponent]
  ) -> AuricleError {
    let shown = found.prefix(8).map { component in
      // An identity that two have names the first of them.
      let isShared = known.count { $0.triple == component.triple } > 1
      let name = component.location.identifier ?? component.triple
      return "\(isShared ? component.uniqueName : name) (\(component.name))"
    }
    let rest = found.count - shown.count
    let list = shown.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
    return AuricleError(
      .unavailable,
      "\"\(text)\" names \(found.count) components; write one of these: \(list)")
  }

  private static func missing(_ text: String, among all: [AudioComponent]) -> AuricleError {
    if let kind = FileBeginning(path: text) {
      return AuricleError(.badData, "\"\(text)\" is no component, but \(kind.advice)")
    }
    let code = FourCharacterCode(text)
    let isType = all.contains { $0.description.type == code }
    let near = isType ? [] : near(text, among: all)
    let hint =
      if isType {
        "it is a type of units, and \"auricle list \(text)\" shows those of it"
      } else if near.isEmpty {
        "\"auricle list\" shows those that are, and \"auricle scan\" the broken ones"
      } else {
        "did you mean \(near.joined(separator: ", "))?"
      }
    return AuricleError(
      .unavailable, "no component \"\(text)\" is installed; \(hint)",
      cause: .unknownName(text, kind: .component))
  }

  /// The wrong letters of a triple, of which each code may have one; nil for a text that is none.
  private static func codeDistance(_ text: String, _ triple: String) -> Int? {
    let (codes, known) = (text.split(separator: ":"), triple.split(separator: ":"))
    guard codes.count == 3, known.count == 3 else { return nil }
    var sum = 0
    for (code, other) in zip(codes, known) {
      guard let step = EditDistance.between(String(code), String(other), limit: 1) else {
        return .max
      }
      sum += step
    }
    return sum
  }

  /// Up to five components whose name, triple or URI is near `text`, nearest first.
  private static func near(_ text: String, among all: [AudioComponent]) -> [String] {
    let wanted = Array(text.lowercased().unicodeScalars.prefix(200))
    guard !wanted.isEmpty else { return [] }
    let scheme = text.lowercased().prefix { $0 != ":" } + ":"
    let isURI =
      text.contains("://")
      || all.contains { $0.location.identifier?.lowercased().hasPrefix(scheme) == true }
    var ranked: [(distance: Int, text: String)] = []
    for component in all {
      // The names shown are of the kind that the user typed.
      let keys: [(key: String, shown: String)] =
        if isURI {
          component.location.identifier.map { [($0, $0)] } ?? []
        } else {
          [
            (component.shortName, "\"\(component.shortName)\" (\(component.triple))"),
            (component.name, "\"\(component.name)\" (\(component.triple))"),
            (component.triple, "\(component.triple) (\(component.name))"),
          ]
        }
      var best: (distance: Int, text: String)?
      for (key, shown) in keys {
        let scalars = Array(key.lowercased().unicodeScalars)
        // A quarter of the letters wrong is a slip; more is another word.
        let limit = max(1, min(wanted.count, scalars.count) / 4)
        var distance = EditDistance.between(wanted, scalars, limit: limit)
        if key == component.triple, let codes = codeDistance(text, key) {
          distance = codes == .max ? nil : codes
        }
        // A part of the name is as near as one wrong letter, a misspelled word one more.
        if wanted.count >= 3, key.lowercased().contains(text.lowercased()) {
          distance = min(distance ?? .max, 1)
        } else if wanted.count >= 4, !isURI {
          // Most words of four or five letters are one letter from another: only codes are compared, and not those made from a URI.
          let isCode = key == component.triple && component.location.identifier == nil
          guard wanted.count >= 6 || isCode else {
            if let distance, distance < best?.distance ?? .max { best = (distance, shown) }
            continue
          }
          let words = scalars.split { !$0.properties.isAlphabetic && !("0"..."9").contains($0) }
          for word in words {
            let step = EditDistance.between(wanted, Array(word), limit: wanted.count / 4)
            if let step { distance = min(distance ?? .max, step + 1) }
          }
        }
        if let distance, distance < best?.distance ?? .max { best = (distance, shown) }
      }
      if let best { ranked.append(best) }
    }
    let sorted = ranked.enumerated().sorted { left, right in
      (left.element.distance, left.offset) < (right.element.distance, right.offset)
    }
    let farthest = (sorted.first?.element.distance ?? 0) + 2
    return sorted.prefix(5).filter { $0.element.distance <= farthest }.map(\.element.text)
  }
}
