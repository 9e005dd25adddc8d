// say: as long as espeak-ng's own program, the same bytes twice, lines, refusals.
// SPDX-License-Identifier: Apache-2.0

import FileTestSupport
import Foundation
import TestSupport
import Testing

@Suite struct SayTests {
  let box: Sandbox

  init() throws { box = try Sandbox() }

  @Test(
    "A text lasts as long as espeak-ng's program has it, with the same samples at its rate, twice")
  func equal() throws {
    let text = "Take the second exit, then turn left."
    let theirs = try runProcess(
      "/usr/bin/espeak-ng", ["-v", "en-gb", "-s", "180", "-w", box("theirs.wav"), text])
    #expect(theirs.exitCode == 0, "\(theirs.summary)")
    let reference = try Sound(path: box("theirs.wav")).channels[0]
    for name in ["a.wav", "b.wav"] {
      let result = try box.run(
        "say", text, "--voice", "en-gb", "--sample-rate", "22050", "--encoding", "pcm16", "-o", name
      )
      #expect(result.exitCode == 0 && result.standardError.isEmpty, "\(result.summary)")
    }
    #expect(
      try Data(contentsOf: URL(fileURLWithPath: box("a.wav")))
        == Data(contentsOf: URL(fileURLWithPath: box("b.wav"))))
    let ours = try Sound(path: box("a.wav")).channels[0]
    #expect(ours == reference)
    #expect((ours.map(abs).max() ?? 0) > 0.05)
  }

  @Test("Without a file the text is played on the device; flite speaks where it is asked for")
  func played() throws {
    let device = "file:\(box("played.wav")),clock=free,rate=48000"
    let result = try box.run("say", "Turn left.", "--device", device)
    #expect(result.exitCode == 0, "\(result.summary)")
    let delivered = try Sound(path: box("played.wav")).channels[0]
    #expect(delivered.count > 24_000 && (delivered.map(abs).max() ?? 0) > 0.05)
    let both = try box.run("say", "Text", "--device", device, "-o", "a.wav")
    #expect(both.exitCode == 64, "\(both.summary)")
    #expect(both.standardError.contains("--device plays the text, and -o writes it"))
    let other = ["AURICLE_SPEECH": "flite"]
    let said = try box.run("say", "Turn left.", "-o", "flite.wav", environment: other)
    #expect(said.exitCode == 0, "\(said.summary)")
    let theirs = try Sound(path: box("flite.wav")).channels[0]
    #expect(theirs.contains { abs($0) > 0.05 })
    let voices = try box.run("say", "--list-voices", environment: other)
    #expect(voices.standardOutput.contains("en-us") && voices.standardOutput.contains("slt"))
    let refused = try box.run(
      "say", "Text", "--voice", "de", "-o", "a.wav", environment: other)
    #expect(refused.exitCode == 64, "\(refused.summary)")
  }

  @Test("Lines that are there are left out when asked, and all others are said")
  func goesOn() throws {
    try box.folder.write("a\tOne\nb\tTwo\nc\tThree\n", to: "cues.txt")
    try box.folder.makeFolder("cues")
    try box.folder.write("kept", to: "cues/b.wav")
    let first = try box.run("say", "--lines", "cues.txt", "-o", "cues/")
    #expect(first.exitCode == 1, "\(first.summary)")
    #expect(first.standardError.contains("the text 'b': cues/b.wav exists"), "\(first.summary)")
    let again = try box.run("say", "--lines", "cues.txt", "-o", "cues/", "--on-exists", "skip")
    #expect(again.exitCode == 0 && again.standardOutput.isEmpty, "\(again.summary)")
    for name in ["a", "b", "c"] {
      #expect(again.standardError.contains("cues/\(name).wav exists: skipped"), "\(again.summary)")
    }
    #expect(try String(contentsOfFile: box("cues/b.wav"), encoding: .utf8) == "kept")
  }

  @Test("Lines become files by their names and numbers; effects ring out behind a voice")
  func lines() throws {
    try box.folder.write("left\tTurn left.\n\nTurn right.\r\n", to: "cues.txt")
    let result = try box.run("say", "--lines", "cues.txt", "-o", "cues/")
    #expect(result.exitCode == 0, "\(result.summary)")
    #expect(box.names("cues") == ["002.wav", "left.wav"])
    let echo = try box.run("say", "Turn left.", "--unit", "aufx:dely:appl", "-o", "echo.wav")
    #expect(echo.exitCode == 0, "\(echo.summary)")
    let (wet, dry) = try (
      Sound(path: box("echo.wav")).channels[0].count,
      Sound(path: box("cues/left.wav")).channels[0].count
    )
    #expect(wet > dry + 24_000)
  }

  @Test("A missing or wrong argument is one sentence")
  func refusals() throws {
    try box.folder.write("a\tOne\na\tTwo\n", to: "twice.txt")
    for library in ["libespeak-ng.so.1", "libflite.so.1"] {
      try box.folder.write("no library", to: library)
    }
    try box.folder.write("right\tTurn right.\nleft\t \n", to: "bare.txt")
    try box.folder.write("le\0ft\tTurn left.\n", to: "zero.txt")
    for (arguments, code, word) in [
      (["Text", "--voice", "en-gp", "-o", "a.wav"], Int32(64), "en-gb"),
      (["--lines", "twice.txt"], 64, "-o cue.wav"), (["-o", "a.wav"], 64, "--lines"),
      (["Text", "--rate", "20", "-o", "a.wav"], 64, "80 to 450"),
      (["--lines", "gone.txt", "-o", "b/"], 66, "gone.txt"),
      (["--lines", "twice.txt", "-o", "b/"], 65, "used before"),
      (["--lines", "bare.txt", "-o", "b/"], 65, "text 2: 'left' has no text"),
      (["--lines", "zero.txt", "-o", "b/"], 65, "cannot be the name of a file"),
    ] {
      let refused = try box.run(["say"] + arguments)
      #expect(refused.exitCode == code, "\(refused.summary)")
      #expect(refused.standardError.contains(word), "\(refused.summary)")
    }
    let without = try box.run(
      "say", "Text", "-o", "a.wav", environment: ["LD_LIBRARY_PATH": box.folder.path])
    #expect(without.exitCode == 69, "\(without.summary)")
    #expect(without.standardError.contains("libespeak-ng1"), "\(without.summary)")
    #expect(without.standardError.contains("libflite1"), "\(without.summary)")
  }
}
