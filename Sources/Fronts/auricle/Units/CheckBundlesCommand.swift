// `auricle check-bundles`, hidden: reads and describes folders of bundles, for the tests that damage them.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AudioComponents
import AudioTypes
import AuricleHost
import CommandOutput
import Foundation
import InstalledComponents

/// Uses each subfolder of a folder as a search path, and writes a line of JSON about its bundles.
///
/// Does everything that happens before a plug-in's binary is opened: reads the data files, and opens every
/// described plug-in as a unit, which uses lilv.
struct CheckBundlesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check-bundles", abstract: "Describe folders of bundles for a test.",
    shouldDisplay: false)

  @Argument(help: "A folder of folders of bundles.")
  var folder: String

  /// The result of one search path.
  struct Line: Codable {
    var name: String
    var plugIns: Int
    var problems: [String]
    var refusals: [String]
    /// CPU time.
    var seconds: Double
  }

  func run() throws {
    HostPlaces().enterSandboxAtFirstPlugIn(PlugInProcessFiles(folders: [folder]))
    // Data that makes lilv allocate without bound is found here without harming the machine.
    var limit = rlimit(rlim_cur: 6 << 30, rlim_max: 6 << 30)
    unsafe setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)
    guard let format = HostPlaces().formats.all.first(where: { !$0.describesByOpening }) else {
      return
    }
    for name in try FileManager.default.contentsOfDirectory(atPath: folder).sorted() {
      let start = Self.processorSeconds
      let catalog = format.catalog(
        CatalogRequest(searchPath: folder + "/" + name, cacheFolder: ""))
      let discovery = catalog.discover()
      var line = Line(
        name: name, plugIns: discovery.components.count,
        problems: discovery.problems.map(\.message), refusals: [], seconds: 0)
      for component in discovery.components {
        do throws(AuricleError) {
          var report = UnitReport(component)
          if let metadata = catalog.metadata(of: component) {
            try report.describe(metadata.describedComponent.instantiate())
            report.add(metadata)
          }
          try report.describe(component.instantiate())
        } catch { line.refusals.append(error.message) }
      }
      line.seconds = Self.processorSeconds - start
      try JSONResult.writeLine(line)
    }
  }

  /// CPU time, which does not depend on the machine's load.
  private static var processorSeconds: Double {
    var time = timespec()
    unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
