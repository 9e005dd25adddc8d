// The commands of the README, the guides and the other documents, run literally in their order.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import FileTestSupport
import Foundation
import TestSupport
import Testing

@Suite struct DocumentCommandTests {
  /// A command of a document that is not run, by a part of it, and the reason.
  private static let leftOut: [(part: String, reason: String)] = [
    ("auricle watch ", "it runs until it is interrupted: WatchTests"),
    ("auricle studio", "it serves until it is interrupted: StudioPageTests"),
    ("--loop", "it plays until it is interrupted: LiveKeyboardTests"),
    ("auricle midi network", "it runs until it is interrupted: NetworkLiveTests"),
    ("--unit-preset mine.aupreset", "a window saved it: PluginWindowTests"),
    ("unix:", "a window of a chain that plays in another program: ControlLine, SoundDeviceTests"),
    ("net:", "two machines: NetworkLiveTests"),
    ("chain|unit|none", "a choice of three, not a command"),
    ("--midi", "it plays until the keyboard is unplugged: LiveKeyboardTests"),
    ("| parallel", "make check WHAT=engines runs it"),
    ("--lv2", "all plug-ins of a machine: ValidateCommandTests"),
    ("grep program", "programs that publish units: NeighbourProgramTests"),
    ("Exmp", "units that guides make: GuideTests, NeighbourProgramTests"),
    ("Demo", "units that the guide makes: PluginGuideTests"),
    ("Density", "a checkout of others' sources: Benchmarks/mac-units"),
    ("Parameters.so", "a checkout of others' sources"),
    ("my unit", "the unit that the guide makes: GuideTests"),
    ("MyUnit", "the unit that the guide makes: GuideTests"),
    ("sgai", "the unit that the guide makes: PluginGuideTests"),
    ("half.wav", "a result of the unit that the guide makes: PluginGuideTests"),
    ("plugin dev", "the project that the guide makes: PluginGuideTests"),
    ("Warm.component", "the bundle that the guide makes: PluginGuideTests"),
  ]
  /// Parts of commands that need things which a machine may lack: such a command may end with 69 or 66.
  private static let absent = [
    "hw:", "http:", "vst3:", "ladspa:", "Calf", "auricle show", "--slurm", "/usr/share/sounds",
    "--voice", ".m4a", ".png",
  ]

  static let documents: [String] = {
    let folders = ["", "docs/", "docs/guides/"]
    return folders.flatMap { folder in
      let names = try? FileManager.default.contentsOfDirectory(atPath: Places.inPackage(folder))
      return (names ?? []).filter { $0.hasSuffix(".md") }.sorted().map { folder + $0 }
    }.filter { !commands(of: $0).isEmpty }
  }()

  /// The commands in the blocks of a document that are for a shell.
  private static func commands(of document: String) -> [String] {
    let text = (try? String(contentsOfFile: Places.inPackage(document), encoding: .utf8)) ?? ""
    var commands: [String] = []
    var language: Substring?
    var isGoingOn = false
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("```") {
        language = language == nil ? line.dropFirst(3) : nil
      } else if isGoingOn {
        commands[commands.count - 1] += "\n" + line
        isGoingOn = line.hasSuffix("\\")
      } else if let language, ["", "sh", "bash"].contains(language),
        line.contains(#/^(AURICLE_DEVICE=\S+ |cat \S+ \| )?auricle [a-z-]|^mkdir -p /#)
      {
        commands.append(String(line))
        isGoingOn = line.hasSuffix("\\")
      }
    }
    return commands
  }

  /// A folder with the files that the documents name.
  private func folder() throws -> Sandbox {
    let box = try Sandbox()
    let noise = TestSignal.noise(seed: 1, amplitude: 0.25, frameCount: 24_000)
    let names = [
      "in.wav", "in.flac", "talk.wav", "talk1.wav", "voice.wav", "talks/a.wav", "talks/more/b.wav",
      "archive/2020/c.flac",
      "clips/1.wav", "clips/2.wav", "interviews/one.wav", "dry/d.wav",
    ]
    for folder in ["talks/more", "archive/2020", "clips", "interviews", "dry", "takes", "home"] {
      try box.folder.makeFolder(folder)
    }
    for name in names { try Sound([noise, noise]).write(to: box(name), encoding: .pcm16) }
    // Longer than the place from which a guide plays it.
    try Sound([TestSignal.noise(seed: 2, amplitude: 0.25, frameCount: 8000 * 92)], sampleRate: 8000)
      .write(to: box("song.flac"), encoding: .pcm16)
    let song: [UInt8] =
      Array("MThd".utf8) + [0, 0, 0, 6, 0, 0, 0, 1, 0, 96] + Array("MTrk".utf8) + [0, 0, 0, 12]
      + [0, 0x90, 60, 100, 96, 0x80, 60, 0, 0, 0xFF, 0x2F, 0]
    for name in ["song.mid", "takes/one.mid"] { try box.folder.write(Data(song), to: name) }
    try box.folder.write(
      #"{"audio_filepath": "clips/1.wav", "duration": 0.5}"# + "\n", to: "train.jsonl")
    return box
  }

  @Test("Every command of a document succeeds", arguments: documents)
  func commandsAreRun(document: String) throws {
    let box = try folder()
    let path = Places.builtProducts + ":" + (ProcessInfo.processInfo.environment["PATH"] ?? "")
    let environment = box.environment.merging([
      "PATH": path, "DISPLAY": nil, "WAYLAND_DISPLAY": nil,
      "AURICLE_DEVICE": "file:heard.wav,in=in.wav,clock=free",
    ]) { $1 }
    for command in Self.commands(of: document) {
      guard !Self.leftOut.contains(where: { command.contains($0.part) }) else { continue }
      let result = try runProcess(
        "/bin/sh", ["-c", command], environment: environment, in: box.folder.path)
      let mayLack = Self.absent.contains(where: command.contains)
      #expect(
        result.exitCode == 0 || mayLack && [66, 69, 75].contains(result.exitCode),
        "\(document): \(command)\n\(result.summary)")
    }
  }

  @Test func nothingIsLeftOutThatIsNotThere() {
    let commands = Self.documents.flatMap(Self.commands)
    for entry in Self.leftOut {
      #expect(commands.contains { $0.contains(entry.part) }, "no document has \(entry.part)")
    }
    #expect(commands.count > 80, "only \(commands.count) commands are found")
  }
}
