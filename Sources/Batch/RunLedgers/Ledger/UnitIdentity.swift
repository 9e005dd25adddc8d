// A unit as it is installed: a run is tied to it.
// SPDX-License-Identifier: Apache-2.0

public import HostSystem

/// A unit of a chain as it is installed: a run is tied to it.
public struct UnitIdentity: Sendable, Equatable {
  /// `type:subtype:manufacturer`, or the URI of an LV2 plug-in.
  public var identity: String
  /// "Maker: Unit".
  public var name: String
  /// Its version as displayed.
  public var version: String
  /// Its bundle or file; empty for none.
  public var path: String
  /// XXH64 over the files of its bundle that it runs from; 0 if unknown.
  public var checksum: UInt64
  /// Whether it ships with the program, so that it is not suspected of misbehaviour. Reported by a worker
  /// before it opens any unit, and not stored.
  public var isShipped = false

  /// Whether it is run over a whole sound, which is kept for it.
  package var isOffline: Bool { identity.hasPrefix("auol:") }

  /// Describes a unit.
  public init(identity: String, name: String, version: String, path: String, checksum: UInt64) {
    self.identity = identity
    self.name = name
    self.version = version
    self.path = path
    self.checksum = checksum
  }

  /// Whether it is the same unit: its files may have moved; an unknown checksum is not compared.
  package func isSame(as other: UnitIdentity) -> Bool {
    var other = other
    other.isShipped = isShipped
    if checksum == 0 || other.checksum == 0 {
      other.checksum = checksum
    } else {
      other.path = path
    }
    return self == other
  }

  /// The identity as JSON.
  public var json: JSONValue { .members(members) }

  /// The identity as a worker reports it.
  package var message: JSONValue { .members(members + [("shipped", isShipped ? true : nil)]) }

  private var members: [(String, JSONValue?)] {
    [
      ("identity", .string(identity)), ("name", .string(name)), ("version", .string(version)),
      ("path", path.isEmpty ? nil : .string(path)),
      ("xxh64", checksum == 0 ? nil : .string(Hexadecimal.text(checksum))),
    ]
  }

  package init?(json: JSONValue) {
    guard let identity = json["identity"]?.text, let name = json["name"]?.text else { return nil }
    self.init(
      identity: identity, name: name, version: json["version"]?.text ?? "",
      path: json["path"]?.text ?? "",
      checksum: json["xxh64"]?.text.flatMap(Hexadecimal.number) ?? 0)
    isShipped = json["shipped"]?.boolean ?? false
  }
}
