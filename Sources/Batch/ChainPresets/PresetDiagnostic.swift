// What is wrong with a preset, where, and how it is shown: file:line:column, source line, caret.
// SPDX-License-Identifier: Apache-2.0

public import AudioTypes

/// One thing wrong with a preset: a sentence, and the place when it came from a file.
public struct PresetDiagnostic: Error, Hashable, Sendable, CustomStringConvertible {
  /// What kind of failure it is, which decides the exit code.
  public enum Kind: Hashable, Sendable {
    /// The preset itself is wrong.
    case preset
    /// A component it names is not installed, or cannot be opened.
    case missingComponent
    /// A setting that came from a command line is wrong.
    case usage
    /// The preset is not there or cannot be read.
    case input
  }

  /// The kind of failure.
  public var kind: Kind
  /// The file as the user named it, or `nil` when there is none.
  public var file: String?
  /// The place in the file, or `nil` when there is none.
  public var position: SourcePosition?
  /// One sentence: what is wrong, and what to write instead.
  public var message: String
  /// The line of the file the position is in, cleaned for printing and cut when it is very long.
  public var sourceLine: String?
  /// How many characters of `sourceLine` stand before the caret.
  public var caretOffset: Int

  /// Makes a diagnostic; with a source and a position it shows the line.
  ///
  /// Context: any.
  public init(
    _ message: String, kind: Kind = .preset, at position: SourcePosition? = nil,
    in source: PresetSource? = nil
  ) {
    self.kind = kind
    self.message = message
    self.file = source?.name
    self.position = source == nil ? nil : position
    self.caretOffset = 0
    if let source, let position, let excerpt = source.excerpt(around: position) {
      self.sourceLine = excerpt.text
      self.caretOffset = excerpt.caretOffset
    }
  }

  /// `file:line:column: error: message`, then the source line and a caret below the place.
  public var description: String {
    var text = ""
    if let file { text += "\(file):" }
    if let position { text += "\(position.line):\(position.column):" }
    text += text.isEmpty ? "error: \(message)" : " error: \(message)"
    guard let sourceLine else { return text }
    var padding = ""
    for character in sourceLine.unicodeScalars.prefix(caretOffset) {
      padding.unicodeScalars.append(character == "\t" ? "\t" : " ")
    }
    return text + "\n\(sourceLine)\n\(padding)^"
  }
}

/// Everything that is wrong with a preset, in the order of the file.
public struct PresetErrors: Error, Equatable, Sendable, CustomStringConvertible {
  /// So many diagnostics are gathered at most.
  static let maximumCount = 1000

  /// What is wrong; never empty.
  public var diagnostics: [PresetDiagnostic]
  /// What could be read in spite of it; `nil` when nothing could, or when reading was not the trouble.
  var readable: ChainPreset?

  /// Gathers diagnostics, sorted by position, each told once.
  ///
  /// Context: any.
  public init(_ diagnostics: [PresetDiagnostic]) {
    var seen: Set<PresetDiagnostic> = []
    let unique = diagnostics.filter { seen.insert($0).inserted }
    // Stable: what has no position keeps its place at the end, in the order it was found.
    self.diagnostics =
      unique.enumerated().sorted { left, right in
        switch (left.element.position, right.element.position) {
        case (let first?, let second?) where first != second: first < second
        case (_?, nil): true
        case (nil, _?): false
        default: left.offset < right.offset
        }
      }.map(\.element)
  }

  /// What the failure means for an exit code: bad data, a component that is missing, usage, no input.
  public var category: AuricleError.Category {
    let kinds = Set(diagnostics.map(\.kind))
    if kinds.contains(.usage) { return .usage }
    if kinds.contains(.preset) { return .badData }
    if kinds.contains(.input) { return .noInput }
    return .unavailable
  }

  /// All diagnostics, one after the other; after a hundred only their number.
  public var description: String {
    let shown = diagnostics.prefix(100).map(\.description).joined(separator: "\n")
    let rest = diagnostics.count - 100
    return rest > 0 ? shown + "\n… and \(rest) more errors" : shown
  }

  /// The same as one error of the project's kind.
  public var auricleError: AuricleError { AuricleError(category, description) }
}
