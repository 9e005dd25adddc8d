// The work of `auricle scan`.
// SPDX-License-Identifier: Apache-2.0

import AudioComponents
import AudioTypes
import Foundation
import InstalledComponents

/// Reads everything, probes units, and compares with the previous scan.
struct Scan {
  private(set) var report = ScanReport()
  private let host: HostPlaces

  init(_ host: HostPlaces, isForced: Bool, opensAll: Bool, names: [String]) throws {
    self.host = host
    let start = ContinuousClock.now
    let survey = UnitSurvey(host, isForced: isForced)
    let registry = survey.catalogs.makeRegistry()
    let named = try names.map { name throws(AuricleError) in try registry.resolve(name) }
    let bundles = survey.catalogs.all.flatMap(\.bundles)
    let snapshot = ScanSnapshot(bundles)
    compare(snapshot, to: ScanSnapshot.stored(host.formats))
    addShadowed(bundles)
    let unusable = survey.catalogs.all.flatMap { $0.unusableUnits() }
    addBroken(bundles, unusable, registry)
    // Units that are unusable according to their data are not probed again.
    let useless = Set(unusable.filter { !$0.isUsedAllTheSame }.map(\.identifier))
    let candidates = Self.candidates(
      in: registry, of: survey.catalogs, named: named, opensAll: opensAll
    ).filter { $0.location.identifier.map(useless.contains) != true }
    let probes = Self.open(candidates, survey, isForced: isForced || !names.isEmpty)
    report.openedCount = probes.count { $0.isFresh }
    for (component, probe, _) in probes where probe.problem != nil && !probe.wasDangerous {
      report.broken.append(
        ScanReport.Broken(
          path: component.location.path ?? "",
          unit: component.location.identifier ?? component.triple,
          cause: "it \(probe.problem ?? "")",
          remedy: "install it again or another version of it, or leave it out"))
    }
    report.blocked = ComponentBlocklist(folder: HostPlaces.cacheFolder).all.map(
      ScanReport.Blocked.init)
    if !names.isEmpty {
      report.keep(only: named)
      let opened = Set(
        probes.filter { $0.probe.problem == nil }.map { ObjectIdentifier($0.component) })
      report.addSound(named.filter { opened.contains(ObjectIdentifier($0)) })
    }
    count(bundles, registry.components)
    // Units outside a partial scan stay new for the next one.
    if names.isEmpty { snapshot.store(host.formats) }
    let elapsed = (ContinuousClock.now - start).components
    report.elapsedSeconds = Double(elapsed.seconds) + Double(elapsed.attoseconds) / 1e18
  }

  /// The units to probe: the named ones; otherwise those whose format has no data files, and others that seem
  /// unable to open.
  private static func candidates(
    in registry: AudioComponentRegistry, of catalogs: InstalledCatalogs, named: [AudioComponent],
    opensAll: Bool
  ) -> [AudioComponent] {
    let isNamed = Set(named.map(ObjectIdentifier.init))
    if !named.isEmpty {
      return registry.components.filter { isNamed.contains(ObjectIdentifier($0)) }
    }
    if opensAll { return registry.components }
    var suspects: [String: Set<String>] = [:]
    for catalog in catalogs.all { suspects[catalog.formatName] = catalog.suspiciousUnits() }
    return registry.components.filter { component in
      guard let suspects = suspects[component.origin.format] else { return true }
      return component.location.identifier.map(suspects.contains) == true
    }
  }

  private mutating func count(_ bundles: [BundleSummary], _ components: [AudioComponent]) {
    let opened = Set(host.formats.all.filter(\.describesByOpening).map(\.name))
    let described = bundles.filter { !opened.contains($0.origin.format) }
    report.bundleCount = described.count
    report.presetCount = described.reduce(0) { $0 + $1.presetCount }
    report.nativeCount = components.count { opened.contains($0.origin.format) }
    report.plugInCount = components.count - report.nativeCount
  }

  private mutating func compare(
    _ now: ScanSnapshot, to known: [String: ScanSnapshot.Entry]
  ) {
    let keys = now.order.filter { known[$0]?.fingerprint != now.items[$0]?.fingerprint }
    for key in keys {
      guard let item = now.items[key]?.item else { continue }
      if known[key] == nil { report.new.append(item) } else { report.changed.append(item) }
    }
    report.gone = known.filter { now.items[$0.key] == nil }.map(\.value.item)
      .sorted { $0.path < $1.path }
  }

  private mutating func addShadowed(_ bundles: [BundleSummary]) {
    for bundle in bundles {
      for unit in bundle.units {
        guard let usedPath = unit.shadowedBy else { continue }
        let used = bundles.first { $0.path == usedPath }?.units.first {
          $0.identifier == unit.identifier
        }
        report.shadowed.append(
          ScanReport.Shadowed(
            unit: unit.identifier, path: bundle.path, version: unit.version, usedPath: usedPath,
            usedVersion: used?.version ?? ""))
      }
    }
  }

  private mutating func addBroken(
    _ bundles: [BundleSummary], _ unusable: [UnusableUnit],
    _ registry: AudioComponentRegistry
  ) {
    for bundle in bundles {
      for problem in bundle.problems {
        report.broken.append(ScanReport.Broken(path: bundle.path, problem: problem))
      }
    }
    for unit in unusable {
      report.broken.append(
        ScanReport.Broken(
          path: unit.bundle, unit: unit.identifier, cause: unit.reason, remedy: unit.remedy))
    }
    let reported = Set(bundles.filter { !$0.problems.isEmpty }.map(\.path))
    for problem in registry.problems where !reported.contains(problem.path) {
      report.broken.append(
        ScanReport.Broken(
          path: problem.path, cause: problem.message.trimmingSuffix("."),
          remedy: "correct it, or remove it"))
    }
  }

  /// Probes units in parallel, except those with a cached result.
  private static func open(
    _ components: [AudioComponent], _ survey: UnitSurvey, isForced: Bool
  ) -> [(component: AudioComponent, probe: UnitProbe, isFresh: Bool)] {
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = ProcessInfo.processInfo.activeProcessorCount
    let results = Results(count: components.count)
    for (index, component) in components.enumerated() {
      queue.addOperation {
        if !isForced, let probe = UnitProbe.remembered(component) {
          results.set(index, probe, isFresh: false)
        } else {
          results.set(index, survey.open(component), isFresh: true)
        }
      }
    }
    queue.waitUntilAllOperationsAreFinished()
    return zip(components, results.all).compactMap { component, result in
      result.map { (component, $0.probe, $0.isFresh) }
    }
  }
}

extension ScanReport.Broken {
  /// Parses a problem of a bundle's data if it names its position.
  init(path: String, problem: String) {
    self.path = path
    cause = problem
    let hasData = FileManager.default.fileExists(atPath: path + "/manifest.ttl")
    remedy =
      hasData
      ? "correct its data files, or remove the bundle" : "use another build of it, or remove it"
    guard let match = problem.firstMatch(of: /^(\/.*?):(\d+):(\d+): (.*)$/) else {
      // A file that cannot be read has no position.
      if let match = problem.firstMatch(of: /^(\/.*?\.ttl): (.*)$/) {
        file = String(match.1)
        cause = String(match.2)
        remedy = "correct the file, or remove the bundle"
      }
      return
    }
    file = String(match.1)
    line = Int(match.2)
    column = Int(match.3)
    cause = String(match.4)
    remedy = "correct the file, or remove the bundle"
  }
}

extension String {
  fileprivate func trimmingSuffix(_ suffix: String) -> String {
    hasSuffix(suffix) ? String(dropLast(suffix.count)) : self
  }
}
