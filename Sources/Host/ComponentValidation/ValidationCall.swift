// The request to a process that checks a unit, and its reports: lines of JSON.
// SPDX-License-Identifier: Apache-2.0

package import HostSystem
package import UnitValidation

/// A unit, and the request of its check.
package struct ValidationCall: Sendable, Equatable {
  /// Its identity: the format's name for it, or `type:subtype:manufacturer`.
  package var unit: String
  /// The bundle that it is loaded from; nil for the one that is used.
  package var path: String?
  /// The request of the check.
  package var request: ValidationRequest

  /// Names a unit.
  package init(unit: String, path: String?, _ request: ValidationRequest) {
    self.unit = unit
    self.path = path
    self.request = request
  }

  /// The call as text; `init(text:)` reads it.
  package var text: String {
    JSONValue.members([
      ("unit", .string(unit)), ("path", path.map(JSONValue.string)),
      ("level", JSONValue(request.level)), ("seed", .string("\(request.seed)")),
      ("only", .array(request.only.map(JSONValue.string))),
      ("skip", .array(request.skippedPhases.sorted().map { JSONValue($0) })),
      ("blocked", .boolean(request.isBlocked)),
    ]).compactText
  }

  /// Reads the form of `text`; nil for anything else.
  package init?(text: String) {
    guard let value = JSONValue(text: text), let unit = value["unit"]?.text,
      let level = value["level"]?.integer, let seed = value["seed"]?.text.flatMap({ UInt64($0) })
    else { return nil }
    self.unit = unit
    path = value["path"]?.text
    request = ValidationRequest()
    request.level = level
    request.seed = seed
    request.only = value["only"]?.elements?.compactMap(\.text) ?? []
    request.skippedPhases = Set(value["skip"]?.elements?.compactMap(\.integer) ?? [])
    request.isBlocked = value["blocked"]?.boolean ?? false
  }
}

/// One line of such a process.
package enum ValidationLine: Sendable {
  /// An event of the validation.
  case event(ValidationEvent)
  /// The unit cannot be checked at all, with a sentence.
  case refused(String)
  /// All is done.
  case end

  /// The line, without its end.
  package var text: String { value.compactText }

  private var value: JSONValue {
    switch self {
    case .event(.phase(let number, let title)):
      .members([("phase", JSONValue(number)), ("title", .string(title))])
    case .event(.figure(let name, let number, let unit)):
      .members([
        ("figure", .string(name)), ("value", JSONValue(number)), ("unit", .string(unit)),
      ])
    case .event(.fault(let fault)): fault.json
    case .refused(let reason): .members([("refused", .string(reason))])
    case .end: .members([("end", true)])
    }
  }

  /// Reads a line; nil for other text.
  package init?(_ bytes: some Sequence<UInt8>) {
    guard let value = JSONValue(bytes) else { return nil }
    if let number = value["phase"]?.integer, let title = value["title"]?.text {
      self = .event(.phase(number, title))
    } else if let name = value["figure"]?.text, let number = value["value"]?.number {
      self = .event(.figure(name, number, value["unit"]?.text ?? ""))
    } else if let fault = UnitFault(value) {
      self = .event(.fault(fault))
    } else if let reason = value["refused"]?.text {
      self = .refused(reason)
    } else if value["end"]?.boolean == true {
      self = .end
    } else {
      return nil
    }
  }
}

extension UnitFault {
  /// The fault as JSON; `init(_:)` reads it.
  package var json: JSONValue {
    .members([
      ("check", .string(check)), ("severity", .string(severity.rawValue)),
      ("message", .string(message)),
      (
        "evidence",
        .object(
          evidence.map { seen in
            switch seen.value {
            case .number(let number): JSONValue.Member(seen.name, JSONValue(number))
            case .text(let text): JSONValue.Member(seen.name, .string(text))
            }
          })
      ),
      ("remedy", remedy.map(JSONValue.string)),
    ])
  }

  /// Reads a fault; nil for another value.
  package init?(_ value: JSONValue) {
    guard let check = value["check"]?.text, let message = value["message"]?.text,
      let severity = value["severity"]?.text.flatMap(ValidationCheck.Severity.init(rawValue:))
    else { return nil }
    let evidence = (value["evidence"]?.members ?? []).compactMap { member -> Evidence? in
      if let number = member.value.number { return Evidence(member.key, .number(number)) }
      return member.value.text.map { Evidence(member.key, .text($0)) }
    }
    self.init(
      check: check, severity: severity, message: message, evidence: evidence,
      remedy: value["remedy"]?.text)
  }
}
