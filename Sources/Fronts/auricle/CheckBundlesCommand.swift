// `auricle check-bundles`, hidden: reads and describes folders of bundles, for the tests that damage them.
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AudioComponents
import AudioTypes
import AuricleHost
import Foundation
import InstalledComponents

/// Takes each folder in a folder for a search path, and tells a line of JSON about its bundles.
///
/// Everything is done that happens before a plug-in's binary is opened: the data files are read, and every
/// plug-in that they describe is opened as a unit, which asks lilv.
struct CheckBundlesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check-bundles", abstract: "Describe folders of bundles for a test.",
    shouldDisplay: false)

  @Argument(help: "A folder of folders of bundles.")
  var folder: String

  /// What is told of one search path.
  struct Line: Codable {
    var name: String
    var plugIns: Int
    var problems: [String]
    var refusals: [String]
    /// Of the processor.
    var seconds: Double
  }

  func run() throws {
    // What makes lilv ask for endless memory is a defect to find, not one for the machine to suffer.
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

  /// Processor time, which does not depend on what else the machine does.
  private static var processorSeconds: Double {
    var time = timespec()
    unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
