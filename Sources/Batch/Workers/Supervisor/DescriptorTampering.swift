// Detects units that tampered with open files: results cannot be written though the disk can.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import FileRendering
import Glibc
import HostSystem
import PlugInGuard
import RunLedgers

/// Finds out whether a unit is behind a result that a worker could not write. Only the supervisor can
/// see it: in the worker every write may fail because a unit changed the open file, or the
/// process.
struct DescriptorTampering {
  private let run: String
  private let scratchFolder: String?

  /// Errors of writes that a unit can cause: those of a broken, full or read-only disk, and of files whose
  /// flags were changed.
  private static let pretended = [EIO, ENOSPC, EDQUOT, EROFS, EPERM, EINVAL]

  /// The sentence that reports it.
  static let sentence = "a unit meddled with the files of the process it works in"

  /// The failure of a file for it, with the unit if it is known.
  static func failure(_ unit: Int32?) -> FailedFile {
    FailedFile(
      kind: .unit, error: AuricleError(.software, sentence), unit: unit, phase: .render)
  }

  init(_ options: SupervisorOptions) {
    run = options.run
    scratchFolder = options.setup.sandbox.scratchFolder
  }

  /// Whether a unit caused a write error.
  ///
  /// Call this while the unfinished results exist: without them there might be room again.
  func isBehind(_ error: AuricleError, writing parts: [PartFile]) -> Bool {
    switch error.cause {
    // The data read back differs from the written data.
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

  /// The same for scratch files of encoders, which may be on another disk.
  private func scratchCanBeWritten(isOfRoom: Bool) -> Bool {
    guard let scratchFolder else { return true }
    return WriteTrial.succeeds(isOfRoom: isOfRoom) { () throws(AuricleError) in
      try NamelessFile.make(in: scratchFolder)
    }
  }
}
