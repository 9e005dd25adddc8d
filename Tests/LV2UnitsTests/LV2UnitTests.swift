// LV2 plug-ins as units: rendering, latency, worker, blocks, presets, side chains.
// SPDX-License-Identifier: Apache-2.0

import AudioComponents
import AudioTypes
import AudioUnits
import CAudioToolbox
import Glibc
import LV2Units
import TestSupport
import Testing

@Suite struct LV2UnitTests {
  private let noise = TestSignal.noise(seed: 7, frameCount: 5000)

  private func host(_ name: String, maximumFrames: Int = 1024) throws -> LV2TestHost {
    try LV2TestHost(LV2Fixture(name), maximumFrames: maximumFrames)
  }

  @Test(arguments: [1, 17, 64, 1024]) func passesBitExactly(slice: Int) throws {
    let host = try host("passes")
    try host.unit.initialize()
    #expect(try host.render([[noise]], frameCount: 2000, slice: slice) == [Array(noise[..<2000])])
    #expect(host.unit.tailTime == nil)
    #expect(host.unit.latency == 0)
    #expect(
      try host.unit.stringProperty(kAuricleProperty_ComponentIdentifier)
        == "urn:auricle:test:passes")
  }

  @Test func channelCountsAreExact() throws {
    let unit = try host("passes").unit
    #expect(unit.supports(inputChannels: 1, outputChannels: 1))
    #expect(!unit.supports(inputChannels: 2, outputChannels: 2))
    #expect(!unit.supports(inputChannels: 1, outputChannels: 2))
  }

  @Test func latencyIsKnownAfterARun() throws {
    let host = try host("late-latency")
    try host.unit.initialize()
    func isKnown() throws -> UInt32 {
      try host.unit.property(kAuricleProperty_LatencyIsKnown, as: UInt32.self)
    }
    #expect(host.unit.latency == 0)
    #expect(try isKnown() == 0)
    let output = try host.render([[noise]], frameCount: 2000)
    #expect(host.unit.latency == 48.0 / 48000)
    #expect(try isKnown() == 1)
    #expect(output[0][48...].elementsEqual(noise[..<1952]))
    #expect(try host.unit.parameters().isEmpty, "the latency port is no parameter")
  }

  @Test func workIsDoneAtTheEndOfEachRun() throws {
    let host = try host("needs-worker")
    try host.unit.initialize()
    let ones = [Float](repeating: 1, count: 640)
    let output = try host.render([[ones]], frameCount: 640, slice: 64)
    for run in 0..<10 {
      let expected = [Float](repeating: Float(run) / 16, count: 64)
      #expect(output[0][(run * 64)..<(run * 64 + 64)].elementsEqual(expected), "run \(run)")
    }
  }

  /// Against a clock the jobs are done on another thread; the answer comes when it comes.
  @Test func workIsDoneBesideARealtimeRun() throws {
    let host = try host("needs-worker")
    host.unit.setRendersOffline(false)
    try host.unit.initialize()
    let ones = [Float](repeating: 1, count: 1 << 20)
    var last: Float = 0
    // Each slice reads the next 64 of the ones; they last for half a minute.
    let isAnswered = try OtherPrograms.wait {
      last = try host.render([[ones]], frameCount: 64)[0][63]
      return last > 0
    }
    #expect(isAnswered, "no answer came")
    try host.unit.uninitialize()
  }

  /// An instance goes when its thread has ended, and not in the middle of a job.
  @Test func noInstanceIsFreedAtWork() throws {
    let fixture = try LV2Fixture("works-long")
    let host = try LV2TestHost(fixture)
    host.unit.setRendersOffline(false)
    try host.unit.initialize()
    let library = unsafe dlopen(fixture.bundle + "/plugin.so", RTLD_NOW | RTLD_NOLOAD)
    func count(_ name: String) throws -> Int32 {
      unsafe try #require(dlsym(library, name)).assumingMemoryBound(to: Int32.self).pointee
    }
    _ = try host.render([[[0]]], frameCount: 64)
    // A job is handed over while the first is being done: it is dropped.
    #expect(try OtherPrograms.wait { try count("works_long_begun") > 0 })
    _ = try host.render([[[0]]], frameCount: 64)
    try host.unit.uninitialize()
    #expect(try count("works_long_freed_at_work") == 0)
    #expect(try count("works_long_begun") > 0)
  }

  @Test(arguments: [(1024, 100), (1024, 1024), (1156, 333), (512, 1), (64, 63)])
  func fixedBlocksAreKept(maximumFrames: Int, slice: Int) throws {
    let host = try host("needs-fixed-blocks", maximumFrames: maximumFrames)
    try host.unit.initialize()
    let latency = Int((host.unit.latency * 48000).rounded())
    #expect(latency > 0 && latency <= maximumFrames && latency & (latency - 1) == 0)
    let output = try host.render([[noise]], frameCount: 5000, slice: min(slice, maximumFrames))
    #expect(output[0][..<latency].allSatisfy { $0 == 0 })
    #expect(output[0][latency...].elementsEqual(noise[..<(5000 - latency)]))
  }

  /// A plug-in limited to powers of two gets them even if the host's slices are none; otherwise it gets the
  /// host's slices.
  @Test(arguments: [(1156, 1024), (1000, 512), (1024, 0), (64, 0)])
  func blocksOfPowersOfTwoAreMade(maximumFrames: Int, expectedLatency: Int) throws {
    let host = try host("minds-blocks", maximumFrames: maximumFrames)
    try host.unit.initialize()
    let latency = Int((host.unit.latency * 48000).rounded())
    #expect(latency == expectedLatency)
    let output = try host.render(
      [[noise]], frameCount: maximumFrames * 4, slice: maximumFrames)
    #expect(output[0][latency...].elementsEqual(noise[..<(maximumFrames * 4 - latency)]))
  }

  @Test func defaultStateIsRestored() throws {
    let host = try host("preset-with-state")
    try host.unit.initialize()
    let output = try host.render([[noise]], frameCount: 100)
    #expect(output[0].elementsEqual(noise[..<100].map { $0 * 0.5 }))
  }

  @Test(arguments: [true, false]) func presetsBringValuesAndState(isInitialized: Bool) throws {
    let host = try host("preset-with-state")
    #expect(host.unit.factoryPresets.map(\.name) == ["Double", "Loud"])
    #expect(host.unit.presetURIs == ["urn:auricle:test:double", "urn:auricle:test:loud"])
    if isInitialized { try host.unit.initialize() }
    try host.unit.selectPreset(number: 1)
    #expect(try host.unit.parameter(2) == 2)
    if !isInitialized { try host.unit.initialize() }
    let output = try host.render([[noise]], frameCount: 100)
    #expect(output[0].elementsEqual(noise[..<100].map { $0 * 3 * 2 }))
    #expect(host.unit.presentPreset?.name == "Loud")
  }

  @Test func presetsAreFoundByURI() throws {
    let host = try host("preset-with-state")
    try host.unit.selectPreset(uri: "urn:auricle:test:double")
    try host.unit.initialize()
    let output = try host.render([[noise]], frameCount: 100)
    #expect(output[0].elementsEqual(noise[..<100].map { $0 * 0.5 * 2 }))
    #expect(throws: AuricleError.self) { try host.unit.selectPreset(uri: "urn:no-such-preset") }
    #expect(throws: AuricleError.self) { try host.unit.selectPreset(number: 2) }
  }

  @Test func aStateSurvivesInitializingAgain() throws {
    let host = try host("preset-with-state")
    try host.unit.selectPreset(number: 1)
    for _ in 0..<2 {
      try host.unit.initialize()
      try host.unit.uninitialize()
    }
    try host.unit.initialize()
    let output = try host.render([[noise]], frameCount: 10)
    #expect(output[0].elementsEqual(noise[..<10].map { $0 * 3 * 2 }))
  }

  @Test func aSideChainIsABusOfItsOwn() throws {
    let host = try host("side-chain")
    #expect(host.unit.busCount(scope: kAudioUnitScope_Input) == 2)
    #expect(try host.channelCount(kAudioUnitScope_Input, 0) == 1)
    #expect(try host.channelCount(kAudioUnitScope_Input, 1) == 1)
    #expect(host.unit.supports(inputChannels: 1, outputChannels: 1))
    try host.unit.initialize()
    // Nothing connected: silence.
    #expect(try host.render([[noise], nil], frameCount: 100)[0].elementsEqual(noise[..<100]))
    let ones = [Float](repeating: 1, count: 5000)
    let output = try host.render([[noise], [ones]], frameCount: 100)
    #expect(output[0].elementsEqual(noise[100..<200].map { $0 * 2 }))
  }

  @Test func manyInstancesLiveTogether() throws {
    let fixture = try LV2Fixture("late-latency")
    let component = try fixture.component()
    let hosts = try (0..<20).map { _ in try LV2TestHost(component, keeping: fixture) }
    for host in hosts { try host.unit.initialize() }
    let outputs = try hosts.map { try $0.render([[noise]], frameCount: 500) }
    #expect(outputs.allSatisfy { $0 == outputs[0] })
  }
}
