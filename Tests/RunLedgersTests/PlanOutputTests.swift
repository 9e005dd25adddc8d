// Plans: names of results, and refusals before anything is written.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import HostSystem
import ResultSettings
import RunLedgers
import TestSupport
import Testing

@Suite struct PlanOutputTests {
  let bench: PlanBench

  init() throws { bench = try PlanBench() }

  private func write(_ names: String...) throws {
    for name in names { try bench.folder.write("x", to: name) }
  }

  @Test func aTreeIsMirrored() throws {
    try write("in/b.wav", "in/a.flac", "in/sub/deep/x.WAV", "in/sub/c.ogg")
    #expect(
      try bench.outputs(bench.request("in"))
        == ["a.flac", "b.wav", "sub/c.ogg", "sub/deep/x.WAV"])
  }

  @Test func theContainerSetsTheExtension() throws {
    try write("in/a.wav", "in/b.tar.ogg", "in/c.FLAC")
    var request = bench.request("in")
    request.fileExtension = "flac"
    #expect(try bench.outputs(request) == ["a.flac", "b.tar.flac", "c.FLAC"])
  }

  @Test func twoInputsForOneResultAreRefusedWithBothNames() throws {
    try write("one/a.wav", "two/a.wav")
    let error = try #require(try bench.refusal(bench.request("one", "two")))
    #expect(error.category == .usage)
    for name in ["one/a.wav", "two/a.wav", "out/a.wav", "--name \"{path}/{stem}.{ext}\""] {
      #expect(error.message.contains(name), "\(error.message)")
    }
  }

  @Test func neighboursThatDifferInTheirExtensionAreDistinguishedByTheirWholeNames() throws {
    try write("in/talk.wav", "in/talk.mp3")
    var request = bench.request("in")
    request.fileExtension = "ogg"
    let error = try #require(try bench.refusal(request))
    #expect(error.message.contains("{dir}/{name}.{ext}"), "\(error.message)")
    request.template = try OutputTemplate("{dir}/{name}.{ext}")
    #expect(try bench.outputs(request) == ["talk.mp3.ogg", "talk.wav.ogg"])
  }

  @Test func ofManyClashesThreeAreNamedAndTheRestCounted() throws {
    for name in ["a", "b", "c", "d", "e"] { try write("one/\(name).wav", "two/\(name).wav") }
    let error = try #require(try bench.refusal(bench.request("one", "two")))
    #expect(error.message.contains("; and 2 more"), "\(error.message)")
  }

  @Test func aResultIsNotAFileAndAFolder() throws {
    try write("in/a.wav/b.wav", "a.wav")
    var request = bench.request("in", "a.wav")
    let error = try #require(try bench.refusal(request))
    #expect(error.message.contains("cannot be a file and a folder"), "\(error.message)")
    // The other way round: the folder comes last.
    request.inputs.reverse()
    #expect(try bench.refusal(request)?.category == .usage)
  }

  @Test func whatExistsIsRefusedLeftRenamedOrReplaced() throws {
    try write("in/a.wav", "in/b.wav", "out/a.wav")
    var request = bench.request("in")
    let error = try #require(try bench.refusal(request))
    #expect(error.category == .inputOutput && error.message.contains("out/a.wav exists"))
    request.existing = .skip
    let skipping = try bench.plan(request)
    #expect(skipping.entries.map(\.isSkipped) == [true, false])
    #expect(skipping.totals.skippedCount == 1 && skipping.totals.fileCount == 2)
    request.existing = .rename
    #expect(try bench.outputs(request) == ["a (2).wav", "b.wav"])
    request.existing = .overwrite
    #expect(try bench.plan(request).totals.replacedCount == 1)
    #expect(try bench.outputs(request) == ["a.wav", "b.wav"])
  }

  @Test func renamingPassesOverNamesThatAreUsedOrPlanned() throws {
    try write("one/a.wav", "two/a.wav", "out/a.wav", "out/a (2).wav")
    var request = bench.request("one", "two")
    request.existing = .rename
    #expect(try bench.outputs(request) == ["a (3).wav", "a (4).wav"])
  }

  @Test func renamingCutsALongNameNotItsEnding() throws {
    let name = String(repeating: "é", count: 125) + ".wav"
    try write("in/\(name)", "out/\(name)")
    var request = bench.request("in")
    request.existing = .rename
    let output = try #require(try bench.outputs(request).first)
    #expect(output.utf8.count <= 255 && output.hasSuffix("é (2).wav"), "\(output)")
  }

  @Test func someOfSeveralResultsAreKept() throws {
    try write("in/a.wav", "out/a-loud.wav")
    var request = bench.request("in")
    request.renders = [
      PlannedRender(name: "loud", fileExtension: nil),
      PlannedRender(name: "quiet", fileExtension: "flac"),
    ]
    request.template = .standard(hasRenders: true, hasVariants: false)
    request.existing = .skip
    let entry = try #require(try bench.plan(request).entries.first)
    #expect(entry.outputs == ["a-loud.wav", "a-quiet.flac"])
    #expect(entry.kept == [0] && !entry.isSkipped)
    try write("out/a-quiet.flac")
    #expect(try bench.plan(request).entries.first?.isSkipped == true)
  }

  @Test func variantsAreFilesOfTheirOwnThatShareAKey() throws {
    try write("in/sub/a.wav")
    var request = bench.request("in")
    request.variantCount = 3
    request.template = .standard(hasRenders: false, hasVariants: true)
    let plan = try bench.plan(request)
    #expect(plan.entries.map(\.output) == ["sub/a-1.wav", "sub/a-2.wav", "sub/a-3.wav"])
    #expect(plan.entries.map(\.variant) == [1, 2, 3])
    #expect(plan.entries.allSatisfy { $0.key == "sub/a.wav" })
    #expect(plan.totals.fileCount == 3)
  }

  @Test func twoRendersOfOneNameAreRefused() throws {
    try write("in/a.wav")
    var request = bench.request("in")
    request.renders = ["x", "y"].map { PlannedRender(name: $0, fileExtension: nil) }
    let error = try #require(try bench.refusal(request))
    #expect(error.message.contains("{render}"), "\(error.message)")
  }

  @Test func anInputIsNeverReplaced() throws {
    try write("a.wav")
    try bench.link("elsewhere", to: bench.folder.path)
    for place in ["", "elsewhere"] {
      var request = bench.request("a.wav")
      request.destination = .folder(Path.trimmed(bench.folder(place)))
      request.existing = .overwrite
      let error = try #require(try bench.refusal(request))
      #expect(error.category == .usage && error.message.contains("would replace the input"))
    }
  }

  @Test func theReportIsNoInput() throws {
    try write("in/a.wav")
    var request = bench.request("in")
    request.report = bench.folder("in/a.wav")
    #expect(try bench.refusal(request)?.message.contains("the report") == true)
  }

  @Test func aLinkOutOfTheOutputFolderIsRefused() throws {
    try write("in/sub/a.wav")
    try bench.folder.makeFolder("out")
    try bench.folder.makeFolder("private")
    try bench.link("out/sub", to: bench.folder("private"))
    let error = try #require(try bench.refusal(bench.request("in")))
    #expect(error.category == .usage)
    #expect(error.message.contains("leads out of the output folder"), "\(error.message)")
  }

  @Test func aFileWhereAFolderIsToBeIsRefused() throws {
    try write("in/sub/a.wav", "out/sub")
    #expect(try bench.refusal(bench.request("in"))?.message.contains("is a file") == true)
  }

  @Test func oneFileGoesToOneFile() throws {
    try write("in/a.wav", "in/b.wav")
    var request = bench.request("in")
    request.destination = .file(bench.folder("o.wav"))
    #expect(try bench.refusal(request)?.category == .usage)
    request.inputs = [bench.folder("in/a.wav")]
    #expect(try bench.outputs(request) == [bench.folder("o.wav")])
    request.destination = .file("/dev/full")
    request.existing = .overwrite
    #expect(try bench.refusal(request)?.message.contains("no regular file") == true)
  }
}
