// play, record and live on files in place of a card: the played sound equals a batch's.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import FileTestSupport
import Foundation
import Glibc
import TestSupport
import Testing

@Suite struct SoundDeviceTests {
  let box: Sandbox

  init() throws { box = try Sandbox() }

  /// Two channels of noise in a file, a second long.
  private func makeNoise() throws {
    let rows = [1, 2].map { TestSignal.noise(seed: $0, amplitude: 0.25, frameCount: 48_000) }
    try Sound(rows).write(to: box("in.wav"))
  }

  private func samples(_ name: String) throws -> [[Float]] { try Sound(path: box(name)).channels }

  /// Compares two files from their first sound on, and wants so many frames.
  private func expectSame(_ name: String, _ other: String, atLeast count: Int) throws {
    let (rows, others) = (try samples(name), try samples(other))
    #expect(rows.count == others.count)
    for (row, other) in zip(rows, others) {
      let start = try #require(row.firstIndex { $0 != 0 })
      let otherStart = try #require(other.firstIndex { $0 != 0 })
      let same = zip(row[start...], other[otherStart...]).prefix { $0 == $1 }.count
      #expect(same >= count, "the first \(same) frames are the same")
    }
  }

  /// The path of a socket, which has to be short.
  private let socketPath = "/tmp/auricle-\(UUID().uuidString.prefix(13))"

  private let chain = ["--unit", "aufx:lpas:appl", "--set", "cutoff frequency=900 Hz"]

  @Test("Played, recorded and live sound is the batch's result of the file")
  func equality() throws {
    try makeNoise()
    let batch = try box.run(
      ["process"] + chain + ["--encoding", "float32", "--output-file", "batch.wav", "in.wav"])
    #expect(batch.exitCode == 0, "\(batch.summary)")
    let played = try box.run(
      ["play"] + chain + ["--device", "file:\(box("played.wav")),clock=free", "in.wav"])
    #expect(played.exitCode == 0, "\(played.summary)")
    try expectSame("played.wav", "batch.wav", atLeast: 47_900)
    let recorded = try box.run(
      ["record"] + chain + ["--device", "file:,in=\(box("in.wav")),clock=free", "take.wav"])
    #expect(recorded.exitCode == 0, "\(recorded.summary)")
    try expectSame("take.wav", "batch.wav", atLeast: 47_900)
    let device = "file:\(box("live.wav")),in=\(box("in.wav")),clock=free"
    let live = try box.run(["live"] + chain + ["--input", device])
    #expect(live.exitCode == 0, "\(live.summary)")
    #expect(live.standardError.isEmpty, "\(live.summary)")
    try expectSame("live.wav", "batch.wav", atLeast: 47_000)
  }

  @Test("A preset that expects a loudness gets it in play and in record")
  func inputLoudness() throws {
    // A sine in both channels is as loud as its amplitude in dB: -38 LUFS.
    let sine = TestSignal.sine(
      frequency: 997, amplitude: amplitude(decibels: -38), sampleRate: 48_000,
      frameCount: 48_000 * 12)
    try Sound([sine, sine]).write(to: box("in.wav"))
    try box.folder.write(
      "auricle: 1\nname: x\ninput: {loudness: -20 LUFS}\nunits:\n  - unit: aufx:hpas:appl\n"
        + "    parameters: {0: 20 Hz}\n", to: "chain.yaml")
    let chain = ["--preset", box("chain.yaml")]
    let batch = try box.run(
      ["process"] + chain + ["--encoding", "float32", "--output-file", "batch.wav", "in.wav"])
    #expect(batch.exitCode == 0, "\(batch.summary)")
    let played = try box.run(
      ["play"] + chain + ["--device", "file:\(box("played.wav")),clock=free", "in.wav"])
    #expect(played.exitCode == 0, "\(played.summary)")
    try expectSame("played.wav", "batch.wav", atLeast: 48_000 * 11)
    // The gain is that of the whole file, wherever playing begins.
    let late = try box.run(
      ["play"] + chain
        + ["--start", "3", "--device", "file:\(box("late.wav")),clock=free", "in.wav"])
    #expect(late.exitCode == 0, "\(late.summary)")
    let recorded = try box.run(
      ["record"] + chain + ["--device", "file:,in=\(box("in.wav")),clock=free", "take.wav"])
    #expect(recorded.exitCode == 0, "\(recorded.summary)")
    for name in ["late.wav", "take.wav"] {
      let end = try samples(name)[0].suffix(24_000)
      let level = decibels(rootMeanSquare(Array(end))) + 3.01
      #expect(abs(level + 20) < 0.7, "\(name) ends at \(level) LUFS")
    }
  }

  /// Sends a line to a control socket once it is there, and returns the answer.
  private func ask(_ line: String, _ socket: String, of child: ChildProcess) throws -> String {
    var answer = ""
    let isAnswered = child.waits {
      guard let found = ControlLine.ask(line, socket) else { return false }
      answer = found
      return true
    }
    try #require(isAnswered, "nobody answers '\(line)'")
    return answer
  }

  /// A device whose input lasts for five minutes, longer than any test.
  private func makeLongInput() throws -> String {
    let rows = [TestSignal.noise(seed: 3, amplitude: 0.25, frameCount: 14_400_000)]
    try Sound(rows).write(to: box("long.wav"), encoding: .pcm16)
    return "file:\(box("live.wav")),in=\(box("long.wav")),clock=real"
  }

  @Test("A control socket sets, reports, ramps, bypasses, and refuses with a sentence")
  func control() throws {
    let (device, path) = (try makeLongInput(), socketPath)
    let child = try box.start(["live"] + chain + ["--input", device, "--control", "unix:\(path)"])
    func ask(_ line: String) throws -> String { try self.ask(line, path, of: child) }
    #expect(try ask("get 1 \"cutoff frequency\"") == "ok 900 Hz")
    var status = stat()
    #expect(unsafe stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
    #expect(try ask("set 1 cutoff\\ frequency 2k").hasPrefix("error '"))
    #expect(try ask("set 1 \"cutoff frequency\" \"2 kHz\"") == "ok")
    #expect(try ask("get 1 0") == "ok 2000 Hz")
    #expect(try ask("set 1 cutoff frequency 1 kHz") == "ok")
    #expect(try ask("get cutoff frequency") == "ok 1000 Hz")
    #expect(try ask("set cutoff frequency 3 kHz") == "ok")
    #expect(try ask("get \"cutoff frequency\"") == "ok 3000 Hz")
    #expect(try ask("ramp cutoff frequency 2 kHz 0") == "ok")
    #expect(try ask("get 1 cutoff frequency") == "ok 2000 Hz")
    #expect(try ask("set nothing 1").hasPrefix("error 'nothing 1' names no parameter of the chain"))
    #expect(try ask("help").hasPrefix("ok set STAGE PARAMETER VALUE; "))
    #expect(try ask("ramp 1 0 500 0.05") == "ok")
    #expect(child.waits { (try? ask("get 1 0")) == "ok 500 Hz" })
    #expect(try ask("bypass 1 on") == "ok")
    #expect(try ask("get 1 0").hasSuffix("is bypassed, and has no values"))
    #expect(try ask("bypass 1 off") == "ok")
    #expect(try ask("get 1 0") == "ok 500 Hz")
    #expect(try ask("set 2 0 1").hasPrefix("error no stage is called '2'"))
    #expect(try ask("preset nowhere").hasPrefix("error "))
    #expect(try ask("preset telephone") == "ok")
    #expect(try ask("list").hasPrefix("ok 1 "))
    #expect(try ask("stats").hasPrefix("ok slices="))
    #expect(try ask("play").contains("there is no command 'play': help lists all"))
    #expect(try ask("quit") == "ok")
    let result = child.wait()
    #expect(result.exitCode == 0, "\(result.summary)")
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test("Presets that come faster than chains fade are all used, and the last one remains")
  func presetsInARow() throws {
    let (device, path) = (try makeLongInput(), socketPath)
    let child = try box.start(["live"] + chain + ["--input", device, "--control", "unix:\(path)"])
    for name in ["telephone", "walkie-talkie", "megaphone", "telephone", "voice-de-rumble"] {
      #expect(try ask("preset \(name)", path, of: child) == "ok")
    }
    // The processes of the others end; the list is that of the last preset from the beginning.
    let list = try ask("list", path, of: child)
    func children() -> Int {
      let text = try? String(
        contentsOfFile: "/proc/\(child.id)/task/\(child.id)/children", encoding: .utf8)
      return text?.split(separator: " ").count ?? 0
    }
    #expect(child.waits { children() == 1 })
    #expect(try ask("list", path, of: child) == list)
    #expect(try ask("stats", path, of: child).hasPrefix("ok slices="))
    #expect(try ask("quit", path, of: child) == "ok")
    let result = child.wait()
    #expect(result.exitCode == 0, "\(result.summary)")
  }

  @Test(
    "A unit that crashes ends live sound with its name, or it begins again with the same values")
  func crash() throws {
    let units = try TemporaryFolder("auricle-hostile")
    try ComponentFixture.makeBundle("HostileUnit", in: units)
    // The unit crashes at the one sample above 0.9, a second after the beginning of some minutes.
    var noise = TestSignal.noise(seed: 1, amplitude: 0.25, frameCount: 14_400_000)
    noise[48_000] = 0.95
    try Sound([noise]).write(to: box("in.wav"), encoding: .pcm16)
    let path = socketPath
    let words = [
      "live", "--isolate", "none", "--unit", "aufx:gain:AuTe", "--control", "unix:\(path)",
      "--input",
      "file:\(box("out.wav")),in=\(box("in.wav")),clock=real",
    ]
    let environment = box.environment.merging([
      "AURICLE_COMPONENT_PATH": units.path, "AURICLE_TEST_HOSTILE": "render segv",
    ]) { $1 }
    let once = try runAuricle(words, environment: environment, in: box.folder.path)
    #expect(once.exitCode == 70, "\(once.summary)")
    #expect(
      once.standardError.contains("Auricle Tests: HostileUnit (aufx:gain:AuTe) crashed"),
      "\(once.summary)")

    let child = try ChildProcess(
      Places.auricle, words + ["--restart"], environment: environment, in: box.folder.path)
    #expect(try ask("set 1 0 0.25", path, of: child) == "ok")
    #expect(child.waits { child.standardError.contains("it begins again") })
    #expect(try ask("stats", path, of: child).contains("failed=0"))
    #expect(try ask("get 1 0", path, of: child).hasPrefix("ok 0.25"))
    kill(child.id, SIGTERM)
    let result = child.wait()
    #expect(result.exitCode == 130, "\(result.summary)")
    #expect(result.standardError.contains("it begins again"), "\(result.summary)")
  }

  @Test("A unit that is too slow is named, and passed over where that is asked for")
  func tooSlow() throws {
    let units = try TemporaryFolder("auricle-slow")
    try ComponentFixture.makeBundle("SlowUnit", in: units)
    var noise = TestSignal.noise(seed: 1, amplitude: 0.25, frameCount: 96_000)
    for place in stride(from: 9600, to: 96_000, by: 9600) { noise[place] = 0.95 }
    try Sound([noise]).write(to: box("in.wav"))
    let result = try runAuricle(
      [
        "live", "--isolate", "none", "--unit", "aufx:gain:AuTe", "--guard", "--input",
        "file:\(box("out.wav")),in=\(box("in.wav")),clock=real",
      ],
      environment: box.environment.merging(["AURICLE_COMPONENT_PATH": units.path]) { $1 },
      in: box.folder.path)
    #expect(result.exitCode == 0, "\(result.summary)")
    #expect(
      result.standardError.contains("too slow") && result.standardError.contains("bypassed"),
      "\(result.summary)")
  }

  @Test("A chain that cannot be live is refused with a sentence and its exit code")
  func refusals() throws {
    try makeNoise()
    let device = "file:\(box("out.wav")),in=\(box("in.wav")),clock=free"
    let noInput = try box.run("live", "--input", "file:\(box("out.wav")),clock=free")
    #expect(noInput.exitCode == 69, "\(noInput.summary)")
    let two = try box.run("live", "--input", "hw:0,0", "--output", "hw:1,0")
    #expect(two.exitCode == 69, "\(two.summary)")
    #expect(two.standardError.contains("there is no card behind it"), "\(two.summary)")
    try box.folder.write(
      "auricle: 1\nname: Moving\nunits:\n  - unit: aufx:lpas:appl\n    automation:\n"
        + "      cutoff frequency: [[0 s, 100 Hz], [1 s, 1 kHz]]\n", to: "moving.yaml")
    let moving = try box.run("live", "--preset", "moving.yaml", "--input", device)
    #expect(moving.exitCode == 65, "\(moving.summary)")
    let wrong = try box.run("live", "--control", "tcp:1", "--input", device)
    #expect(wrong.exitCode == 64, "\(wrong.summary)")
  }
}
