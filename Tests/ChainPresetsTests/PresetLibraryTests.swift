// Presets by name: folders, precedence, similar names, files that cannot be read.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import ChainPresets
import Foundation
import TestSupport
import Testing

@Suite struct PresetLibraryTests {
  private let folder: TemporaryFolder
  private let library: PresetLibrary

  init() throws {
    folder = try TemporaryFolder("presets")
    for name in ["own", "shipped"] {
      try FileManager.default.createDirectory(
        atPath: folder(name), withIntermediateDirectories: true)
    }
    library = PresetLibrary(folders: [folder("own"), folder("shipped"), folder("missing")])
    try write("own/voice.yaml", name: "My voice")
    try write("shipped/voice.yaml", name: "Their voice")
    try write("shipped/large-hall.yml", name: "Hall")
    try write("shipped/plate.json", name: "Plate")
    try Data("auricle: 1\nnaem: x\n".utf8).write(
      to: URL(fileURLWithPath: folder("own/broken.yaml")))
    try write("shipped/.hidden.yaml", name: "Hidden")
    try write("shipped/notes.txt", name: "Notes")
  }

  private func write(_ file: String, name: String) throws {
    try Data("auricle: 1\nname: \(name)\nunits: [{unit: u}]\n".utf8)
      .write(to: URL(fileURLWithPath: folder(file)))
  }

  @Test func entriesAreSortedAndTheUsersHideThoseThatShip() {
    let entries = library.entries()
    #expect(entries.map(\.name) == ["broken", "large-hall", "plate", "voice"])
    #expect(entries.map { $0.preset?.name } == [nil, "Hall", "Plate", "My voice"])
    #expect(entries[0].errors?.diagnostics.count == 3)
    #expect(entries[3].path == folder("own/voice.yaml"))
  }

  @Test(arguments: [
    ("voice", "My voice"), ("large-hall", "Hall"), ("Large Hall", "Hall"), ("large_hall", "Hall"),
  ])
  func namesFindPresets(name: String, title: String) throws {
    #expect(try library.preset(name).name == title)
  }

  @Test func pathsAreUsedUnchanged() throws {
    #expect(try library.preset(folder("shipped/voice.yaml")).name == "Their voice")
    let error = try #require(throws: PresetErrors.self) { try library.preset("voice.yaml") }
    #expect(
      error.description
        == "error: there is no preset file 'voice.yaml' here; did you mean the preset 'voice', by its name "
        + "alone?")
    #expect(error.category == .noInput)
  }

  @Test func unknownNamesReportWhatIsNear() throws {
    let near = try #require(throws: PresetErrors.self) { try library.path(of: "voise") }
    #expect(near.category == .noInput)
    #expect(near.description.hasPrefix("error: there is no preset 'voise' in "))
    #expect(near.description.hasSuffix("; did you mean 'voice'?"))
    let far = try #require(throws: PresetErrors.self) { try library.path(of: "xyzzy") }
    #expect(far.description.hasSuffix("; there are broken, large-hall, plate and voice"))
  }

  @Test func unreadablePresetsAreReported() throws {
    let isFolder = try #require(throws: PresetErrors.self) { try ChainPreset(path: folder("own")) }
    #expect(isFolder.description.hasSuffix(": it is a folder"))
    #expect(isFolder.category == .noInput)
    let broken = try #require(throws: PresetErrors.self) { try library.preset("broken") }
    #expect(broken.diagnostics.first?.file == folder("own/broken.yaml"))
    #expect(broken.category == .badData)
    #expect(throws: PresetErrors.self) { try ChainPreset(path: "/dev/zero") }
    #expect(throws: PresetErrors.self) { try ChainPreset(path: "a\0b/c") }
  }

  @Test func theUsersFolderComesFirst() {
    let folders = PresetLibrary.standardFolders(shipped: ["/usr/share/auricle/presets"])
    #expect(folders.last == "/usr/share/auricle/presets")
    if let user = PresetLibrary.userFolder {
      #expect(folders.first == user)
      #expect(user.hasSuffix("/auricle/presets"))
    }
  }
}
