// The guide on components, followed literally: its instructions work.
// SPDX-License-Identifier: Apache-2.0

import FileTestSupport
import Foundation
import TestSupport
import Testing

@Suite struct GuideTests {
  private let box: Sandbox
  private let guide = "writing-a-component.md"

  init() throws {
    box = try Sandbox()
    try Sound([TestSignal.noise(seed: 1, amplitude: 0.25, frameCount: 4800)])
      .write(to: box("in.wav"))
    try box.folder.write(Guide.block("xml", of: guide), to: "MyUnit.component/Contents/Info.plist")
    try box.folder.makeFolder("MyUnit.component/Contents/Linux")
  }

  private let binary = "MyUnit.component/Contents/Linux/MyUnit"

  @Test(arguments: ["c", "c++"]) func theComponentInCWorks(language: String) throws {
    try box.folder.write(Guide.block("c", of: guide), to: "MyUnit.c")
    let built = try runProcess(
      "cc",
      [
        "-Wall", "-Werror", "-shared", "-fPIC", "-O2", "-I", Places.inPackage("SDK/include"),
        "-x", language, "MyUnit.c", "-lm", "-o", binary,
      ], in: box.folder.path)
    try #require(built.exitCode == 0, "\(built.summary)")
    try checkTheGain()
  }

  /// Compiled as SwiftPM does it, from SwiftPM's build of the SDK.
  @Test func theComponentInSwiftWorks() throws {
    try box.folder.write(Guide.block("swift", of: guide), to: "MyUnit.swift")
    var arguments = [
      "-emit-library", "-module-name", "MyUnit", "-swift-version", "6", "-warnings-as-errors",
      "-parse-as-library", "-I", Places.builtProducts + "/Modules",
    ]
    for folder in ["SDK/include", "SDK/CRealtime/include"] {
      arguments += ["-I", Places.inPackage(folder)]
    }
    arguments.append("MyUnit.swift")
    for module in [
      "AuricleSDK", "RealtimeSupport", "AudioTypes", "CRealtime",
    ] {
      let folder = "\(Places.builtProducts)/\(module).build"
      let files = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
      arguments += files.filter { $0.hasSuffix(".o") }.map { "\(folder)/\($0)" }
    }
    let built = try runProcess(
      "swiftc", arguments + ["-lFoundation", "-o", "libMyUnit.so"], in: box.folder.path)
    try #require(built.exitCode == 0, "\(built.summary)")
    let bundled = try box.run(
      "plugin", "bundle", "--binary", "libMyUnit.so", "--output", "MyUnit.component")
    #expect(bundled.exitCode == 0, "\(bundled.summary)")
    try checkTheGain()
  }

  /// Checks the guide's examples.
  private func checkTheGain() throws {
    let place = ["AURICLE_COMPONENT_PATH": box.folder.path]
    let listed = try box.run("list", "aufx", "--search", "my unit", environment: place)
    #expect(listed.standardOutput == "aufx  myun  Exmp  native  Example: My Unit\n")
    let scanned = try box.run("scan", "aufx:myun:Exmp", environment: place)
    #expect(scanned.exitCode == 0, "\(scanned.summary)")
    let reported = try box.run("info", "aufx:myun:Exmp", environment: place)
    #expect(
      reported.exitCode == 0 && reported.standardOutput.contains("gain"), "\(reported.summary)")
    let result = try box.run(
      "process", "--unit", "aufx:myun:Exmp", "--set", "gain=0.5", "--output-file", "out.wav",
      "in.wav", environment: place)
    #expect(result.exitCode == 0, "\(result.summary)")
    let (before, after) = (try Sound(path: box("in.wav")), try Sound(path: box("out.wav")))
    #expect(after.channels[0] == before.channels[0].map { $0 * 0.5 })
  }
}
