// Requirements of a plug-in: every feature alone, options, blocks of one size; and its preferences.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import CAudioToolbox
import LV2Units
import TestSupport
import Testing

@Suite struct LV2RequirementTests {
  private let noise = TestSignal.noise(seed: 21, frameCount: 4096)

  private static let features =
    [
      "urid#map", "urid#unmap", "options#options", "buf-size#boundedBlockLength",
      "buf-size#fixedBlockLength", "buf-size#powerOf2BlockLength", "buf-size#coarseBlockLength",
      "worker#schedule", "state#loadDefaultState", "state#mapPath", "state#makePath",
      "state#freePath", "state#threadSafeRestore", "log#log", "port-props#supportsStrictBounds",
      "resize-port#resize", "uri-map", "event", "instance-access", "data-access",
    ].map { "http://lv2plug.in/ns/ext/\($0)" } + [
      "http://lv2plug.in/ns/lv2core#isLive", "http://lv2plug.in/ns/lv2core#hardRTCapable",
      "http://lv2plug.in/ns/lv2core#inPlaceBroken",
      "http://kxstudio.sf.net/ns/lv2ext/programs#Host",
    ]

  @Test func everyFeatureMayBeRequired() throws {
    let fixture = try LV2Fixture("passes")
    var required = "doap:name \"passes\""
    for feature in Self.features {
      let now = "doap:name \"passes\" ; lv2:requiredFeature <\(feature)>"
      try fixture.edit(required, now)
      required = now
      let host = try LV2TestHost(fixture)
      try host.unit.initialize()
      let latency = Int((host.unit.latency * 48000).rounded())
      #expect(
        latency
          == (feature.hasSuffix("ed" + "BlockLength") && !feature.contains("bounded")
            || feature.contains("powerOf2") || feature.contains("coarse") ? 1024 : 0),
        "\(feature)")
      let output = try host.render([[noise]], frameCount: 2000, slice: 100)[0]
      #expect(output[latency...].elementsEqual(noise[..<(2000 - latency)]), "\(feature)")
    }
  }

  @Test func aRequiredOptionWithoutAValueIsNamed() throws {
    let fixture = try LV2Fixture("wants-options")
    try fixture.edit("buf-size#maxBlockLength", "buf-size#maxBlockLength> , <urn:test:no-option")
    let host = try LV2TestHost(fixture)
    #expect(throws: AuricleError.self) { try host.unit.initialize() }
    #expect(
      host.unit.failureReason?.contains("it requires the option <urn:test:no-option>") == true)
  }

  /// A change within a slice cuts it, unless the plug-in is harmed by that.
  @Test(arguments: [false, true]) func slicesAreCutWhereThePlugInDoesNotMind(isCoarse: Bool) throws
  {
    let fixture = try LV2Fixture("counts-frames")
    if isCoarse {
      try fixture.edit(
        "lv2:hardRTCapable", "<http://lv2plug.in/ns/ext/buf-size#coarseBlockLength>")
    }
    let host = try LV2TestHost(fixture)
    #expect(host.unit.wantsWholeSlices == isCoarse)
    try host.unit.initialize()
    var event = AudioUnitParameterEvent()
    event.parameter = 2
    event.eventType = kParameterEvent_Immediate
    unsafe event.eventValues.immediate.bufferOffset = 100
    unsafe event.eventValues.immediate.value = 2
    try host.unit.scheduleParameters([event])
    let output = try host.render([[noise]], frameCount: 512, slice: 256)[0]
    let first =
      isCoarse
      ? [Float](repeating: 256, count: 256)
      : [Float](repeating: 100, count: 100) + [Float](repeating: 312, count: 156)
    #expect(output[..<256].elementsEqual(first))
    #expect(output[256...].allSatisfy { $0 == 512 })
    #expect(try host.unit.parameter(2) == 2)
    event.eventType = kParameterEvent_Ramped
    unsafe event.eventValues.ramp.startBufferOffset = 0
    unsafe event.eventValues.ramp.durationInFrames = 256
    unsafe event.eventValues.ramp.startValue = 2
    unsafe event.eventValues.ramp.endValue = 1
    try host.unit.scheduleParameters([event])
    let ramp = try host.render([[noise]], frameCount: 256)[0]
    #expect(isCoarse ? ramp.allSatisfy { $0 == 512 } : ramp[128] == 1.5)
    #expect(try host.unit.parameter(2) == 1)
  }

  /// A unit made anew is as late as the one before from the start, though it says so later.
  @Test func aLatencyOutlivesAReset() throws {
    let host = try LV2TestHost(LV2Fixture("settles"))
    try host.unit.initialize()
    _ = try host.render([[noise]], frameCount: 512, slice: 64)
    #expect(host.unit.latency == 48.0 / 48000)
    for _ in 0..<3 {
      try host.unit.reset()
      #expect(host.unit.latency == 48.0 / 48000)
      _ = try host.render([[noise]], frameCount: 64, slice: 64)
      #expect(host.unit.latency == 48.0 / 48000)
    }
    _ = try host.render([[noise]], frameCount: 1024, slice: 64)
    #expect(host.unit.latency == 48.0 / 48000)
  }
}
