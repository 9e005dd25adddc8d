// Every unit that ships as an LV2 plug-in, in the programs of LV2 that Debian has.
// SPDX-License-Identifier: Apache-2.0

import FileTestSupport
import Foundation
import TestSupport
import Testing

/// A bundle of all units that `make install-plugins` exports, made once.
private struct ExportedRack {
  /// The one of this process, or the reason why there is none.
  static let shared = Result { try ExportedRack() }

  static let path = Places.builtProducts + "/test-rack"

  let uris: [String]
  let folder = path + "/Rack.lv2"
  let environment: [String: String?] = ["LV2_PATH": path]

  private init() throws {
    struct Line: Decodable {
      var source, type, subtype, manufacturer: String
    }
    let box = try Sandbox()
    let listed = try box.run("list", "--format", "json")
    let lines = try JSONDecoder().decode([Line].self, from: Data(listed.standardOutput.utf8))
    let types: Set = ["aufx", "aumf", "aupn", "aumu", "augn", "aumi"]
    let left: Set = ["augn:afpl", "augn:sspl", "augn:ttsp"]
    let units = lines.filter {
      $0.source == "built-in" && types.contains($0.type)
        && !left.contains("\($0.type):\($0.subtype)")
    }.map { "\($0.type):\($0.subtype):\($0.manufacturer)" }
    uris = units.map { "urn:auricle:" + $0.replacing(" ", with: "%20") }
    let made = try box.run(
      ["plugin", "export", "--format", "lv2", "--name", "Rack", "--output", Self.path] + units)
    try #require(made.exitCode == 0 && units.count > 30, "\(made.summary)")
  }
}

@Suite struct ExportedRackTests {
  private let rack: ExportedRack
  private let box: TemporaryFolder

  init() throws {
    rack = try ExportedRack.shared.get()
    box = try TemporaryFolder("auricle-rack")
  }

  @Test(.enabled(if: LV2Programs.has("sord_validate"), "sord_validate is missing"))
  func theirDataIsValid() throws {
    let data = try FileManager.default.contentsOfDirectory(atPath: rack.folder)
      .filter { $0.hasSuffix(".ttl") }.map { rack.folder + "/" + $0 }
    let checked = try runProcess("sord_validate", LV2Programs.schemas + data)
    #expect(checked.exitCode == 0, "\(checked.summary)")
  }

  @Test(.enabled(if: LV2Programs.has("lv2info", "lv2bench"), "lv2info or lv2bench is missing"))
  func theyAreDescribedAndRun() throws {
    for uri in rack.uris {
      let shown = try runProcess("lv2info", [uri], environment: rack.environment)
      #expect(shown.exitCode == 0 && shown.standardError.isEmpty, "\(uri): \(shown.summary)")
      let timed = try runProcess("lv2bench", ["-n", "1024", uri], environment: rack.environment)
      #expect(timed.exitCode == 0 && timed.standardOutput.contains(uri), "\(timed.summary)")
    }
  }

  @Test(.enabled(if: LV2Programs.has("lv2file"), "lv2file is missing"))
  func theyProcessFiles() throws {
    let channels = (1...2).map { TestSignal.noise(seed: $0, amplitude: 0.5, frameCount: 4800) }
    try Sound(channels).write(to: box("in.wav"))
    for (place, uri) in rack.uris.enumerated() {
      // The compressor's side chain makes four inputs, and lv2file wants to know where each comes from.
      let inputs =
        uri.contains(":dcmp:")
        ? ["in1_1", "in1_2", "in2_1", "in2_2"].flatMap { ["-c", "1:" + $0] } : []
      let result = box("out\(place).wav")
      let file = try runProcess(
        "lv2file", ["-i", box("in.wav"), "-o", result] + inputs + [uri],
        environment: rack.environment)
      #expect(file.exitCode == 0, "\(uri): \(file.summary)")
      #expect(FileManager.default.fileExists(atPath: result), "\(uri)")
    }
  }

  @Test(.enabled(if: LV2Programs.has("jalv", "jackd", "jack_wait"), "jalv or jackd is missing"))
  func theyRunInJalv() throws {
    // One server for all, which ends with the shell; jalv ends with its input.
    let script = """
      export JACK_DEFAULT_SERVER=auricle$$ JACK_NO_AUDIO_RESERVATION=1
      jackd --no-realtime -n auricle$$ -d dummy -r 48000 -p 1024 > jack.log 2>&1 & server=$!
      trap 'kill $server; wait $server' EXIT
      jack_wait -s auricle$$ -w -t 600 > wait.log 2>&1 || { cat jack.log wait.log >&2; exit 75; }
      for uri; do
        if ! printf 'controls\\n' | jalv "$uri" > jalv.log 2>&1 || ! grep -q '^JACK Name:' jalv.log \\
          || grep -qi 'error' jalv.log; then echo "$uri"; cat jalv.log; fi
      done
      """
    let run = try runProcess(
      "bash", ["-c", script, "jalv"] + rack.uris, environment: rack.environment,
      in: box.path)
    #expect(run.exitCode == 0 && run.standardOutput.isEmpty, "\(run.summary)")
  }
}

/// Programs that check and run LV2 plug-ins.
enum LV2Programs {
  static func has(_ names: String...) -> Bool {
    names.allSatisfy { name in
      (try? runProcess("sh", ["-c", "command -v \(name)"]))?.exitCode == 0
    }
  }

  /// The data of LV2 itself.
  static var schemas: [String] {
    let root = "/usr/lib/lv2"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
    let own: Set<String> = [
      "atom", "buf-size", "core", "data-access", "dynmanifest", "event", "instance-access", "log",
      "midi", "morph", "options", "parameters", "patch", "port-groups", "port-props", "presets",
      "resize-port", "schemas", "state", "time", "ui", "units", "uri-map", "urid", "worker",
    ]
    return names.filter { own.contains(String($0.dropLast(4))) }.sorted().flatMap { bundle in
      ((try? FileManager.default.contentsOfDirectory(atPath: "\(root)/\(bundle)")) ?? [])
        .filter { $0.hasSuffix(".ttl") }.sorted().map { "\(root)/\(bundle)/\($0)" }
    }
  }
}
