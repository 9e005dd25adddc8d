// What was installed at the last scan, to tell the next one what has changed.
// SPDX-License-Identifier: Apache-2.0

import AudioComponents
import Foundation
import LV2Units
import Synchronization

/// Bundles and components with a mark that changes when they do.
struct ScanSnapshot {
  struct Entry: Codable {
    var fingerprint: String
    var item: ScanReport.Item
  }

  /// By folder.
  var items: [String: Entry] = [:]
  var order: [String] = []

  init(_ bundles: [LV2BundleSummary], _ natives: [AudioComponent]) {
    for component in natives {
      guard let path = component.location.path else { continue }
      if items[path] == nil {
        let stamps = ([path] + UnitProbe.files(ofBundle: path)).map { "\(FileStamp(of: $0))" }
        add(
          path,
          Entry(
            fingerprint: CacheFile.name(for: stamps.joined()),
            item: ScanReport.Item(path: path, source: component.origin.rawValue, units: [])))
      }
      items[path]?.item.units.append(component.triple)
    }
    for bundle in bundles {
      let item = ScanReport.Item(
        path: bundle.path, source: "lv2", units: bundle.plugIns.map(\.uri))
      add(bundle.path, Entry(fingerprint: bundle.fingerprint, item: item))
    }
  }

  private mutating func add(_ path: String, _ entry: Entry) {
    items[path] = entry
    order.append(path)
  }

  private static let kind = "AuScan02"

  /// What is found in folders of its own: what another search path holds of the one says nothing of the other.
  private enum Part: String, CaseIterable {
    case lv2 = "LV2_PATH"
    case native = "AURICLE_COMPONENT_PATH"

    /// Where it is stored, for each search path apart.
    var file: String? {
      let environment = ProcessInfo.processInfo.environment
      let places = [rawValue, environment[rawValue] ?? "", environment["HOME"] ?? ""]
      return Host.cacheFolder.map {
        "\($0)/scan-\(CacheFile.name(for: places.joined(separator: "\n"))).bin"
      }
    }

    func holds(_ item: ScanReport.Item) -> Bool {
      (item.source == ComponentOrigin.lv2.rawValue) == (self == .lv2)
    }
  }

  /// Everything as it was stored last; empty where nothing was.
  static var stored: [String: Entry] {
    Part.allCases.reduce(into: [:]) { items, part in
      guard let file = part.file, let bytes = CacheFile.contents(of: file, kind: kind),
        let known = try? JSONDecoder().decode([String: Entry].self, from: Data(bytes))
      else { return }
      items.merge(known) { $1 }
    }
  }

  func store() {
    for part in Part.allCases {
      let own = items.filter { part.holds($0.value.item) }
      guard let file = part.file, let data = try? JSONEncoder().encode(own) else { continue }
      CacheFile.store(Array(data), at: file, kind: Self.kind)
    }
  }
}

/// Outcomes gathered by several threads.
final class Results: Sendable {
  private let outcomes: Mutex<[(probe: UnitProbe, isFresh: Bool)?]>

  init(count: Int) { outcomes = Mutex(Array(repeating: nil, count: count)) }

  func set(_ index: Int, _ probe: UnitProbe, isFresh: Bool) {
    outcomes.withLock { $0[index] = (probe, isFresh) }
  }

  var all: [(probe: UnitProbe, isFresh: Bool)?] { outcomes.withLock { $0 } }
}
