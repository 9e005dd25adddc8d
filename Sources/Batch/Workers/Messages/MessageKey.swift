// The names of values in messages, each spelled once, and how values are read by them.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import HostSystem

/// The name of a value in a message.
enum MessageKey: String {
  case all, cause, category, chain, checksum, error, figures, files, finding, format, formats
  case input, job, key, kind, memory, memoryChanged, memoryLimit, name, network, outcome, others
  case outputs, phase, pictures, prefix, preset, readable, result, retires, reuse, sandbox, scratch
  case seconds, seed, settings, spool, stage, status, stays, stored, tellsChain, tellsSideFiles
  case tellsUnits, text, threads, unit, units, usualThreads, variant
}

/// A message without a value that it needs, or with one that makes no sense.
struct MalformedMessage: Error, Equatable {
  /// The value's name.
  let key: MessageKey
}

extension JSONValue {
  /// An object of a message, without the values that are nil.
  static func message(_ values: [(MessageKey, JSONValue?)]) -> JSONValue {
    .members(values.map { ($0.rawValue, $1) })
  }

  subscript(key: MessageKey) -> JSONValue? { self[key.rawValue] }

  /// Reads a value that must be there.
  func need<Value>(
    _ key: MessageKey, _ read: (JSONValue) -> Value?
  ) throws(MalformedMessage) -> Value {
    guard let value = self[key].flatMap(read) else { throw MalformedMessage(key: key) }
    return value
  }

  /// Reads a value that may be missing, but not be another.
  func ifPresent<Value>(
    _ key: MessageKey, _ read: (JSONValue) -> Value?
  ) throws(MalformedMessage) -> Value? {
    self[key] == nil ? nil : try need(key, read)
  }

  /// Whether a flag is set; one that is missing is not.
  func flag(_ key: MessageKey) throws(MalformedMessage) -> Bool {
    try ifPresent(key, \.boolean) ?? false
  }

  /// Reads a list, of which each element must make sense.
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
  /// A number of a message that fits.
  init?(json: JSONValue) {
    guard let number = json.integer.flatMap({ Int32(exactly: $0) }) else { return nil }
    self = number
  }
}

extension AuricleError {
  /// The values that tell a failure.
  var messageValues: [(MessageKey, JSONValue?)] {
    [
      (.error, .string(message)), (.category, JSONValue(Int(category.rawValue))),
      (.status, status == 0 ? nil : JSONValue(Int(status))),
      (.cause, cause.map { .string($0.code) }),
    ]
  }

  /// Reads what `messageValues` tells.
  init(message json: JSONValue) throws(MalformedMessage) {
    self.init(
      try json.need(.category) { Int32(json: $0).flatMap(Category.init) },
      status: try json.ifPresent(.status, Int32.init(json:)) ?? 0,
      try json.need(.error, \.text),
      cause: try json.ifPresent(.cause) { $0.text.flatMap(Cause.init(code:)) })
  }
}
