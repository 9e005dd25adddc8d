// The units that can be checked: those in use, and those of any bundle by its path.
// SPDX-License-Identifier: Apache-2.0

import AudioComponents
import AudioTypes
import Foundation
import InstalledComponents

/// Finds the components that are to be checked.
struct ValidationTargets {
  /// A component, and the catalog that it is of.
  struct Target {
    var component: AudioComponent
    var catalog: (any ComponentCatalog)?
    /// The bundle that it was named by; nil when it was not.
    var path: String?
  }

  private let host: HostPlaces
  private let catalogs: InstalledCatalogs
  private let registry: AudioComponentRegistry

  init(_ host: HostPlaces) {
    self.host = host
    catalogs = host.formats.catalogs(host.catalogRequest(runsCode: true))
    registry = catalogs.makeRegistry()
  }

  /// All components in use, of one format or of all.
  func all(ofFormat format: String? = nil) -> [Target] {
    registry.components.filter { format == nil || $0.origin.format == format }
      .map { Target(component: $0, catalog: catalogs.catalog(of: $0), path: nil) }
  }

  /// The component in use of a name.
  func named(_ name: String) throws(AuricleError) -> Target {
    let component = try registry.resolve(name)
    return Target(component: component, catalog: catalogs.catalog(of: component), path: nil)
  }

  /// The components of a bundle, and its faults, a sentence each.
  func bundle(_ path: String) -> (targets: [Target], problems: [String]) {
    let path = URL(fileURLWithPath: path).standardizedFileURL.path
    var targets: [Target] = []
    var problems: [String] = []
    for format in host.formats.all where format.describesByOpening == path.hasSuffix(".component") {
      var request = host.catalogRequest(runsCode: true)
      request.searchPath = ParentFolder.of(path)
      let catalog = format.catalog(request)
      let discovery = catalog.discover()
      targets += discovery.components.filter { $0.location.path == path }
        .map { Target(component: $0, catalog: catalog, path: path) }
      problems += discovery.problems.filter { $0.path == path }.map(\.message)
    }
    return (targets, problems)
  }

  /// The component of an identity, in a bundle where that is known.
  ///
  /// - Throws: `.unavailable` when there is none.
  func component(named unit: String, in path: String?) throws(AuricleError) -> Target {
    guard let path else { return try named(unit) }
    let found = bundle(path).targets.first { Self.unit($0.component) == unit }
    guard let found else {
      throw AuricleError(.unavailable, "\(path) has no unit \(unit)")
    }
    return found
  }

  /// The bundles that have components of each identity, where there is more than one: of those installed, and
  /// of those to be checked.
  ///
  /// A bundle that is checked where it is built may have the identity of the one that is installed of it.
  func duplicates(among targets: [Target]) -> [String: [String]] {
    let installed = catalogs.all.flatMap { $0.discover().components }
    return [installed, targets.map(\.component)].map { components in
      Dictionary(grouping: components, by: \.triple)
        .mapValues { Set($0.compactMap(\.location.path)).sorted() }.filter { $0.value.count > 1 }
    }
    .reduce(into: [:]) { all, more in
      all.merge(more) { one, other in Set(one + other).sorted() }
    }
  }

  /// The name of a component for another process.
  static func unit(_ component: AudioComponent) -> String {
    component.location.identifier ?? component.triple
  }
}
