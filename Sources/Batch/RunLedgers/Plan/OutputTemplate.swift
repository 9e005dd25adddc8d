// Names of results: a pure function of the input's name, the preset and a template.
// SPDX-License-Identifier: Apache-2.0

public import AudioTypes
import HostSystem
package import ResultSettings

/// A template such as `{dir}/{stem}-{preset}.{ext}`.
public struct OutputTemplate: Sendable, Equatable {
  /// The fields that a template may have in braces.
  public enum Field: String, Sendable, CaseIterable {
    /// The folder of the input relative to the input folder.
    case dir
    /// The folder of the input as it was written, without a root or parent steps.
    case path
    /// The input's name without its extension.
    case stem
    /// The extension of the result.
    case ext
    /// The input's whole name.
    case name
    /// The name of the preset.
    case preset
    /// The name of the deliverable.
    case render
    /// The number of the variant, from 1.
    case variant
    /// The part of the input, as a manifest names it: its start and its end in seconds.
    case segment
  }

  private enum Part: Sendable, Equatable {
    case text(String)
    case field(Field)
  }

  /// The template as it was written.
  public private(set) var text: String
  private var parts: [Part] = []
  /// Whether it is a default, in which parts of files get names of their own.
  private var isStandard = false

  /// The default: the tree is mirrored, each name kept.
  public static let standard = OutputTemplate(
    text: "{dir}/{stem}.{ext}",
    parts: [.field(.dir), .text("/"), .field(.stem), .text("."), .field(.ext)], isStandard: true)

  /// The default when an input has several results: `{dir}/{stem}-{variant}-{render}.{ext}`, without the
  /// fields that have one value only.
  public static func standard(hasRenders: Bool, hasVariants: Bool) -> OutputTemplate {
    var template = standard
    var parts: [Part] = [.field(.dir), .text("/"), .field(.stem)]
    if hasVariants { parts += [.text("-"), .field(.variant)] }
    if hasRenders { parts += [.text("-"), .field(.render)] }
    template.parts = parts + [.text("."), .field(.ext)]
    template.text = template.parts.map { part in
      switch part {
      case .text(let text): text
      case .field(let field): "{\(field.rawValue)}"
      }
    }.joined()
    return template
  }

  /// Whether a field is in it.
  public func uses(_ field: Field) -> Bool { parts.contains(.field(field)) }

  private init(text: String, parts: [Part], isStandard: Bool) {
    self.text = text
    self.parts = parts
    self.isStandard = isStandard
  }

  /// Parses a template.
  ///
  /// - Throws: `.usage` for an unknown field, a lone brace, and for names that would lead out of the
  ///   output folder.
  ///
  /// Context: any.
  public init(_ text: String) throws(AuricleError) {
    func refuse(_ why: String) -> AuricleError {
      AuricleError(.usage, "the name template '\(text)' \(why)")
    }
    self.text = text
    guard !text.isEmpty else { throw refuse("is empty") }
    if Path.isFromRoot(text) {
      throw refuse("begins with '/': results lie below the output folder")
    }
    if text.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) {
      throw refuse("holds a control character")
    }
    var rest = text[...]
    while let brace = rest.firstIndex(where: { $0 == "{" || $0 == "}" }) {
      if brace > rest.startIndex { parts.append(.text(String(rest[..<brace]))) }
      guard rest[brace] == "{", let end = rest[brace...].firstIndex(of: "}") else {
        throw refuse("has a brace without its other half")
      }
      let name = String(rest[rest.index(after: brace)..<end])
      guard let field = Field(rawValue: name) else {
        let names = Field.allCases.map { "{\($0.rawValue)}" }.joined(separator: ", ")
        throw refuse("has an unknown field {\(name)}; there are \(names)")
      }
      parts.append(.field(field))
      rest = rest[rest.index(after: end)...]
    }
    if !rest.isEmpty { parts.append(.text(String(rest))) }
    let fixed = Path.components(text, keepingEmpty: true)
    if fixed.contains("..") || fixed.contains(".") {
      throw refuse("has a part '.' or '..': results lie below the output folder")
    }
    if text.utf8.last == UInt8(ascii: "/") { throw refuse("names a folder, not a file") }
    if !parts.contains(.field(.stem)), !parts.contains(.field(.name)) {
      throw refuse("gives every result one name: it needs {stem} or {name}")
    }
    // The record of a run has a default as its text.
    isStandard = [false, true].contains { hasRenders in
      [false, true].contains {
        text == Self.standard(hasRenders: hasRenders, hasVariants: $0).text
      }
    }
  }

  /// The values of the fields.
  package struct Source {
    /// The folder relative to the input folder; empty for none.
    package var dir: String
    /// The path as it was written or found.
    package var input: String
    /// The extension of the result; nil for the input's own.
    package var fileExtension: String?
    package var preset: String
    /// The name of the deliverable; empty for the only one.
    package var render = ""
    /// The number of the variant; nil without variants.
    package var variant: Int?
    /// The part of the input; nil for all of it.
    package var segment: SoundSegment?
  }

  /// The path of a result below the output folder.
  ///
  /// - Throws: `.usage` when the input's own name would lead out of it.
  package func path(for source: Source) throws(AuricleError) -> String {
    let name = Path.lastComponent(source.input)
    let own = Path.extensionAsWritten(of: name)
    let stem = own.isEmpty ? name : Path.withoutExtension(name)
    // An extension that differs in case only stays as it is written.
    let wanted = source.fileExtension.map {
      $0 == own || $0.lowercased() == own.lowercased() ? own : $0
    }
    var text = ""
    for part in parts {
      switch part {
      case .text(let fixed): text += fixed
      case .field(.dir): text += source.dir
      case .field(.path): text += Self.harmless(Path.folder(of: source.input))
      case .field(.stem):
        text += stem
        if isStandard, let segment = source.segment { text += "-\(segment.text)" }
      case .field(.segment): text += source.segment?.text ?? ""
      case .field(.name): text += name
      case .field(.render): text += source.render
      case .field(.variant): text += source.variant.map { "\($0)" } ?? ""
      case .field(.preset): text += Self.oneName(source.preset)
      case .field(.ext):
        let value = wanted ?? own
        text += value
        if value.isEmpty, text.hasSuffix(".") { text.removeLast() }
      }
    }
    let components = Path.components(text)
    guard let last = components.last, text.utf8.last != UInt8(ascii: "/"),
      !components.contains(".."),
      !components.contains(".")
    else {
      throw AuricleError(
        .usage, "the result of \(source.input) would be named '\(text)', which is no file name")
    }
    guard components[0] != RecordsFolder.name else {
      throw AuricleError(
        .usage,
        "the result of \(source.input) would be named '\(text)', where the records of runs are kept"
      )
    }
    guard FileNameText.bytes(last).count <= 255 else {
      throw AuricleError(.usage, "the result of \(source.input) would have too long a name")
    }
    return components.joined(separator: "/")
  }

  /// A path without its root and parent steps.
  private static func harmless(_ path: String) -> String {
    Path.components(path).filter { $0 != "." && $0 != ".." }.joined(separator: "/")
  }

  /// A text as one part of a path.
  private static func oneName(_ text: String) -> String {
    String(
      String.UnicodeScalarView(
        text.unicodeScalars.map { $0 == "/" || $0.value < 0x20 || $0.value == 0x7F ? "_" : $0 }))
  }
}
