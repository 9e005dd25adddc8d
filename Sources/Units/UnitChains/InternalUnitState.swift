// The state of an internal unit of a chain.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox

/// The kind of an internal unit.
enum InternalUnitKind {
  /// Hands its input on: the end of a graph.
  case output
  /// Copies its input to every output bus.
  case splitter
  /// A sum of its inputs, each channel with a separate gain.
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
  /// The bus's buffers in this cycle: the memory of their maker, or its own.
  var list: UnsafeMutablePointer<AudioBufferList>
  /// A gain for each channel.
  var gains: UnsafeMutablePointer<Float>
  var callback: AURenderCallback?
  var refCon: UnsafeMutableRawPointer?
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
  /// The samples that a source plays in this slice, a pointer a channel; nil for silence.
  var ready: UnsafeMutablePointer<UnsafeMutablePointer<Float>>?
  /// Mixers only: memory for each channel of each input in turn, where they are kept; nil for none.
  var tap: UnsafeMutablePointer<UnsafeMutablePointer<Float>>?
  /// Noise only: whether the powers of its inputs are summed, and the sums, of the signal and of the noise.
  var isMeasuring = false
  var signalPower = 0.0
  var noisePower = 0.0
  /// Stages only: the render state.
  var stage: UnsafeMutablePointer<StageState>?
  /// Stages only: the `StageNode`, borrowed from the owner.
  var stageNode: UnsafeMutableRawPointer?
}
