// All about a unit, from data files and from what is remembered of it.
// SPDX-License-Identifier: Apache-2.0

import AudioComponents
import AudioTypes
import Foundation
import HostSystem
import InstalledComponents
import LV2Units

/// Puts together what is known of a unit, and opens those that are to be opened.
struct UnitSurvey: Sendable {
  let host: HostPlaces
  let catalogs: InstalledCatalogs

  /// - Parameter isForced: Whether all data files are read anew.
  init(_ host: HostPlaces, isForced: Bool = false) {
    self.host = host
    catalogs = host.formats.catalogs(host.catalogRequest(isForced: isForced))
  }

  /// The description of a component, and what is wrong with it as the end of a sentence.
  ///
  /// A unit whose format describes it in data files is never opened for it: a delay that shows only when it
  /// runs is left out, unless a scan has run it. All of another shows only when it is opened: that happens in
  /// a process of its own, once until it changes.
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

  /// Opens and runs a unit in a process of its own; one that crashes or hangs is blocked from then on.
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
