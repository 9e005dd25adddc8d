// Each job of the studio, from the first request to the file on the disk.
// SPDX-License-Identifier: Apache-2.0

import FileTestSupport
import Foundation
import TestSupport
import Testing

@Suite struct StudioJobTests {
  private static let filter = "aufx:lpas:appl"

  private func objects(_ value: Any?) -> [[String: Any]] { value as? [[String: Any]] ?? [] }

  @Test("Units are found, described and preferred; a favourite outlives the studio")
  func finding() throws {
    let bench = try StudioBench()
    let all = try bench.get("/api/units").json
    let units = objects(all["units"])
    #expect(units.count == all["total"] as? Int && units.count > 20)
    let found = objects(
      try bench.get("/api/units?search=low%20pass&kind=effect&format=built-in").json["units"])
    #expect(found.contains { $0["unit"] as? String == Self.filter }, "\(found)")
    let info = try bench.get("/api/units/info?unit=\(Self.filter)").json
    let cutoff = objects(info["parameters"]).first {
      ($0["name"] as? String)?.lowercased().contains("cutoff") == true
    }
    #expect(
      cutoff?["unit"] as? String == "Hz" && cutoff?["scale"] as? String == "logarithmic", "\(info)")
    #expect((cutoff?["defaultText"] as? String)?.hasSuffix(" Hz") == true, "\(cutoff ?? [:])")
    #expect(try bench.get("/api/units/info?unit=aufx:none:none").status == 404)
    #expect(
      try bench.post("/api/favourites", ["unit": Self.filter, "favourite": true]).status == 200)
    let preferred = objects(try bench.get("/api/units?favourite=1").json["units"])
    #expect(preferred.map { $0["unit"] as? String } == [Self.filter])
    #expect(
      try String(contentsOfFile: bench.folder("config/auricle/studio.json"), encoding: .utf8)
        .contains(Self.filter))
    #expect(
      objects(try bench.get("/api/presets").json["presets"]).contains {
        $0["name"] as? String == "podcast-voice"
      })
  }

  @Test("A chain is built, undone, compared, saved, and opened unchanged in meaning")
  func building() throws {
    let bench = try StudioBench()
    let chain = try bench.open(["name": "Mine"])
    let id = chain["id"] ?? ""
    #expect(try bench.get("/api/chains/\(id)/plot?kind=response").status == 200)
    var reply = try bench.edit(
      id, ["op": "add", "unit": Self.filter, "into": NSNull(), "index": 0])
    let stage = (reply.json["created"] as? [String])?.first ?? ""
    reply = try bench.edit(
      id, ["op": "set", "stage": stage, "parameter": "cutoff frequency", "value": 1200])
    #expect(reply.status == 200, "\(reply.summary)")
    func value() throws -> [String: Any]? {
      objects(try bench.get("/api/chains/\(id)/stages/\(stage)").json["parameters"])
        .first { ($0["name"] as? String)?.lowercased() == "cutoff frequency" }
    }
    #expect(try value()?["text"] as? String == "1200 Hz" && value()?["isSet"] as? Bool == true)
    _ = try bench.edit(
      id, ["op": "set", "stage": stage, "parameter": "cutoff frequency", "value": "1.5 kHz"])
    #expect(try value()?["value"] as? Double == 1500)
    let wrong = try bench.edit(
      id, ["op": "set", "stage": stage, "parameter": "cutoff frequency", "value": "3 dB"])
    #expect(
      wrong.status == 400 && (wrong.json["place"] as? [String: Any])?["stage"] as? String == stage,
      "\(wrong.summary)")
    _ = try bench.edit(id, ["op": "addParallel", "into": NSNull(), "index": 1, "branches": 2])
    let document = try bench.get("/api/chains/\(id)").json
    let branches = objects(objects(document["entries"]).last?["branches"])
    let branch = branches.first?["id"] ?? ""
    _ = try bench.edit(id, ["op": "add", "unit": "aufx:dely:appl", "into": branch, "index": 0])
    _ = try bench.edit(id, ["op": "branchField", "branch": branch, "field": "gain", "value": -6])
    _ = try bench.edit(
      id, ["op": "stageField", "stage": stage, "field": "name", "value": "Dark: \"#1\""])
    _ = try bench.edit(id, ["op": "stageField", "stage": stage, "field": "mix", "value": 0.5])
    _ = try bench.edit(id, ["op": "outputField", "field": "loudness", "value": "-20 LUFS"])
    #expect(
      try bench.edit(id, ["op": "outputField", "field": "loudness", "value": "loud"]).status >= 400)
    #expect(try bench.post("/api/chains/\(id)/undo", [:]).status == 200)
    #expect(try bench.post("/api/chains/\(id)/redo", [:]).status == 200)
    #expect(try bench.post("/api/chains/\(id)/redo", [:]).status == 409)
    let check = try bench.get("/api/chains/\(id)/check").json
    #expect(check["ok"] as? Bool == true, "\(check)")
    for kind in ["response", "curve", "impulse"] {
      let plot = try bench.get("/api/chains/\(id)/plot?kind=\(kind)&stage=\(stage)")
      #expect(objects(plot.json["curves"]).first?["points"] is [[Double]], "\(plot.summary)")
    }
    #expect(
      try bench.get("/api/chains/\(id)/diff?file=0/mine.yaml").json["exists"] as? Bool == false)
    #expect(try bench.post("/api/chains/\(id)/save", ["file": "0/mine.yaml"]).status == 200)
    #expect(try bench.post("/api/chains/\(id)/save", ["file": "0/mine.yaml"]).status == 409)
    let checked = try bench.run("preset", "check", "work/mine.yaml")
    #expect(checked.exitCode == 0, "\(checked.summary)")
    let again = try bench.open(["file": "0/mine.yaml"])
    let saved = try bench.get("/api/chains/\(id)/text").json["yaml"] as? String
    let other = try bench.get("/api/chains/\(again["id"] ?? "")/text").json["yaml"] as? String
    #expect(saved == other && saved?.contains("1500 Hz") == true, "\(saved ?? "")")
    let diff = try bench.get("/api/chains/\(again["id"] ?? "")/diff?file=0/mine.yaml").json
    #expect(diff["same"] as? Bool == true, "\(diff)")
  }

  @Test(
    "Shipped presets are opened and saved with the same meaning",
    arguments: [
      "podcast-voice", "augment", "ducked-reverb", "parallel-compression", "streaming-music",
      "band",
    ])
  func shipped(name: String) throws {
    let bench = try Self.shared()
    let chain = try bench.open(["preset": name])
    let saved = try bench.post("/api/chains/\(chain["id"] ?? "")/save", ["file": "0/\(name).yaml"])
    #expect(saved.status == 200, "\(saved.summary)")
    let one = try bench.run("preset", "show", name, "--format", "json")
    let other = try bench.run("preset", "show", "work/\(name).yaml", "--format", "json")
    #expect(one.exitCode == 0 && one.standardOutput == other.standardOutput, "\(other.summary)")
  }

  private static func shared() throws -> StudioBench { try StudioBench() }

  @Test("The page plays the samples that process writes, at equal loudness")
  func receivers() throws {
    let bench = try StudioBench()
    let chain = try bench.open(["preset": "podcast-voice"])
    let body: [String: Any] = ["chain": chain["id"] ?? "", "file": "0/voice.wav"]
    let begun = try bench.post("/api/renders", body)
    #expect(begun.status == 202)
    let id = begun.json["id"] ?? ""
    let done = try bench.wait(for: "/api/renders/\(id)", "done", "failed")
    #expect(done["state"] as? String == "done", "\(done)")
    #expect(try bench.post("/api/renders", body).json["id"] as? String == id as? String)
    let result = try bench.run(
      "process", "--preset", "podcast-voice", "--output-file", "out.wav", "--container", "wav",
      "--encoding", "float32", "work/voice.wav")
    #expect(result.exitCode == 0, "\(result.summary)")
    let written = try Sound(path: bench.folder("out.wav"))
    let raw = try bench.get("/api/renders/\(id)/raw?from=0&count=1000000")
    let expected = (0..<written.frameCount).flatMap { frame in written.channels.map { $0[frame] } }
    #expect(raw.samples == expected && raw.headers["x-channels"] == "2")
    let part = try bench.ask("GET", "/api/renders/\(id)/sound", headers: ["Range": "bytes=0-3"])
    #expect(part.status == 206 && part.body == Data("RIFF".utf8), "\(part.summary)")
    let after = (done["after"] as? [String: Any])?["loudness"] as? Double ?? 0
    let before = (done["before"] as? [String: Any])?["loudness"] as? Double ?? 0
    let gains = done["equalGain"] as? [String: Double] ?? [:]
    #expect(
      abs((before + (gains["before"] ?? 9)) - (after + (gains["after"] ?? 9))) < 0.05, "\(done)")
    #expect(gains.values.allSatisfy { $0 <= 0 })
    let peaks = try bench.get("/api/peaks?render=\(id)&columns=50").json
    #expect((peaks["peaks"] as? [[[Double]]])?.map(\.count) == [50, 50], "\(peaks)")
    let tagged = try bench.get("/api/sound/before?file=0/music.wav")
    #expect(tagged.status == 200 && tagged.body.count > 96_000, "\(tagged.headers)")
    #expect(try bench.get("/api/peaks?file=0/music.wav&columns=10").status == 200)
    let picture = try bench.get("/api/spectrogram?file=0/voice.wav&width=100&height=64")
    #expect(picture.body.starts(with: [0x89, 0x50, 0x4E, 0x47]), "\(picture.summary)")
    let meters = try bench.get("/api/renders/\(id)/meters").json
    #expect(objects(meters["stages"]).count == objects(chain["entries"]).count + 1, "\(meters)")
  }

  @Test("A value that a unit measures is no setting, and has no text where nothing is rendered")
  func measured() throws {
    let bench = try StudioBench()
    let chain = try bench.open(["units": ["aufx:dcmp:appl"]])
    let stage = objects(chain["entries"]).first?["id"] ?? ""
    let facts = try bench.get("/api/chains/\(chain["id"] ?? "")/stages/\(stage)").json
    let parameters = objects(facts["parameters"])
    let measured = parameters.filter { $0["isWritable"] as? Bool == false }
    #expect(measured.contains { $0["name"] as? String == "input amplitude" }, "\(facts)")
    #expect(parameters.allSatisfy { ($0["text"] is String) == ($0["isWritable"] as? Bool) })
  }

  @Test("More channels than two are played as process mixes them to two")
  func surround() throws {
    let bench = try StudioBench()
    let channels = (0..<6).map {
      TestSignal.noise(seed: UInt64(20 + $0), amplitude: 0.1, frameCount: 4800)
    }
    try Sound(channels).write(to: bench.folder("work/surround.wav"))
    let info = try bench.get("/api/sound/info?file=0/surround.wav").json
    let parts = info["stereo"] as? [[[Double]]] ?? []
    let result = try bench.run(
      "process", "--channels", "stereo", "--output-file", "out.wav", "--encoding", "float32",
      "work/surround.wav")
    #expect(result.exitCode == 0, "\(result.summary)")
    let written = try Sound(path: bench.folder("out.wav"))
    try #require(parts.count == 2 && written.channels.count == 2, "\(info)")
    for (channel, part) in zip(written.channels, parts) {
      let differences = channel.indices.map { frame in
        abs(channel[frame] - part.reduce(0) { $0 + channels[Int($1[0])][frame] * Float($1[1]) })
      }
      #expect(differences.max() ?? 1 < 0.001, "\(part)")
    }
  }

  @Test("A loop follows a knob, from the place that is played on, as process would sound")
  func loop() throws {
    let bench = try StudioBench()
    let chain = try bench.open(["units": [Self.filter]])
    let id = chain["id"] ?? ""
    let stage = objects(chain["entries"]).first?["id"] ?? ""
    let page = try PageClient(bench)
    let made = try bench.post(
      "/api/loops", ["chain": id, "file": "0/voice.wav", "from": 0, "to": 0.5])
    #expect(made.status == 201, "\(made.summary)")
    let loop = made.json["id"] ?? ""
    let first = try bench.get("/api/loops/\(loop)/sound")
    #expect(first.status == 200 && first.samples.count == 48_000, "\(first.headers)")
    try page.send(["type": "loopAt", "loop": loop, "frame": 12_000])
    try page.send(["type": "ping"])
    #expect(page.next("pong") != nil)
    let edited = try bench.edit(
      id, ["op": "set", "stage": stage, "parameter": "cutoff frequency", "value": "300 Hz"])
    let revision = edited.json["revision"] as? Int ?? 0
    let slice = page.next("loop") {
      $0["revision"] as? Int == revision && ($0["count"] as? Int ?? 0) > 0
    }
    #expect(slice?["from"] as? Int == 12_000, "\(slice ?? [:])")
    var answer: StudioReply?
    let isNew = bench.child.waits {
      answer = try? bench.get("/api/loops/\(loop)/sound")
      return answer?.headers["x-revision"] == "\(revision)" && answer?.samples.count == 48_000
    }
    let second = try #require(isNew ? answer : nil)
    #expect(second.samples != first.samples)
    let result = try bench.run(
      "process", "--unit", Self.filter, "--set", "cutoff frequency=300 Hz", "--output-file",
      "out.wav", "work/voice.wav")
    #expect(result.exitCode == 0, "\(result.summary)")
    let written = try Sound(path: bench.folder("out.wav"))
    // The part from the place on was rendered after a second of the file in front of it: it has settled.
    let samples = second.samples
    let errors = (0..<24_000).map { abs(samples[2 * $0] - written.channels[0][$0]) }
    #expect((errors.max() ?? 1) < 1e-5, "\(errors.max() ?? 1)")
    #expect(try bench.ask("DELETE", "/api/loops/\(loop)").status == 200)
  }

  @Test("A unit that crashes is an error at its stage, and the studio goes on")
  func crash() throws {
    let units = try TemporaryFolder("auricle-hostile")
    try ComponentFixture.makeBundle("HostileUnit", in: units)
    let bench = try StudioBench(environment: [
      "AURICLE_COMPONENT_PATH": units.path, "AURICLE_TEST_HOSTILE": "render segv",
      "AURICLE_TEST_HOSTILE_FILE": units("written"),
    ])
    var noise = TestSignal.noise(seed: 1, amplitude: 0.25, frameCount: 4800)
    noise[1234] = 0.95
    try Sound([noise]).write(to: bench.folder("work/b.wav"))
    let chain = try bench.open(["units": [Self.filter, "aufx:gain:AuTe"]])
    let stages = objects(chain["entries"]).map { $0["id"] as? String }
    _ = try bench.edit(
      chain["id"], ["op": "stageField", "stage": stages[0] ?? "", "field": "bypass", "value": true])
    let begun = try bench.post("/api/renders", ["chain": chain["id"] ?? "", "file": "0/b.wav"]).json
    let end = try bench.wait(for: "/api/renders/\(begun["id"] ?? "")", "done", "failed")
    let error = end["error"] as? [String: Any] ?? [:]
    #expect(end["state"] as? String == "failed" && error["kind"] as? String == "software", "\(end)")
    #expect((error["place"] as? [String: Any])?["stage"] as? String == stages[1], "\(error)")
    let loop = try bench.post("/api/loops", ["chain": chain["id"] ?? "", "file": "0/b.wav"])
    let sound = try bench.get("/api/loops/\(loop.json["id"] ?? "")/sound")
    #expect(sound.status == 500, "\(sound.summary)")
    #expect(
      (sound.json["place"] as? [String: Any])?["stage"] as? String == stages[1], "\(sound.summary)")
    _ = try bench.edit(chain["id"], ["op": "remove", "stage": stages[1] ?? ""])
    #expect(try bench.get("/api/loops/\(loop.json["id"] ?? "")/sound").status == 200)
  }
}
