// The keys of messages, each spelled once, and how their values are read.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import HostSystem

/// The key of a value in a message.
enum MessageKey: String {
  case all, cause, category, chain, checksum, error, figures, files, finding, format, formats
  case input, job, key, kind, memory, memoryChanged, memoryLimit, name, network, outcome, others
  case outputs, phase, pictures, prefix, preset, readable, result, retires, reuse, sandbox, scratch
  case seconds, seed, settings, spool, stage, start, status, stays, stored, wantsFigures
  case wantsSideFiles, wantsUnits, text, threads, track, unit, units, usualThreads, variant
  case weakness
}

/// A message in which a value is missing or malformed.
struct MalformedMessage: Error, Equatable {
  /// The value's key.
  let key: MessageKey
}

extension JSONValue {
  /// An object of a message, without the values that are nil.
  static func message(_ values: [(MessageKey, JSONValue?)]) -> JSONValue {
    .members(values.map { ($0.rawValue, $1) })
  }

  subscript(key: MessageKey) -> JSONValue? { self[key.rawValue] }

  /// Reads a required value.
  func need<Value>(
    _ key: MessageKey, _ read: (JSONValue) -> Value?
  ) throws(MalformedMessage) -> Value {
    guard let value = self[key].flatMap(read) else { throw MalformedMessage(key: key) }
    return value
  }

  /// Reads an optional value; one of another type is an error.
  func ifPresent<Value>(
    _ key: MessageKey, _ read: (JSONValue) -> Value?
  ) throws(MalformedMessage) -> Value? {
    self[key] == nil ? nil : try need(key, read)
  }

  /// Whether a flag is set; a missing flag is not.
  func flag(_ key: MessageKey) throws(MalformedMessage) -> Bool {
    try ifPresent(key, \.boolean) ?? false
  }

  /// Reads a list; every element must be well-formed.
  func list<Value>(
    _ key: MessageKey, _ read: (JSONValue) -> Value?
  ) throws(MalformedMessage) -> [Value] {
    let elements = try need(key, \.elements)
    let values = elements.compactMap(read)
    guard values.count == elements.count else { throw MalformedMessage(key: key) }
    return values
  }
}

extension Int32 {
  /// Reads an integer that fits the type.
  init?(json: JSONValue) {
    guard let number = json.integer.flatMap({ Int32(exactly: $0) }) else { return nil }
    self = number
  }
}

extension AuricleError {
  /// The values that describe a failure.
  var messageValues: [(MessageKey, JSONValue?)] {
    [
      (.error, .string(message)), (.category, JSONValue(Int(category.rawValue))),
      (.status, status == 0 ? nil : JSONValue(Int(status))),
      (.cause, cause.map { .string($0.code) }),
    ]
  }

  /// Reads the failure from `messageValues`.
  init(message json: JSONValue) throws(MalformedMessage) {
    self.init(
      try json.need(.category) { Int32(json: $0).flatMap(Category.init) },
      status: try json.ifPresent(.status, Int32.init(json:)) ?? 0,
      try json.need(.error, \.text),
      cause: try json.ifPresent(.cause) { $0.text.flatMap(Cause.init(code:)) })
  }
}
