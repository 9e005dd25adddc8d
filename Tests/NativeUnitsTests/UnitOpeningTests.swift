// Opening units of bundles: a good one renders, a broken one yields a sentence.
// SPDX-License-Identifier: Apache-2.0

import AudioComponents
import AudioTypes
import AudioUnits
import CAudioToolbox
import Foundation
import NativeUnits
import TestSupport
import Testing

/// The first component of a folder.
private func component(in folder: String) throws -> AudioComponent {
  let found = NativeComponentSource(folders: [(folder, .native)]).discover()
  return try #require(found.components.first, "\(found.problems)")
}

@Suite("Opening native units")
struct UnitOpeningTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder("components") }

  private func failure(sourceLocation: SourceLocation = #_sourceLocation) throws -> AuricleError {
    let component = try component(in: folder.path)
    let error = try #require(throws: AuricleError.self, sourceLocation: sourceLocation) {
      _ = try component.instantiate()
    }
    #expect(error.category == .unavailable, sourceLocation: sourceLocation)
    #expect(!error.message.contains("\n"), sourceLocation: sourceLocation)
    return error
  }

  /// Renders one slice of a constant through a unit.
  private func render(_ unit: AudioUnit, _ value: Float, at time: Double = 0) throws -> [Float] {
    let buffers = AudioBuffers(channelCount: 2, frameCapacity: 64)
    buffers.setFrameCount(64)
    var value = value
    return try unsafe withUnsafeMutablePointer(to: &value) { pointer in
      unsafe try unit.setInputCallback(
        { context, _, _, _, frameCount, buffers in
          guard let value = unsafe context?.load(as: Float.self), let buffers = unsafe buffers
          else {
            return kAudio_ParamError
          }
          for index in 0..<2 {
            guard let samples = unsafe buffers.samples(index) else { return kAudio_ParamError }
            for frame in 0..<Int(frameCount) { unsafe samples[frame] = value }
          }
          return 0
        }, refCon: pointer)
      var flags = AudioUnitRenderActionFlags()
      var timeStamp = AudioTimeStamp(sampleTime: time)
      let status = unsafe unit.render(
        flags: &flags, timeStamp: &timeStamp, outputElement: 0, frameCount: 64,
        buffers: buffers.list)
      #expect(status == 0)
      return (0..<64).map { unsafe buffers.channel(1)[$0] }
    }
  }

  @Test func aGoodUnitRenders() throws {
    try ComponentFixture.makeGainUnit(in: folder)
    let unit = try component(in: folder.path).instantiate()
    #expect(unit.name == "Auricle Tests: Gain")
    #expect(try unit.parameters().map(\.name) == ["gain", "mute"])
    for scope in [kAudioUnitScope_Input, kAudioUnitScope_Output] {
      try unit.setStreamFormat(
        AudioStreamFormat(sampleRate: 48000, channelCount: 2), scope: scope)
    }
    try unit.setMaximumFramesPerSlice(64)
    try unit.setParameter(0, -20)
    try unit.initialize()
    let output = try render(unit, 0.5)
    #expect(maximumDifference(output, [Float](repeating: 0.05, count: 64)) < 1e-7)
  }

  @Test func everyInstanceIsItsOwn() throws {
    try ComponentFixture.makeGainUnit(in: folder)
    let component = try component(in: folder.path)
    let units = try (0..<3).map { _ in try component.instantiate() }
    for (index, unit) in units.enumerated() { try unit.setParameter(0, Float(-index)) }
    #expect(try units.map { try $0.parameter(0) } == [0, -1, -2])
  }

  @Test(
    "files that are no shared object for this machine",
    arguments: [
      ("text", "not an ELF file but text"), ("empty", "not an ELF file but empty"),
      ("macOS", "a macOS binary"), ("Windows", "a Windows binary"), ("noise", "something else"),
      ("header only", "cut short"), ("cut", "cut short"), ("other machine", "install a build for"),
      ("32 bits", "32-bit"), ("program", "not a shared object"),
      ("bad table", "cut short or damaged"),
    ])
  func unloadable(defect: String, reason: String) throws {
    var binary = try ComponentFixture.binary("GainUnit")
    switch defect {
    case "text": binary = Data("#!/bin/sh\necho hello\n".utf8)
    case "empty":
      binary = Data()
    case "macOS": binary = Data([0xCF, 0xFA, 0xED, 0xFE] + [UInt8](repeating: 0, count: 100))
    case "Windows": binary = Data("MZ".utf8) + Data(repeating: 0, count: 100)
    case "noise": binary = Data([1, 2, 3, 4, 5, 6, 7, 0, 9])
    case "header only": binary = binary.prefix(40)
    case "cut": binary = binary.prefix(binary.count / 4)
    case "other machine": binary[18] = binary[18] == 243 ? 62 : 243
    case "32 bits": binary[4] = 1
    case "program": binary[16] = 2
    default: binary.replaceSubrange(32..<40, with: Data(repeating: 0xFF, count: 8))
    }
    let path = try ComponentFixture.makeBundle(
      "Gain", info: ComponentFixture.info("Gain"), binary: Data("x".utf8), in: folder)
    try folder.write(binary, to: "Gain.component/Contents/Linux/Gain")
    let message = try failure().message
    #expect(
      message.hasPrefix("\(path) cannot be opened: its binary Contents/Linux/Gain is"))
    #expect(message.contains(reason), "\(message)")
  }

  @Test func aFileCutAnywhereIsAnErrorOrLoads() async throws {
    // The loader maps the size in the header, and touching missing pages is SIGBUS.
    try ComponentFixture.makeGainUnit(in: folder)
    let path = folder.path
    let binary = try ComponentFixture.binary("GainUnit")
    let size = binary.count
    await #expect(processExitsWith: .success) { [path = path as String, size = size as Int] in
      let file = path + "/GainUnit.component/Contents/Linux/GainUnit"
      for length in stride(from: size - 1, to: 0, by: -509) {
        // A new file each time: the loader knows files by their number.
        let whole = try Data(contentsOf: URL(fileURLWithPath: file))
        try FileManager.default.removeItem(atPath: file)
        try whole.prefix(length).write(to: URL(fileURLWithPath: file))
        let found = NativeComponentSource(folders: [(path, .native)]).discover()
        _ = try? found.components.first?.instantiate()
      }
    }
  }

  @Test func missingSymbol() throws {
    let info = ComponentFixture.info("GainUnit").replacing("GainUnitFactory", with: "NoSuchFactory")
    let path = try ComponentFixture.makeBundle("GainUnit", info: info, in: folder)
    let message = try failure().message
    #expect(message.hasPrefix(path))
    #expect(message.contains("has no function \"NoSuchFactory\""))
  }

  @Test func missingDependency() throws {
    let stub = try TemporaryFolder("stub")
    let source = try stub.write("int x(void) { return 1; }", to: "x.c")
    let library = try runProcess(
      "cc", ["-shared", "-fPIC", source, "-o", stub("libgone.so"), "-Wl,-soname,libgone.so.7"])
    #expect(library.exitCode == 0)
    let binary = try ComponentFixture.binary(
      "GainUnit", flags: ["-Wl,--no-as-needed", stub("libgone.so")])
    try ComponentFixture.makeBundle("GainUnit", binary: binary, in: folder)
    let message = try failure().message
    #expect(message.contains("cannot be loaded: libgone.so.7"))
  }

  /// A plug-in of another Swift toolchain lacks a library or a symbol: the reason says which toolchain.
  @Test(
    "a Swift runtime that is not there",
    arguments: [
      ("libswiftCore.so.99", "int x(void) { return 1; }", "which is not installed here"),
      (
        "", "extern int swift_futureCall(void); int y(void) { return swift_futureCall(); }",
        "it was built by another Swift toolchain"
      ),
    ])
  func missingRuntime(library: String, source: String, reason: String) throws {
    let stub = try TemporaryFolder("stub")
    let file = try stub.write(source, to: "x.c")
    var flags = [file]
    if !library.isEmpty {
      let made = try runProcess(
        "cc", ["-shared", "-fPIC", file, "-o", stub("libx.so"), "-Wl,-soname,\(library)"])
      #expect(made.exitCode == 0, "\(made.summary)")
      flags = ["-Wl,--no-as-needed", stub("libx.so")]
    }
    let binary = try ComponentFixture.binary("GainUnit", flags: flags)
    try ComponentFixture.makeBundle("GainUnit", binary: binary, in: folder)
    let message = try failure().message
    #expect(message.contains(library.isEmpty ? "swift_futureCall" : library), "\(message)")
    #expect(
      message.contains(reason) && message.contains("this Auricle runs Swift 6."), "\(message)")
  }

  @Test(
    "the generation of hosts that a unit was built for", arguments: [0x1_0000, 0x1_0007, 0x2_0003])
  func contract(version: Int) throws {
    let binary = try ComponentFixture.binary(
      "LaterUnit", flags: ["-DGAIN_UNIT_CONTRACT=\(version)"])
    try ComponentFixture.makeBundle("LaterUnit", binary: binary, in: folder)
    guard version >= 0x2_0000 else {
      #expect(try component(in: folder.path).instantiate().parameters().count == 2)
      return
    }
    #expect(
      try failure().message
        == "Auricle Tests: LaterUnit: the unit was built with version 2.3 of the SDK's interface, and this "
        + "Auricle has version 1.0: install a newer Auricle, or a build of the unit for this one.")
  }

  @Test func nullFromTheFactory() throws {
    let path = try ComponentFixture.makeBundle("NullFactoryUnit", in: folder)
    #expect(
      try failure().message
        == "\(path) cannot be opened: its factory function \"NullFactoryUnitFactory\" made no instance "
        + "of aufx:gain:AuTe.")
  }

  /// In a child, since the environment is the process's.
  @Test func aUnitThatFailsToOpenIsNotClosed() async throws {
    let marker = folder("closed")
    let path = folder.path
    try ComponentFixture.makeBundle("OpenFailsUnit", in: folder)
    await #expect(processExitsWith: .success) {
      [path = path as String, marker = marker as String] in
      unsafe setenv("AURICLE_TEST_CLOSE_MARKER", marker, 1)
      let unit = try component(in: path)
      let error = try #require(throws: AuricleError.self) { _ = try unit.instantiate() }
      #expect(error.status == -10847)
      #expect(error.message.contains("kAudioUnitErr_Unauthorized"))
    }
    #expect(!FileManager.default.fileExists(atPath: marker))
  }

  @Test func aUnitMayMakeNoNumbers() throws {
    // The caller of render must check: this shows that the fixture works as intended.
    try ComponentFixture.makeBundle("NaNUnit", in: folder)
    let unit = try component(in: folder.path).instantiate()
    try unit.initialize()
    #expect(try render(unit, 0.5).allSatisfy { $0 == 0.5 })
    #expect(try render(unit, 1, at: 64).allSatisfy { $0.isNaN })
    #expect(try render(unit, -1, at: 128).allSatisfy { $0 == .infinity })
  }

  @Test func aCrashWhileLoadingIsNotOurs() async throws {
    let path = folder.path
    try ComponentFixture.makeBundle("CrashingUnit", in: folder)
    // Listing is safe; opening ends the process, which is why strangers are opened in a child.
    #expect(try component(in: path).name == "Auricle Tests: CrashingUnit")
    await #expect(processExitsWith: .signal(SIGSEGV)) { [path = path as String] in
      var open = sigset_t()
      unsafe sigemptyset(&open)
      unsafe pthread_sigmask(SIG_SETMASK, &open, nil)
      _ = try component(in: path).instantiate()
    }
  }

  @Test func aPlugInLeavesTheProcessAsItWas() async throws {
    let path = folder.path
    try ComponentFixture.makeBundle("MeddlingUnit", in: folder)
    await #expect(processExitsWith: .success) { [path = path as String] in
      umask(0o027)
      let place = FileManager.default.currentDirectoryPath
      _ = try component(in: path).instantiate()
      #expect(umask(0) == 0o027)
      #expect(FileManager.default.currentDirectoryPath == place)
      #expect(unsafe String(cString: try #require(setlocale(LC_ALL, nil))) == "C")
      var action = sigaction()
      unsafe sigaction(SIGTERM, nil, &action)
      #expect(unsafe unsafeBitCast(action.__sigaction_handler, to: Int.self) == 0)
    }
  }

  @Test("a plug-in finds Core Audio's functions", arguments: [true, false])
  func toolbox(isLinked: Bool) async throws {
    let library = Places.library("AudioToolbox")
    try #require(FileManager.default.fileExists(atPath: library))
    let flags =
      isLinked
      ? ["-L" + Places.builtProducts, "-lAudioToolbox", "-Wl,--allow-shlib-undefined"] : []
    let binary = try ComponentFixture.binary("ToolboxUnit", flags: flags)
    let path = folder.path
    try ComponentFixture.makeBundle("ToolboxUnit", binary: binary, in: folder)
    await #expect(processExitsWith: .success) { [path = path as String] in
      let unit = try component(in: path).instantiate()
      #expect(unit.name == "Auricle Tests: ToolboxUnit")
    }
  }
}
