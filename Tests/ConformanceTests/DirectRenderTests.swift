// A unit in a graph sounds the same whether it is handed its input or asked to fetch it.
// SPDX-License-Identifier: Apache-2.0

import AudioComponents
import AudioGraph
import AudioTypes
import AudioUnits
import CAudioToolbox
import TestSupport
import TestUnits
import Testing

/// A kind of effect that a graph may hand its input.
struct HandedUnit: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let channelCounts: [Int]
  let make: @Sendable () throws -> AudioUnit

  static let all: [HandedUnit] = {
    var all: [HandedUnit] = []
    for subtype in ["lpas", "hpas", "pmeq", "dcmp", "lmtr", "dely", "mrev", "sdly"] {
      all.append(
        HandedUnit(testDescription: subtype, channelCounts: subtype == "mrev" ? [2] : [1, 2]) {
          try SubjectComponents.shipped.get().resolve("aufx:\(subtype):appl").instantiate()
        })
    }
    // These have formats of their own.
    all.append(
      HandedUnit(testDescription: "LV2", channelCounts: [0]) { try Subject.lv2.open() })
    all.append(
      HandedUnit(testDescription: "C++", channelCounts: [0]) { try Subject.calling.open() })
    all.append(
      HandedUnit(testDescription: "gain on the SDK", channelCounts: [1, 3]) {
        try TestUnits.gain()
      })
    all.append(
      HandedUnit(testDescription: "look-ahead on the SDK", channelCounts: [2]) {
        try TestUnits.lookAhead()
      })
    return all
  }()
}

@Suite("Handed their input or asked to fetch it") struct HandedInputTests {
  /// The result of one rendering: the samples of all channels, the silence flags and errors by slice.
  private struct Outcome: Equatable {
    var samples: [Float] = []
    var isSilent: [Bool] = []
    var statuses: [OSStatus] = []
    var unitErrors: [OSStatus] = []
  }

  /// Noise, then silence that says so, then noise, an error of a slice, and noise again.
  private static let source: AURenderCallback = { _, flags, stamp, _, frames, list in
    guard let stamp = unsafe stamp, let list = unsafe list else { return kAudio_ParamError }
    let start = unsafe Int(stamp.pointee.mSampleTime)
    if start >= 20_000 && start < 20_700 { return -1234 }
    for channel in 0..<(unsafe list.bufferCount) {
      guard let samples = unsafe list.samples(channel) else { return kAudio_ParamError }
      for frame in 0..<Int(frames) {
        let place = start + frame
        let isLoud = place < 6_000 || place >= 16_000
        // A hash of the place: the same however the slices lie.
        var bits = UInt64(place &* 31 &+ channel) &* 0x9E37_79B9_7F4A_7C15
        bits ^= bits >> 29
        bits = bits &* 0xBF58_476D_1CE4_E5B9
        unsafe samples[frame] = isLoud ? Float(Int32(truncatingIfNeeded: bits >> 32)) / 0x1p32 : 0
      }
    }
    if start >= 6_000 && start + Int(frames) <= 16_000 {
      unsafe flags?.pointee |= kAudioUnitRenderAction_OutputIsSilence
    }
    return 0
  }

  /// Closes the short ways of a unit that it is added to.
  private static let observer: AURenderCallback = { _, _, _, _, _, _ in 0 }

  @Test("samples, silence and errors are the same", arguments: HandedUnit.all)
  func same(_ kind: HandedUnit) throws {
    for channels in kind.channelCounts {
      for seed in [UInt64(3), 4] {
        let handed = try render(kind, channels, seed, isAsked: false)
        let asked = try render(kind, channels, seed, isAsked: true)
        #expect(handed.samples == asked.samples, "\(channels) channels, seed \(seed)")
        #expect(handed.isSilent == asked.isSilent, "\(channels) channels, seed \(seed)")
        #expect(handed.statuses == asked.statuses)
        #expect(handed.statuses.contains(-1234))
        #expect(handed.unitErrors == asked.unitErrors)
        #expect(peak(handed.samples) > 0)
      }
    }
  }

  /// Renders two units of a kind in a row, the first fed by a callback, the second by the first.
  private func render(
    _ kind: HandedUnit, _ channels: Int, _ seed: UInt64, isAsked: Bool
  ) throws -> Outcome {
    let first = try kind.make()
    let second = try kind.make()
    let output = try Subject.output.open()
    var format = AudioStreamFormat(sampleRate: 48_000, channelCount: max(channels, 1))
    if channels == 0 { format = try first.streamFormat(scope: kAudioUnitScope_Output, element: 0) }
    let graph = AudioUnitGraph()
    var nodes: [AudioUnitGraph.Node] = []
    for (unit, type) in [(first, "aufx"), (second, "aufx"), (output, "auou")] {
      for scope in [kAudioUnitScope_Input, kAudioUnitScope_Output] {
        try unit.setStreamFormat(format, scope: scope, element: 0)
      }
      try unit.setMaximumFramesPerSlice(700)
      nodes.append(
        try graph.addNode(description: TestUnits.codes(type, "test")) { () throws(AuricleError) in
          unit
        })
    }
    try unsafe graph.setInputCallback(
      nodes[0], AURenderCallbackStruct(inputProc: Self.source, inputProcRefCon: nil))
    try graph.connect(nodes[0], to: nodes[1])
    try graph.connect(nodes[1], to: nodes[2])
    try graph.open()
    try graph.initialize()
    if isAsked {
      for unit in [first, second] {
        try unsafe unit.addRenderNotification(Self.observer, refCon: nil)
      }
    }
    let parameters = try first.parameters().filter(\.isWritable)
    var random = SeededGenerator(seed: seed)
    let buffers = AudioBuffers(channelCount: format.channelCount, frameCapacity: 700)
    var outcome = Outcome()
    var time = 0
    while time < 26_000 {
      if let parameter = parameters.randomElement(using: &random), random.next() & 3 == 0 {
        let part = (random.nextSample() + 1) / 2
        let unit = random.next() & 1 == 0 ? first : second
        try unit.setParameter(
          parameter.id, parameter.minimum + part * (parameter.maximum - parameter.minimum))
      }
      if random.next() & 15 == 0 { try? first.setBypassed(random.next() & 1 == 0) }
      let frames = Int(random.next() % 700) + 1
      buffers.setFrameCount(frames)
      var flags: AudioUnitRenderActionFlags = 0
      outcome.statuses.append(
        unsafe graph.render(frameCount: frames, into: buffers.list, flags: &flags))
      outcome.isSilent.append(flags & kAudioUnitRenderAction_OutputIsSilence != 0)
      if outcome.statuses.last == 0 {
        for channel in 0..<format.channelCount {
          let samples = unsafe UnsafeBufferPointer(start: buffers.channel(channel), count: frames)
          unsafe outcome.samples.append(contentsOf: samples)
        }
      } else {
        outcome.unitErrors += [first.consumeLastRenderError(), second.consumeLastRenderError()]
      }
      time += frames
    }
    graph.uninitialize()
    return outcome
  }
}
