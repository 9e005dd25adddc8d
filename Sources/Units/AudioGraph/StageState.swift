// A stage as the render thread sees it: instances, buffers, the dry path.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import AudioUnits
import CAudioToolbox
import RealtimeSupport

/// What went wrong in a render, and where.
struct ChainFailure {
  /// Place of the stage, −1 for the input.
  var stage: Int
  var status: OSStatus
  /// Frame in the slice and channel of a value that is not finite; −1 for another failure.
  var frame: Int
  var channel: Int

  @_noLocks init(stage: Int = -1, status: OSStatus = 0, frame: Int = -1, channel: Int = 0) {
    self.stage = stage
    self.status = status
    self.frame = frame
    self.channel = channel
  }
}

/// An input tap in plain numbers: a channel, −1 for the mean, −2 for silence.
typealias TapNumber = Int

/// One instance of a stage's unit.
@safe struct StageInstance {
  var record: UnsafeMutablePointer<ComponentInstanceRecord>
  var stage: UnsafeMutablePointer<StageState>
  var inputCount: Int
  var outputCount: Int
  /// Whether the unit may be given the memory of the stage before to read.
  var readsThere: Bool
  var taps: UnsafeMutablePointer<TapNumber>
  var outputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  var list: UnsafeMutablePointer<AudioBufferList>
}

/// A pair of instance and output channel that a channel of the chain hears.
struct StageSource {
  var instance: Int
  var channel: Int
}

/// The render state of a stage; the stage before the first is the chain's input.
@safe struct StageState {
  var place: Int
  /// The unit's number in the signs of life of this process.
  var workNumber: Int32 = -1
  var channelCount: Int
  var previous: UnsafeMutablePointer<StageState>?
  var failure: UnsafeMutablePointer<ChainFailure>
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
  /// The cycle that was rendered last, and how it went.
  var renderedSampleTime: Double = -1
  var renderedStatus: OSStatus = 0
}
