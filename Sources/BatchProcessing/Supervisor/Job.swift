// A file on its way through a worker.
// SPDX-License-Identifier: Apache-2.0

/// One attempt after the other at one file.
final class Job {
  /// The file.
  let entry: PlanEntry
  /// The number of the present attempt's message; none is used twice.
  var number = 0
  /// How often it was begun.
  var attempts = 0
  /// The unfinished result of the present attempt.
  var part: PartFile?
  /// What went wrong in the attempt before.
  var lastFailure: FileRecord?

  init(_ entry: PlanEntry) { self.entry = entry }
}
