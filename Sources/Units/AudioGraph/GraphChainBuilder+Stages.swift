// The stages and sums of a net as nodes: units as they are, units with a chain around them, mixers.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import CAudioToolbox
import RealtimeSupport

extension GraphChainBuilder {
  mutating func addStage(
    _ place: Int, _ stage: ChainStage, _ source: Int, _ sides: [ChainNet.SideChain]
  ) throws(AuricleError) {
    do throws(AuricleError) {
      var stage = stage
      stage.sideBuses = sides.map(\.bus)
      let first = try stage.makeUnit()
      let plan = try ChannelPlan.make(chain.channelCount, for: first)
      if let note = plan.note { chain.notes.append("\(stage.label) \(note)") }
      let type = first.description.componentType
      let isPlain =
        plan.isPlain && stage.mix >= 1 && type != kAudioUnitType_Output
        && type != kAudioUnitType_FormatConverter && type != kAudioUnitType_OfflineEffect
      if isPlain {
        try addPlain(place, stage, first, plan, source, sides)
      } else {
        try addWrapped(place, stage, first, source, sides)
      }
    } catch {
      let message =
        error.message.hasPrefix(stage.label) ? error.message : "\(stage.label): \(error.message)"
      throw AuricleError(error.category, status: error.status, message)
    }
  }

  /// A stage whose unit is a node as it is.
  mutating func addPlain(
    _ place: Int, _ stage: ChainStage, _ unit: AudioUnit, _ plan: ChannelPlan, _ source: Int,
    _ sides: [ChainNet.SideChain]
  ) throws(AuricleError) {
    try UnitChain.prepare(
      unit, plan, stage, sampleRate: chain.sampleRate, channelCount: chain.channelCount,
      maximumFrames: chain.maximumFrames)
    let node = try graph.addNode(description: unit.description, label: stage.label) {
      () throws(AuricleError) in unit
    }
    nodes[place] = node
    want(origins[source], 1, node, 0, chain.channelCount)
    for side in sides {
      let width = try unit.streamFormat(
        scope: kAudioUnitScope_Input, element: AudioUnitElement(side.bus)
      ).channelCount
      try feed(side, into: node, input: UInt32(side.bus), channels: width, of: stage)
    }
    automate(node, stage, [unit])
    let count = unit.busCount(scope: kAudioUnitScope_Output)
    guard stage.outputBus < max(1, count) else {
      throw AuricleError(.badData, "the unit has no output bus \(stage.outputBus)")
    }
    let width = chain.channelCount
    try offer(place, node, stage.label) { bus in
      guard bus > 0 else { return width }
      let format = try? unit.streamFormat(
        scope: kAudioUnitScope_Output, element: AudioUnitElement(bus))
      return format?.channelCount ?? width
    }
  }

  /// A stage whose instances, channels or mix need a node around them.
  mutating func addWrapped(
    _ place: Int, _ stage: ChainStage, _ first: AudioUnit, _ source: Int,
    _ sides: [ChainNet.SideChain]
  ) throws(AuricleError) {
    if readers.keys.contains(where: { $0.place == place && $0.output > 0 }) {
      throw AuricleError(
        .unavailable, status: kAudioUnitErr_FormatNotSupported,
        "its further outputs cannot be heard where its channels are adapted to "
          + "\(chain.channelCount), or it is mixed with its input")
    }
    var opened: AudioUnit? = first
    let make = stage.makeUnit
    var stage = stage
    stage.outputBus = 0
    stage.makeUnit = { () throws(AuricleError) in
      if let unit = opened {
        opened = nil
        return unit
      }
      return try make()
    }
    let inner = try UnitChain(
      stages: [stage], sampleRate: chain.sampleRate, channelCount: chain.channelCount,
      maximumFrames: chain.maximumFrames)
    let units = inner.units.first ?? []
    var widths = [chain.channelCount]
    for side in sides {
      widths.append(
        try units[0].streamFormat(
          scope: kAudioUnitScope_Input, element: AudioUnitElement(side.bus)
        ).channelCount)
    }
    var description = first.description
    switch description.componentType {
    case kAudioUnitType_Output, kAudioUnitType_FormatConverter, kAudioUnitType_OfflineEffect:
      description.componentType = kAudioUnitType_Effect
    default: break
    }
    let added = try add(
      .stage, description, stage.label, widths, [chain.channelCount], chain: inner)
    nodes[place] = added.node
    chain.wrapped[added.node] = inner
    if stage.mix < 1 { chain.hasJoints = true }
    want(origins[source], 1, added.node, 0, chain.channelCount)
    for (index, side) in sides.enumerated() {
      for unit in units {
        try unsafe unit.setInputCallback(
          element: AudioUnitElement(side.bus), innerSideCallback,
          refCon: UnsafeMutableRawPointer(added.unit.state.pointee.inputs + index + 1))
      }
      try feed(
        side, into: added.node, input: UInt32(index + 1), channels: widths[index + 1], of: stage)
    }
    automate(added.node, stage, units)
    let width = chain.channelCount
    try offer(place, added.node, stage.label) { _ in width }
  }

  func automate(_ node: AudioUnitGraph.Node, _ stage: ChainStage, _ units: [AudioUnit]) {
    guard !stage.curves.isEmpty else { return }
    chain.automated.append(GraphChain.Automated(node: node, units: units, curves: stage.curves))
    if !units.allSatisfy(\.takesScheduledChanges) {
      chain.notes.append(
        "\(stage.label) takes no changes within a slice: its parameters change every 64 frames")
    }
  }

  mutating func addSum(
    _ place: Int, _ label: String, _ branches: [ChainNet.Branch]
  ) throws(AuricleError) {
    let width = chain.channelCount
    let mixer = try add(
      .mixer, JointCodes.mixer, label, Array(repeating: width, count: branches.count), [width])
    nodes[place] = mixer.node
    chain.hasJoints = true
    var ignoresPan = false
    for (index, branch) in branches.enumerated() {
      for channel in 0..<width {
        var gain = branch.gain
        if width == 2 {
          gain *= Self.balance(branch.pan, channel)
        } else if branch.pan != 0 {
          ignoresPan = true
        }
        mixer.unit.setGain(gain, input: index, channel: channel)
      }
      want(origins[branch.place], 1, mixer.node, UInt32(index), width)
    }
    if ignoresPan {
      chain.notes.append(
        "\(label): pan needs two channels and is without effect on \(width)")
    }
    try offer(place, mixer.node, label) { _ in width }
  }

  /// The law of the multichannel mixer: one side falls to silence as a cosine, the other stays.
  private static func balance(_ pan: Float, _ channel: Int) -> Float {
    guard channel == 0 ? pan > 0 : pan < 0 else { return 1 }
    return abs(pan) >= 1 ? 0 : Float(RealtimeMath.cos(Double.pi / 2 * Double(abs(pan))))
  }
}
