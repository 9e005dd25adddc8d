// An installed tree: works by itself, and goes away without a trace.
// SPDX-License-Identifier: Apache-2.0

import FileTestSupport
import Foundation
import TestSupport
import Testing

@Suite struct InstallTests {
  @Test func installedTreeWorksAloneAndGoesAway() throws {
    let box = try Sandbox()
    // Something of somebody else's, which must stay.
    try box.folder.write("mine", to: "stage/opt/it/bin/other")
    let script = Places.inPackage("Scripts/install")
    let install = try runProcess(script, ["/opt/it", box("stage"), Places.builtProducts])
    try #require(install.exitCode == 0, "\(install.summary)")

    // Elsewhere than it was installed to, and without the toolchain: nothing but the tree is used.
    try FileManager.default.moveItem(atPath: box("stage/opt"), toPath: box("moved"))
    let program = box("moved/it/bin/auricle")
    var environment = box.environment
    environment["PATH"] = "/usr/bin:/bin"
    environment["LD_LIBRARY_PATH"] = .some(nil)
    let libraries = try runProcess("ldd", [program], environment: environment)
    for line in libraries.lines where line.contains("=>") {
      let isOurs = line.contains(box("moved"))
      let isSystem = line.contains("=> /lib") || line.contains("=> /usr/lib")
      #expect(isOurs || isSystem, "\(line)")
      if line.contains("libswift") || line.contains("Foundation") { #expect(isOurs, "\(line)") }
    }
    let list = try runProcess(program, ["list", "aufx::appl"], environment: environment)
    #expect(list.exitCode == 0, "\(list.summary)")
    #expect(list.lines.filter { $0.contains("built-in") }.count >= 7, "\(list.summary)")
    try Sound([TestSignal.noise(seed: 1, amplitude: 0.25, frameCount: 4800)]).write(
      to: box("a.wav"))
    let process = try runProcess(
      program, ["process", "--preset", "telephone", "--output", "out", "a.wav"],
      environment: environment, in: box.folder.path)
    #expect(process.exitCode == 0, "\(process.summary)")
    for name in [
      "share/man/man1/auricle.1", "share/auricle/presets/podcast-voice.yaml",
      "include/auricle/AudioToolbox/AudioToolbox.h", "lib/auricle/libAudioToolbox.so",
      "share/bash-completion/completions/auricle", "share/zsh/site-functions/_auricle",
      "share/fish/vendor_completions.d/auricle.fish",
      "share/doc/auricle/guides/writing-a-component.md", "lib/pkgconfig/auricle.pc",
    ] { #expect(FileManager.default.fileExists(atPath: box("moved/it/" + name)), "\(name)") }

    try programsOfOnesOwnWork(box, environment)

    try FileManager.default.moveItem(atPath: box("moved"), toPath: box("stage/opt"))
    // Installing again over it, then taking it away.
    let again = try runProcess(script, ["/opt/it", box("stage"), Places.builtProducts])
    #expect(again.exitCode == 0, "\(again.summary)")
    let uninstall = try runProcess(
      Places.inPackage("Scripts/uninstall"), ["/opt/it", box("stage")])
    #expect(uninstall.exitCode == 0, "\(uninstall.summary)")
    #expect(
      FileManager.default.subpaths(atPath: box("stage"))?.sorted()
        == ["opt", "opt/it", "opt/it/bin", "opt/it/bin/other"])
    let nothing = try runProcess(
      Places.inPackage("Scripts/uninstall"), ["/opt/it", box("stage")])
    #expect(nothing.exitCode == 66)
  }

  /// A program that hosts units, and a component that wants the library, both built with what is
  /// installed and nothing else.
  private func programsOfOnesOwnWork(_ box: Sandbox, _ environment: [String: String?]) throws {
    var environment = environment
    environment["PKG_CONFIG_PATH"] = box("moved/it/lib/pkgconfig")
    func build(_ source: String, _ options: [String], _ result: String) throws {
      let flags = try runProcess(
        "pkg-config", ["--cflags", "--libs", "auricle"], environment: environment)
      try #require(flags.exitCode == 0, "\(flags.summary)")
      let words = flags.standardOutput.split(whereSeparator: \.isWhitespace).map(String.init)
      let built = try runProcess(
        "cc", ["-Wall", "-Werror", source] + options + words + ["-lm", "-o", result],
        environment: environment, in: box.folder.path)
      try #require(built.exitCode == 0, "\(built.summary)")
    }
    try box.folder.write(Guide("hosting-units.md").block("c"), to: "host.c")
    try build("host.c", [], "host")
    let host = try runProcess(box("host"), [], environment: environment, in: box.folder.path)
    #expect(host.exitCode == 0, "\(host.summary)")
    #expect(host.standardOutput.contains("'aufx' 'mrev' 'appl'"))
    #expect(host.standardOutput.contains("dB of the click back"))

    // The library is found from within the sandbox too, wherever the tree lies.
    let guide = try Guide("writing-a-component.md")
    try box.folder.write(guide.block("c"), to: "MyUnit.c")
    try box.folder.write(guide.block("xml"), to: "MyUnit.component/Contents/Info.plist")
    try box.folder.makeFolder("MyUnit.component/Contents/Linux")
    try build(
      "MyUnit.c", ["-shared", "-fPIC", "-Wl,--no-as-needed"],
      "MyUnit.component/Contents/Linux/MyUnit")
    environment["AURICLE_COMPONENT_PATH"] = box.folder.path
    for number in 1...8 {
      let process = try runProcess(
        box("moved/it/bin/auricle"),
        ["process", "--unit", "aufx:myun:Exmp", "--output-file", "own\(number).wav", "a.wav"],
        environment: environment, in: box.folder.path)
      #expect(process.exitCode == 0, "\(process.summary)")
    }
  }

  @Test func programHeadersCompile() throws {
    // The headers as installed, from a program that knows only their folder.
    let box = try Sandbox()
    try box.folder.write(
      """
      #include <AudioToolbox/AudioToolbox.h>
      int main(void) { AudioComponentDescription d = {0}; return (int)d.componentFlags; }
      """, to: "program.c")
    let result = try runProcess(
      "cc",
      [
        "-Wall", "-Werror", "-I", Places.inPackage("SDK/include"), "-c", box("program.c"), "-o",
        box("o"),
      ])
    #expect(result.exitCode == 0, "\(result.summary)")
  }
}
