// The sandbox of the processes of this program that open plug-ins to report on them.
// SPDX-License-Identifier: Apache-2.0

import AudioCodecs
import AudioComponents
import ChainPresets
import Foundation
import HostSystem
import InstalledComponents
import PlugInGuard
import Workers

/// The files that a process with plug-ins reads and writes, besides installed ones.
package struct PlugInProcessFiles: Sendable {
  /// Presets, by name or file: they and the files that they name are read.
  package var presets: [String] = []
  /// Texts that may be the paths of files that are read, such as values of parameters.
  package var texts: [String] = []
  /// Folders that are read.
  package var folders: [String] = []
  /// Folders that this process writes, which are made where they are missing.
  package var writable: [String] = []

  /// Nothing.
  package init(presets: [String] = [], texts: [String] = [], folders: [String] = []) {
    self.presets = presets
    self.texts = texts
    self.folders = folders
  }
}

extension HostPlaces {
  /// Has this process enter the strict sandbox when it opens its first plug-in.
  ///
  /// Context: control.
  package func enterSandboxAtFirstPlugIn(_ files: PlugInProcessFiles = PlugInProcessFiles()) {
    ForeignLibrary.prepare {
      for folder in files.writable { try? FolderMaker.make(folder) }
      WorkerSandbox.enterForReport(
        readablePaths: readablePaths(for: []) + linkedBundles + paths(of: files),
        writablePaths: files.writable)
    }
  }

  private func paths(of files: PlugInProcessFiles) -> [String] {
    let chains = files.presets.compactMap { try? presets.preset($0) }
    return chains.flatMap {
      [$0.source?.name].compactMap(\.self) + PresetPaths($0, formats).readable
    }
      + files.texts.compactMap { PresetPaths.readable($0, formats) } + files.folders
      + files.presets + CodecLibrary.folders + ChainWorker.bankFolders
  }

  /// Bundles in the searched folders that are links to others elsewhere.
  private var linkedBundles: [String] {
    let manager = FileManager.default
    return formats.all.flatMap(\.searchPaths).flatMap { folder in
      ((try? manager.contentsOfDirectory(atPath: folder)) ?? []).compactMap { name in
        let path = folder + "/" + name
        return (try? manager.destinationOfSymbolicLink(atPath: path)) == nil ? nil : path
      }
    }
  }
}
