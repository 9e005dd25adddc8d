// Folders and names of results; standard input and output; damage that is tolerated.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import FileTestSupport
import Foundation
import TestSupport
import Testing

@Suite struct OutputNamesTests {
  let box: Sandbox

  init() throws {
    box = try Sandbox()
    try box.folder.makeFolder("in/deep")
    let noise = TestSignal.noise(seed: 1, amplitude: 0.25, frameCount: 2400)
    for name in ["in/a.wav", "in/deep/b.wav"] { try Sound([noise]).write(to: box(name)) }
  }

  private func run(_ arguments: String...) throws -> ProcessResult {
    try runAuricle(
      ["process", "--preset", "telephone"] + arguments, environment: box.environment,
      in: box.folder.path)
  }

  @Test func templatesNameResults() throws {
    let result = try run("--output", "out", "--name", "{dir}/{stem}-{preset}.{ext}", "in")
    #expect(result.exitCode == 0, "\(result.summary)")
    #expect(
      try TemporaryNames.below(box("out")) == ["a-telephone.wav", "deep/b-telephone.wav"])
    let flat = try run(
      "--output", "flat", "--name", "{path}/x/{name}.{ext}", "--container", "flac", "in/deep/b.wav")
    #expect(flat.exitCode == 0, "\(flat.summary)")
    #expect(try TemporaryNames.below(box("flat")) == ["in/deep/x/b.wav.flac"])
  }

  /// WAV with the most significant byte first stays so, unless WAV is requested by name.
  @Test func wavByNameIsRIFF() throws {
    let sizes: [[UInt8]] = [[0, 0, 8, 36], [0, 0, 0, 16], [0, 0, 8, 0]]
    let content: [UInt8] = [0, 1, 0, 1, 0, 0, 0x1F, 0x40, 0, 0, 0x3E, 0x80, 0, 2, 0, 16]
    let riff =
      Array("RIFX".utf8) + sizes[0] + Array("WAVEfmt ".utf8) + sizes[1] + content
      + Array("data".utf8) + sizes[2] + [UInt8](repeating: 1, count: 2048)
    try Data(riff).write(to: URL(fileURLWithPath: box("big.wav")))
    for (arguments, magic) in [
      (["--output", "same"], "RIFX"), (["--output", "named", "--container", "wav"], "RIFF"),
    ] {
      let result = try runAuricle(
        ["process", "--preset", "telephone"] + arguments + ["big.wav"],
        environment: box.environment, in: box.folder.path)
      #expect(result.exitCode == 0, "\(result.summary)")
      let path = box(arguments[1] + "/big.wav")
      #expect(try Data(contentsOf: URL(fileURLWithPath: path)).prefix(4) == Data(magic.utf8))
      let reader = try AudioFileReader(path: path)
      #expect(reader.format.encoding == .pcm16 && reader.format.sampleRate == 8_000)
    }
  }

  @Test(arguments: [
    ("../{stem}.{ext}", "'..'"), (".auricle/{stem}.{ext}", "records of runs"),
  ])
  func badTemplatesAreRefused(template: String, says: String) throws {
    let result = try run("--output", "out", "--name", template, "in")
    #expect(result.exitCode == 64, "\(result.summary)")
    #expect(result.standardError.contains(says), "\(result.summary)")
    #expect(!FileManager.default.fileExists(atPath: box("out")))
  }

  @Test func existingResultsAsAsked() throws {
    try box.folder.write("precious", to: "out/a.wav")
    let skipped = try run("--output", "out", "--on-exists", "skip", "--format", "json", "in")
    #expect(skipped.exitCode == 0, "\(skipped.summary)")
    #expect(try skipped.fileLines.map { $0["status"] as? String } == ["skipped", "done"])
    #expect(try String(contentsOfFile: box("out/a.wav"), encoding: .utf8) == "precious")
    let renamed = try run("--output", "out", "--on-exists", "rename", "in")
    #expect(renamed.exitCode == 0, "\(renamed.summary)")
    #expect(
      try TemporaryNames.below(box("out"))
        == ["a (2).wav", "a.wav", "deep/b (2).wav", "deep/b.wav"])
    let replaced = try run("--output", "out", "--on-exists", "overwrite", "in")
    #expect(replaced.exitCode == 0, "\(replaced.summary)")
    #expect(try Sound(path: box("out/a.wav")).frameCount >= 2400)
  }

  @Test func inPlaceKeepsTheOriginals() throws {
    let original = try Data(contentsOf: URL(fileURLWithPath: box("in/a.wav")))
    let alone = try run("--in-place", "in")
    #expect(alone.exitCode == 64, "\(alone.summary)")
    let result = try run("--in-place", "--backup", "in")
    #expect(result.exitCode == 0, "\(result.summary)")
    #expect(
      try TemporaryNames.below(box("in"))
        == ["a.wav", "a.wav.bak", "deep/b.wav", "deep/b.wav.bak"])
    #expect(try Data(contentsOf: URL(fileURLWithPath: box("in/a.wav.bak"))) == original)
    #expect(try Data(contentsOf: URL(fileURLWithPath: box("in/a.wav"))) != original)
    let again = try run("--in-place", "--backup", "in")
    #expect(again.exitCode == 64, "\(again.summary)")
  }

  @Test func endingsThatAreWrittenOutReportTheKind() throws {
    let result = try run("--output", "out", "--name", "{stem}.flac", "in/a.wav")
    #expect(result.exitCode == 0, "\(result.summary)")
    let bytes = try Data(contentsOf: URL(fileURLWithPath: box("out/a.flac")))
    #expect(bytes.starts(with: Data("fLaC".utf8)))
    // A name that clearly means another kind is refused, and one without a kind of file means nothing.
    let said = try run(
      "--output", "said", "--container", "aiff", "--name", "{stem}.flac", "in/a.wav")
    #expect(said.exitCode == 64, "\(said.summary)")
    let consume = try run("--output", "take", "--name", "{stem}.take", "in/a.wav")
    #expect(consume.exitCode == 0, "\(consume.summary)")
    let same = try Data(contentsOf: URL(fileURLWithPath: box("take/a.take")))
    #expect(same.starts(with: Data("RIFF".utf8)))
  }

  @Test func inPlaceLeavesLinksAsTheyAre() throws {
    // The link comes first in the order of names.
    try FileManager.default.createSymbolicLink(
      atPath: box("in/Link.wav"), withDestinationPath: "a.wav")
    let original = try Data(contentsOf: URL(fileURLWithPath: box("in/a.wav")))
    let result = try run("--in-place", "--backup", "in")
    #expect(result.exitCode == 0, "\(result.summary)")
    #expect(result.standardError.contains("in/Link.wav is another name"), "\(result.summary)")
    #expect(
      try FileManager.default.destinationOfSymbolicLink(atPath: box("in/Link.wav")) == "a.wav")
    #expect(try Data(contentsOf: URL(fileURLWithPath: box("in/a.wav.bak"))) == original)
    #expect(try Data(contentsOf: URL(fileURLWithPath: box("in/a.wav"))) != original)
    // A file elsewhere is not changed behind its link.
    try box.folder.makeFolder("links")
    try FileManager.default.createSymbolicLink(
      atPath: box("links/far.wav"), withDestinationPath: box("in/deep/b.wav.bak"))
    let far = try run("--in-place", "--backup", "links")
    #expect(far.exitCode == 74, "\(far.summary)")
    #expect(far.standardError.contains("links/far.wav is a link"), "\(far.summary)")
    #expect(box.names("links") == ["far.wav"])
  }

  @Test(.enabled(if: geteuid() == 0, "only root gives files away"))
  func whatIsReplacedKeepsItsOwner() throws {
    let isSupplied =
      unsafe chown(box("in/a.wav"), 12, 34) == 0 && chmod(box("in/a.wav"), 0o640) == 0
    try #require(isSupplied)
    let result = try run("--in-place", "--backup", "in/a.wav")
    #expect(result.exitCode == 0, "\(result.summary)")
    var status = stat()
    let isThere = unsafe stat(box("in/a.wav"), &status) == 0
    try #require(isThere)
    #expect(status.st_uid == 12 && status.st_gid == 34 && status.st_mode & 0o777 == 0o640)
  }

  @Test func listsOfInputs() throws {
    try box.folder.write("\u{FEFF}in/a.wav\r\n\nin/deep/b.wav\nnowhere.wav", to: "list.txt")
    let result = try run("--output", "out", "--from-file", "list.txt")
    #expect(result.exitCode == 1, "\(result.summary)")
    #expect(try TemporaryNames.below(box("out")) == ["a.wav", "b.wav"])
    try box.folder.write(Data("in/a.wav\0in/deep/b.wav\0".utf8), to: "zero.txt")
    let zero = try run("--output", "out0", "--from-file", "zero.txt", "--no-recursive")
    #expect(zero.exitCode == 0, "\(zero.summary)")
    let missing = try run("--output", "none", "--from-file", "no.txt")
    #expect(missing.exitCode == 66, "\(missing.summary)")
    #expect(!FileManager.default.fileExists(atPath: box("none")))
  }

  @Test func dryRunsDoNothing() throws {
    let result = try run(
      "--output", "out", "--dry-run", "--report", "report.html", "in", "nowhere.wav")
    // The exit code of the real run.
    #expect(result.exitCode == 1, "\(result.summary)")
    #expect(result.lines.contains("in/a.wav → out/a.wav"), "\(result.summary)")
    #expect(result.standardError.contains("2 files would be done, 1 cannot be"))
    #expect(result.standardError.contains("report.html is not written"), "\(result.summary)")
    #expect(!FileManager.default.fileExists(atPath: box("report.html")))
    let chain = result.standardError.split(separator: "\n").filter { $0.hasPrefix("chain: ") }
    #expect(chain.count == 1 && chain[0].hasSuffix(" (stereo at 48 kHz)"), "\(result.summary)")
    #expect(!FileManager.default.fileExists(atPath: box("out")))
  }

  @Test(
    "outputs of one character are folders as others are", arguments: ["x", "é", "x/", "x/y", "~"])
  func shortNames(output: String) throws {
    let planned = try run("--output", output, "--dry-run", "in")
    #expect(planned.exitCode == 0, "\(planned.summary)")
    #expect(planned.standardError.contains("2 files would be done"), "\(planned.summary)")
    let result = try run("--output", output, "in")
    #expect(result.exitCode == 0, "\(result.summary)")
    #expect(try TemporaryNames.below(box(output)) == ["a.wav", "deep/b.wav"])
  }

  @Test func standardInputAndOutput() throws {
    let input = try Data(contentsOf: URL(fileURLWithPath: box("in/a.wav")))
    let file = try run("--output-file", "file.wav", "in/a.wav")
    #expect(file.exitCode == 0, "\(file.summary)")
    let expected = try Data(contentsOf: URL(fileURLWithPath: box("file.wav")))
    try input.write(to: URL(fileURLWithPath: box("piped.wav")))
    let piped = try runProcess(
      "/bin/sh",
      [
        "-c",
        "cat piped.wav | '\(Places.auricle)' process --preset telephone --output-file - - > out.wav",
      ], environment: box.environment, in: box.folder.path)
    #expect(piped.exitCode == 0, "\(piped.summary)")
    #expect(try Data(contentsOf: URL(fileURLWithPath: box("out.wav"))) == expected)
    let bad = try runAuricle(
      ["process", "--preset", "telephone", "--output-file", "-", "-"],
      environment: box.environment, in: box.folder.path, input: Data("no sound".utf8))
    #expect(bad.exitCode == 65, "\(bad.summary)")
    #expect(bad.standardOutput.isEmpty)
  }

  @Test func toleratedDamage() throws {
    let whole = try Data(contentsOf: URL(fileURLWithPath: box("in/a.wav")))
    try box.folder.write(whole.prefix(whole.count / 2), to: "short.wav")
    let strict = try run("--output", "out", "short.wav")
    #expect(strict.exitCode == 65, "\(strict.summary)")
    let tolerant = try run("--output", "out", "--tolerant", "--format", "json", "short.wav")
    #expect(tolerant.exitCode == 0, "\(tolerant.summary)")
    #expect(try tolerant.fileLines.first?["damage"] is [Any], "\(tolerant.summary)")
  }

  @Test func reportsAccountForEveryFile() throws {
    try box.folder.write("no sound", to: "in/z.wav")
    let result = try run("--output", "out", "--report", "report.json", "in")
    #expect(result.exitCode == 1, "\(result.summary)")
    let data = try Data(contentsOf: URL(fileURLWithPath: box("report.json")))
    let report = try #require(
      try JSONSerialization.jsonObject(with: data) as? [String: Any])
    let records = try #require(report["records"] as? [[String: Any]])
    #expect(records.map { $0["status"] as? String } == ["done", "done", "failed"])
    #expect((report["sandbox"] as? String)?.hasPrefix("strict") == true)
    let printed = try box.run("report", "out", "--format", "json")
    #expect(printed.standardOutput == String(decoding: data, as: UTF8.self))
    // A failed input is not tried again.
    let resumed = try box.run("process", "--resume", "out")
    #expect(resumed.exitCode == 1, "\(resumed.summary)")
    #expect(resumed.lines.isEmpty)
  }
}
