// The installed units of the last scan, so that the next one finds changes.
// SPDX-License-Identifier: Apache-2.0

import AudioComponents
import Foundation
import HostSystem
import InstalledComponents
import LV2Units
import Synchronization

/// Bundles and components with checksums that change when they do.
struct ScanSnapshot {
  struct Entry: Codable {
    var fingerprint: String
    var item: ScanReport.Item
  }

  /// By folder.
  var items: [String: Entry] = [:]
  var order: [String] = []

  init(_ bundles: [BundleSummary]) {
    for bundle in bundles {
      let item = ScanReport.Item(
        path: bundle.path, source: bundle.origin.rawValue, units: bundle.units.map(\.identifier))
      items[bundle.path] = Entry(fingerprint: bundle.fingerprint, item: item)
      order.append(bundle.path)
    }
  }

  private static let kind = "AuScan02"

  /// The file of a format's snapshot, one for each search path.
  private static func file(_ format: any ComponentFormat) -> String? {
    let environment = ProcessInfo.processInfo.environment
    let variable = format.searchVariable
    let places = [variable, environment[variable] ?? "", environment["HOME"] ?? ""]
    return HostPlaces.cacheFolder.map {
      "\($0)/scan-\(CacheFile.name(for: places.joined(separator: "\n"))).bin"
    }
  }

  /// The stored snapshot; empty if there is none.
  static func stored(_ formats: InstalledFormats) -> [String: Entry] {
    formats.all.reduce(into: [:]) { items, format in
      guard let file = file(format), let bytes = CacheFile.contents(of: file, kind: kind),
        let known = try? JSONDecoder().decode([String: Entry].self, from: Data(bytes))
      else { return }
      items.merge(known) { $1 }
    }
  }

  /// Stores the snapshot for the next scan.
  func store(_ formats: InstalledFormats) {
    for format in formats.all {
      let own = items.filter {
        ComponentOrigin(rawValue: $0.value.item.source).format == format.name
      }
      guard let file = Self.file(format), let data = try? JSONEncoder().encode(own) else {
        continue
      }
      CacheFile.store(Array(data), at: file, kind: Self.kind)
    }
  }
}

/// Results collected by several threads.
final class Results: Sendable {
  private let outcomes: Mutex<[(probe: UnitProbe, isFresh: Bool)?]>

  init(count: Int) { outcomes = Mutex(Array(repeating: nil, count: count)) }

  func set(_ index: Int, _ probe: UnitProbe, isFresh: Bool) {
    outcomes.withLock { $0[index] = (probe, isFresh) }
  }

  var all: [(probe: UnitProbe, isFresh: Bool)?] { outcomes.withLock { $0 } }
}
