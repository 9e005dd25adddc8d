// Finds results that were announced while the output folder had another path.
// SPDX-License-Identifier: Apache-2.0

public import AudioTypes
import HostSystem

extension RunState {
  /// A function that returns the current path of a recorded result when the output folder is `root`.
  ///
  /// The plan is read only when a session that was cut off had announced results under another path of the
  /// folder than the manifest's.
  ///
  /// Context: control.
  public func locator(
    _ manifest: RunManifest, of folder: RunFolder, in root: String
  ) throws(AuricleError) -> (String) -> String {
    let usual = { (path: String) in manifest.location(of: path, in: root) }
    guard let output = manifest.output else { return usual }
    let strays = unconfirmed.filter { Path.below(output, $0.value.output) == nil }
    guard !strays.isEmpty else { return usual }
    // Keyed by bytes: two names that compare equal as strings may differ.
    var moved: [[UInt8]: String] = [:]
    var jobs = try PlannedJobs(path: folder.planPath) { strays[$0] == nil }
    while let entry = try jobs.next() {
      guard let record = strays[entry.index] else { continue }
      let now = manifest.located(record, as: entry, in: root)
      for (old, new) in zip(record.storedFiles, now.storedFiles) {
        moved[Array(old.path.utf8)] = new.path
      }
    }
    let known = moved
    return { known[Array($0.utf8)] ?? usual($0) }
  }
}
