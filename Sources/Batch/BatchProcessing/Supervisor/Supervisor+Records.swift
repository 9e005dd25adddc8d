// What is told of files without a result, and of disks that went away.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import AudioTypes
import Glibc

extension Supervisor {
  /// The path of a result as it is shown.
  func shown(_ entry: PlanEntry, _ output: String? = nil) -> String {
    if let text = entry.showsOutput { return text }
    let output = output ?? entry.output
    // What cannot be read at all has no result.
    if output.isEmpty { return "" }
    return options.outputRoot.map { Path.joining($0, output) } ?? output
  }

  /// A record of a file, with what the plan knows of it.
  func blank(_ entry: PlanEntry, _ status: FileRecord.Status) -> FileRecord {
    var record = FileRecord(
      index: entry.index, status: status, input: entry.input, output: shown(entry))
    record.inputByteCount = entry.byteCount
    record.variant = entry.variant
    return record
  }

  func failure(
    of entry: PlanEntry, _ error: AuricleError, _ origin: FileRecord.Origin
  ) -> FileRecord {
    var record = blank(entry, .failed)
    record.error = error
    record.origin = origin
    return record
  }

  /// Hands a file without a result to the ledger.
  func record(_ record: FileRecord) {
    uncommitted += 1
    removeLeftover(of: record)
    committer.submit(.line(record, LedgerLine.file(record)))
  }

  /// The path of a result as the plan has it, from that in a record.
  func planned(_ output: String) -> String {
    options.outputRoot.flatMap { Path.below($0, output) } ?? output
  }

  /// Removes what a session before, killed on the way, left of a file that gets no result now.
  private func removeLeftover(of record: FileRecord) {
    guard options.mayHaveLeftovers, !record.output.isEmpty else { return }
    do throws(AuricleError) {
      let (folder, name) = try places.place(of: planned(record.output))
      PartFile.removeLeftover(of: name, run: options.run, in: folder)
    } catch {
      // Where no folder can be, nothing was left.
    }
  }

  /// A result cannot be written: one file's failure, or that of the whole disk.
  func outputFails(_ entry: PlanEntry, _ error: AuricleError) {
    if error.category == .temporary || !places.isInPlace {
      stop(gone(error, "the output folder"))
    } else {
      record(failure(of: entry, error, .output))
    }
  }

  /// Whether the disk that an input was on is gone: its folder is missing, another one, or as empty
  /// as the place is where a disk was mounted. A folder that is known to be the planned one was emptied
  /// on purpose, and watched folders get empty.
  func isGone(_ input: String) -> Bool {
    inputFolders.contains { folder in
      guard Path.below(folder.path, input) != nil || folder.path == "." else { return false }
      guard let identity = FileIdentity.of(folder.path)?.identity else { return true }
      return identity != folder.identity
        || !source.mayGrow && Self.isEmpty(folder.path) && !isPlanned(folder.path)
    }
  }

  /// Whether a folder is the one that the run was planned with.
  private func isPlanned(_ path: String) -> Bool {
    options.plannedFolders.contains { Path.isSame($0.path, path) && $0.isThereStill }
  }

  private static func isEmpty(_ folder: String) -> Bool {
    guard let directory = unsafe opendir(folder) else { return false }
    defer { unsafe closedir(directory) }
    // Itself and the one above.
    for _ in 0..<3 where unsafe readdir(directory) == nil { return true }
    return false
  }

  func gone(_ error: AuricleError, _ what: String) -> AuricleError {
    if error.category == .temporary {
      return AuricleError(.temporary, status: error.status, error.message)
    }
    return AuricleError(
      .temporary, status: error.status, "\(what) is not there any more (\(error.message))")
  }
}
