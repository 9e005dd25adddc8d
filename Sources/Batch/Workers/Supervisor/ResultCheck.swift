// Compares a worker's report of results with the files that it wrote.
// SPDX-License-Identifier: Apache-2.0

import FileRendering
import Glibc
import HostSystem
import RunLedgers

/// Checks the results of files, and makes their records.
struct ResultCheck {
  private let forms: RecordForms
  private let pictureBook: PictureBook?

  init(_ options: SupervisorOptions, forms: RecordForms) {
    self.forms = forms
    pictureBook = options.pictureBook
  }

  /// Whether the results are those requested, and as long as reported.
  func fits(_ file: FinishedFile, _ job: Job) -> Bool {
    guard let stored = file.stored, job.parts.count == job.entry.outputs.count,
      file.result.others.count == job.entry.others.count
    else { return false }
    let lengths = [stored.byteCount] + file.result.others.map { $0.stored?.byteCount ?? -2 }
    return job.parts.map(\.byteCount) == lengths
  }

  /// Whether a job's input has become another file or changed since it was opened.
  func wasChanged(_ job: Job) -> Bool {
    guard let opened = job.opened else { return false }
    return FileStamp(path: job.entry.opens ?? job.entry.input) != opened
  }

  /// The record of a finished file, and the results to be named, which are moved out of the job.
  func record(of job: Job, _ file: FinishedFile) -> (FileRecord, [PartFile]) {
    let entry = job.entry
    for part in job.parts { part.completeByteCount = part.byteCount }
    var record = forms.blank(entry, .done)
    record.result = file.result
    record.result?.input = entry.input
    record.result?.output = record.output
    for (index, path) in entry.others.enumerated() {
      record.result?.others[index].path = forms.shown(entry, path)
    }
    record.attempts = job.attempts
    record.stored = file.stored
    if let planned = entry.stamp, let now = job.opened, now != planned {
      record.result?.notes.append(
        "\(entry.input) was changed after the run had been planned: it was done as it is now")
    }
    if let pictureBook, let pictures = file.pictures {
      record.pictures = pictureBook.add(pictures, index: entry.index)
    }
    let parts = missing(of: job, &record)
    job.parts = []
    return (record, parts)
  }

  /// The results to be named; results that existed before are recorded as they are.
  private func missing(of job: Job, _ record: inout FileRecord) -> [PartFile] {
    guard !job.entry.kept.isEmpty else { return job.parts }
    var wanted: [PartFile] = []
    for (index, part) in job.parts.enumerated() {
      guard job.entry.kept.contains(index) else {
        wanted.append(part)
        continue
      }
      let stored = StoredFile.of(folder: part.folder.descriptor, name: part.name)
      record.kept.append(forms.shown(job.entry, job.entry.outputs[index]))
      if index == 0 {
        record.stored = stored
      } else {
        record.result?.others[index - 1].stored = stored
      }
    }
    return wanted
  }
}
