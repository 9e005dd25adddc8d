// Limits of depth and cost, checked on the text before anything recursive runs.
// SPDX-License-Identifier: Apache-2.0

import ResultSettings

/// Refuses excessive nesting and masses of bracketed keys.
///
/// Levels open by `- - -`, by indentation, or by brackets. Brackets are counted within a line only, in texts
/// too: Yams compares a bracketed key, which is on one line, at each of its levels.
func nestingRefusal(_ source: PresetSource) -> PresetDiagnostic? {
  var start = 0
  var bracketedKeyCount = 0
  while start <= source.scalars.count {
    let line = LineShape(source.scalars, from: start)
    bracketedKeyCount += line.bracketedKeyCount
    if let index = line.firstTooDeep {
      return PresetDiagnostic(
        "the line is nested too deep; a preset has at most \(PresetNode.maximumDepth) levels",
        at: source.position(ofScalarAt: index), in: source)
    }
    if bracketedKeyCount > LineShape.maximumBracketedKeyCount {
      return PresetDiagnostic(
        "a key must be text, and here are too many in brackets",
        at: source.position(ofScalarAt: start), in: source)
    }
    start = line.end + 1
  }
  return nil
}

/// The effect of a line on the depth of later lines.
private struct LineShape {
  /// The deepest indentation in columns.
  static let maximumIndentation = 200
  /// The most brackets that close before a colon: in words, not as keys.
  static let maximumBracketedKeyCount = 500

  /// Index of the line's end.
  private(set) var end: Int
  /// Index of the first character that exceeds the allowed depth.
  private(set) var firstTooDeep: Int?
  /// The number of closing brackets before a colon.
  private(set) var bracketedKeyCount = 0

  init(_ scalars: [Unicode.Scalar], from start: Int) {
    end = start
    func isBlank(at index: Int) -> Bool {
      guard index < scalars.count else { return true }
      return scalars[index] == " " || scalars[index] == "\t" || isLineBreak(scalars[index])
    }
    // Leading spaces and the indicators "- " and "? ", which open levels.
    var indicatorCount = 0
    while end < scalars.count {
      let scalar = scalars[end]
      if scalar != " " {
        guard scalar == "-" || scalar == "?", isBlank(at: end + 1) else { break }
        indicatorCount += 1
        if indicatorCount > PresetNode.maximumDepth {
          firstTooDeep = end
          return
        }
      }
      end += 1
    }
    let isEmpty = end >= scalars.count || isLineBreak(scalars[end])
    if !isEmpty, end - start > Self.maximumIndentation {
      firstTooDeep = end
      return
    }
    readBrackets(scalars)
  }

  private mutating func readBrackets(_ scalars: [Unicode.Scalar]) {
    var depth = 0
    var isAfterBracket = false
    while end < scalars.count, !isLineBreak(scalars[end]) {
      switch scalars[end] {
      case "[", "{":
        depth += 1
        isAfterBracket = false
        if depth > PresetNode.maximumDepth {
          firstTooDeep = end
          return
        }
      case "]", "}":
        depth = max(0, depth - 1)
        isAfterBracket = true
      case ":":
        if isAfterBracket { bracketedKeyCount += 1 }
        isAfterBracket = false
      case " ", "\t": break
      default: isAfterBracket = false
      }
      end += 1
    }
  }
}
