// A stage as the render thread sees it: instances, buffers, the dry path.
// SPDX-License-Identifier: Apache-2.0

import AudioUnits
import CAudioToolbox

/// The source of an instance's input channel: the number of a channel, or one of these.
enum InputTapNumber {
  /// The mean of all channels.
  static var mean: Int { @_noLocks get { -1 } }
  /// Silence.
  static var silence: Int { @_noLocks get { -2 } }
}

/// One instance of a stage's unit.
@safe struct StageInstance {
  var record: UnsafeMutablePointer<ComponentInstanceRecord>
  var stage: UnsafeMutablePointer<StageState>
  var inputCount: Int
  var outputCount: Int
  /// Whether the unit may read from the memory of the stage's input.
  var readsInput: Bool
  /// For each input channel a channel of the stage, or an `InputTapNumber`.
  var taps: UnsafeMutablePointer<Int>
  var outputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  var list: UnsafeMutablePointer<AudioBufferList>
}

/// A pair of instance and output channel that a channel of the stage is made of.
struct StageSource {
  var instance: Int
  var channel: Int
}

/// The render state of a stage.
@safe struct StageState {
  /// The unit's number in the heartbeat of this process.
  var workNumber: Int32
  var channelCount: Int
  /// The input of this slice, a pointer a channel: memory of its maker.
  var input: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  var instances: UnsafeMutablePointer<StageInstance>
  var instanceCount: Int
  /// The stage's output, a pointer a channel; behind them, where each lies when nobody brings memory for it.
  var channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  /// For each channel, whether an instance renders into its memory.
  var isRenderedInto: UnsafeMutablePointer<Bool>
  /// For each channel, where its sources begin in `sources`; one more at the end.
  var firstSource: UnsafeMutablePointer<Int>
  var sources: UnsafeMutablePointer<StageSource>
  var mix: Float
  /// The dry signal, a ring of `dryLength` frames a channel; nil when mix is 1.
  var dry: UnsafeMutablePointer<Float>?
  var dryLength: Int
  var dryPosition = 0
  var latencyFrames = 0
  var latencyIsRead = false
  var sampleRate: Double
}
