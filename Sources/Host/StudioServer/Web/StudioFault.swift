// A refusal of the studio's server: a status, a sentence and the place it is about.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AuricleHost
import ChainPresets
import HostSystem

/// A request that cannot be answered: its status, its kind, one sentence, and the place in a chain.
struct StudioFault: Error {
  /// The kind of a fault, with the status of its answer.
  enum Kind: String {
    case usage
    case forbidden
    case readOnly
    case noPermission
    case notFound
    case conflict
    case tooLarge
    case badData
    case software
    case inputOutput
    case temporary

    var status: Int {
      switch self {
      case .usage: 400
      case .forbidden, .readOnly, .noPermission: 403
      case .notFound: 404
      case .conflict: 409
      case .tooLarge: 413
      case .badData: 422
      case .software, .inputOutput: 500
      case .temporary: 503
      }
    }
  }

  var kind: Kind
  var message: String
  /// Where in a chain it is: stage, key, line.
  var place: JSONValue?

  init(_ kind: Kind, _ message: String, place: JSONValue? = nil) {
    (self.kind, self.message, self.place) = (kind, message, place)
  }

  /// Any error as a fault.
  init(_ error: any Error) {
    switch error {
    case let fault as StudioFault: self = fault
    case let error as AuricleError: self.init(Self.kind(of: error.category), error.message)
    case let errors as PresetErrors:
      let first = errors.diagnostics.first
      let place = first?.position.map { position in
        JSONValue.members([
          ("line", JSONValue(position.line)), ("column", JSONValue(position.column)),
        ])
      }
      self.init(
        Self.kind(of: errors.category), first?.message ?? "the preset cannot be read", place: place)
    default: self.init(.software, "\(error)")
    }
  }

  /// The kind of a category of failures.
  static func kind(of category: AuricleError.Category) -> Kind {
    switch category {
    case .usage: .usage
    case .badData: .badData
    case .noInput, .unavailable: .notFound
    case .inputOutput: .inputOutput
    case .temporary, .interrupted: .temporary
    case .noPermission: .noPermission
    case .someFilesFailed, .software: .software
    }
  }

  /// The fault as the body of an answer.
  var json: JSONValue {
    .members([
      ("error", .string(message)), ("kind", .string(kind.rawValue)), ("place", place),
    ])
  }
}
