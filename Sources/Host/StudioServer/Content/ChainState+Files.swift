// The files that a chain names, which lie below the folders of the studio.
// SPDX-License-Identifier: Apache-2.0

import HostSystem

extension ChainState {
  /// Refuses files outside of the folders.
  ///
  /// - Parameter folder: The folder of relative paths; nil for a chain without a file, which has none.
  /// - Throws: `.forbidden` with the file, and its stage.
  func checkFiles(_ folders: AllowedFolders, relativeTo folder: String?) throws(StudioFault) {
    var named: [(stage: String, path: String)] = []
    forEachStage { stage in
      switch stage.kind {
      case .unit(let unit):
        named += unit.sideChains.compactMap { $0["file"]?.text }.map { (stage.id, $0) }
        let values = unit.parameters.compactMap(\.value.text) + [unit.preset].compactMap(\.self)
        named += values.filter { Path.isFromRoot($0) || $0.hasPrefix("~") || $0.hasPrefix("../") }
          .map { (stage.id, $0) }
        named += unit.parameters.compactMap { $0.value["folder"]?.text }.map { (stage.id, $0) }
      case .noise(let members):
        let source = members.first { $0.key == "noise" }?.value
        named += ["file", "folder"].compactMap { source?[$0]?.text }.map { (stage.id, $0) }
      case .parallel: break
      }
    }
    for (stage, path) in named {
      let full = Path.isFromRoot(path) ? path : folder.map { Path.joining($0, path) } ?? ""
      // One that is missing is a fault of the preset, which its check reports.
      guard let real = FileIdentity.realPath(full) else { continue }
      guard folders.contains(real) else {
        throw StudioFault(
          .forbidden,
          "\(path) lies in no folder of the studio: name its folder on the command line, too",
          place: .members([("stage", .string(stage))]))
      }
    }
  }
}
