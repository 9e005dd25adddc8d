// The state of the machine: the facts for a report of a fault, and nothing private.
// SPDX-License-Identifier: Apache-2.0

import FileTestSupport
import Foundation
import Glibc
import TestSupport
import Testing

@Suite struct DoctorTests {
  let box: Sandbox

  init() throws {
    box = try Sandbox()
    try box.folder.makeFolder("home/.lv2/one.lv2")
    try box.folder.makeFolder("home/cache/auricle")
    try box.folder.makeFolder("home/units/one.component")
  }

  private func run(_ more: String...) throws -> ProcessResult {
    let result = try runAuricle(
      ["doctor"] + more,
      environment: box.environment.merging([
        "XDG_CACHE_HOME": box("home/cache"), "AURICLE_COMPONENT_PATH": box("home/units"),
        "USER": "somebody-private", "LOGNAME": "somebody-private",
      ]) { $1 }, in: box.folder.path)
    #expect(result.exitCode == 0, "\(result.summary)")
    return result
  }

  private func part(_ name: String) throws -> [String: Any] {
    let object = try #require(try run("--json").json as? [String: Any])
    return try #require(object[name] as? [String: Any], "\(name)")
  }

  @Test("the object has the program, the system and the sandbox as they are")
  func facts() throws {
    let program = try part("program")
    let version = try box.run("--version").standardOutput
    #expect(version.contains(program["version"] as? String ?? "none"))
    // The tests run in a source tree, which has a commit where it has its history.
    let head = try runProcess(
      "git", ["-C", Places.inPackage(""), "rev-parse", "HEAD"])
    if head.exitCode == 0 {
      #expect(
        program["commit"] as? String
          == head.standardOutput.split(separator: "\n").first.map(String.init))
    }
    let system = try part("system")
    var names = utsname()
    unsafe uname(&names)
    let release = unsafe withUnsafeBytes(of: names.release) { bytes in
      unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
    #expect((system["kernel"] as? String)?.contains(release) == true, "\(system)")
    let sandbox = try part("sandbox")
    let landlock = try #require(sandbox["landlock"] as? Int)
    #expect(sandbox["strict"] is String, "\(sandbox)")
    if landlock == 0 { #expect(sandbox["weakness"] is String, "\(sandbox)") }
  }

  @Test("the object has libraries with a purpose, folders, cache and limits")
  func lists() throws {
    let object = try #require(try run("--json").json as? [String: Any])
    let libraries = try #require(object["libraries"] as? [[String: Any]])
    let names = libraries.compactMap { $0["name"] as? String }
    for name in [
      "FFmpeg (libavcodec)", "Rubber Band", "FluidSynth", "espeak-ng", "PipeWire", "rtkit",
    ] {
      #expect(names.contains(name), "\(names)")
    }
    #expect(libraries.allSatisfy { ($0["purpose"] as? String)?.isEmpty == false })
    let paths = try #require(object["searchPaths"] as? [[String: Any]])
    let native = try #require(paths.first { $0["variable"] as? String == "AURICLE_COMPONENT_PATH" })
    #expect(native["isSet"] as? Bool == true)
    let folders = try #require(native["folders"] as? [[String: Any]])
    let own = try #require(folders.first { $0["path"] as? String == "~/units" }, "\(folders)")
    #expect(own["bundleCount"] as? Int == 1)
    let cache = try #require(object["cache"] as? [String: Any])
    #expect((cache["path"] as? String)?.hasPrefix("~/cache") == true, "\(cache)")
    #expect((object["limits"] as? [Any])?.isEmpty == false)
    #expect(object["devices"] is [Any])
  }

  @Test("neither the text nor the object has the home folder or the name of the user")
  func privacy() throws {
    for result in [try run(), try run("--json")] {
      let text = result.standardOutput.replacingOccurrences(of: "\\/", with: "/")
      #expect(!text.contains(box("home")), "\(result.summary)")
      #expect(!text.contains("somebody-private"), "\(result.summary)")
    }
  }

  @Test("libraries beside the program, as a wheel and a tarball have them, are found")
  func ownLibraries() throws {
    try box.folder.makeFolder("home/bin")
    try box.folder.makeFolder("home/lib/auricle")
    try box.folder.write("", to: "home/lib/auricle/libflite.so.1")
    let program = box("home/bin/auricle")
    let copying = try runProcess("/bin/cp", [Places.auricle, program])
    try #require(copying.exitCode == 0, "\(copying.summary)")
    let result = try runProcess(
      program, ["doctor", "--json"], environment: box.environment, in: box.folder.path)
    let libraries = try #require(
      (try result.json as? [String: Any])?["libraries"] as? [[String: Any]], "\(result.summary)")
    let flite = try #require(libraries.first { $0["name"] as? String == "Flite" })
    #expect((flite["path"] as? String)?.hasSuffix("lib/auricle/libflite.so.1") == true, "\(flite)")
  }

  @Test("the text begins with version and commit")
  func text() throws {
    let first = try #require(try run().lines.first)
    #expect(first.hasPrefix("auricle ") && first.contains(", commit "), "\(first)")
  }
}
