// Diagnostics of presets and their display: file:line:column, source line, caret.
// SPDX-License-Identifier: Apache-2.0

public import AudioTypes

/// A mistake in a preset: a sentence, and the position if it came from a file.
public struct PresetDiagnostic: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of failure, which decides the exit code.
  public enum Kind: Hashable, Sendable {
    /// The preset itself is wrong.
    case preset
    /// A named component is not installed, or cannot be opened.
    case missingComponent
    /// A setting that came from a command line is wrong.
    case usage
    /// The preset does not exist or cannot be read.
    case input
  }

  /// The kind of failure.
  public var kind: Kind
  /// The file as the user named it, or `nil` when there is none.
  public var file: String?
  /// The position in the file, or `nil` when there is none.
  public var position: SourcePosition?
  /// One sentence: the fault, and its remedy.
  public var message: String
  /// The cause, if code needs it; nil in most mistakes.
  public var cause: AuricleError.Cause?
  /// The line of the file the position is in, cleaned for printing and cut when it is very long.
  public var sourceLine: String?
  /// The number of characters of `sourceLine` before the caret.
  public var caretOffset: Int

  /// Makes a diagnostic; with a source and a position it shows the line.
  ///
  /// Context: any.
  public init(
    _ message: String, kind: Kind = .preset, at position: SourcePosition? = nil,
    in source: PresetSource? = nil, cause: AuricleError.Cause? = nil
  ) {
    self.kind = kind
    self.cause = cause
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

/// All mistakes of a preset, in the order of the file.
public struct PresetErrors: Error, Equatable, Sendable, CustomStringConvertible {
  /// The most diagnostics that are collected.
  static let maximumCount = 1000

  /// The diagnostics; never empty.
  public var diagnostics: [PresetDiagnostic]
  /// The part that was readable in spite of the mistakes; `nil` when there was none, or when reading
  /// was not the problem.
  var readable: ChainPreset?

  /// Makes a sorted list of diagnostics, each once.
  ///
  /// Context: any.
  public init(_ diagnostics: [PresetDiagnostic]) {
    var seen: Set<PresetDiagnostic> = []
    let unique = diagnostics.filter { seen.insert($0).inserted }
    // Stable: diagnostics without a position stay at the end, in their order.
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

  /// The error category: bad data, missing component, usage, no input.
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

  /// The diagnostics as one `AuricleError`.
  public var auricleError: AuricleError { AuricleError(category, description, cause: cause) }

  /// The cause of the only mistake of a request; nil for several mistakes, and for those of a file.
  package var cause: AuricleError.Cause? {
    guard diagnostics.count == 1, diagnostics[0].file == nil else { return nil }
    return diagnostics[0].cause
  }
}
