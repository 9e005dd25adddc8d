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
    // The libraries with most names are searched first.
    let needed = try runProcess("readelf", ["-dW", program]).lines
      .filter { $0.contains("(NEEDED)") }
    #expect(needed.first?.contains("[libswiftCore.so]") == true, "\(needed)")
    #expect(needed.dropFirst().first?.contains("[lib_FoundationICU.so]") == true, "\(needed)")
    // Symbols are in the place that debuggers search, and not in the program.
    let sections = try runProcess("readelf", ["-SW", program]).standardOutput
    #expect(!sections.contains(" .symtab ") && sections.contains(" .gnu_debuglink "))
    let symbols = try runProcess("readelf", ["-SW", box("moved/it/bin/.debug/auricle.debug")])
    #expect(symbols.standardOutput.contains(" .symtab "), "\(symbols.summary)")
    let list = try runProcess(program, ["list", "aufx::appl"], environment: environment)
    let doctor = try runProcess(program, ["doctor", "--json"], environment: environment)
    let file = try? String(contentsOfFile: box("moved/it/share/auricle/commit"), encoding: .utf8)
    let commit = file?.split(separator: "\n").first.map(String.init)
    let origin = (try doctor.json as? [String: Any])?["program"] as? [String: Any]
    #expect(origin?["commit"] as? String == commit, "\(doctor.summary)")
    #expect(list.exitCode == 0, "\(list.summary)")
    #expect(list.lines.filter { $0.contains("built-in") }.count >= 7, "\(list.summary)")
    try Sound([TestSignal.noise(seed: 1, amplitude: 0.25, frameCount: 4800)]).write(
      to: box("a.wav"))
    let process = try runProcess(
      program, ["process", "--preset", "telephone", "--output", "out", "a.wav"],
      environment: environment, in: box.folder.path)
    #expect(process.exitCode == 0, "\(process.summary)")
    for name in [
      "share/man/man1/auricle.1", "share/man/man1/auricle-process.1",
      "share/man/man1/auricle-preset-show.1", "share/doc/auricle/README.md",
      "share/doc/auricle/clusters.md", "share/doc/auricle/python.md",
      "share/auricle/presets/podcast-voice.yaml",
      "include/auricle/AudioToolbox/AudioToolbox.h", "lib/auricle/libAudioToolbox.so",
      "lib/auricle/libAppleAudio.a",
      "share/auricle/AppleAudio/Modules/AVFAudio/AVFAudio.swiftmodule",
      "share/bash-completion/completions/auricle", "share/zsh/site-functions/_auricle",
      "share/fish/vendor_completions.d/auricle.fish",
      "share/doc/auricle/guides/writing-a-component.md", "share/auricle/c/AuricleUnit.c",
      "share/auricle/templates/c/Makefile.in", "lib/cmake/Auricle/AuricleConfig.cmake",
    ] { #expect(FileManager.default.fileExists(atPath: box("moved/it/" + name)), "\(name)") }

    try runTheHostOfTheGuide(box, installation: box("moved/it"))

    try FileManager.default.moveItem(atPath: box("moved"), toPath: box("stage/opt"))
    // Installing again over it, then removing it.
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

  /// Compiles and runs the program of a guide as the guide says, against an installation.
  private func runTheHostOfTheGuide(_ box: Sandbox, installation: String) throws {
    let guide = "writing-a-host.md"
    try box.folder.write(Guide.block("c", of: guide), to: "host/host.c")
    var environment = box.environment
    environment["PATH"] = "/usr/bin:/bin"
    environment["LD_LIBRARY_PATH"] = .some(nil)
    environment["PKG_CONFIG_PATH"] = installation + "/lib/pkgconfig"
    let run = try runProcess(
      "/bin/sh", ["-e", "-c", Guide.block("sh", of: guide)], environment: environment,
      in: box("host"))
    #expect(run.standardOutput == "peak 1.000, latency 12.0 ms\n", "\(run.summary)")
  }

  /// A plug-in is made, built and installed from the contents of the tree, and with CMake as the guide says.
  @Test func authorsNeedNothingButTheInstalledTree() throws {
    let box = try Sandbox()
    let install = try runProcess(
      Places.inPackage("Scripts/install"), ["/it", box("stage"), Places.builtProducts])
    try #require(install.exitCode == 0, "\(install.summary)")
    var environment = box.environment
    environment["PATH"] = box("stage/it/bin:/usr/bin:/bin")
    environment["LD_LIBRARY_PATH"] = .some(nil)
    try box.folder.write(
      Guide.block("cmake", of: "writing-plug-ins.md"), to: "work/CMakeLists.txt")
    let script = """
      auricle plugin new "Soft Gain" --language c --subtype sgai --manufacturer Demo
      make -C soft-gain install
      auricle list aufx:sgai
      mv CMakeLists.txt soft-gain/
      cmake -S soft-gain -B cmake -DCMAKE_PREFIX_PATH="$PREFIX"
      cmake --build cmake
      test -f cmake/SoftGain.component/Contents/Info.plist
      """
    environment["PREFIX"] = box("stage/it")
    let run = try runProcess(
      "/bin/sh", ["-e", "-c", script], environment: environment, in: box("work"))
    #expect(run.exitCode == 0, "\(run.summary)")
    #expect(run.lines.contains("aufx  sgai  Demo  native  Demo: Soft Gain"), "\(run.summary)")
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

  /// A component that wants the library finds it from within the sandbox too, wherever the tree lies.
  @Test func componentsFindTheInstalledLibrary() throws {
    let box = try Sandbox()
    let guide = "writing-a-component.md"
    try Sound([TestSignal.noise(seed: 1, amplitude: 0.25, frameCount: 4800)]).write(
      to: box("a.wav"))
    let install = try runProcess(
      Places.inPackage("Scripts/install"), ["/it", box("stage"), Places.builtProducts])
    try #require(install.exitCode == 0, "\(install.summary)")
    try box.folder.write(Guide.block("c", of: guide), to: "MyUnit.c")
    try box.folder.write(
      Guide.block("xml", of: guide), to: "MyUnit.component/Contents/Info.plist")
    try box.folder.makeFolder("MyUnit.component/Contents/Linux")
    var environment = box.environment
    environment["PKG_CONFIG_PATH"] = box("stage/it/lib/pkgconfig")
    environment["AURICLE_COMPONENT_PATH"] = box.folder.path
    let built = try runProcess(
      "/bin/sh",
      [
        "-ec",
        "cc -Wall -Werror -shared -fPIC -Wl,--no-as-needed MyUnit.c "
          + "$(pkg-config --cflags --libs auricle) -o MyUnit.component/Contents/Linux/MyUnit",
      ], environment: environment, in: box.folder.path)
    try #require(built.exitCode == 0, "\(built.summary)")
    for number in 1...8 {
      let process = try runProcess(
        box("stage/it/bin/auricle"),
        ["process", "--unit", "aufx:myun:Exmp", "--output-file", "own\(number).wav", "a.wav"],
        environment: environment, in: box.folder.path)
      #expect(process.exitCode == 0, "\(process.summary)")
    }
  }
}
