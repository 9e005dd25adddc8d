// What was installed at the last scan, to tell the next one what has changed.
// SPDX-License-Identifier: Apache-2.0

import AudioComponents
import Foundation
import LV2Units
import Synchronization

/// Bundles and components with a mark that changes when they do.
struct ScanSnapshot: Codable {
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

  private static let kind = "AuScan01"

  /// Each search path has its own, as two of them have little to do with each other.
  private static var file: String? {
    let environment = ProcessInfo.processInfo.environment
    let places = ["LV2_PATH", "AURICLE_COMPONENT_PATH", "HOME"].map { environment[$0] ?? "" }
    return Host.cacheFolder.map {
      "\($0)/scan-\(CacheFile.name(for: places.joined(separator: "\n"))).bin"
    }
  }

  /// The one that was stored last; nil when there is none.
  static func stored() -> ScanSnapshot? {
    guard let file, let bytes = CacheFile.contents(of: file, kind: kind) else { return nil }
    return try? JSONDecoder().decode(ScanSnapshot.self, from: Data(bytes))
  }

  func store() {
    guard let file = Self.file, let data = try? JSONEncoder().encode(self) else { return }
    CacheFile.store(Array(data), at: file, kind: Self.kind)
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
