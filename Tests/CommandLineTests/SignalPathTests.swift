// `auricle process` with levels, ends, several results a file and variants, as users type them.
// SPDX-License-Identifier: Apache-2.0

import AudioConversion
import AudioFiles
import FileTestSupport
import Foundation
import TestSupport
import Testing

@Suite struct SignalPathTests {
  let box: Sandbox

  init() throws {
    box = try Sandbox()
    for (index, name) in ["a.wav", "sub/b.wav"].enumerated() {
      try box.folder.write("", to: name)
      try Sound([
        TestSignal.noise(seed: UInt64(index + 1), amplitude: 0.05, frameCount: 48_000)
      ]).write(to: box(name), encoding: .pcm16)
    }
  }

  private let chain = ["--unit", "aufx:hpas:appl", "--set", "cutoff frequency=40 Hz"]

  private func process(_ arguments: [String]) throws -> ProcessResult {
    try runAuricle(["process"] + arguments, environment: box.environment, in: box.folder.path)
  }

  @Test func everythingAtOnce() throws {
    let result = try process([
      "--preset", "broadcast-voice", "--output", "out/", "--recursive", ".", "--jobs", "2",
      "--name", "{dir}/{stem}-{preset}.{ext}", "--container", "flac", "--encoding", "pcm24",
      "--sample-rate", "44100", "--channels", "2", "--loudness", "-16", "--true-peak", "-1",
      "--dither", "tpdf", "--tail", "auto", "--on-exists", "skip", "--format", "json",
    ])
    #expect(result.exitCode == 0, "\(result.summary)")
    for line in try result.fileLines {
      let output = try #require(line["output"] as? [String: Any])
      #expect(output["sampleRate"] as? Double == 44_100)
      #expect(output["channels"] as? Int == 2)
      let path = try #require(output["path"] as? String)
      let measured = try AudioMeasurement.measure(path: box(path), measuresTruePeak: true)
      #expect(abs(try #require(measured.integratedLoudness) + 16) < 0.1)
      #expect(try #require(measured.truePeak) < -0.9)
      let reported = try #require(output["loudness"] as? [String: Double])
      #expect(abs(try #require(reported["integrated"]) + 16) < 0.1)
      let before = (line["input"] as? [String: Any])?["loudness"] as? [String: Double]
      #expect(before?["integrated"] != nil && before?["truePeak"] == nil)
    }
    #expect(
      try TemporaryNames.below(box("out")) == [
        "a-broadcast-voice.flac", "sub/b-broadcast-voice.flac",
      ])
  }

  /// The same chain for files of several lengths, with resetting and without.
  @Test func breakpointsInPercentFallWhereTheFileIsSoLong() throws {
    try box.folder.write(
      """
      auricle: 1
      name: P
      units:
        - unit: aufx:dcmp:appl
          parameters: {threshold: 20 dB}
          automation: {overall gain: [[0 %, 0 dB], [50 %, -20 dB, step], [75%, 6 dB, step]]}
      """, to: "p.yaml")
    try box.folder.makeFolder("in")
    let lengths = [4_000, 48_000, 7_200, 100_000, 4_000, 4_004, 30_000, 12_000]
    for (index, length) in lengths.enumerated() {
      try Sound([[Float](repeating: 0.25, count: length)])
        .write(to: box("in/\(index).wav"), encoding: .float32)
    }
    let result = try process(["--preset", "p.yaml", "-o", "out", "--jobs", "1", "in"])
    #expect(result.exitCode == 0, "\(result.summary)")
    for (index, length) in lengths.enumerated() {
      let sound = try Sound(path: box("out/\(index).wav")).channels[0]
      let (half, quarter) = (length / 2, length * 3 / 4)
      #expect(sound[..<half].allSatisfy { abs($0 - 0.25) < 1e-3 }, "file \(index)")
      #expect(sound[half..<quarter].allSatisfy { abs($0 - 0.025) < 1e-3 }, "file \(index)")
      #expect(sound[quarter...].allSatisfy { abs($0 - 0.4988) < 1e-3 }, "file \(index)")
    }
  }

  /// Files of several lengths, so that a start counted from the end is elsewhere in each.
  @Test(arguments: ["0.25 s", "12000 frames"], ["0.1", "0.3", "-0.2"])
  func breakpointsCountInTheFile(time: String, start: String) throws {
    let first = time.hasSuffix("frames") ? "0 frames" : "0 s"
    try box.folder.write(
      """
      auricle: 1
      name: P
      units:
        - unit: aufx:dcmp:appl
          parameters: {threshold: 20 dB}
          automation: {overall gain: [[\(first), 0 dB], [\(time), -20 dB, step]]}
      """, to: "p.yaml")
    try box.folder.makeFolder("in")
    let lengths = [24_000, 48_000, 20_000, 24_000]
    for (index, length) in lengths.enumerated() {
      try Sound([[Float](repeating: 0.25, count: length)])
        .write(to: box("in/\(index).wav"), encoding: .float32)
    }
    let result = try process([
      "--preset", "p.yaml", "-o", "out", "--jobs", "1", "--tail", "none", "--start=\(start)", "in",
    ])
    #expect(result.exitCode == 0, "\(result.summary)")
    for (index, length) in lengths.enumerated() {
      let sound = try Sound(path: box("out/\(index).wav")).channels[0]
      let cut = length - sound.count
      let seconds = try #require(Double(start))
      #expect(cut == Int(seconds * 48_000) + (seconds < 0 ? length : 0), "file \(index)")
      for (frame, sample) in sound.enumerated() {
        let wanted: Float = frame + cut < 12_000 ? 0.25 : 0.025
        guard abs(sample - wanted) >= 1e-3 else { continue }
        Issue.record("file \(index): \(sample) at frame \(frame + cut)")
        break
      }
    }
  }

  @Test func theBroadcastPresetMeetsItsLevels() throws {
    let result = try process(["--preset", "broadcast", "-o", "out", ".", "--format", "json"])
    #expect(result.exitCode == 0, "\(result.summary)")
    for line in try result.fileLines {
      let output = try #require(line["output"] as? [String: Any])
      let path = try #require(output["path"] as? String)
      let measured = try AudioMeasurement.measure(path: box(path), measuresTruePeak: true)
      #expect(abs(try #require(measured.integratedLoudness) + 23) < 0.1)
      #expect(try #require(measured.truePeak) < -0.9)
    }
  }

  @Test func theAugmentPresetMakesOtherSoundsForEachVariant() throws {
    // All in one process, then each in a separate one.
    for (folder, jobs) in [("one", "1"), ("two", "3")] {
      let result = try process([
        "--preset", "augment", "--variants", "3", "--seed", "7", "-o", folder, "--jobs", jobs,
        "a.wav",
      ])
      #expect(result.exitCode == 0, "\(result.summary)")
    }
    let sounds = try (1...3).map { try Data(contentsOf: URL(filePath: box("one/a-\($0).wav"))) }
    #expect(Set(sounds).count == 3)
    for number in 1...3 {
      #expect(try Data(contentsOf: URL(filePath: box("two/a-\(number).wav"))) == sounds[number - 1])
    }
  }

  @Test func levelsBelowZeroAreNoOptions() throws {
    let shaped = try process(
      chain + ["-o", "out", "--trim-silence", "-50", "--dither", "shaped", "a.wav"])
    #expect(shaped.exitCode == 0, "\(shaped.summary)")
  }

  @Test(arguments: [
    ["--loudness", "3"], ["--loudness", "x"], ["--true-peak", "1"], ["--normalize", "2"],
    ["--loudness", "-16", "--normalize", "-1"], ["--channels", "0"], ["--channels", "99"],
    ["--resample-quality", "best"], ["--trim", "3"], ["--trim", "5..2"], ["--trim", "-1..-3"],
    ["--start", "1", "--trim", "1..2"], ["--start", "x"], ["--fade-in", "-1"],
    ["--fade-curve", "x"], ["--trim-silence", "3"], ["--variants", "0"], ["--variants", "2"],
    ["--seed", "3"], ["--dither=loud"],
  ])
  func badValuesAreRefused(options: [String]) throws {
    let result = try process(chain + options + ["-o", "out", "a.wav"])
    #expect(result.exitCode == 64, "\(options): \(result.summary)")
    #expect(box.names("out").isEmpty)
  }

  @Test func aStartBehindTheEndIsAFailureOfTheFile() throws {
    let result = try process(chain + ["--start", "5", "-o", "out", "a.wav"])
    #expect(result.exitCode == 65, "\(result.summary)")
    #expect(
      result.standardError.contains(
        "nothing is left of a.wav: it is 1.0 s long and ends before the start"))
  }

  // MARK: Several files

  private func writePreset() throws {
    try box.folder.write(
      """
      auricle: 1
      name: Three
      units: [{unit: "aufx:hpas:appl", parameters: {cutoff frequency: 40 Hz}}]
      output: {tail: none, dither: tpdf}
      render:
        - {name: master, encoding: pcm24}
        - {name: web, container: ogg, loudness: -20, channels: stereo}
        - {name: cd, container: flac, sample rate: 44100, fade out: 0.1 s}

      """, to: "three.yaml")
  }

  @Test func aRenderingProducesSeveralFiles() throws {
    try writePreset()
    let result = try process(
      ["--preset", "three.yaml", "-o", "out", "--format", "json", "a.wav", "sub"])
    #expect(result.exitCode == 0, "\(result.summary)")
    #expect(
      box.names("out") == [
        "a-cd.flac", "a-master.wav", "a-web.ogg", "b-cd.flac", "b-master.wav", "b-web.ogg",
      ])
    let first = try #require(try result.fileLines.first)
    let others = try #require(first["otherOutputs"] as? [[String: Any]])
    #expect(others.map { $0["name"] as? String } == ["web", "cd"])
    #expect(try Sound(path: box("out/a-cd.flac")).frameCount == 44_100)
    #expect(try Sound(path: box("out/a-web.ogg")).channels.count == 2)
    let verified = try box.run("verify", "out")
    #expect(verified.exitCode == 0)
    #expect(verified.standardError.contains("6 results are as written"))
    try box.folder.write("x", to: "out/b-web.ogg")
    #expect(try box.run("verify", "out").exitCode == 1)

    let again = try process(["--preset", "three.yaml", "-o", "out", "--new-run", "a.wav", "sub"])
    #expect(again.exitCode == 74, "\(again.summary)")
    let skipped = try process(
      ["--preset", "three.yaml", "-o", "out", "--on-exists", "skip", "a.wav", "sub"])
    #expect(skipped.exitCode == 0, "\(skipped.summary)")
    // Only the missing ones are made.
    func inode() throws -> Int? {
      try FileManager.default.attributesOfItem(atPath: box("out/a-master.wav"))[.systemFileNumber]
        as? Int
    }
    let master = try inode()
    try FileManager.default.removeItem(atPath: box("out/a-web.ogg"))
    let half = try process(
      ["--preset", "three.yaml", "-o", "out", "--on-exists", "skip", "a.wav", "sub"])
    #expect(half.exitCode == 0, "\(half.summary)")
    #expect(try Sound(path: box("out/a-web.ogg")).channels.count == 2)
    #expect(try inode() == master)
  }

  @Test func whatWouldMeetInOneNameIsRefused() throws {
    try writePreset()
    let result = try process([
      "--preset", "three.yaml", "-o", "out", "--container", "wav", "--name", "{stem}.{ext}",
      "a.wav",
    ])
    #expect(result.exitCode == 64, "\(result.summary)")
    #expect(result.standardError.contains("{render}"))
    let single = try process(["--preset", "three.yaml", "--output-file", "x.wav", "a.wav"])
    #expect(single.exitCode == 64, "\(single.summary)")
    let inPlace = try process(["--preset", "three.yaml", "--in-place", "--backup", "a.wav"])
    #expect(inPlace.exitCode == 64, "\(inPlace.summary)")
  }

  @Test func aCutBetweenTwoNamesIsMadeGood() throws {
    try writePreset()
    let arguments = ["--preset", "three.yaml", "-o", "out", "a.wav", "sub"]
    #expect(try process(arguments).exitCode == 0)
    let before = try box.names("out").map {
      try Data(contentsOf: URL(fileURLWithPath: box("out/\($0)")))
    }
    // As if the power had gone after the first two names of the last file.
    let run = try #require(
      try FileManager.default.contentsOfDirectory(atPath: box("out/.auricle")).first)
    let ledger = box("out/.auricle/\(run)/ledger-1.jsonl")
    let lines = try String(contentsOfFile: ledger, encoding: .utf8).split(separator: "\n")
    let kept = lines.filter {
      !$0.contains("\"t\":\"end\"")
        && !($0.contains("\"t\":\"kept\"") && $0.contains("\"index\":1"))
    }
    try (kept.joined(separator: "\n") + "\n").write(
      toFile: ledger, atomically: true, encoding: .utf8)
    try FileManager.default.removeItem(atPath: box("out/b-cd.flac"))
    let resumed = try process(["--resume", "out"])
    #expect(resumed.exitCode == 0, "\(resumed.summary)")
    let after = try box.names("out").map {
      try Data(contentsOf: URL(fileURLWithPath: box("out/\($0)")))
    }
    #expect(after == before)
    #expect(try box.run("verify", "out").exitCode == 0)
  }

  // MARK: Variants

  @Test func variantsDependOnSeedAndFileAlone() throws {
    try box.folder.write(
      """
      auricle: 1
      name: Vary
      units:
        - unit: aufx:lpas:appl
          parameters: {cutoff frequency: {random: [200 Hz, 8 kHz, log]}}

      """, to: "vary.yaml")
    func run(_ arguments: [String]) throws -> [String: [String]] {
      let result = try process(["--preset", "vary.yaml", "--format", "json"] + arguments)
      #expect(result.exitCode == 0, "\(result.summary)")
      var found: [String: [String]] = [:]
      for line in try result.fileLines {
        guard let output = line["output"] as? [String: Any], let path = output["path"] as? String
        else { continue }
        let drawn = (line["drawn"] as? [[String: Any]])?.first?["text"] as? String
        found[(path as NSString).lastPathComponent] = [
          line["xxh64"] as? String ?? "", drawn ?? "", "\(line["variant"] as? Int ?? 0)",
        ]
      }
      return found
    }
    let first = try run(["--variants", "3", "--seed", "7", "-j", "2", "-o", "one", "a.wav", "sub"])
    let status = try box.run("status", "one", "--format", "json").json as? [String: Any]
    #expect(status?["variants"] as? Int == 3 && status?["seed"] as? String == "7")
    #expect(
      try box.run("status", "one").lines.contains {
        $0.contains("3 variants of each file, seed 7")
      })
    #expect(first.count == 6)
    #expect(Set(first.values.map { $0[0] }).count == 6)
    #expect(Set(first.values.map { $0[1] }).count == 6)
    #expect(first["b-2.wav"]?[2] == "2")
    let again = try run(["--variants", "3", "--seed", "7", "-j", "1", "-o", "two", "sub", "a.wav"])
    #expect(again == first)
    let other = try run(["--variants", "3", "--seed", "8", "-o", "three", "a.wav", "sub"])
    #expect(Set(other.values.map { $0[0] }).isDisjoint(with: first.values.map { $0[0] }))
    // One of them without --variants: the first.
    let plain = try run(["--seed", "7", "-o", "four", "a.wav"])
    #expect(plain["a.wav"]?[0] == first["a-1.wav"]?[0])
    let named = try process(
      ["--preset", "vary.yaml", "--variants", "2", "--name", "{stem}.wav", "-o", "five", "a.wav"])
    #expect(named.exitCode == 64)
  }
}
