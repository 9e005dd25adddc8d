// Formats: a connection passes the format of its output to its input, or has it converted.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import CAudioToolbox

extension AudioUnitGraph {
  /// Brings the formats of two open nodes together, for a connection between them.
  ///
  /// - Throws: `kAudioUnitErr_FormatNotSupported` where they cannot meet.
  func matchFormats(
    _ from: GraphNode, _ output: UInt32, _ to: GraphNode, _ input: UInt32
  ) throws(AuricleError) {
    guard isOpenNow, from.unit != nil, to.unit != nil else { return }
    guard to.subgraph == nil || to.isInitialized || to.subgraph?.isOpen == true else { return }
    let format = try from.format(kAudioUnitScope_Output, output)
    let present = try to.format(kAudioUnitScope_Input, input)
    if format == present { return }
    if !to.isInitialized {
      if (try? to.setFormat(format, kAudioUnitScope_Input, input)) != nil {
        followInput(to, input, format)
        return
      }
    } else if !from.isInitialized, offerFormat(from, output, present) {
      return
    }
    if let unit = try? makeConverter?(), canConvert(unit, format, present) { return }
    throw AuricleError(
      .badData, status: kAudioUnitErr_FormatNotSupported,
      "input \(input) of \(to.name) does not take what output \(output) of \(from.name) gives: "
        + "\(format), where it has \(present)")
  }

  private func canConvert(
    _ unit: AudioUnit, _ from: AudioStreamFormat, _ to: AudioStreamFormat
  ) -> Bool {
    do throws(AuricleError) {
      try unit.setStreamFormat(from, scope: kAudioUnitScope_Input, element: 0)
      try unit.setStreamFormat(to, scope: kAudioUnitScope_Output, element: 0)
      return true
    } catch {
      return false
    }
  }

  /// Passes the format of its connection to a unit that came late.
  private func offerFormat(
    _ node: GraphNode, _ output: UInt32, _ format: AudioStreamFormat
  ) -> Bool {
    if node.isEffect, node.inputs[0] == nil {
      try? node.setFormat(format, kAudioUnitScope_Input, 0)
    }
    try? node.setFormat(format, kAudioUnitScope_Output, output)
    return (try? node.format(kAudioUnitScope_Output, output)) == format
  }

  /// Has the output of a unit that passes sound through go with its input.
  private func followInput(_ node: GraphNode, _ input: UInt32, _ format: AudioStreamFormat) {
    guard let unit = node.unit, node.subgraph == nil, input == 0, !node.isRateChanger,
      !node.isOutput, unit.busCount(scope: kAudioUnitScope_Output) > 0
    else { return }
    for bus in 0..<UInt32(unit.busCount(scope: kAudioUnitScope_Output)) {
      guard var output = try? node.format(kAudioUnitScope_Output, bus) else { continue }
      let before = output
      output.sampleRate = format.sampleRate
      if node.isEffect, !areCompatible(unit, format.channelCount, output.channelCount) {
        output = AudioStreamFormat(
          sampleRate: format.sampleRate, channelCount: format.channelCount)
      }
      if output != before { try? node.setFormat(output, kAudioUnitScope_Output, bus) }
    }
  }

  /// Whether an effect accepts so many channels in and out; one without a declaration accepts equal
  /// numbers.
  private func areCompatible(_ unit: AudioUnit, _ inputs: Int, _ outputs: Int) -> Bool {
    guard let pairs = unit.channelCapabilities else { return inputs == outputs }
    return pairs.contains { $0.allows(inputs: inputs, outputs: outputs) }
  }

  /// Prepares every node that has a part in a connection and the output node: formats, slice size,
  /// `initialize`; sources first.
  func prepareNodes() throws(AuricleError) {
    guard let head = headNode else { return }
    // The sources of the head first: one walk finds most of it.
    let others = order.compactMap { nodes[$0] }.filter {
      !$0.inputs.isEmpty || !$0.outputs.isEmpty
    }
    let seeds = [head] + others
    var done: Set<ObjectIdentifier> = []
    for seed in seeds where !done.contains(ObjectIdentifier(seed)) {
      guard let sorted = desiredOrder(seed) else {
        throw AuricleError(
          .badData, status: kAUGraphErr_InvalidConnection, "the connections close a cycle")
      }
      for node in sorted where done.insert(ObjectIdentifier(node)).inserted {
        try prepare(node)
      }
    }
  }

  private func prepare(_ node: GraphNode) throws(AuricleError) {
    if node.unit == nil { try node.open() }
    guard let unit = node.unit else {
      throw AuricleError(
        .software, status: kAUGraphErr_InvalidAudioUnit, "\(node.name) has no unit")
    }
    for (bus, feed) in node.inputs.sorted(by: { $0.key < $1.key }) {
      guard case .node(let source, let output) = feed.source else { continue }
      try matchFormats(source, output, node, bus)
    }
    if node.player != nil {
      node.isInitialized = true
    } else if !node.isInitialized {
      bringRatesTogether(node)
      let frames = sliceSize(node)
      if let subgraph = node.subgraph {
        for bus in node.inputs.keys.sorted() { _ = try node.slot(bus) }
        subgraph.wantedMaximumFrames = frames
        subgraph.checksFiniteness = checksFiniteness
        try subgraph.initialize()
        if startCount > 0 { try subgraph.start() }
      } else {
        if unit.maximumFramesPerSlice < frames { try unit.setMaximumFramesPerSlice(frames) }
        do throws(AuricleError) {
          try unit.initialize()
        } catch {
          throw error.saying("\(node.name): \(error.message)")
        }
      }
      node.isInitialized = true
      node.processesInPlace =
        ((try? unit.property(kAudioUnitProperty_InPlaceProcessing, as: UInt32.self)) ?? 0) != 0
        && node.subgraph == nil && !node.isRateChanger
      node.readLatency()
    }
    for (bus, feed) in node.inputs.sorted(by: { $0.key < $1.key }) {
      guard case .node(let source, let output) = feed.source else { continue }
      try convertIfNeeded(source, output, node, bus)
    }
  }

  /// Has all inputs of a unit that does not convert rates go at the rate of its output: those whose
  /// source goes at another get a converter.
  private func bringRatesTogether(_ node: GraphNode) {
    guard makeConverter != nil, node.subgraph == nil, !node.isOutput, !node.isRateChanger,
      let rate = try? node.format(kAudioUnitScope_Output, 0).sampleRate
    else { return }
    for bus in node.inputs.keys.sorted() {
      guard var format = try? node.format(kAudioUnitScope_Input, bus), format.sampleRate != rate
      else { continue }
      format.sampleRate = rate
      try? node.setFormat(format, kAudioUnitScope_Input, bus)
    }
  }

  /// The slice that a node must be able to render: more before a unit that lowers the rate.
  private func sliceSize(_ node: GraphNode) -> Int {
    var frames = maximumFrames
    var next = node
    var steps = 0
    while let target = next.outputs.values.first?.node, steps < order.count {
      let ratio = target.rateRatio
      if ratio < 1, ratio > 0 { frames = min(1 << 20, Int(Double(frames) / ratio) + 64) }
      next = target
      steps += 1
    }
    return frames
  }

  /// Puts a converter into a connection whose formats differ now that both nodes are initialised.
  private func convertIfNeeded(
    _ source: GraphNode, _ output: UInt32, _ node: GraphNode, _ input: UInt32
  ) throws(AuricleError) {
    let from = try source.format(kAudioUnitScope_Output, output)
    let to = try node.format(kAudioUnitScope_Input, input)
    if from == to {
      node.inputs[input]?.converter = nil
      return
    }
    if let present = node.inputs[input]?.converter,
      try present.format(kAudioUnitScope_Input, 0) == from,
      try present.format(kAudioUnitScope_Output, 0) == to
    {
      return
    }
    guard let makeConverter else {
      throw AuricleError(
        .badData, status: kAudioUnitErr_FormatNotSupported,
        "\(node.name) does not take what \(source.name) gives: \(from), where it has \(to)")
    }
    let converter = GraphNode(
      number: 0, label: "converter before \(node.name)",
      description: AudioComponentDescription(
        type: FourCharacterCode(rawValue: kAudioUnitType_FormatConverter),
        subtype: FourCharacterCode(rawValue: kAudioUnitSubType_AUConverter),
        manufacturer: FourCharacterCode(rawValue: kAudioUnitManufacturer_Apple)),
      engine: engine, subgraph: nil, makeUnit: makeConverter)
    try converter.open()
    guard let unit = converter.unit else { return }
    do throws(AuricleError) {
      try unit.setStreamFormat(from, scope: kAudioUnitScope_Input, element: 0)
      try unit.setStreamFormat(to, scope: kAudioUnitScope_Output, element: 0)
      let frames = sliceSize(node)
      if unit.maximumFramesPerSlice < frames { try unit.setMaximumFramesPerSlice(frames) }
      try unit.initialize()
    } catch {
      throw AuricleError(
        .badData, status: kAudioUnitErr_FormatNotSupported,
        "\(node.name) does not take what \(source.name) gives, and no converter does: "
          + error.message)
    }
    converter.isInitialized = true
    converter.readLatency()
    node.inputs[input]?.converter = converter
  }
}

extension GraphNode {
  /// Whether the unit passes sound through, so that its output goes with its input.
  var isEffect: Bool {
    guard subgraph == nil else { return false }
    return [
      kAudioUnitType_Effect, kAudioUnitType_MusicEffect, kAudioUnitType_RemoteEffect,
      kAudioUnitType_RemoteMusicEffect, kAudioUnitType_Panner,
    ].contains(description.componentType)
  }
}
