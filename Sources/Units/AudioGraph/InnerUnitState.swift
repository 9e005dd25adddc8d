// What a unit of the host's own inside a chain's graph is made of.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox

/// What a unit of the host's own does.
enum InnerUnitKind {
  /// Hands its input on: the end of a graph.
  case output
  /// Gives its input on every output bus.
  case splitter
  /// Sums its inputs, each channel with a gain of its own.
  case mixer
  /// Gives its input other channels, and a gain.
  case adapter
  /// Plays what its owner has laid ready.
  case source
  /// Renders a stage that needs several instances or a mix with its input.
  case stage
}

/// A bus of such a unit.
@safe struct InnerBus {
  var channelCount: Int
  /// What the bus holds in this cycle: the memory of whoever made it, or its own.
  var list: UnsafeMutablePointer<AudioBufferList>
  /// A gain for each channel.
  var gains: UnsafeMutablePointer<Float>
  var callback: AURenderCallback?
  var refCon: UnsafeMutableRawPointer?
}

/// The state of such a unit; its interface comes first, so that both have one address.
@safe struct InnerUnitState {
  var interface: AudioComponentPlugInInterface
  var kind: InnerUnitKind
  var inputs: UnsafeMutablePointer<InnerBus>
  var inputCount: Int
  var outputs: UnsafeMutablePointer<InnerBus>
  var outputCount: Int
  var sampleRate: Double
  var maximumFrames: Int
  /// The cycle whose input was pulled last, how that went, and whether it was silent.
  var pulledTime = -1.0
  var pulledStatus: OSStatus = 0
  var isSilent = false
  /// What a source plays in this slice, a pointer a channel; nil for silence.
  var ready: UnsafeMutablePointer<UnsafeMutablePointer<Float>>?
  /// Of a stage: what stands for its input, and the stage itself.
  var stageInput: UnsafeMutablePointer<StageState>?
  var stage: UnsafeMutablePointer<StageState>?
  /// Of a stage: its `UnitChain`, borrowed from the owner.
  var chain: UnsafeMutableRawPointer?
}
