// Components are assembled from the built products, and only once.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@Suite("Assembling components")
struct AssemblyTests {
  private let script = Places.inPackage("Scripts/assemble-components")
  private static let names = [
    "Analysis", "Converter", "Delay", "Distortion", "Dynamics", "Filters", "Generators",
    "GenericOutput", "HighPassFilter",
    "LowPassFilter",
    "MatrixReverb", "Merger", "Offline",
    "MultiChannelMixer", "ParametricEQ", "PeakLimiter", "Spatial", "Splitter", "SampleDelay",
    "Varispeed", "DeferredRenderer",
    "SoundBanks", "TimePitch", "Players", "Speech", "Restoration", "Network",
  ]

  @Test("each unit becomes a bundle; current bundles stay, older ones are replaced")
  func assemble() throws {
    let build = try TemporaryFolder("auricle-assembly")
    for name in Self.names { try build.write(Data(name.utf8), to: "lib\(name).so") }
    let first = try runProcess(script, [build.path])
    #expect(first.exitCode == 0, "\(first.summary)")
    let bundle = build.path + "/Components/Delay.component/Contents"
    let binary = bundle + "/Linux/Delay"
    func number(_ path: String) throws -> Int? {
      try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? Int
    }
    for name in Self.names {
      let contents = build.path + "/Components/\(name).component/Contents"
      #expect(FileManager.default.contents(atPath: contents + "/Linux/" + name) == Data(name.utf8))
      #expect(FileManager.default.fileExists(atPath: contents + "/Info.plist"))
    }
    let list = try number(bundle + "/Info.plist"), old = try number(binary)
    #expect(try runProcess(script, [build.path]).exitCode == 0)
    #expect(try number(bundle + "/Info.plist") == list && number(binary) == old)
    try FileManager.default.removeItem(atPath: build.path + "/libDelay.so")
    try build.write(Data("new".utf8), to: "libDelay.so")
    #expect(try runProcess(script, [build.path]).exitCode == 0)
    #expect(FileManager.default.contents(atPath: binary) == Data("new".utf8))
    let left = try FileManager.default.contentsOfDirectory(atPath: bundle + "/Linux")
    #expect(left == ["Delay"])
  }

  @Test(
    "units share the library that they are built into, as names of one file",
    arguments: [("Effects", ["Delay", "MatrixReverb"]), ("Utilities", ["Merger", "Players"])])
  func shared(library: String, units: [String]) throws {
    let build = try TemporaryFolder("auricle-assembly")
    for name in Self.names + [library] { try build.write(Data(name.utf8), to: "lib\(name).so") }
    #expect(try runProcess(script, [build.path]).exitCode == 0)
    let numbers = try units.map { name in
      let binary = build.path + "/Components/\(name).component/Contents/Linux/\(name)"
      #expect(FileManager.default.contents(atPath: binary) == Data(library.utf8))
      return try FileManager.default.attributesOfItem(atPath: binary)[.systemFileNumber] as? Int
    }
    #expect(numbers[0] == numbers[1])
  }

  @Test("a library that was not built is named, and the others are assembled")
  func missing() throws {
    let build = try TemporaryFolder("auricle-assembly")
    for name in Self.names where name != "SampleDelay" {
      try build.write(Data(name.utf8), to: "lib\(name).so")
    }
    let result = try runProcess(script, [build.path])
    #expect(result.exitCode == 1)
    #expect(result.standardError.contains("libSampleDelay.so"))
    #expect(
      FileManager.default.fileExists(atPath: build.path + "/Components/PeakLimiter.component"))
    #expect(try runProcess(script, [build.path + "/nowhere"]).exitCode == 66)
  }
}
