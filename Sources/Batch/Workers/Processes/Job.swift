// A file on its way through a worker.
// SPDX-License-Identifier: Apache-2.0

import HostSystem
import RunLedgers

/// One attempt after the other at one file.
final class Job {
  /// The file.
  let entry: PlanEntry
  /// The input as it was when it was opened; nil for what is no regular file.
  var opened: FileStamp?
  /// The number of the present attempt's message; none is used twice.
  var number = 0
  /// How often it was begun.
  var attempts = 0
  /// The unfinished results of the present attempt.
  var parts: [PartFile] = []
  /// How many of its attempts were ended from outside.
  var killCount = 0
  /// How many of its attempts a unit ended before it had rendered.
  var earlyEndCount = 0
  /// Whether other files are to be tried before it.
  var isDeferred = false

  /// Whether one of its attempts got as far as to render.
  var hasRendered = false
  /// Where the last attempt ended whose process did, and whether by a crash: the unit that was at work;
  /// empty for none.
  var lastEnd: (place: String, isCrash: Bool)?

  /// The unit that refused to be made for it in a worker that had made a chain before; nil for none.
  var refusingUnit: String?

  init(_ entry: PlanEntry) { self.entry = entry }
}
