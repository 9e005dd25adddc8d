// The files and folders that a chain preset names.
// SPDX-License-Identifier: Apache-2.0

import AudioComponents
import ChainPresets
import Foundation
import HostSystem
import InstalledComponents

/// The files and folders of a chain preset that a sandboxed process must be able to read for it.
struct PresetPaths {
  private let preset: ChainPreset
  private let formats: InstalledFormats

  init(_ preset: ChainPreset, _ formats: InstalledFormats) {
    self.preset = preset
    self.formats = formats
  }

  /// All of them, as far as they are there.
  var readable: [String] {
    named.compactMap { Self.readable($0, formats) } + sounds + drawnFolders
  }

  /// All that could be files, with the sounds of instruments.
  var files: [String] { named + sounds }

  /// The sounds of SFZ files, which may lie in other folders than these do.
  private var sounds: [String] {
    named.filter { $0.lowercased().hasSuffix(".sfz") }.flatMap(SFZSamples.paths)
  }

  /// The folders that the preset draws files from.
  var drawnFolders: [String] {
    preset.drawnFolders.map { $0.hasPrefix("/") || folder.isEmpty ? $0 : folder + "/" + $0 }
  }

  /// All that could be files, from the folder of the program and from that of the preset.
  private var named: [String] {
    preset.possibleFiles.flatMap { path in
      path.hasPrefix("/") || folder.isEmpty ? [path] : [path, folder + "/" + path]
    }
  }

  /// The folder of the preset's file.
  private var folder: String {
    (preset.source?.name ?? "").components(separatedBy: "/").dropLast().joined(separator: "/")
  }

  /// The part of a named path that may be read: the file; for one of a bundle, the whole bundle, since a
  /// preset in it is listed in the manifest beside it. Presets open no other folders. Nil when it is not there.
  static func readable(_ path: String, _ formats: InstalledFormats) -> String? {
    let endings = formats.all.compactMap(\.presetBundles?.bundleEnding)
    func isBundle(_ path: String) -> Bool { endings.contains { path.hasSuffix($0) } }
    guard let found = FileIdentity.of(path) else { return nil }
    if found.kind == .folder { return isBundle(path) ? path : nil }
    let folder = ParentFolder.of(path)
    // The sounds of an SFZ file lie beside it and below.
    return isBundle(folder) || path.lowercased().hasSuffix(".sfz") ? folder : path
  }
}
