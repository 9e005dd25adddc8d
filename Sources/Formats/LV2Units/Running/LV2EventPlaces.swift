// The event ports of an instance, and their state on the render thread.
// SPDX-License-Identifier: Apache-2.0

internal import ForeignPlugIns
internal import LV2Bundles
internal import RealtimeSupport
internal import Synchronization

/// An event output port, and its MIDI output of the unit.
struct LV2EventOutput {
  /// Index of the instance's event buffer.
  var place: Int
  /// Index of the MIDI output, or -1.
  var midiOutput: Int
  /// The number of the port.
  var port: Int
}

/// The transport position, as sent to a plug-in.
struct LV2SongPosition: BitwiseCopyable {
  var frame: Double = 0
  var speed: Float = 0
  /// Beats since the start of the song; below 0 if unknown.
  var beat: Double = -1
  var tempo: Double = 0
  var beatsPerBar: Float = 0
  var beatUnit: UInt32 = 0
  /// Beat at which the bar began.
  var barBeat: Double = 0

  @_noLocks init() {}
}

/// The event state of an instance. Context: render, unless noted.
@safe struct LV2EventPlaces {
  let urids = LV2URIDs.shared
  /// Index of the buffer for MIDI, and of the one for patch messages; or -1.
  var midiInput = -1
  var patchInput = -1
  /// Buffers that receive positions.
  var timeInputs: RenderTable<Int>
  var outputs: RenderTable<LV2EventOutput>
  var patches: RenderTable<LV2PatchSlot>
  /// Messages of the control thread: an `LV2MessageHead`, then the body.
  var inbox: SPSCRingConsumer
  /// Texts that the plug-in reports: key, type and length (4 bytes each), then the bytes.
  var outbox: SPSCRingProducer
  /// The head of the message whose body is still in the inbox; of size 0 for none.
  var waiting = LV2MessageHead()
  /// Messages of all event outputs: port, type and length (4 bytes each), then the bytes.
  var windowBox: SPSCRingProducer
  /// Set where a window reads them.
  var isWatched: UnsafeMutablePointer<Atomic<Bool>>
  /// Set to request all properties from the plug-in.
  var asksForAll: UnsafeMutablePointer<Atomic<Bool>>
  var sampleRate: Double
  var position = LV2SongPosition()
  /// The expected position in the next slice; another one is sent to the plug-in.
  var expected = LV2SongPosition()
  var isPositionDue = false
  var hasSentPosition = false

  /// Frees the tables. Context: control.
  func free() {
    timeInputs.free()
    outputs.free()
    patches.free()
    unsafe asksForAll.deinitialize(count: 1)
    unsafe asksForAll.deallocate()
    unsafe isWatched.deinitialize(count: 1)
    unsafe isWatched.deallocate()
  }
}
