// The request of a watch: its folder and options.
// SPDX-License-Identifier: Apache-2.0

package import HostSystem

/// The request of a watch: its folder and options.
public struct WatchRequest: Sendable, Equatable {
  /// The absolute path of the folder.
  public var folder: String
  /// Seconds that a file must stay unchanged before it is processed.
  public var settle = 2.0
  /// Whether to poll even if the system reports changes.
  public var polls = false

  /// Watches a folder.
  public init(folder: String) { self.folder = folder }

  package var json: JSONValue {
    .members([
      ("folder", .string(folder)), ("settle", JSONValue(settle)), ("polls", .boolean(polls)),
    ])
  }

  package init?(json: JSONValue) {
    guard let folder = json["folder"]?.text else { return nil }
    self.init(folder: folder)
    settle = json["settle"]?.number ?? settle
    polls = json["polls"]?.boolean ?? false
  }
}
