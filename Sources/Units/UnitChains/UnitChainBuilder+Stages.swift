// The stages and sums of a chain graph as nodes: units as they are, stages of several instances, mixers.
// SPDX-License-Identifier: Apache-2.0

import AudioGraph
import AudioTypes
import AudioUnits
import CAudioToolbox
import RealtimeSupport

extension UnitChainBuilder {
  mutating func addStage(
    _ index: Int, _ stage: ChainStage, _ source: Int, _ sides: [ChainGraph.SideChain]
  ) throws(AuricleError) {
    do throws(AuricleError) {
      var stage = stage
      stage.sideBuses = sides.map(\.bus)
      guard let first = opened.removeValue(forKey: index) else { return }
      let plan = try ChannelPlan.make(chain.channelCount, for: first)
      if let note = plan.note { chain.notes.append("\(stage.label) \(note)") }
      let type = first.description.componentType
      if let refusal = ChainStage.refusal(of: first.description) {
        throw AuricleError(
          .unavailable, status: kAudioUnitErr_FormatNotSupported,
          refusal + ": use the offline unit of that kind (auricle list auol), or leave it out")
      }
      if isOffline(index) {
        return try addOfflineStage(index, stage, first, plan, source, sides)
      }
      let isOneUnit =
        plan.isOneToOne && stage.mix >= 1 && type != kAudioUnitType_Output
        && type != kAudioUnitType_FormatConverter
      if isOneUnit {
        try addUnit(index, stage, first, plan, source, sides)
      } else {
        try addStageNode(index, stage, first, plan, source, sides)
      }
    } catch {
      throw error.naming(stage.label)
    }
  }

  /// A stage whose unit is a node as it is.
  mutating func addUnit(
    _ index: Int, _ stage: ChainStage, _ unit: AudioUnit, _ plan: ChannelPlan, _ source: Int,
    _ sides: [ChainGraph.SideChain]
  ) throws(AuricleError) {
    try stage.prepare(
      unit, plan, sampleRate: chain.sampleRate, channelCount: chain.channelCount,
      maximumFrames: chain.maximumFrames)
    let node = try graph.addNode(description: unit.description, label: stage.label) {
      () throws(AuricleError) in unit
    }
    nodes[index] = node
    connect(origins[source], to: node)
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
    try addOutlets(index, node, stage.label) { bus in
      guard bus > 0 else { return width }
      let format = try? unit.streamFormat(
        scope: kAudioUnitScope_Output, element: AudioUnitElement(bus))
      return format?.channelCount ?? width
    }
  }

  /// A stage whose instances, channels or mix need a node around them.
  mutating func addStageNode(
    _ index: Int, _ stage: ChainStage, _ first: AudioUnit, _ plan: ChannelPlan, _ source: Int,
    _ sides: [ChainGraph.SideChain]
  ) throws(AuricleError) {
    if readers.keys.contains(where: { $0.index == index && $0.output > 0 }) {
      throw AuricleError(
        .unavailable, status: kAudioUnitErr_FormatNotSupported,
        "its further outputs cannot be used where its channels are adapted to "
          + "\(chain.channelCount), or it is mixed with its input")
    }
    let inner = try StageNode(
      stage, first: first, plan: plan, sampleRate: chain.sampleRate,
      channelCount: chain.channelCount, maximumFrames: chain.maximumFrames)
    let units = inner.units
    var widths = [chain.channelCount]
    for side in sides {
      widths.append(
        try units[0].streamFormat(
          scope: kAudioUnitScope_Input, element: AudioUnitElement(side.bus)
        ).channelCount)
    }
    var description = first.description
    switch description.componentType {
    case kAudioUnitType_Output, kAudioUnitType_FormatConverter:
      description.componentType = kAudioUnitType_Effect
    default: break
    }
    let added = try add(
      .stage, description, stage.label, widths, [chain.channelCount], stage: inner)
    nodes[index] = added.node
    chain.stageNodes[added.node] = inner
    if stage.mix < 1 { chain.joinsSignals = true }
    connect(origins[source], to: added.node)
    for (number, side) in sides.enumerated() {
      for unit in units {
        try unsafe unit.setInputCallback(
          element: AudioUnitElement(side.bus), internalSideCallback,
          refCon: UnsafeMutableRawPointer(added.unit.state.pointee.inputs + number + 1))
      }
      try feed(
        side, into: added.node, input: UInt32(number + 1), channels: widths[number + 1], of: stage)
    }
    automate(added.node, stage, units)
    let width = chain.channelCount
    try addOutlets(index, added.node, stage.label) { _ in width }
  }

  func automate(_ node: AudioUnitGraph.Node, _ stage: ChainStage, _ units: [AudioUnit]) {
    chain.stages.append(
      UnitChain.Stage(number: stage.number, label: stage.label, units: units, node: node))
    chain.notes += units.first?.loadNotes.map { "\(stage.label): \($0)" } ?? []
    guard !stage.curves.isEmpty else { return }
    chain.automated.append(UnitChain.Automated(node: node, units: units, curves: stage.curves))
    if !units.allSatisfy(\.acceptsScheduledChanges) {
      chain.notes.append(
        "\(stage.label) takes no changes within a slice: its parameters change every 64 frames")
    }
  }

  mutating func addSum(
    _ index: Int, _ label: String, _ branches: [ChainGraph.Branch]
  ) throws(AuricleError) {
    let width = chain.channelCount
    let mixer = try add(
      .mixer, InternalUnitCodes.mixer, label, Array(repeating: width, count: branches.count),
      [width])
    nodes[index] = mixer.node
    chain.joinsSignals = true
    if index == layout.tappedSum {
      let tap = UnitChain.Tap(
        node: mixer.node, channelCount: width * branches.count, frameCount: chain.maximumFrames)
      unsafe mixer.unit.state.pointee.tap = unsafe tap.rows
      chain.tap = tap
    }
    var ignoresPan = false
    for (number, branch) in branches.enumerated() {
      for channel in 0..<width {
        var gain = branch.gain
        if width == 2 {
          gain *= Self.balance(branch.pan, channel)
        } else if branch.pan != 0 {
          ignoresPan = true
        }
        mixer.unit.setGain(gain, input: number, channel: channel)
      }
      connect(origins[branch.node], to: mixer.node, input: UInt32(number), channels: width)
    }
    if ignoresPan {
      chain.notes.append(
        "\(label): pan needs two channels and is without effect on \(width)")
    }
    try addOutlets(index, mixer.node, label) { _ in width }
  }

  /// The law of the multichannel mixer: one side falls to silence as a cosine, the other stays.
  private static func balance(_ pan: Float, _ channel: Int) -> Float {
    guard channel == 0 ? pan > 0 : pan < 0 else { return 1 }
    return abs(pan) >= 1 ? 0 : Float(RealtimeMath.cos(Double.pi / 2 * Double(abs(pan))))
  }
}
