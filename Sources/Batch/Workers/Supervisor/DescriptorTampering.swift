// Results that cannot be written though their disk can be: a unit has tampered with open files.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import Glibc
import HostSystem
import RunLedgers

/// Finds out whether a unit is behind a result that a worker could not write. Only the supervisor can
/// see it: in the worker every write may fail because of what a unit did to the open file, or to the
/// process.
struct DescriptorTampering {
  private let run: String
  private let scratchFolder: String?

  /// What writes fail with that a unit can bring about: those of a broken, full or protected disk, and
  /// of files with other flags than they were opened with.
  private static let pretended = [EIO, ENOSPC, EDQUOT, EROFS, EPERM, EINVAL]

  /// What is said of it.
  static let sentence = "a unit meddled with the files of the process it works in"

  init(_ options: SupervisorOptions) {
    run = options.run
    scratchFolder = options.setup.sandbox.scratchFolder
  }

  /// Whether an error of writing is a unit's doing.
  ///
  /// To be asked as long as the unfinished results are there: without them there might be room again.
  func isBehind(_ error: AuricleError, writing parts: [PartFile]) -> Bool {
    switch error.cause {
    // Written, and not what was written when it was read back.
    case .frameCount: return true
    case .errno(let number) where Self.pretended.contains(number):
      let isOfRoom = [ENOSPC, EDQUOT].contains(number)
      return parts.allSatisfy { part in
        WriteTrial.succeeds(isOfRoom: isOfRoom) { () throws(AuricleError) in
          try part.folder.makeNamelessFile(run: run)
        }
      } && scratchCanBeWritten(isOfRoom: isOfRoom)
    default: return false
    }
  }

  /// The same for what encoders put aside, which may lie on another disk.
  private func scratchCanBeWritten(isOfRoom: Bool) -> Bool {
    guard let scratchFolder else { return true }
    return WriteTrial.succeeds(isOfRoom: isOfRoom) { () throws(AuricleError) in
      try NamelessFile.make(in: scratchFolder)
    }
  }
}
