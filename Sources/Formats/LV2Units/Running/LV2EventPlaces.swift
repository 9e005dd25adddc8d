// Where messages go in and come out, and what the render thread remembers of them.
// SPDX-License-Identifier: Apache-2.0

internal import LV2Bundles
internal import RealtimeSupport
internal import Synchronization

/// A port that gives events, and the MIDI output of the unit that it is.
struct LV2EventOutput {
  /// Place among the instance's event buffers.
  var place: Int
  /// Index of the MIDI output, or -1.
  var midiOutput: Int
}

/// Where the song is, as a plug-in is told.
struct LV2SongPosition: BitwiseCopyable {
  var frame: Double = 0
  var speed: Float = 0
  /// Beats since the start of the song; below 0 when it is not known.
  var beat: Double = -1
  var tempo: Double = 0
  var beatsPerBar: Float = 0
  var beatUnit: UInt32 = 0
  /// Beat at which the bar began.
  var barBeat: Double = 0

  @_noLocks init() {}
}

/// The event side of an instance. Context: render, except where it is said.
@safe struct LV2EventPlaces {
  let urids = LV2URIDs.shared
  /// Place of the buffer that takes MIDI, and of the one that takes patch messages; or -1.
  var midiInput = -1
  var patchInput = -1
  /// Buffers that take positions in time.
  var timeInputs: LV2Table<Int>
  var outputs: LV2Table<LV2EventOutput>
  var patches: LV2Table<LV2PatchSlot>
  /// Messages of the control thread: a length (4 bytes), then the body of an object.
  var inbox: SPSCRingConsumer
  /// Texts the plug-in tells: key, type and length (4 bytes each), then the bytes.
  var outbox: SPSCRingProducer
  /// Length of the message whose body is still in the inbox; 0 for none.
  var waiting: UInt32 = 0
  /// Set to have the plug-in asked for all its properties.
  var asksForAll: UnsafeMutablePointer<Atomic<Bool>>
  /// Whether the plug-in's messages are read.
  var readsMessages: Bool
  var sampleRate: Double
  var position = LV2SongPosition()
  /// Where the song should be in the next slice; told to the plug-in when it is elsewhere.
  var expected = LV2SongPosition()
  var isPositionDue = false
  var hasTold = false

  /// Gives the tables back. Context: control.
  func free() {
    timeInputs.free()
    outputs.free()
    patches.free()
    unsafe asksForAll.deinitialize(count: 1)
    unsafe asksForAll.deallocate()
  }
}
