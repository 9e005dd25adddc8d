// The files of a shard, without files that another attempt at it settles meanwhile.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import AudioTypes
import Glibc
import HostSystem

/// The files of a shard.
///
/// A scheduler may run a shard twice at once: the second attempt reads the ledger of the first one, and
/// leaves out the files in it.
struct ShardJobs: JobSource {
  private var jobs: PlannedJobs
  private let folder: RunFolder
  /// The bytes read of each ledger; one's own and those from before are read over again, which is no fault.
  private var read: [String: Int] = [:]
  private var settled = BitSet()
  /// Files whose results an attempt announced. A confirmation counts for these alone: the record of any other is
  /// damaged, and the file is done again.
  private var announced = BitSet()

  init(_ jobs: PlannedJobs, beside folder: RunFolder) {
    self.jobs = jobs
    self.folder = folder
  }

  mutating func next() throws(AuricleError) -> PlanEntry? {
    while let entry = try jobs.next() {
      if !isSettledElsewhere(entry) { return entry }
    }
    return nil
  }

  mutating func isSettledElsewhere(_ entry: PlanEntry) -> Bool {
    for path in folder.ledgerPaths { follow(path) }
    return settled.contains(entry.index)
  }

  /// Reads the lines that a ledger has got since the last call.
  private mutating func follow(_ path: String) {
    var offset = read[path, default: 0]
    guard let length = FileStamp(path: path)?.byteCount, length > offset else { return }
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    var rest: [UInt8] = []
    while true {
      let block = unsafe [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, filled in
        filled = unsafe max(
          0, pread(descriptor, buffer.baseAddress, 1 << 16, off_t(offset + rest.count)))
      }
      rest += block
      guard let end = rest.lastIndex(of: 0x0A) else {
        // A line that is not whole yet.
        if block.isEmpty || rest.count > CheckedLine.maximumByteCount { break }
        continue
      }
      for line in rest[..<end].split(separator: 0x0A) {
        if let json = CheckedLine.decode(line) { apply(json) }
      }
      offset += end + 1
      rest = []
      if block.isEmpty { break }
    }
    read[path] = offset
  }

  private mutating func apply(_ json: JSONValue) {
    guard let index = json["index"]?.integer, index >= 0 else { return }
    switch json["t"]?.text {
    case "kept": if announced.contains(index) { settled.insert(index) }
    case "file":
      guard let record = FileRecord(json: json) else { return }
      if record.status == .done {
        announced.insert(index)
      } else if record.isFinal {
        settled.insert(index)
      }
    default: return
    }
  }
}
