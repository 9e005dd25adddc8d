// The guides, taken literally: what they say to type works.
// SPDX-License-Identifier: Apache-2.0

import FileTestSupport
import Foundation
import TestSupport
import Testing

@Suite struct GuideTests {
  let box: Sandbox

  init() throws {
    box = try Sandbox()
    try Sound([TestSignal.noise(seed: 1, amplitude: 0.25, frameCount: 4800)])
      .write(to: box("in.wav"))
  }

  /// The first block of a language in a guide.
  private func block(_ language: String, of guide: String) throws -> String {
    let text = try String(contentsOfFile: Places.inPackage("docs/guides/" + guide), encoding: .utf8)
    let start = try #require(text.range(of: "```\(language)\n"))
    let end = try #require(text.range(of: "```", range: start.upperBound..<text.endIndex))
    return String(text[start.upperBound..<end.lowerBound])
  }

  @Test(arguments: ["c", "c++"]) func theComponentOfTheGuideWorks(language: String) throws {
    let guide = "writing-a-component.md"
    var code = try block("c", of: guide)
    if language == "c++" {
      // As the guide says: casts, and a factory function that is extern "C".
      code = code.replacing("unit = self;", with: "unit = (MyUnit *)self;")
        .replacing("property(self,", with: "property((MyUnit *)self,")
        .replacing("unit = calloc", with: "unit = (MyUnit *)calloc")
        .replacing("samples = list", with: "samples = (float *)list")
        .replacing("\nAudioComponentPlugIn", with: "\nextern \"C\" AudioComponentPlugIn")
    }
    try box.folder.write(code, to: "MyUnit.c")
    try box.folder.write(
      block("xml", of: guide), to: "MyUnit.component/Contents/Info.plist")
    try box.folder.makeFolder("MyUnit.component/Contents/Linux")
    let built = try runProcess(
      "/usr/bin/env",
      [
        "cc", "-Wall", "-Werror", "-shared", "-fPIC", "-O2", "-I", Places.inPackage("SDK/include"),
        "-x", language, "MyUnit.c", "-lm", "-o", "MyUnit.component/Contents/Linux/MyUnit",
      ], in: box.folder.path)
    try #require(built.exitCode == 0, "\(built.summary)")
    let place = ["AURICLE_COMPONENT_PATH": box.folder.path]
    let listed = try box.run("list", "aufx", "--search", "my unit", environment: place)
    #expect(listed.standardOutput == "aufx  myun  Exmp  native  Example: My Unit\n")
    let scanned = try box.run("scan", "aufx:myun:Exmp", environment: place)
    #expect(scanned.exitCode == 0, "\(scanned.summary)")
    let told = try box.run("info", "aufx:myun:Exmp", environment: place)
    #expect(told.exitCode == 0 && told.standardOutput.contains("gain"), "\(told.summary)")
    let result = try box.run(
      "process", "--unit", "aufx:myun:Exmp", "--set", "gain=0.5", "--output-file", "out.wav",
      "in.wav", environment: place)
    #expect(result.exitCode == 0, "\(result.summary)")
    let (before, after) = (try Sound(path: box("in.wav")), try Sound(path: box("out.wav")))
    #expect(after.channels[0] == before.channels[0].map { $0 * 0.5 })
  }
}
