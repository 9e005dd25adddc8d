// A file of the plan and its attempts.
// SPDX-License-Identifier: Apache-2.0

import HostSystem
import RunLedgers

/// A file of the plan with the state of its attempts.
final class Job {
  /// The file.
  let entry: PlanEntry
  /// The stamp of the input when it was opened; nil unless it is a regular file.
  var opened: FileStamp?
  /// The number of the current attempt's message, unique in the run.
  var number = 0
  /// The number of times that it was begun.
  var attempts = 0
  /// The unfinished results of the present attempt.
  var parts: [PartFile] = []
  /// The number of its attempts that another process ended.
  var killCount = 0
  /// The number of its attempts that ended in a unit which had not rendered yet.
  var earlyEndCount = 0
  /// Whether other files are to be tried before it.
  var isDeferred = false

  /// Whether one of its attempts reached rendering.
  var hasRendered = false
  /// Where the last process ended that worked on it, and whether it crashed: the unit that was running, empty
  /// for none.
  var lastEnd: (place: String, isCrash: Bool)?

  /// The unit that could not be made for it in a worker that had made chains before; nil for none.
  var refusingUnit: String?

  init(_ entry: PlanEntry) { self.entry = entry }
}
