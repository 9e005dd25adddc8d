// What an internal unit of a chain is made of.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox

/// What an internal unit does.
enum InternalUnitKind {
  /// Hands its input on: the end of a graph.
  case output
  /// Copies its input to every output bus.
  case splitter
  /// Sums its inputs, each channel with a gain of its own.
  case mixer
  /// Sums a signal and noise, and measures how loud both are where that is asked for.
  case noise
  /// Changes the channels of its input, and its gain.
  case adapter
  /// Plays the samples that its owner put there.
  case source
  /// Renders a stage that needs several instances or a mix with its input.
  case stage
}

/// A bus of an internal unit.
@safe struct InternalBus {
  var channelCount: Int
  /// What the bus holds in this cycle: the memory of whoever made it, or its own.
  var list: UnsafeMutablePointer<AudioBufferList>
  /// A gain for each channel.
  var gains: UnsafeMutablePointer<Float>
  var callback: AURenderCallback?
  var refCon: UnsafeMutableRawPointer?
  /// Memory for a copy of what a mixer's input holds, a pointer a channel; nil for none.
  var tap: UnsafeMutablePointer<UnsafeMutablePointer<Float>>?
}

/// The state of an internal unit; its interface comes first, so that both have one address.
@safe struct InternalUnitState {
  var interface: AudioComponentPlugInInterface
  var kind: InternalUnitKind
  var inputs: UnsafeMutablePointer<InternalBus>
  var inputCount: Int
  var outputs: UnsafeMutablePointer<InternalBus>
  var outputCount: Int
  var sampleRate: Double
  var maximumFrames: Int
  /// The cycle whose input was pulled last, how that went, and whether it was silent.
  var pulledTime = -1.0
  var pulledStatus: OSStatus = 0
  var isSilent = false
  /// What a source plays in this slice, a pointer a channel; nil for silence.
  var ready: UnsafeMutablePointer<UnsafeMutablePointer<Float>>?
  /// Of noise: whether the powers of its inputs are summed, and the sums, of the signal and of the noise.
  var isMeasuring = false
  var signalPower = 0.0
  var noisePower = 0.0
  /// Of a stage: its render state.
  var stage: UnsafeMutablePointer<StageState>?
  /// Of a stage: its `StageNode`, borrowed from the owner.
  var stageNode: UnsafeMutableRawPointer?
}
