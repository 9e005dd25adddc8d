// What is watched, and how.
// SPDX-License-Identifier: Apache-2.0

package import HostSystem

/// What is watched, and how.
public struct WatchRequest: Sendable, Equatable {
  /// The folder, as a path from the root.
  public var folder: String
  /// Seconds that a file has to stay as it is before it is taken.
  public var settle = 2.0
  /// Whether to look for changes even where the system tells of them.
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
