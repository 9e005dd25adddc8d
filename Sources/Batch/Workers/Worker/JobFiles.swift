// The open files of a job, which a unit in the same process may close or change.
// SPDX-License-Identifier: Apache-2.0

import Glibc
import HostSystem

/// The files attached to a job.
struct JobFiles {
  let input: Int32
  let outputs: [Int32]
  /// The spool; -1 without one.
  let spool: Int32
  private let before: [(descriptor: Int32, file: OpenFile)]

  /// Owns the results and the spool; the reader closes the input.
  init(_ descriptors: [Int32], of job: JobMessage) {
    input = descriptors[0]
    outputs = Array(descriptors[1...job.outputs.count])
    spool = job.hasSpool ? descriptors[job.outputs.count + 1] : -1
    before = descriptors.dropFirst().map { ($0, OpenFile($0)) }
  }

  /// Whether the results and the spool are still the same files.
  var areUntouched: Bool { before.allSatisfy { OpenFile($0.descriptor) == $0.file } }

  /// Whether the flags of a result were changed.
  var haveOtherFlags: Bool { outputs.contains(where: OpenFile.isTurned) }

  /// The lengths of the results in bytes; -1 for one that is closed.
  var byteCounts: [Int] {
    outputs.map { output in
      var status = stat()
      return unsafe fstat(output, &status) == 0 ? Int(status.st_size) : -1
    }
  }

  /// Closes the files that are still the job's.
  func close() {
    for (descriptor, file) in before where OpenFile(descriptor) == file {
      Glibc.close(descriptor)
    }
  }
}
