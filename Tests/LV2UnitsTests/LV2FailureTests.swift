// Plug-ins with a defect: one clean sentence each, and no crash.
// SPDX-License-Identifier: Apache-2.0

import AudioComponents
import AudioTypes
import AudioUnits
import CAudioToolbox
import Foundation
import LV2Units
import TestSupport
import Testing

@Suite struct LV2FailureTests {
  /// Opening touches no binary; Initialize fails with the reason.
  @Test(arguments: [
    ("missing-binary", "plugin.so is missing"),
    ("missing-symbol", "its binary has no symbol lv2_descriptor"),
    ("undefined-symbol", "undefined symbol: auricle_fixture_undefined_function"),
    ("wrong-uri", "its binary does not contain <urn:auricle:test:wrong-uri>"),
    ("refuses", "it refused to be instantiated at 48000.0 Hz"),
    (
      "unknown-feature",
      "it requires the feature <urn:auricle:test:no-such-feature>, which Auricle does not provide"
    ),
  ]) func failsWithItsReason(name: String, reason: String) throws {
    let host = try LV2TestHost(LV2Fixture(name))
    #expect(throws: AuricleError.self) { try host.unit.initialize() }
    do throws(AuricleError) {
      try host.unit.initialize()
    } catch {
      let isOfBinary =
        reason.contains("its binary") || name == "missing-binary" || name == "undefined-symbol"
      #expect(
        error.status
          == (isOfBinary
            ? OSStatus(kAuricleErr_BinaryCannotLoad) : kAudioUnitErr_FailedInitialization))
      #expect((error.cause == .binaryCannotLoad) == isOfBinary, "\(error)")
      #expect(error.message.contains(reason), "\(error.message)")
      #expect(error.message.contains(name), "the message names the unit: \(error.message)")
    }
    #expect(host.unit.failureReason?.contains(reason) == true)
  }

  @Test func aBinaryOfAnotherKindIsRefused() throws {
    let fixture = try LV2Fixture("passes")
    try "not an ELF file".write(
      toFile: fixture.bundle + "/plugin.so", atomically: true, encoding: .utf8)
    let host = try LV2TestHost(fixture)
    #expect(throws: AuricleError.self) { try host.unit.initialize() }
    #expect(host.unit.failureReason?.contains("cannot be loaded") == true)
  }

  @Test func brokenTurtleIsNamedWithItsLine() throws {
    let discovery = try LV2Fixture("broken-turtle").discover()
    #expect(discovery.components.isEmpty)
    #expect(discovery.problems.count == 1)
    #expect(discovery.problems.first?.message.contains("manifest.ttl:4:") == true)
  }

  @Test func aBundleThatGoesAwayIsAnError() throws {
    let fixture = try LV2Fixture("passes")
    let component = try fixture.component()
    try FileManager.default.removeItem(atPath: fixture.bundle)
    #expect(throws: AuricleError.self) { try component.instantiate() }
  }

  @Test func nonFiniteOutputIsLeftForTheHostToSee() throws {
    let host = try LV2TestHost(LV2Fixture("makes-nan"))
    try host.unit.initialize()
    let input = TestSignal.noise(seed: 1, frameCount: 256)
    let output = try host.render([[input]], frameCount: 256)
    #expect(output[0][..<100].elementsEqual(input[..<100]))
    let areNaN = output[0][100...].allSatisfy { $0.isNaN }
    #expect(areNaN)
  }

  /// In a child, since the process's own locale, folder and handlers are at stake.
  @Test func theProcessStaysAsItWas() async {
    await #expect(processExitsWith: .success) {
      do { try LV2FailureTests.checkProcessState() } catch { exit(2) }
    }
  }

  private static func checkProcessState() throws {
    let fixture = try LV2Fixture("leaves-changes")
    unsafe setlocale(LC_ALL, "C")
    umask(0o022)
    let folder = FileManager.default.currentDirectoryPath
    let host = try LV2TestHost(fixture)
    try host.unit.initialize()
    let input = TestSignal.noise(seed: 1, frameCount: 64)
    let output = try host.render([[input]], frameCount: 64)
    let locale = unsafe setlocale(LC_ALL, nil).map { unsafe String(cString: $0) }
    let mask = umask(0o022)
    guard output == [input], locale == "C", mask == 0o022, fegetround() == FE_TONEAREST,
      FileManager.default.currentDirectoryPath == folder, signal(SIGUSR2, SIG_DFL) == nil
    else { throw AuricleError(.software, "changed") }
  }
}
