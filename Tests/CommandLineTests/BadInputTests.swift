// Bad input: each kind gets its sentence and its exit code, and the other files are done.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import FileTestSupport
import Foundation
import Glibc
import TestSupport
import Testing

@Suite struct BadInputTests {
  let box: Sandbox

  init() throws {
    box = try Sandbox()
    try Sound([TestSignal.noise(seed: 1, amplitude: 0.25, frameCount: 4800)])
      .write(to: box("good.wav"), encoding: .pcm16)
  }

  private static let unit = ["--unit", "aufx:lpas:appl"]

  /// Processes one bad input alone, then beside a good one.
  private func expect(
    _ input: String, code: Int32, says: String, lineCount: Int = 2
  ) throws {
    let alone = try runAuricle(
      ["process"] + Self.unit + ["--output", "out", input], environment: box.environment,
      in: box.folder.path)
    #expect(alone.exitCode == code, "\(alone.summary)")
    #expect(alone.standardError.contains(says), "\(alone.summary)")
    #expect(alone.standardOutput.isEmpty)
    #expect(
      alone.errorLines.count == lineCount, "one sentence and the total: \(alone.summary)")
    #expect(box.names("out").isEmpty)

    let beside = try runAuricle(
      ["process"] + Self.unit + ["--output", "both", input, "good.wav"],
      environment: box.environment, in: box.folder.path)
    #expect(beside.exitCode == 1, "\(beside.summary)")
    #expect(beside.standardError.contains(says), "\(beside.summary)")
    #expect(box.names("both") == ["good.wav"])
  }

  @Test func missingFile() throws {
    try expect(
      "nowhere.wav", code: 66, says: "there is no file or folder nowhere.wav", lineCount: 1)
  }

  @Test("unreadable entries below a folder are reported, and the rest is done")
  func tooDeepAFolder() throws {
    try box.folder.makeFolder("in")
    try FileManager.default.copyItem(atPath: box("good.wav"), toPath: box("in/good.wav"))
    let name = String(repeating: "d", count: 200)
    let make = "cd '\(box("in"))'; for i in $(seq 25); do mkdir \(name); cd \(name); done"
    let made = try runProcess("bash", ["-c", "\(make); cp '\(box("good.wav"))' ."])
    try #require(made.exitCode == 0, "\(made.summary)")
    let result = try runAuricle(
      ["process"] + Self.unit + ["--output", "out", "in"], environment: box.environment,
      in: box.folder.path)
    _ = try runProcess("rm", ["-rf", box("in")])
    #expect(result.exitCode == 1, "\(result.summary)")
    #expect(result.standardError.contains("file name too long"), "\(result.summary)")
    #expect(box.names("out") == ["good.wav"])
  }

  @Test(
    "a folder of which only the names can be read is reported once", .enabled(if: geteuid() != 0))
  func folderWithoutEntry() throws {
    try box.folder.makeFolder("in/closed")
    for name in ["in/good.wav", "in/closed/a.wav", "in/closed/b.wav"] {
      try FileManager.default.copyItem(atPath: box("good.wav"), toPath: box(name))
    }
    unsafe chmod(box("in/closed"), 0o644)
    let result = try runAuricle(
      ["process"] + Self.unit + ["--output", "out", "in"], environment: box.environment,
      in: box.folder.path)
    unsafe chmod(box("in/closed"), 0o755)
    #expect(result.exitCode == 1, "\(result.summary)")
    #expect(
      result.standardError.contains("in/closed: permission denied"), "\(result.summary)")
    #expect(box.names("out") == ["good.wav"])
  }

  @Test func emptyFile() throws {
    try box.folder.write("", to: "empty.wav")
    try expect("empty.wav", code: 65, says: "empty.wav is empty")
  }

  @Test func noAudioAtAll() throws {
    try box.folder.write("This is a letter, not a sound.", to: "letter.wav")
    try expect("letter.wav", code: 65, says: "letter.wav")
  }

  @Test func truncatedFile() throws {
    let whole = try Data(contentsOf: URL(fileURLWithPath: box("good.wav")))
    try box.folder.write(whole.prefix(whole.count / 2), to: "short.wav")
    try expect("short.wav", code: 65, says: "short.wav is damaged")
  }

  @Test func damagedFLAC() throws {
    try Sound([TestSignal.noise(seed: 2, amplitude: 0.25, frameCount: 48_000)])
      .write(to: box("broken.flac"), encoding: .pcm16)
    var bytes = try Data(contentsOf: URL(fileURLWithPath: box("broken.flac")))
    for index in (bytes.count / 2)..<(bytes.count / 2 + 400) { bytes[index] ^= 0x5A }
    try box.folder.write(bytes, to: "broken.flac")
    try expect("broken.flac", code: 65, says: "broken.flac")
  }

  @Test func noChannels() throws {
    var bytes = try Data(contentsOf: URL(fileURLWithPath: box("good.wav")))
    bytes[22] = 0
    try box.folder.write(bytes, to: "zero.wav")
    try expect("zero.wav", code: 65, says: "zero.wav")
  }

  @Test func noFrames() throws {
    var bytes = try Data(contentsOf: URL(fileURLWithPath: box("good.wav"))).prefix(44)
    bytes[4] = 36
    bytes[5] = 0
    bytes[40] = 0
    bytes[41] = 0
    try box.folder.write(bytes, to: "nothing.wav")
    try expect("nothing.wav", code: 65, says: "nothing.wav")
  }

  @Test func folderWithoutAudio() throws {
    try box.folder.write("hello", to: "papers/letter.txt")
    try expect("papers", code: 66, says: "the folder papers has no audio files in it", lineCount: 1)
  }

  /// A file that cannot be examined is not called missing.
  @Test func linkInCircles() throws {
    try FileManager.default.createSymbolicLink(
      atPath: box("circle.wav"), withDestinationPath: "circle.wav")
    try expect("circle.wav", code: 74, says: "circle.wav: ", lineCount: 1)
    let reported = try box.run("status", "circle.wav")
    #expect(
      reported.exitCode == 74 && !reported.standardError.contains("no folder"),
      "\(reported.summary)")
  }

  @Test func unreadableFile() throws {
    try Sound([TestSignal.silence(frameCount: 10)]).write(to: box("secret.wav"))
    unsafe chmod(box("secret.wav"), 0)
    // To root permissions mean nothing: the unreadable input is then a device.
    if getuid() == 0 {
      try expect("/dev/null", code: 74, says: "/dev/null is no regular file")
    } else {
      try expect("secret.wav", code: 74, says: "cannot read secret.wav: permission denied")
    }
  }

  @Test(arguments: ["/proc/auricle", "good.wav", "good.wav/deeper"])
  func unwritablePlace(place: String) throws {
    let result = try box.run(
      "process", "--unit", "aufx:lpas:appl", "--output", place, "good.wav")
    #expect(
      result.exitCode == 74 || place == "good.wav" && result.exitCode == 64, "\(result.summary)")
    #expect(result.errorLines.count == 1, "\(result.summary)")
    #expect(
      result.standardError.contains(
        place == "good.wav"
          ? "give --output-file good.wav" : place.hasPrefix("/") ? place : "good.wav is a file"))
  }

  @Test func diskThatIsFull() throws {
    try Sound([TestSignal.noise(seed: 1, frameCount: 96_000)]).write(to: box("big.wav"))
    try box.folder.makeFolder("out")
    // To a program, a limit to the size of files has the effect of a full disk.
    let result = try runProcess(
      "sh",
      [
        "-c",
        "ulimit -f 64; exec '\(Places.auricle)' process --unit aufx:lpas:appl --output out big.wav good.wav",
      ], environment: box.environment, in: box.folder.path)
    #expect(result.exitCode == 1, "\(result.summary)")
    #expect(result.standardError.contains("big.wav"))
    #expect(box.names("out") == ["good.wav"])
  }

  @Test func diskThatIsReallyFull() throws {
    try Sound([TestSignal.noise(seed: 1, frameCount: 96_000)]).write(to: box("big.wav"))
    let small = try box.folder.makeFolder("small")
    let mounted = try runProcess("mount", ["-t", "tmpfs", "-o", "size=128k", "tmpfs", small])
    // Only root can make a small disk.
    guard mounted.exitCode == 0 else { return }
    defer { _ = try? runProcess("umount", [small]) }
    let result = try box.run(
      "process", "--unit", "aufx:lpas:appl", "--output", "small", "big.wav")
    #expect(result.exitCode == 75, "\(result.summary)")
    #expect(result.standardError.contains("o space left"), "\(result.summary)")
    #expect(box.names("small").isEmpty)
  }

  @Test func missingUnitNamesWhatIsNear() throws {
    let result = try box.run(
      "process", "--unit", "Parametric EC", "--output", "out", "good.wav")
    #expect(result.exitCode == 69, "\(result.summary)")
    #expect(result.standardError.contains("pmeq"), "\(result.summary)")
    #expect(box.names("out").isEmpty)
  }

  @Test func missingAndBrokenPresets() throws {
    let missing = try box.run(
      "process", "--preset", "podcast-voise", "--output", "out", "good.wav")
    #expect(missing.exitCode == 66)
    #expect(missing.standardError.contains("podcast-voice"))
    try box.folder.write(
      "auricle: 1\nname: x\nunits: [{unit: aufx:lpas:appl, mixx: 1}]\n", to: "p.yaml")
    let broken = try box.run("process", "--preset", "p.yaml", "--output", "out", "good.wav")
    #expect(broken.exitCode == 65)
    #expect(broken.standardError.contains("p.yaml:3:"), "\(broken.summary)")
    #expect(broken.standardError.contains("mix"))
    try box.folder.write(
      "auricle: 1\nname: x\nunits: [{unit: http://no.such/unit}]\n", to: "q.yaml")
    let unit = try box.run("process", "--preset", "q.yaml", "--output", "out", "good.wav")
    #expect(unit.exitCode == 69, "\(unit.summary)")
    #expect(unit.standardError.contains("q.yaml:3:"))
  }

  @Test func aPresetsContainerIsItsOwnMistake() throws {
    try box.folder.write(
      "auricle: 1\nname: x\nunits: [{unit: aufx:lpas:appl, parameters: {wobble: 1}}]\n"
        + "output: {container: wax}\n", to: "c.yaml")
    let result = try box.run("process", "--preset", "c.yaml", "--output", "out", "good.wav")
    #expect(result.exitCode == 65, "\(result.summary)")
    for place in ["c.yaml:3:", "c.yaml:4:"] {
      #expect(result.standardError.contains(place), "\(result.summary)")
    }
  }

  @Test(
    arguments: [
      "list aufx", "preset list", "info aufx:lpas:appl", "measure good.wav", "--help",
      "process --unit aufx:lpas:appl --output-file - good.wav",
    ], ["> /dev/full", ">&-"])
  func resultsThatCannotBeWrittenAreNoSuccess(command: String, place: String) throws {
    let result = try runProcess(
      "/bin/sh", ["-c", "'\(Places.auricle)' \(command) \(place)"],
      environment: box.environment, in: box.folder.path)
    #expect(result.exitCode == 74, "\(result.summary)")
    #expect(result.standardError.contains("standard output"), "\(result.summary)")
    #expect(!result.standardError.contains("file done"), "\(result.summary)")
  }

  /// No failure was reported for failed files either.
  @Test func failuresThatCannotBeReportedAreNoMereFailures() throws {
    let made = try box.run("process", "--unit", "aufx:lpas:appl", "-o", "out", "good.wav")
    try #require(made.exitCode == 0, "\(made.summary)")
    unsafe unlink(box("out/good.wav"))
    #expect(try box.run("verify", "out").exitCode == 1)
    let result = try runProcess(
      "/bin/sh", ["-c", "'\(Places.auricle)' verify out > /dev/full"],
      environment: box.environment, in: box.folder.path)
    #expect(result.exitCode == 74, "\(result.summary)")
  }

  /// Two files that were joined byte by byte.
  @Test func aFileBehindTheEndOfAnotherIsReported() throws {
    let one = try Data(contentsOf: URL(fileURLWithPath: box("good.wav")))
    try (one + one).write(to: URL(fileURLWithPath: box("two.wav")))
    try expect(
      "two.wav", code: 65,
      says: "two.wav is damaged: another file follows its end, \(one.count) bytes from its "
        + "beginning")
    let result = try box.run(
      "process", "--unit", "aufx:lpas:appl", "--tail", "none", "--tolerant", "-o", "first",
      "two.wav")
    #expect(result.exitCode == 0, "\(result.summary)")
    #expect(result.standardError.contains("another file follows"), "\(result.summary)")
    #expect(try Sound(path: box("first/two.wav")).frameCount == 4800)
  }

  @Test func whatPrintsNothingNeedsNoStandardOutput() throws {
    let result = try runProcess(
      "/bin/sh",
      ["-c", "'\(Places.auricle)' process -q --unit aufx:lpas:appl -o out good.wav >&- 2>&-"],
      environment: box.environment, in: box.folder.path)
    #expect(result.exitCode == 0, "\(result.summary)")
    #expect(box.names("out") == ["good.wav"])
  }
}
