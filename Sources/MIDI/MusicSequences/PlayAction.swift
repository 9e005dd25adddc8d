// An action of a player, and its receiver.
// SPDX-License-Identifier: Apache-2.0

package import CAudioToolbox

/// Something that happens at a frame.
@safe package struct PlayAction: BitwiseCopyable {
  /// Its destination.
  package let destination: PlayDestination
  /// Frames from the start of the slice.
  package let offset: Int
  /// The event's type; `kMusicEventType_NULL` for the end of a note.
  package let type: MusicEventType
  /// The event's data; nil for the end of a note.
  package let data: UnsafeRawPointer?
  /// The note that ends.
  package let ending: SoundingNote?
  /// The beat of the event.
  package let beat: Double
  /// The slice's beats.
  package let slice: (start: Double, end: Double)
}

/// A note that was begun.
package struct SoundingNote: Sendable, BitwiseCopyable {
  /// Its destination.
  package var destination: PlayDestination
  /// The beat of its end.
  package var end: Double
  /// The channel, or the group of an extended note.
  package var group: UInt32
  /// The key.
  package var note: UInt8
  /// The velocity of the release.
  package var release: UInt8
  /// The unit's number of an extended note.
  package var id: UInt32
  /// Whether it was begun as an extended note.
  package var isExtended: Bool
}

/// A parameter on its way from a value to another.
package struct PlayedRamp: Sendable, BitwiseCopyable {
  /// The destination of the parameter.
  package var destination: PlayDestination
  /// The parameter, its scope and its element.
  package var parameter: (id: UInt32, scope: UInt32, element: UInt32)
  /// Frames from the slice's start to the ramp's; negative for one that began before.
  package var start: Double
  /// Its frames.
  package var frames: Double
  /// The values at both ends.
  package var values: (from: Float, to: Float)
}

/// The receiver of actions. Context: the thread that plays.
package protocol PlaySink {
  /// Does something; answers the number of an extended note.
  func perform(_ action: PlayAction) -> UInt32
  /// Moves a parameter for a slice of so many frames.
  func move(_ ramp: PlayedRamp, sliceFrames: Int)
}
