// The result of a scan, as `auricle scan --format json` prints it.
// SPDX-License-Identifier: Apache-2.0

import AudioComponents
import RunReports
import UnitChains

/// The result of a scan.
public struct ScanReport: Encodable, Sendable {
  /// A bundle or a native component.
  public struct Item: Codable, Sendable {
    /// Its folder.
    public var path: String
    /// Where it comes from: `built-in`, `native` or the name of a format.
    public var source: String
    /// The identities or URIs of its units.
    public var units: [String]
  }

  /// Something that cannot be used.
  public struct Broken: Encodable, Sendable {
    /// The bundle.
    public var path: String
    /// The unit, when it is one of several.
    public var unit: String?
    /// The Turtle file, if known.
    public var file: String?
    /// The line in it, from 1.
    public var line: Int?
    /// The column in it, from 1.
    public var column: Int?
    /// The cause, as the end of a sentence.
    public var cause: String
    /// The remedy.
    public var remedy: String
  }

  /// A unit that is not opened.
  public struct Blocked: Encodable, Sendable {
    /// Its identity or URI.
    public var unit: String
    /// "Maker: Unit".
    public var name: String
    /// Its failure, as the end of a sentence.
    public var cause: String

    init(_ entry: BlockedComponent) {
      unit = entry.key
      name = entry.name
      cause = entry.reason
    }
  }

  /// A unit that was named, opened and run, and did nothing wrong.
  public struct Sound: Encodable, Sendable {
    /// Its identity or URI.
    public var unit: String
    /// "Maker: Unit".
    public var name: String
    /// The reason why no chain accepts it, as the end of a sentence; nil where chains accept it.
    public var chains: String?
  }

  /// A unit that another bundle's unit of the same URI or identity replaces.
  public struct Shadowed: Encodable, Sendable {
    /// The URI or identity.
    public var unit: String
    /// The bundle that is not used.
    public var path: String
    /// The version in it.
    public var version: String
    /// The bundle that is used.
    public var usedPath: String
    /// The version in that.
    public var usedVersion: String
  }

  /// Items that the previous scan did not have.
  public var new: [Item] = []
  /// Items that changed since the previous scan.
  public var changed: [Item] = []
  /// Items that are gone since the previous scan.
  public var gone: [Item] = []
  /// Items that cannot be used.
  public var broken: [Broken] = []
  /// Units that are not opened.
  public var blocked: [Blocked] = []
  /// Units that others replace.
  public var shadowed: [Shadowed] = []
  /// The named units that are in order.
  public var inOrder: [Sound] = []
  /// Bundles and files of plug-ins.
  public var bundleCount = 0
  /// Plug-ins of other formats.
  public var plugInCount = 0
  /// Presets of plug-ins.
  public var presetCount = 0
  /// Units of native components.
  public var nativeCount = 0
  /// The number of units probed.
  public var openedCount = 0
  /// The duration of the scan in seconds.
  public var elapsedSeconds = 0.0

  /// Keeps only the parts about these units.
  mutating func keep(only components: [AudioComponent]) {
    let uris = Set(components.compactMap(\.location.identifier))
    let keys = Set(components.map { ComponentBlocklist.key(of: $0) })
    let paths = Set(components.compactMap(\.location.path))
    let units = uris.union(components.map(\.triple))
    for list in [\ScanReport.new, \.changed, \.gone] {
      self[keyPath: list].removeAll { units.isDisjoint(with: $0.units) }
    }
    broken.removeAll { item in
      item.unit.map { !units.contains($0) } ?? !paths.contains(item.path)
    }
    blocked.removeAll { !keys.contains($0.unit) }
    shadowed.removeAll { !units.contains($0.unit) }
  }

  /// Notes which of the units that were opened are neither broken nor blocked.
  mutating func addSound(_ opened: [AudioComponent]) {
    let faulty = Set(broken.compactMap(\.unit) + blocked.map(\.unit))
    for component in opened {
      let unit = component.location.identifier ?? component.triple
      guard faulty.isDisjoint(with: [unit, ComponentBlocklist.key(of: component)]) else { continue }
      inOrder.append(
        Sound(
          unit: unit, name: component.name,
          chains: ChainStage.refusal(of: component.description)))
    }
  }

  /// Whether nothing is broken and nothing blocked.
  public var isInOrder: Bool { broken.isEmpty && blocked.isEmpty }
}
