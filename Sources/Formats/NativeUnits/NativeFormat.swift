// `.component` bundles as a format of components.
// SPDX-License-Identifier: Apache-2.0

public import AudioComponents
import HostSystem

/// Native units: `.component` bundles, described by a property list.
public struct NativeFormat: ComponentFormat {
  private let shippedFolder: String?

  /// Makes the format.
  ///
  /// - Parameter shippedFolder: The folder of the bundles that ship with the program; nil for none.
  ///
  /// Context: any.
  public init(shippedFolder: String?) { self.shippedFolder = shippedFolder }

  /// "native".
  public var name: String { ComponentOrigin.native.rawValue }

  /// AURICLE_COMPONENT_PATH.
  public var searchVariable: String { "AURICLE_COMPONENT_PATH" }

  /// The folders of AURICLE_COMPONENT_PATH, the user's, the machine's, and the one that ships.
  public var searchPaths: [String] {
    NativeComponentSource.standardFolders(shipped: shippedFolder).map(\.path)
  }

  /// Yes: a property list contains little more than a name.
  public var describesByOpening: Bool { true }

  /// The bundles of the search path; no cache is kept of them.
  public func catalog(_ request: CatalogRequest) -> any ComponentCatalog {
    guard let path = request.searchPath else {
      return NativeComponentSource(
        folders: NativeComponentSource.standardFolders(shipped: shippedFolder))
    }
    return NativeComponentSource(
      folders: path.split(separator: ":").map { (path: String($0), origin: .native) })
  }
}

extension NativeComponentSource: ComponentCatalog {
  /// "native".
  public var formatName: String { ComponentOrigin.native.rawValue }

  /// The bundles with components, the first of an identity in use; `discover` reports the faults of others.
  ///
  /// Context: control.
  public var bundles: [BundleSummary] {
    var summaries: [BundleSummary] = []
    var places: [String: Int] = [:]
    var used: [String: String] = [:]
    for component in discover().components {
      guard let path = component.location.path else { continue }
      let unit = BundleSummary.Unit(
        identifier: component.triple, version: component.versionText,
        shadowedBy: used[component.triple])
      if used[component.triple] == nil { used[component.triple] = path }
      if let place = places[path] {
        summaries[place].units.append(unit)
        continue
      }
      let stamps = ([path] + Self.files(ofBundle: path)).map { "\(PathStamp(of: $0))" }
      places[path] = summaries.count
      summaries.append(
        BundleSummary(
          path: path, origin: component.origin,
          fingerprint: CacheFile.name(for: stamps.joined()), units: [unit]))
    }
    return summaries
  }

  /// Returns the contents of the bundle's folders of code and description.
  ///
  /// Context: control.
  public func files(of component: AudioComponent) -> [String] {
    component.location.path.map(Self.files(ofBundle:)) ?? []
  }

  private static func files(ofBundle path: String) -> [String] {
    let contents = path + "/Contents"
    return [contents, contents + "/Linux"].flatMap { folder in
      (names(in: folder) ?? []).sorted().prefix(32).map { folder + "/" + $0 }
    }
  }
}
