// Inputs that changed after they were recorded.
// SPDX-License-Identifier: Apache-2.0

public import AudioTypes
package import HostSystem

extension PlanEntry {
  /// The stamp of the input when the plan was made; nil when it was not recorded.
  package var stamp: FileStamp? {
    modified == 0 ? nil : FileStamp(byteCount: byteCount, modified: modified)
  }
}

/// Inputs that changed after they were recorded.
public struct ChangedInputs: Sendable {
  /// The number of changed inputs.
  public private(set) var count = 0
  /// The first few.
  public private(set) var examples: [String] = []

  /// Checks every input that has a result, once; missing inputs are ignored.
  ///
  /// Context: control; in the folder that the run was begun in.
  public init(_ folder: RunFolder, _ state: RunState) throws(AuricleError) {
    var plan = try PlannedJobs(path: folder.planPath)
    while let entry = try plan.next() {
      guard entry.error == nil, !entry.isSkipped, state.isSettled(entry.index),
        let before = state.readInputs[entry.index] ?? entry.stamp,
        let now = FileStamp(path: entry.input), now != before
      else { continue }
      count += 1
      if examples.count < 3 { examples.append(entry.input) }
    }
  }

  /// The sentence that reports them and the remedy; nil when there are none.
  public var sentence: String? {
    guard count > 0 else { return nil }
    let names = examples.joined(separator: ", ") + (count > examples.count ? ", …" : "")
    let what = count == 1 ? "1 input was" : "\(count) inputs were"
    return "\(what) changed after the file had been accounted for (\(names)): results and failures "
      + "are those of the earlier files; to do them again, run auricle process on them with "
      + "--new-run and --on-exists overwrite"
  }
}
