// The interface to Yams: composes nodes from text, and refuses the dangerous features of YAML.
// SPDX-License-Identifier: Apache-2.0

import ResultSettings
import Yams

/// The result of composing a text.
enum Composition {
  /// A tree; `renamed` holds duplicate keys by the position of the first.
  case tree(Node, renamed: [SourcePosition: Unicode.Scalar])
  /// The text has no document.
  case empty
  /// The text is refused.
  case refused([PresetDiagnostic])
}

/// Composes an untrusted text in bounded time.
///
/// Anchors, aliases and tags must be found before the text is composed: an alias's value is compared and
/// hashed again at every use, and Yams drops the anchors' names. So a copy is composed first in which each
/// `&`, `*`, `!` and `?` is an ordinary character. Within a text or a comment that changes nothing; at the
/// start of a token it makes a plain text that starts there.
func compose(_ source: PresetSource) -> Composition {
  if let diagnostic = nestingRefusal(source) { return .refused([diagnostic]) }
  let indicators: Set<Unicode.Scalar> = ["&", "*", "!", "?"]
  if source.scalars.contains(where: indicators.contains) {
    let neutral = source.scalars.map { indicators.contains($0) ? "(" : $0 }
    switch composeToleratingDuplicates(neutral, source) {
    case .tree(let root, _):
      var found: [PresetDiagnostic] = []
      collectIndicators(in: root, source, &found)
      if !found.isEmpty { return .refused(found) }
    case .refused(let diagnostics):
      let position = diagnostics.first?.position
      let likely = likelyIndicators(source, until: position)
      return .refused(likely.isEmpty ? diagnostics : likely)
    case .empty: return .empty
    }
  }
  return composeToleratingDuplicates(source.scalars, source)
}

/// Composes; the first of two equal keys is renamed, so that the rest is read too.
private func composeToleratingDuplicates(
  _ scalars: [Unicode.Scalar], _ source: PresetSource
) -> Composition {
  var scalars = scalars
  var renamed: [SourcePosition: Unicode.Scalar] = [:]
  while true {
    // Yams keeps a pointer into the string; a small string stored inline has none.
    let text = PresetSource.text(scalars) + String(repeating: "\n", count: 32)
    do {
      guard let node = try Yams.compose(yaml: text, .basic, .default, .utf8) else { return .empty }
      return .tree(node, renamed: renamed)
    } catch let error as YamlError {
      guard case .duplicatedKeysInMapping(let keys, let context) = error else {
        return .refused([diagnostic(for: error, source)])
      }
      let position = SourcePosition(line: context.mark.line, column: context.mark.column)
      let retries = min(64, 2_000_000 / (scalars.count + 1))
      guard renamed.count < retries, let index = source.index(of: position) else {
        return .refused([duplicateDiagnostic(keys, at: position, source)])
      }
      let isQuoted = source.scalars[index] == "\"" || source.scalars[index] == "'"
      let letter = isQuoted ? index + 1 : index
      guard scalars.indices.contains(letter), scalars[letter].properties.isAlphabetic,
        let replacement = Unicode.Scalar(0xE000 + UInt32(renamed.count))
      else { return .refused([duplicateDiagnostic(keys, at: position, source)]) }
      renamed[position] = scalars[letter]
      scalars[letter] = replacement
    } catch {
      return .refused([PresetDiagnostic("the text cannot be read as YAML", in: source)])
    }
  }
}

private func duplicateDiagnostic(
  _ keys: [String], at position: SourcePosition, _ source: PresetSource
) -> PresetDiagnostic {
  let names = keys.filter { $0 != "<uncovertable>" }.prefix(5).map(quoted)
  let message =
    names.isEmpty
    ? "a key must be text, and is given once"
    : "the key \(alternatives(names, joinedBy: "and")) is given more than once"
  return PresetDiagnostic(message, at: position, in: source)
}

/// Finds each plain text that starts with an indicator of the original text.
private func collectIndicators(
  in node: Node, _ source: PresetSource, _ found: inout [PresetDiagnostic]
) {
  guard found.count < 20 else { return }
  switch node {
  case .scalar(let scalar):
    guard scalar.style == .plain, let mark = scalar.mark else { return }
    let position = SourcePosition(line: mark.line, column: mark.column)
    guard let index = source.index(of: position),
      let message = refusal(ofIndicator: source.scalars[index], at: index, source)
    else { return }
    found.append(PresetDiagnostic(message, at: position, in: source))
  case .sequence(let sequence):
    for item in sequence { collectIndicators(in: item, source, &found) }
  case .mapping(let mapping):
    for (key, value) in mapping {
      collectIndicators(in: key, source, &found)
      collectIndicators(in: value, source, &found)
    }
  case .alias: break
  }
}

/// Finds indicators that probably start a token, in a text that cannot be composed.
private func likelyIndicators(
  _ source: PresetSource, until end: SourcePosition?
) -> [PresetDiagnostic] {
  var found: [PresetDiagnostic] = []
  var previous: Unicode.Scalar?
  for (index, scalar) in source.scalars.enumerated() {
    if isLineBreak(scalar) {
      previous = nil
    } else if scalar != " " {
      let startsToken = previous.map { "-:[{,".unicodeScalars.contains($0) } ?? true
      if startsToken, let message = refusal(ofIndicator: scalar, at: index, source) {
        let position = source.position(ofScalarAt: index)
        if let end, position > end { break }
        found.append(PresetDiagnostic(message, at: position, in: source))
        if found.count == 20 { break }
      }
      previous = scalar
    }
  }
  return found
}

private func refusal(
  ofIndicator scalar: Unicode.Scalar, at index: Int, _ source: PresetSource
) -> String? {
  let hint = "; if it is text, put it in quotes"
  switch scalar {
  case "&": return "anchors (&) are not allowed in a preset" + hint
  case "*": return "aliases (*) are not allowed in a preset" + hint
  case "!": return "tags (!) are not allowed in a preset" + hint
  case "?":
    // A question mark before a letter starts a plain text, except inside brackets.
    let isBlankNext =
      index + 1 >= source.scalars.count || source.scalars[index + 1] == " "
      || isLineBreak(source.scalars[index + 1])
    return isBlankNext
      ? "keys written with '?' are not allowed in a preset" + hint
      : "a text that starts with '?' must be in quotes"
  default: return nil
  }
}

/// Rewords Yams' errors, with hints for common mistakes.
private func diagnostic(for error: YamlError, _ source: PresetSource) -> PresetDiagnostic {
  switch error {
  case .scanner(let context, let problem, let mark, _),
    .parser(let context, let problem, let mark, _),
    .composer(let context, let problem, let mark, _):
    let position = SourcePosition(line: mark.line, column: mark.column)
    if let context, position > source.position(ofScalarAt: source.scalars.count) {
      let opening = SourcePosition(line: context.mark.line, column: context.mark.column)
      return PresetDiagnostic(unclosed(opening, source), at: opening, in: source)
    }
    return PresetDiagnostic(
      message(problem, context, at: position, source), at: position, in: source)
  case .reader(let problem, _, _, _):
    return PresetDiagnostic(problem, in: source)
  default:
    return PresetDiagnostic("the text cannot be read as YAML", in: source)
  }
}

private func unclosed(_ opening: SourcePosition, _ source: PresetSource) -> String {
  let scalar = source.index(of: opening).map { source.scalars[$0] }
  switch scalar {
  case "\"", "'": return "this quote is never closed"
  case "[", "{": return "this bracket is never closed"
  default: return "the text ends in the middle of something"
  }
}

/// The message for authors of presets. The YAML library has no error codes: its English text is read here and
/// nowhere else.
private func message(
  _ problem: String, _ context: YamlError.Context?, at position: SourcePosition,
  _ source: PresetSource
) -> String {
  let scalar = source.index(of: position).map { source.scalars[$0] }
  if problem.contains("found another document") { return "a preset is one document, without '---'" }
  if problem.contains("aximum nesting level") {
    return "the text is nested too deep; a preset has at most 32 levels"
  }
  if problem.contains("tab character") || scalar == "\t" {
    return "a tab cannot indent a line; use spaces"
  }
  if problem.contains("cannot start any token"), let scalar {
    return "a text cannot start with \(quoted(String(scalar))); put it in quotes"
  }
  if problem.contains("mapping values are not allowed") {
    return
      "a ':' is not allowed here; put a text that contains ': ' in quotes, and indent keys alike"
  }
  var text = problem
  if let context {
    var place = context.text
    if context.mark.line > 0, context.mark.line != position.line {
      place += " that starts at line \(context.mark.line)"
    }
    text += " \(place)"
  }
  return text
}
