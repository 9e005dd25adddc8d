// Parts of chains: stages of branches, their levels, and pictures that follow a knob.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import FileTestSupport
import Foundation
import TestSupport
import Testing

@Suite struct StudioPartTests {
  private static let (low, high) = ("aufx:lpas:appl", "aufx:hpas:appl")

  private func objects(_ value: Any?) -> [[String: Any]] { value as? [[String: Any]] ?? [] }

  /// A chain of two branches, a low pass in one, a high pass in the other.
  private func branched(_ bench: StudioBench) throws -> (chain: Any, low: String, high: String) {
    let text = """
      auricle: 1
      name: Two ways
      units:
        - parallel:
            - gain: -6 dB
              name: Deep
              units:
                - unit: \(Self.low)
                  name: Dark
                  parameters: {cutoff frequency: 200 Hz}
            - gain: -12 dB
              pan: 0.5
              units:
                - unit: \(Self.high)
                  name: Bright
                  parameters: {cutoff frequency: 5 kHz}
      """
    let chain = try bench.open(["text": text])
    let branches = objects(objects(chain["entries"]).first?["branches"])
    let stages = branches.map { objects($0["entries"]).first?["id"] as? String ?? "" }
    try #require(stages.count == 2, "\(chain)")
    return (chain["id"] ?? "", stages[0], stages[1])
  }

  /// The sound of a loop once it has an edit.
  private func sound(_ bench: StudioBench, _ loop: Any, _ edit: StudioReply) throws -> [Float] {
    let revision = edit.json["revision"] as? Int ?? -1
    var last: StudioReply?
    _ = bench.child.waits {
      last = try? bench.get("/api/loops/\(loop)/sound")
      return last?.headers["x-revision"] == "\(revision)" || last?.status == 500
    }
    let reply = try #require(last)
    try #require(reply.status == 200, "\(edit.summary) \(reply.summary)")
    return reply.samples
  }

  /// The beginning of a file as `process` writes it with these words.
  private func written(_ bench: StudioBench, _ words: String..., frames: Int) throws -> [Float] {
    let result = try runAuricle(
      ["process"] + words + ["--overwrite", "--output-file", "out.wav", "work/voice.wav"],
      environment: StudioBench.environment(bench.folder), in: bench.folder.path)
    try #require(result.exitCode == 0, "\(result.summary)")
    let sound = try Sound(path: bench.folder("out.wav"))
    return (0..<frames).flatMap { frame in sound.channels.map { $0[frame] } }
  }

  private func difference(_ one: [Float], _ other: [Float]) -> Float {
    guard one.count == other.count else { return 1 }
    return zip(one, other).map { abs($0 - $1) }.max() ?? 1
  }

  @Test("Stages of branches are in solo, mixed and passed by like others, all in one process")
  func branches() throws {
    let bench = try StudioBench()
    let (chain, low, high) = try branched(bench)
    let made = try bench.post(
      "/api/loops", ["chain": chain, "file": "0/voice.wav", "from": 0, "to": 0.25])
    #expect(made.status == 201, "\(made.summary)")
    let loop = made.json["id"] ?? ""
    let first = try bench.get("/api/loops/\(loop)/sound")
    #expect(first.status == 200, "\(first.summary)")
    let workers = bench.child.workers
    let solo = try bench.edit(chain, ["op": "solo", "stage": low])
    let alone = try sound(bench, loop, solo)
    let expected = try written(
      bench, "--unit", Self.low, "--set", "cutoff frequency=200 Hz", frames: 12_000)
    #expect(difference(alone, expected) < 1e-5)
    // Another knob of the stage in solo.
    let turned = try bench.edit(
      chain, ["op": "set", "stage": low, "parameter": "cutoff frequency", "value": "2 kHz"])
    let brighter = try sound(bench, loop, turned)
    #expect(
      try difference(
        brighter,
        written(bench, "--unit", Self.low, "--set", "cutoff frequency=2 kHz", frames: 12_000))
        < 1e-5)
    _ = try bench.edit(chain, ["op": "solo", "stage": NSNull()])
    _ = try bench.edit(chain, ["op": "stageField", "stage": low, "field": "mix", "value": 0.5])
    let edited = try bench.edit(
      chain, ["op": "stageField", "stage": high, "field": "bypass", "value": true])
    let mixed = try sound(bench, loop, edited)
    #expect(bench.child.workers == workers)
    #expect(
      try bench.post("/api/chains/\(chain)/save", ["file": "0/two.yaml"]).status == 200)
    let whole = try written(bench, "--preset", "work/two.yaml", frames: 12_000)
    #expect(difference(mixed, whole) < 1e-5)
    #expect(difference(mixed, alone) > 1e-2)
  }

  @Test("Levels are measured behind every stage, those of branches among them")
  func levels() throws {
    let bench = try StudioBench()
    let (chain, low, high) = try branched(bench)
    let loop =
      try bench.post("/api/loops", ["chain": chain, "file": "0/voice.wav", "from": 0, "to": 0.5])
      .json["id"] ?? ""
    func spectra() throws -> [String: [Double]] {
      let stages = objects(try bench.get("/api/loops/\(loop)/meters").json["stages"])
      return Dictionary(
        stages.map { stage in
          let points = stage["spectrum"] as? [[Double]] ?? []
          return (stage["stage"] as? String ?? "input", points.compactMap(\.last))
        }, uniquingKeysWith: { $1 })
    }
    let all = try spectra()
    #expect(all.count == 4, "\(all.keys)")
    let input = try #require(all["input"])
    let (dark, bright) = (try #require(all[low]), try #require(all[high]))
    // Thirds of octaves from 20 Hz: 50 Hz is the fifth, 16 kHz the thirtieth.
    #expect(abs(dark[4] - input[4]) < 3 && input[29] - dark[29] > 40, "\(dark)")
    #expect(abs(bright[29] - input[29]) < 3 && input[4] - bright[4] > 40, "\(bright)")
    _ = try bench.edit(
      chain, ["op": "set", "stage": high, "parameter": "cutoff frequency", "value": "500 Hz"])
    let later = try spectra()
    #expect(later[low] == dark && later[high] != bright)
  }

  @Test("A picture follows a knob, in the process that it has, as plot draws it")
  func pictures() throws {
    let bench = try StudioBench()
    let chain = try bench.open(["name": "Low", "units": [Self.low]])
    let stage = objects(chain["entries"]).first?["id"] as? String ?? ""
    func picture(_ kind: String) throws -> [[Double]] {
      let reply = try bench.get("/api/chains/\(chain["id"] ?? "")/plot?kind=\(kind)&stage=\(stage)")
      #expect(reply.json["title"] as? String == "\(kind.capitalized) of Low", "\(reply.summary)")
      return objects(reply.json["curves"]).first?["points"] as? [[Double]] ?? []
    }
    var workers: [pid_t] = []
    for value in ["500 Hz", "2 kHz"] {
      _ = try bench.edit(
        chain["id"],
        ["op": "set", "stage": stage, "parameter": "cutoff frequency", "value": value])
      for kind in ["response", "impulse"] {
        let drawn = try picture(kind)
        let result = try bench.run(
          "plot", Self.low, "--set", "cutoff frequency=\(value)", "--kind", kind, "--format", "json"
        )
        let figure =
          try JSONSerialization.jsonObject(with: Data(result.standardOutput.utf8)) as? [String: Any]
        let expected = objects(figure?["curves"]).first?["y"] as? [Double] ?? []
        #expect(expected.count > 100 && drawn.count == expected.count, "\(result.summary)")
        let most = zip(drawn, expected).map { abs($0[1] - $1) }.max() ?? 1
        #expect(most < 1e-3, "\(kind) \(value): \(most)")
      }
      if !workers.isEmpty { #expect(bench.child.workers == workers) }
      workers = bench.child.workers
    }
    #expect(!workers.isEmpty)
  }
}
