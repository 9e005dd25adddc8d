// Removes the unfinished files of killed runs when another run begins.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import AudioTypes
import Glibc
import HostSystem

extension RunFolder {
  /// Removes the part files and scratch files of other, killed runs of the output folder; a resumed run makes
  /// its files again.
  ///
  /// Context: control; with the run locked.
  public func removeLeftoversOfOthers() {
    for other in killedOthers() {
      do throws(AuricleError) {
        try other.lock()
        try other.removeUnfinished()
        other.closeScratch()
      } catch {
        // A process has resumed it by now, or its plan cannot be read.
        continue
      }
    }
  }

  /// Removes the part file beside every result of the plan.
  private func removeUnfinished() throws(AuricleError) {
    guard FileIdentity.of(planPath)?.kind == .file else { return }
    let manifest = try? self.manifest()
    let suffix = manifest?.backupSuffix
    let root = suffix == nil ? output : manifest?.workingFolder ?? output
    var folder: OpenFolder?
    var folderPath: String?
    var plan = try PlannedJobs(path: planPath)
    while let entry = try plan.next() {
      for result in entry.outputs where !result.isEmpty {
        let path = Path.isFromRoot(result) ? result : Path.joining(root, result)
        let parent = Path.folder(of: path)
        if folderPath.map({ !Path.isSame($0, parent) }) ?? true {
          folderPath = parent
          let descriptor = unsafe open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
          folder = descriptor < 0 ? nil : OpenFolder(descriptor: descriptor, path: parent)
        }
        guard let folder else { continue }
        let name = Path.lastComponent(path)
        PartFile.removeLeftover(of: name, run: run, in: folder)
        if let suffix { PartFile.removeLeftover(of: name + suffix, run: run, in: folder) }
      }
    }
  }
}
