// Plans: files, their results, and refusals before anything is done.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import Foundation
import RunLedgers
import TestSupport
import Testing

@Suite struct BatchPlanTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder("auricle-plan")
  }

  private func plan(
    _ inputs: [String], fileExtension: String? = nil, overwrite: Bool = false
  ) throws -> BatchPlan {
    try plan(
      inputs.map { folder($0) }, to: .folder(folder("out")), fileExtension: fileExtension,
      overwrite: overwrite)
  }

  private func plan(
    _ inputs: [String], to destination: BatchDestination, fileExtension: String? = nil,
    overwrite: Bool = false
  ) throws -> BatchPlan {
    var request = PlanRequest(inputs: inputs, destination: destination)
    request.fileExtension = fileExtension
    request.existing = overwrite ? .overwrite : .error
    return try BatchPlan(request)
  }

  private func files(_ plan: BatchPlan) -> [PlanEntry] {
    plan.entries.filter { $0.error == nil && !$0.isSkipped }
  }

  private func outputs(_ plan: BatchPlan) -> [String] {
    files(plan).map { String($0.output.dropFirst(folder("out").count + 1)) }
  }

  @Test func folderTreesAreMirroredInOrder() throws {
    for name in ["in/b.wav", "in/a.flac", "in/sub/deep/x.WAV", "in/sub/c.ogg", "in/.hidden.wav"] {
      try folder.write("x", to: name)
    }
    for name in ["in/notes.txt", "in/cover.jpg", "in/.git/y.wav"] {
      try folder.write("x", to: name)
    }
    let plan = try plan(["in"])
    #expect(outputs(plan) == ["a.flac", "b.wav", "sub/c.ogg", "sub/deep/x.WAV"])
    #expect(plan.entries.allSatisfy { $0.error == nil })
  }

  @Test func filesWithoutExtensionAreKnownByTheirFirstBytes() throws {
    try folder.write("RIFFxxxxWAVE", to: "in/take1")
    try folder.write("fLaC", to: "in/take2")
    try folder.write("hello", to: "in/README")
    #expect(outputs(try plan(["in"])) == ["take1", "take2"])
  }

  @Test func aNamedFileIsAlwaysTried() throws {
    try folder.write("x", to: "notes.txt")
    #expect(outputs(try plan(["notes.txt"])) == ["notes.txt"])
  }

  @Test func loopsOfLinksEnd() throws {
    try folder.write("x", to: "in/sub/a.wav")
    try FileManager.default.createSymbolicLink(
      atPath: folder("in/sub/loop"), withDestinationPath: folder("in"))
    try FileManager.default.createSymbolicLink(
      atPath: folder("in/sub/self"), withDestinationPath: ".")
    #expect(outputs(try plan(["in"])) == ["sub/a.wav"])
  }

  @Test func oneFileNamedTwiceIsOneFile() throws {
    try folder.write("x", to: "in/a.wav")
    #expect(outputs(try plan(["in/a.wav", "in", "in/../in/a.wav"])) == ["a.wav"])
  }

  @Test func theOutputFolderInsideTheInputIsLeftOut() throws {
    try folder.write("x", to: "a.wav")
    try folder.write("x", to: "out/old.wav")
    let plan = try plan([folder.path], to: .folder(folder("out")))
    #expect(outputs(plan) == ["a.wav"])
  }

  @Test func theContainerSetsTheExtension() throws {
    for name in ["in/a.wav", "in/b.tar.ogg", "in/c.flac"] { try folder.write("x", to: name) }
    #expect(outputs(try plan(["in"], fileExtension: "flac")) == ["a.flac", "b.tar.flac", "c.flac"])
  }

  @Test func twoInputsForOneOutputAreRefused() throws {
    try folder.write("x", to: "one/a.wav")
    try folder.write("x", to: "two/a.wav")
    let error = #expect(throws: AuricleError.self) { try plan(["one", "two"]) }
    #expect(error?.category == .usage)
    #expect(error?.message.contains("one/a.wav") == true)
    #expect(error?.message.contains("two/a.wav") == true)
    // The same comes of a common container.
    try folder.write("x", to: "three/b.wav")
    try folder.write("x", to: "three/b.flac")
    #expect(throws: AuricleError.self) { try plan(["three"], fileExtension: "ogg") }
  }

  @Test func existingOutputsAreRefusedBeforeTheStart() throws {
    try folder.write("x", to: "a.wav")
    try folder.write("old", to: "out/a.wav")
    let error = #expect(throws: AuricleError.self) { try plan(["a.wav"]) }
    #expect(error?.category == .inputOutput)
    #expect(error?.message.contains("--overwrite") == true)
    #expect(outputs(try plan(["a.wav"], overwrite: true)) == ["a.wav"])
  }

  @Test func anInputIsNeverAnOutput() throws {
    try folder.write("x", to: "a.wav")
    try FileManager.default.createSymbolicLink(
      atPath: folder("elsewhere"), withDestinationPath: folder.path)
    for place in [folder.path, folder("elsewhere")] {
      let error = #expect(throws: AuricleError.self) {
        try plan([folder("a.wav")], to: .folder(place), overwrite: true)
      }
      #expect(error?.category == .usage)
    }
    let error = #expect(throws: AuricleError.self) {
      try plan([folder("a.wav")], to: .file(folder("a.wav")), overwrite: true)
    }
    #expect(error?.category == .usage)
  }

  @Test func aDeviceIsNeverReplaced() throws {
    try folder.write("x", to: "a.wav")
    for path in ["/dev/null", "/dev/full"] {
      let error = #expect(throws: AuricleError.self) {
        try plan([folder("a.wav")], to: .file(path), overwrite: true)
      }
      #expect(error?.category == .usage)
    }
  }

  @Test func missingInputsAndEmptyFoldersFailAlone() throws {
    try folder.write("x", to: "a.wav")
    try folder.makeFolder("empty")
    let plan = try plan(["nowhere.wav", "empty", "a.wav"])
    #expect(outputs(plan) == ["a.wav"])
    let failed = plan.entries.filter { $0.error != nil }
    #expect(failed.compactMap(\.error?.category) == [.noInput, .noInput])
    #expect(failed.map(\.input) == [folder("nowhere.wav"), folder("empty")])
  }

  @Test func oneFileGoesToOneFile() throws {
    try folder.write("x", to: "in/a.wav")
    try folder.write("x", to: "in/b.wav")
    let error = #expect(throws: AuricleError.self) {
      try self.plan([folder("in")], to: .file(folder("o.wav")))
    }
    #expect(error?.category == .usage)
    let plan = try self.plan(
      [folder("in/a.wav")], to: .file(folder("o.flac")), fileExtension: "ogg")
    #expect(files(plan).map(\.input) == [folder("in/a.wav")])
    #expect(files(plan).map(\.output) == [folder("o.flac")])
    #expect(throws: AuricleError.self) {
      try self.plan([folder("in/a.wav")], to: .file(folder("in")))
    }
  }
}
