// Runs, live sound, several pages at once, and a studio that is started again.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import FileTestSupport
import Foundation
import Glibc
import MIDIMessages
import MIDIPorts
import Synchronization
import TestSupport
import Testing

@Suite struct StudioRunTests {
  private func objects(_ value: Any?) -> [[String: Any]] { value as? [[String: Any]] ?? [] }

  @Test("A run is planned, begun, watched and reported; its files are on the disk")
  func run() throws {
    let bench = try StudioBench()
    try Data("no sound".utf8).write(to: URL(fileURLWithPath: bench.folder("work/broken.wav")))
    let chain = try bench.open(["units": ["aufx:lpas:appl"], "name": "Dark; rm -rf"])
    let request: [String: Any] = [
      "inputs": ["0"], "output": "0/out", "chain": chain["id"] ?? "",
      "options": ["loudness": -20, "container": "flac", "jobs": 1],
    ]
    let options = objects(try bench.get("/api/runs/options").json["options"])
    #expect(options.contains { $0["option"] as? String == "--loudness" }, "\(options.count)")
    let dry = try bench.post("/api/runs/dry", request)
    #expect(dry.status == 200 && dry.json["files"] as? Int == 3, "\(dry.summary)")
    #expect(!FileManager.default.fileExists(atPath: bench.folder("work/out")))
    let begun = try bench.post("/api/runs", request)
    #expect(begun.status == 201, "\(begun.summary)")
    let id = begun.json["id"] ?? ""
    // At once, before the program has told anything.
    #expect(try bench.get("/api/runs/\(id)/files").status == 200)
    let end = try bench.wait(for: "/api/runs/\(id)", "done", "failed", "stopped")
    #expect(end["state"] as? String == "done", "\(end)")
    #expect(end["done"] as? Int == 2 && end["failed"] as? Int == 1, "\(end)")
    let rows = objects(try bench.get("/api/runs/\(id)/files?limit=2").json["rows"])
    #expect(
      rows.first?["status"] as? String == "failed"
        && rows.first?["reason"] as? String == "is no audio file of a known kind", "\(rows)")
    #expect(rows.first?["inputRef"] as? String == "0/broken.wav", "\(rows)")
    #expect(FileManager.default.fileExists(atPath: bench.folder("work/out/voice.flac")))
    let report = try bench.get("/api/runs/\(id)/report")
    #expect(report.status == 200 && report.body.count > 1000)
    #expect(report.headers["content-security-policy"]?.hasPrefix("sandbox") == true)
    let command = end["command"] as? String ?? ""
    #expect(
      command.hasPrefix("auricle process ") && command.contains("--loudness=-20"), "\(command)")
    let wrong = try bench.post(
      "/api/runs", ["inputs": ["0"], "output": "0/x", "options": ["volume": 1]])
    #expect(wrong.status == 400, "\(wrong.summary)")
  }

  @Test("A run goes on without its page, is stopped and resumed")
  func stopped() throws {
    let bench = try StudioBench()
    try Sound([TestSignal.noise(seed: 1, amplitude: 0.2, frameCount: 1_440_000)])
      .write(to: bench.folder("work/n0.wav"), encoding: .pcm16)
    for index in 1..<12 {
      try FileManager.default.copyItem(
        atPath: bench.folder("work/n0.wav"), toPath: bench.folder("work/n\(index).wav"))
    }
    // Opened first: it misses nothing.
    var page: PageClient? = try PageClient(bench)
    let begun = try bench.post(
      "/api/runs",
      ["inputs": ["0"], "output": "0/out", "preset": "podcast-voice", "options": ["jobs": 1]])
    let id = begun.json["id"] ?? ""
    #expect(page?.next("run") { $0["state"] as? String == "running" } != nil)
    // The run comes to no end before the request to stop does, however busy the machine is.
    let held = bench.child.workers
    for process in held { kill(process, SIGSTOP) }
    page = nil
    #expect(try bench.post("/api/runs/\(id)/stop", [:]).status == 200)
    for process in held { kill(process, SIGCONT) }
    let end = try bench.wait(for: "/api/runs/\(id)", "done", "failed", "stopped")
    #expect(end["state"] as? String == "stopped", "\(end)")
    #expect(try bench.post("/api/runs/\(id)/resume", [:]).status == 200)
    let whole = try bench.wait(for: "/api/runs/\(id)", "done", "failed", "stopped")
    #expect(whole["state"] as? String == "done" && whole["done"] as? Int == 14, "\(whole)")
  }

  @Test("Two pages edit one chain: both changes stay, and each sees the other's")
  func merging() throws {
    let bench = try StudioBench()
    let (one, other) = (try PageClient(bench), try PageClient(bench))
    let chain = try bench.open(["units": ["aufx:lpas:appl", "aufx:hpas:appl"]])
    let id = chain["id"] ?? ""
    let stages = objects(chain["entries"]).map { $0["id"] as? String ?? "" }
    _ = try bench.edit(
      id, ["op": "field", "field": "description", "value": "from one"], client: "one")
    _ = try bench.edit(
      id, ["op": "field", "field": "author", "value": "<b>other</b>"], client: "other")
    _ = try bench.edit(
      id, ["op": "move", "stage": stages[1], "into": NSNull(), "index": 0], client: "one")
    let last = try bench.edit(
      id, ["op": "set", "stage": stages[0], "parameter": "cutoff frequency", "value": "500 Hz"],
      client: "other")
    let revision = last.json["revision"] as? Int
    for page in [one, other] {
      let seen = page.next("chain") { $0["revision"] as? Int == revision }
      let document = seen?["document"] as? [String: Any] ?? [:]
      #expect(document["description"] as? String == "from one", "\(document)")
      #expect(document["author"] as? String == "<b>other</b>", "\(document)")
      #expect(
        objects(document["entries"]).map { $0["id"] as? String ?? "" } == [stages[1], stages[0]])
    }
    _ = try bench.edit(id, ["op": "remove", "stage": stages[0]], client: "one")
    let late = try bench.edit(
      id, ["op": "set", "stage": stages[0], "parameter": "cutoff frequency", "value": "400 Hz"],
      client: "other")
    #expect(late.status == 409, "\(late.summary)")
  }

  @Test("A studio that was killed has its chains when it is started again")
  func restart() throws {
    let folder: TemporaryFolder
    let id: String
    let count: Int
    do {
      let bench = try StudioBench()
      folder = bench.folder
      let chain = try bench.open(["preset": "podcast-voice"])
      id = chain["id"] as? String ?? ""
      count = objects(chain["entries"]).count
      _ = try bench.edit(id, ["op": "field", "field": "name", "value": "Kept"])
      #expect(
        bench.child.waits {
          (try? FileManager.default.subpathsOfDirectory(atPath: folder("state")))?
            .contains { name in
              name.hasSuffix("\(id).json")
                && (try? String(contentsOfFile: folder("state/\(name)"), encoding: .utf8))?
                  .contains("Kept") == true
            } ?? false
        })
      bench.child.send(signal: SIGKILL)
      _ = bench.child.wait()
    }
    let bench = try StudioBench(in: folder)
    let chain = try bench.get("/api/chains/\(id)").json
    #expect(count > 0 && objects(chain["entries"]).count == count, "\(chain)")
    #expect(chain["name"] as? String == "Kept", "\(chain)")
  }

  @Test("Live sound is started, moved and ended by pages")
  func live() throws {
    let bench = try StudioBench()
    // Long enough for all that follows: live sound ends with its input.
    try Sound([TestSignal.noise(seed: 2, amplitude: 0.1, frameCount: 48_000 * 120)])
      .write(to: bench.folder("work/long.wav"), encoding: .pcm16)
    let chain = try bench.open(["units": ["aufx:lpas:appl"]])
    let started = try bench.post(
      "/api/live/start",
      [
        "chain": chain["id"] ?? "", "input": "file:out1.wav,in=work/long.wav,clock=real",
        "options": ["restart": true],
      ])
    #expect(started.status == 202, "\(started.summary)")
    let live = try bench.wait(for: "/api/live", "running", "ended")
    #expect(live["state"] as? String == "running", "\(live)")
    guard let stage = objects(live["stages"]).first?["stage"] as? String else { return }
    // Noise of -20 dB, and what the filter leaves of it.
    #expect(
      bench.child.waits {
        let stats = (try? bench.get("/api/live").json["stats"]) as? [String: Any]
        let peaks = stats?["peak"] as? [Any] ?? []
        return peaks.count == 2
          && peaks.contains { ($0 as? Double).map { -40 < $0 && $0 < 0 } ?? false }
      })
    let set = try bench.post(
      "/api/live/command",
      ["set": ["stage": stage, "parameter": "cutoff frequency", "value": "440 Hz"]])
    let values = objects(objects(set.json["stages"]).first?["parameters"])
    #expect(
      values.contains {
        $0["text"] as? String == "440 Hz" && $0["scale"] as? String == "logarithmic"
      },
      "\(set.summary)")
    let wrong = try bench.post(
      "/api/live/command", ["set": ["stage": stage, "parameter": "no", "value": 1]])
    #expect(wrong.status == 422, "\(wrong.summary)")
    #expect(try bench.post("/api/live/stop", [:]).json["state"] as? String == "ended")
    #expect(try bench.post("/api/live/command", ["panic": true]).status == 409)
  }

  /// Systems of MIDI live as long as the process, as their threads do.
  private static let systems = Mutex<[MIDISystem]>([])

  @Test("A value learns the MIDI controller that moves next, and follows it")
  func learning() throws {
    let bench = try StudioBench(environment: ["AURICLE_SEQUENCER": "off"])
    try Sound([TestSignal.noise(seed: 2, amplitude: 0.1, frameCount: 48_000 * 120)])
      .write(to: bench.folder("work/long.wav"), encoding: .pcm16)
    let system = MIDISystem(try PortFolder(path: bench.folder("auricle/midi")))
    Self.systems.withLock { $0.append(system) }
    let client = try system.makeClient("keys", notify: nil)
    let source = try system.makeEndpoint(client: client, "Faders", .bytes)
    func move(to value: UInt8) throws {
      try system.received(source, .bytes([TimedBytes(0, [0xB0, 74, value])]))
    }
    let chain = try bench.open(["units": ["aufx:lpas:appl"]])
    let started = try bench.post(
      "/api/live/start",
      [
        "chain": chain["id"] ?? "", "input": "file:out.wav,in=work/long.wav,clock=real",
        "options": ["restart": true, "midi": "Faders"],
      ])
    #expect(started.status == 202, "\(started.summary)")
    let live = try bench.wait(for: "/api/live", "running", "ended")
    let stage = try #require(objects(live["stages"]).first?["stage"] as? String, "\(live)")
    let page = try PageClient(bench)
    let learn = ["stage": stage, "parameter": "cutoff frequency"]
    let asked = try bench.post("/api/live/command", ["learn": learn])
    #expect(asked.json["learning"] as? [String: String] == learn, "\(asked.summary)")
    try move(to: 127)
    let bound = page.next("live") { self.objects($0["maps"]).count == 1 }
    #expect(bound?["learning"] is NSNull, "\(bound ?? [:])")
    #expect(objects(bound?["maps"]).first?["parameter"] as? String == "cutoff frequency")
    try move(to: 0)
    let moved = page.next("live") { message in
      self.objects(self.objects(message["stages"]).first?["parameters"])
        .contains { $0["name"] as? String == "cutoff frequency" && $0["value"] as? Double == 10 }
    }
    #expect(moved != nil)
    #expect(try bench.post("/api/live/stop", [:]).json["state"] as? String == "ended")
  }
}
