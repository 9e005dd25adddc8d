// What a scan tells, as `auricle scan --format json` prints it.
// SPDX-License-Identifier: Apache-2.0

import AudioComponents

/// The result of a scan.
struct ScanReport: Encodable {
  /// A bundle or a native component.
  struct Item: Codable {
    var path: String
    var source: String
    /// The identities or URIs of its units.
    var units: [String]
  }

  /// Something that cannot be used.
  struct Broken: Encodable {
    /// The bundle.
    var path: String
    /// The unit, when it is one of several.
    var unit: String?
    /// The Turtle file, and the place in it where it can be told.
    var file: String?
    var line: Int?
    var column: Int?
    var cause: String
    var remedy: String
  }

  /// A unit that is not opened.
  struct Blocked: Encodable {
    var unit: String
    var name: String
    var cause: String

    init(_ entry: BlockedComponent) {
      unit = entry.key
      name = entry.name
      cause = entry.reason
    }
  }

  /// A plug-in that another bundle's plug-in of the same URI takes the place of.
  struct Shadowed: Encodable {
    var unit: String
    var path: String
    var version: String
    var usedPath: String
    var usedVersion: String
  }

  var new: [Item] = []
  var changed: [Item] = []
  var gone: [Item] = []
  var broken: [Broken] = []
  var blocked: [Blocked] = []
  var shadowed: [Shadowed] = []
  var bundleCount = 0
  var plugInCount = 0
  var presetCount = 0
  var nativeCount = 0
  /// How many units were opened for it.
  var openedCount = 0
  var elapsedSeconds = 0.0

  /// Leaves out all that is not about some units.
  mutating func keep(only components: [AudioComponent]) {
    let uris = Set(components.compactMap(\.location.uri))
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
    shadowed.removeAll { !uris.contains($0.unit) }
  }

  /// Whether nothing is broken and nothing blocked.
  var isInOrder: Bool { broken.isEmpty && blocked.isEmpty }
}

/// Lays a scan out for reading.
enum ScanText {
  static func write(_ report: ScanReport) {
    var table = TextTable([.left, .left])
    for (word, items) in [("new", report.new), ("changed", report.changed), ("gone", report.gone)] {
      for item in items {
        let units = item.units.count == 1 ? item.units[0] : "\(item.units.count) units"
        table.add([word, TerminalText.plain("\(item.path): \(units)")])
      }
    }
    for item in report.shadowed {
      table.add([
        "shadowed",
        TerminalText.plain(
          "\(item.unit) \(item.version) in \(item.path): \(item.usedVersion) in \(item.usedPath) is used"
        ),
      ])
    }
    for item in report.broken {
      var place = item.path
      if let file = item.file {
        place = item.line.map { "\(file):\($0):\(item.column ?? 0)" } ?? file
      }
      if let unit = item.unit { place += ": \(unit)" }
      table.add(["broken", TerminalText.plain("\(place): \(item.cause); \(item.remedy)")])
    }
    for item in report.blocked {
      table.add(["blocked", TerminalText.plain("\(item.unit): it \(item.cause)")])
    }
    StandardStreams.writeResult(table.text())
    StandardStreams.writeResult(
      Figures.count(report.plugInCount, "LV2 plug-in", "LV2 plug-ins") + " and "
        + Figures.count(report.presetCount, "preset", "presets") + " in "
        + Figures.count(report.bundleCount, "bundle", "bundles") + ", "
        + Figures.count(report.nativeCount, "native unit", "native units") + "; "
        + "\(report.broken.count) broken, \(report.blocked.count) blocked, "
        + "\(Figures.duration(report.elapsedSeconds))\n")
  }
}
