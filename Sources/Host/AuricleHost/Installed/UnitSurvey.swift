// Describes a unit from data files and cached probes.
// SPDX-License-Identifier: Apache-2.0

import AudioComponents
import AudioTypes
import Foundation
import HostSystem
import InstalledComponents
import LV2Units

/// A collector of the known facts of a unit, which probes it if needed.
struct UnitSurvey: Sendable {
  let host: HostPlaces
  let catalogs: InstalledCatalogs

  /// - Parameter isForced: Whether to ignore caches of data files.
  init(_ host: HostPlaces, isForced: Bool = false) {
    self.host = host
    catalogs = host.formats.catalogs(host.catalogRequest(isForced: isForced))
  }

  /// The description of a component, and its problem as the end of a sentence.
  ///
  /// A unit described by data files is not opened: a latency that is known only after it ran is left out,
  /// unless a scan has run it. Other units are probed in a process of their own, once until they change.
  func report(on component: AudioComponent) -> (report: UnitReport, problem: String?) {
    guard let metadata = catalogs.catalog(of: component)?.metadata(of: component) else {
      let probe = UnitProbe.remembered(component) ?? open(component)
      return (probe.report ?? UnitReport(component), probe.problem)
    }
    var report = UnitReport(component)
    do throws(AuricleError) {
      try report.describe(metadata.describedComponent.instantiate())
    } catch { return (report, error.message) }
    report.add(metadata)
    if let probe = UnitProbe.remembered(component) {
      report.behavior = probe.report?.behavior
      return (report, probe.problem)
    }
    if !metadata.hasLatencyToMeasure {
      report.behavior = UnitReport.Behavior(
        sampleRate: 48_000, latencyFrames: 0, latencySeconds: 0, tailSeconds: nil, notes: [])
    }
    return (report, nil)
  }

  /// Opens and runs a unit in a separate process; blocks it if it crashes or hangs.
  func open(_ component: AudioComponent) -> UnitProbe {
    let probe = UnitProbe.run(component, host, files: files(of: component))
    var blocklist = ComponentBlocklist(folder: HostPlaces.cacheFolder)
    let key = ComponentBlocklist.key(of: component)
    if probe.wasDangerous, let problem = probe.problem, component.location != .process {
      blocklist.change(
        adding: [
          BlockedComponent(
            key: key, name: component.name, reason: problem, stamps: probe.stamps)
        ], removing: [])
    } else {
      blocklist.change(adding: [], removing: [key])
    }
    return probe
  }

  private func files(of component: AudioComponent) -> [String] {
    catalogs.catalog(of: component)?.files(of: component) ?? []
  }
}
