// A check of a unit: one rule with its id, its level, its severity, and the remedy.
// SPDX-License-Identifier: Apache-2.0

/// A rule that units keep.
package struct ValidationCheck: Sendable, Hashable {
  /// The severity of a broken rule.
  package enum Severity: String, Sendable, Hashable {
    /// Hosts may do without the unit.
    case error
    /// Hosts live with it; it should be mended all the same.
    case warning
  }

  /// Its name, which never changes: `parameters.default`.
  package let id: String
  /// The least level at which it is checked, 1 to 10.
  package let level: Int
  /// The severity of a break.
  package let severity: Severity
  /// The rule that a sound unit follows, one sentence.
  package let rule: String
  /// The remedy for the author of a unit that breaks it, one sentence.
  package let remedy: String

  /// Describes a rule.
  package init(
    _ id: String, level: Int, _ severity: Severity, _ rule: String, remedy: String
  ) {
    self.id = id
    self.level = level
    self.severity = severity
    self.rule = rule
    self.remedy = remedy
  }

  /// Whether a word of `--only` means it: its id, or the part of it before the point.
  package func isMeant(by word: String) -> Bool {
    id == word || id.hasPrefix(word + ".")
  }

  /// All rules that this module knows, in the order in which they are checked.
  package static let all: [ValidationCheck] =
    [
      ofLife, ofComponent, ofProperties, ofState, ofParameters, ofNotes, ofChannels, ofRendering,
      ofSound, ofRealtime,
    ].flatMap(\.self)
}

/// A rule that a unit breaks.
package struct UnitFault: Sendable, Hashable, CustomStringConvertible {
  /// One thing that was seen.
  package struct Evidence: Sendable, Hashable {
    /// Its kind: `frame`, `sampleRate`, `value`.
    package var name: String
    /// Its value.
    package var value: Value

    /// Names an observed value.
    package init(_ name: String, _ value: Value) {
      self.name = name
      self.value = value
    }
  }

  /// A number or a text.
  package enum Value: Sendable, Hashable {
    case number(Double)
    case text(String)
  }

  /// The id of the rule.
  package var check: String
  /// The severity here.
  package var severity: ValidationCheck.Severity
  /// One sentence: the defect, and its place.
  package var message: String
  /// The observations: values, slice, frame.
  package var evidence: [Evidence]
  /// A remedy in place of that of the rule: empty where nobody knows one.
  package var remedy: String?

  /// Notes a fault.
  package init(
    _ check: ValidationCheck, _ message: String, _ evidence: [Evidence] = [],
    severity: ValidationCheck.Severity? = nil, remedy: String? = nil
  ) {
    self.check = check.id
    self.remedy = remedy
    self.severity = severity ?? check.severity
    self.message = message
    self.evidence = evidence
  }

  /// Makes a fault that another process reported.
  package init(
    check: String, severity: ValidationCheck.Severity, message: String, evidence: [Evidence],
    remedy: String? = nil
  ) {
    self.check = check
    self.remedy = remedy
    self.severity = severity
    self.message = message
    self.evidence = evidence
  }

  /// Rule and sentence in a line.
  package var description: String { "\(check): \(message)" }
}

extension UnitFault.Evidence {
  /// A whole number that was seen.
  package static func count(_ name: String, _ value: Int) -> Self {
    Self(name, .number(Double(value)))
  }

  /// A number that was seen.
  package static func value(_ name: String, _ value: Float) -> Self {
    Self(name, .number(Double(value)))
  }
}
