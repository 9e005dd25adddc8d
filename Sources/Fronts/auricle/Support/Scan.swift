// The work of `auricle scan`.
// SPDX-License-Identifier: Apache-2.0

import AudioComponents
import AudioTypes
import Foundation
import LV2Units

/// Reads everything, opens what is to be opened, and compares to the scan before.
struct Scan {
  private(set) var report = ScanReport()
  private let host: Host

  init(_ host: Host, isForced: Bool, opensAll: Bool, names: [String]) throws {
    self.host = host
    let start = ContinuousClock.now
    let survey = UnitSurvey(host, isForced: isForced)
    let registry = AudioComponentRegistry(
      sources: [host.nativeSource, FoundComponents(survey.catalog.discovery)])
    let natives = registry.components.filter { $0.origin != .lv2 }
    let named = try names.map { name throws(AuricleError) in try registry.resolve(name) }
    let bundles = survey.catalog.bundles
    let snapshot = ScanSnapshot(bundles, natives)
    compare(snapshot, to: ScanSnapshot.stored)
    addShadowed(bundles)
    let unusable = survey.catalog.unusablePlugIns()
    addBroken(bundles, unusable, registry)

    // A unit that is remembered to fail is not tried again before it changes.
    let isNamed = Set(named.map(ObjectIdentifier.init))
    let suspects = names.isEmpty && !opensAll ? survey.catalog.suspiciousPlugIns() : []
    // What its data tells to be of no use is not opened to hear it once more.
    let useless = Set(unusable.filter { !$0.isUsedAllTheSame }.map(\.uri))
    let candidates = registry.components.filter {
      if let uri = $0.location.uri, useless.contains(uri) { return false }
      if isNamed.contains(ObjectIdentifier($0)) { return true }
      guard names.isEmpty else { return false }
      return opensAll || $0.origin != .lv2 || $0.location.uri.map(suspects.contains) == true
    }
    let probes = Self.open(candidates, survey, isForced: isForced || !names.isEmpty)
    report.openedCount = probes.count { $0.isFresh }
    for (component, probe, _) in probes where probe.problem != nil && !probe.wasDangerous {
      report.broken.append(
        ScanReport.Broken(
          path: component.location.path ?? "",
          unit: component.location.uri ?? component.triple,
          cause: "it \(probe.problem ?? "")",
          remedy: "install it again or another version of it, or leave it out"))
    }
    report.blocked = ComponentBlocklist(folder: Host.cacheFolder).all.map(ScanReport.Blocked.init)
    if !names.isEmpty { report.keep(only: named) }
    report.bundleCount = bundles.count
    report.plugInCount = registry.components.count - natives.count
    report.presetCount = bundles.reduce(0) { $0 + $1.presetCount }
    report.nativeCount = natives.count
    // What a look at some units did not tell is news still.
    if names.isEmpty { snapshot.store() }
    let elapsed = (ContinuousClock.now - start).components
    report.elapsedSeconds = Double(elapsed.seconds) + Double(elapsed.attoseconds) / 1e18
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

  private mutating func addShadowed(_ bundles: [LV2BundleSummary]) {
    for bundle in bundles {
      for plugIn in bundle.plugIns {
        guard let usedPath = plugIn.shadowedBy else { continue }
        let used = bundles.first { $0.path == usedPath }?.plugIns.first { $0.uri == plugIn.uri }
        report.shadowed.append(
          ScanReport.Shadowed(
            unit: plugIn.uri, path: bundle.path, version: plugIn.version, usedPath: usedPath,
            usedVersion: used?.version ?? ""))
      }
    }
  }

  private mutating func addBroken(
    _ bundles: [LV2BundleSummary], _ unusable: [LV2UnusablePlugIn],
    _ registry: AudioComponentRegistry
  ) {
    for bundle in bundles {
      for problem in bundle.problems {
        report.broken.append(ScanReport.Broken(path: bundle.path, problem: problem))
      }
    }
    for plugIn in unusable {
      report.broken.append(
        ScanReport.Broken(
          path: plugIn.bundle, unit: plugIn.uri, cause: plugIn.reason,
          remedy: plugIn.remedy))
    }
    for problem in registry.problems where !bundles.contains(where: { $0.path == problem.path }) {
      report.broken.append(
        ScanReport.Broken(
          path: problem.path, cause: problem.message.trimmingSuffix("."),
          remedy: "correct it, or remove it"))
    }
  }

  /// Opens units side by side, those whose outcome is remembered excepted.
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

/// Components that were found already.
private struct FoundComponents: AudioComponentSource {
  let discovery: ComponentDiscovery

  init(_ discovery: ComponentDiscovery) { self.discovery = discovery }

  func discover() -> ComponentDiscovery { discovery }
}

extension ScanReport.Broken {
  /// A problem of a bundle's data, taken apart when it names its place.
  init(path: String, problem: String) {
    self.path = path
    cause = problem
    remedy = "correct its data files, or remove the bundle"
    guard let match = problem.firstMatch(of: /^(\/.*?):(\d+):(\d+): (.*)$/) else {
      // A file that cannot be read at all has no place in it.
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
