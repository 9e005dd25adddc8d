// The guide for authors, followed literally in each language: its files are written, its commands run.
// SPDX-License-Identifier: Apache-2.0

import FileTestSupport
import Foundation
import TestSupport
import Testing

@Suite struct PluginGuideTests {
  /// A block of code of the guide: its language, and the file or the language of the reader behind it.
  private struct Block {
    var language: String
    var words: [String]
    var text: String
  }

  private static func blocks() throws -> [Block] {
    let text = try String(
      contentsOfFile: Places.inPackage("docs/guides/writing-plug-ins.md"), encoding: .utf8)
    return text.matches(of: /```([a-z+]+)([^\n]*)\n([\s\S]*?)```/).map {
      Block(
        language: String($0.output.1), words: $0.output.2.split(separator: " ").map(String.init),
        text: String($0.output.3))
    }
  }

  @Test func thePlugInOfTheReadmeWorks() throws {
    let box = try Sandbox()
    try Sound([[Float](repeating: 0.5, count: 4800)]).write(to: box("in.wav"))
    let readme = try String(contentsOfFile: Places.inPackage("README.md"), encoding: .utf8)
    let source = try #require(readme.firstMatch(of: /```c\n([\s\S]*?)```/)).output.1
    let made = try box.run(
      "plugin", "new", "Soft Gain", "--language", "c", "--subtype", "sgai", "--manufacturer", "Demo"
    )
    #expect(made.exitCode == 0, "\(made.summary)")
    try box.folder.write(String(source), to: "soft-gain/SoftGain.c")
    let built = try runProcess(
      "make", ["-C", "soft-gain", "install", "CFLAGS=-Wall -Wextra -Werror"],
      environment: box.environment, in: box.folder.path)
    try #require(built.exitCode == 0, "\(built.summary)")
    let run = try box.run(
      "process", "--unit", "aufx:sgai:Demo", "--set", "gain=-20", "--output-file", "out.wav",
      "in.wav")
    #expect(run.exitCode == 0, "\(run.summary)")
    let output = try Sound(path: box("out.wav")).channels[0]
    #expect(output.allSatisfy { abs($0 - 0.05) < 1e-6 })
  }

  @Test(arguments: ["c", "swift"]) func theGuideCanBeFollowed(language: String) throws {
    let box = try Sandbox()
    let noise = TestSignal.noise(seed: 1, amplitude: 0.25, frameCount: 48_000)
    try Sound([noise, noise]).write(to: box("in.wav"))
    var environment = box.environment
    environment["PATH"] =
      Places.builtProducts + ":" + (ProcessInfo.processInfo.environment["PATH"] ?? "")
    var count = 0
    for block in try Self.blocks() {
      switch block.language {
      case "sh" where block.words.isEmpty || block.words == [language]:
        let run = try runProcess(
          "/bin/sh", ["-e", "-c", block.text], environment: environment, in: box.folder.path)
        try #require(run.exitCode == 0, "\(block.text)\n\(run.summary)")
        #expect(!run.standardError.contains("warning:"), "\(block.text)\n\(run.summary)")
        count += 1
      case language where !block.words.isEmpty:
        try box.folder.write(block.text, to: block.words[0])
        count += 1
      default: continue
      }
    }
    #expect(count >= 10)
    try check(box)
  }

  /// In one package, so that the SDK is built once; the steps of `make` are in the guide.
  @Test("a unit made in Swift of every type is sound")
  func everyTypeInSwift() throws {
    let box = try Sandbox()
    let names = [
      "aufx": "WarmTremolo", "augn": "WarmTone", "aumu": "WarmOrgan", "aumf": "KeyGate",
      "aumi": "KeyShift",
    ]
    var targets: [String] = []
    for (type, name) in names {
      let made = try box.run(
        "plugin", "new", name, "--language", "swift", "--type", type, "--subtype", "made",
        "--manufacturer", "Demo", "--output", name)
      #expect(made.exitCode == 0, "\(made.summary)")
      targets.append(
        """
        .target(
          name: "\(name)", dependencies: [.product(name: "AuricleSDK", package: "AuricleSDK")],
          path: "\(name)", sources: ["\(name).swift"])
        """)
    }
    try box.folder.write(
      """
      // swift-tools-version: 6.3
      import PackageDescription
      let package = Package(
        name: "Made",
        products: \(names.values.sorted()).map {
          .library(name: $0, type: .dynamic, targets: [$0])
        },
        dependencies: [.package(name: "AuricleSDK", path: "\(Places.inPackage("SDK"))")],
        targets: [\(targets.joined(separator: ", "))])
      """, to: "Package.swift")
    let built = try runProcess(
      "swift", ["build", "-c", "release"], environment: box.environment, in: box.folder.path)
    try #require(built.exitCode == 0, "\(built.summary)")
    // Files of a project other than sources cause warnings; its sources have to be without one.
    #expect(!built.standardOutput.contains(".swift:"), "\(built.summary)")
    for (type, name) in names {
      let bundle = try box.run(
        "plugin", "bundle", "--binary", ".build/release/lib\(name).so", "--output",
        "\(name).component")
      #expect(bundle.exitCode == 0, "\(bundle.summary)")
      let checked = try box.run("validate", "--path", "\(name).component", "--level", "10")
      #expect(
        checked.standardOutput.contains("Demo: \(name) (\(type):made:Demo): passed"),
        "\(checked.summary)")
      #expect(checked.standardOutput.hasSuffix("1 unit: 1 passed (level 10, seed 1)\n"))
    }
  }

  /// Checks the result.
  private func check(_ box: Sandbox) throws {
    let input = try Sound(path: box("in.wav")).channels
    #expect(try Sound(path: box("half.wav")).channels == input.map { $0.map { $0 * 0.5 } })
    let left = try Sound(path: box("left.wav")).channels
    #expect(left[1].allSatisfy { $0 == 0 } && abs(left[0][100] / input[0][100] - 0.2512) < 1e-3)
    // Aligned with the input although it is 32 frames late, and with its tail.
    let smooth = try Sound(path: box("smooth.wav")).channels[0]
    #expect(smooth.count == input[0].count + 32)
    let mean = input[0][968...1032].reduce(0, +) / 65
    #expect(abs(smooth[1000] - mean) < 1e-5)
  }
}
