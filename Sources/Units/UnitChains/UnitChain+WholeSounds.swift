// Stages that work on whole sounds: the part before them is rendered first, and their result is played.
// SPDX-License-Identifier: Apache-2.0

public import AudioTypes
import AudioUnits
import CAudioToolbox

extension UnitChain {
  /// Whether an offline unit is in the chain: `prepareWholeSounds` comes before the first slice.
  public var worksOnWholeSounds: Bool { !offlineStages.isEmpty }

  /// The number of stores that `prepareWholeSounds` makes.
  public var wholeSoundCount: Int {
    offlineStages.reduce(0) { $0 + 2 + $1.stage.before.wholeSoundCount }
  }

  /// Whether an offline unit has units before it, whose tail is a part of its input.
  public var tailsAreInWholeSounds: Bool {
    offlineStages.contains { !$0.stage.before.isEmpty }
  }

  /// The chains that make the input of offline units, with the labels of these.
  public var partsBeforeWholeSounds: [(label: String, chain: UnitChain)] {
    offlineStages.map { ($0.stage.label, $0.stage.before) }
  }

  /// Refuses a chain with an offline unit, for callers whose sound comes piece by piece.
  ///
  /// - Throws: `.unavailable` with the stage's label.
  ///
  /// Context: control.
  public func refuseWholeSounds() throws(AuricleError) {
    if let first = offlineStages.first { throw OfflineStage.refusal(first.stage.label) }
  }

  /// Runs the offline units, each over the sound that the chain before it makes.
  ///
  /// - Parameters:
  ///   - makeStore: Makes memory for a sound, `wholeSoundCount` times.
  ///   - check: Called between slices; throws to end the work.
  ///   - render: Renders the whole input through a chain into a store; returns the frames of the input.
  /// - Throws: A unit's failure, with the stage's label.
  ///
  /// Context: control.
  public func prepareWholeSounds(
    makeStore: () throws(AuricleError) -> any SoundStore,
    check: () throws(AuricleError) -> Void = { () throws(AuricleError) in },
    render: (_ part: UnitChain, _ store: any SoundStore) throws(AuricleError) -> Int
  ) throws(AuricleError) {
    guard worksOnWholeSounds else { return }
    var inputFrames = 0
    for (_, stage) in offlineStages {
      try stage.before.prepareWholeSounds(makeStore: makeStore, check: check, render: render)
      let source = try makeStore()
      inputFrames = try render(stage.before, source)
      notes += stage.before.notes.filter { !notes.contains($0) }
      try stage.run(source, into: try makeStore(), check: check)
    }
    wholeFrameCount = frames(of: layout.outputNode, inputFrames)
  }

  /// Frames of the signal of a node.
  private func frames(of node: Int, _ inputFrames: Int) -> Int {
    if let (_, stage) = offlineStages.first(where: { $0.index == node }) {
      return stage.frameCount
    }
    switch layout.nodes[node] {
    case .input: return inputFrames
    case .same(let source), .noise(_, let source), .stage(_, let source, _):
      return frames(of: source, inputFrames)
    case .sum(_, let branches):
      return branches.map { frames(of: $0.node, inputFrames) }.max() ?? inputFrames
    }
  }
}

extension UnitChainBuilder {
  /// A stage whose unit works on a whole sound: in the graph there is a player of its result.
  mutating func addOfflineStage(
    _ index: Int, _ stage: ChainStage, _ first: AudioUnit, _ plan: ChannelPlan, _ source: Int,
    _ sides: [ChainGraph.SideChain]
  ) throws(AuricleError) {
    guard sides.isEmpty, !readers.keys.contains(where: { $0.index == index && $0.output > 0 })
    else {
      throw AuricleError(
        .unavailable, status: kAudioUnitErr_FormatNotSupported,
        "it works on a whole sound, and then has no side chain and one output: take the side chain or "
          + "the further output away")
    }
    var layout = layout
    layout.outputNode = source
    layout.notes = []
    let before = try UnitChain(
      layout, sampleRate: chain.sampleRate, channelCount: chain.channelCount,
      maximumFrames: chain.maximumFrames, openFile: openFile)
    let offline = try OfflineStage(stage, first: first, plan: plan, before: before)
    let width = chain.channelCount
    let player = try add(.source, InternalUnitCodes.player, stage.label, [], [width])
    let feed = SideFeed(
      offline.file, path: stage.label, loops: false, start: 0, unit: player.unit,
      channelCount: width, maximumFrames: chain.maximumFrames)
    offline.feed = feed
    nodes[index] = player.node
    chain.feeds.append(feed)
    chain.offlineStages.append((index, offline))
    chain.notes +=
      before.notes + (offline.units.first?.loadNotes.map { "\(stage.label): \($0)" } ?? [])
    chain.stages += before.stages
    chain.stages.append(
      UnitChain.Stage(number: stage.number, label: stage.label, units: offline.units, node: 0))
    try addOutlets(index, player.node, stage.label) { _ in width }
  }
}
