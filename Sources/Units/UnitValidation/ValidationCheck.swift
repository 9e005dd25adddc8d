// What is checked of a unit: one rule with its id, its level, how much it matters, and what to do about it.
// SPDX-License-Identifier: Apache-2.0

/// A rule that units keep.
package struct ValidationCheck: Sendable, Hashable {
  /// How much it matters that a unit breaks a rule.
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
  /// How much it matters.
  package let severity: Severity
  /// What holds of a sound unit, one sentence.
  package let rule: String
  /// What an author does about a unit that breaks it, one sentence.
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
    /// What it is: `frame`, `sampleRate`, `value`.
    package var name: String
    /// What it was.
    package var value: Value

    /// Names what was seen.
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
  /// How much it matters here.
  package var severity: ValidationCheck.Severity
  /// One sentence: what is wrong, and where.
  package var message: String
  /// What was seen: values, slice, frame.
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

  /// A fault that another process told.
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
