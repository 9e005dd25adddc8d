// A note that sounds: its key, how it was struck, and how it is bent and pressed now.
// SPDX-License-Identifier: Apache-2.0

import RealtimeSupport

/// A note that a voice plays, as it is at the frame where it is rendered from.
///
/// A `VoicePool` makes it from MIDI, MPE and the notes that a host starts by number. A voice reads it anew at
/// each `render`, where wheels and pressure may have changed it:
///
/// ```swift
/// let step = min(note.frequency / sampleRate, 0.5)
/// let loudness = note.velocity * (0.5 + 0.5 * note.pressure)
/// let cutoff = 500 + 8000 * note.timbre
/// ```
///
/// Context: render.
@frozen public struct Note: BitwiseCopyable, Sendable {
  /// The number by which a host stops it (`NoteInstanceID`); −1 for one that came as MIDI.
  public internal(set) var number: Int32 = -1
  /// MIDI channel, 0 to 15; with MPE each note has another one.
  public internal(set) var channel: Int = 0
  /// The key that was struck, 0 to 127; with a fraction where a host started the note so.
  public internal(set) var key: Float = 60
  /// Strength of the stroke, 0 to 1: the velocity of MIDI over 127.
  public internal(set) var velocity: Float = 0
  /// Speed of the release, 0 to 1; 0.5 until it is released, and for a release without speed.
  public internal(set) var releaseVelocity: Float = 0.5
  /// Semitones by which wheels and expression of the note bend it, with a fraction; already in `frequency`.
  public internal(set) var bend: Float = 0
  /// Pressure of the key, 0 to 1: that of the key or of its channel.
  public internal(set) var pressure: Float = 0
  /// Its brightness (controller 74), 0 to 1; 0.5 without expression.
  public internal(set) var timbre: Float = 0.5
  /// Whether it is held, by its key or by the pedal; a voice that sounds on afterwards is in its release.
  public internal(set) var isHeld = false

  @_noLocks init() {}

  /// The frequency (Hz) of the note in equal temperament, A4 at 440 Hz, bent.
  public var frequency: Double {
    @_noLocks get { 440 * RealtimeMath.exp2(Double(key + bend - 69) / 12) }
  }
}

/// The memory that a voice adds its sound to: frames of the slice from `firstFrame` on.
///
/// ```swift
/// for channel in 0..<output.channelCount {
///   var samples = output.samples(channel)
///   for frame in samples.indices {
///     let turn = phase + step * Double(frame)
///     let wave = Float(RealtimeMath.sin(2 * Double.pi * turn))
///     samples[frame] += wave * level[output.firstFrame + frame]
///   }
/// }
/// ```
///
/// Here `level` is a parameter of type `Ramp`, whose frames are those of the slice. Context: render.
@safe public struct VoiceOutput {
  @usableFromInline let slice: RenderSlice
  /// Frame of the slice at which it begins; a `Ramp` is read from there on.
  public let firstFrame: Int
  /// Frames to add, at least 1; a slice is divided where notes begin and end.
  public let frameCount: Int

  @_noLocks @usableFromInline init(_ slice: RenderSlice, firstFrame: Int, frameCount: Int) {
    self.slice = slice
    self.firstFrame = firstFrame
    self.frameCount = frameCount
  }

  /// Channels of output bus 0.
  public var channelCount: Int { @_noLocks get { slice.channelCount } }

  /// Returns a channel, to be added to: the samples of other voices are there already.
  ///
  /// - Parameter channel: Channel, in `0..<channelCount`.
  @inlinable @_noLocks @_lifetime(borrow self)
  public func samples(_ channel: Int) -> MutableSpan<Float> {
    let span = unsafe MutableSpan(
      _unsafeStart: slice.channel(channel) + firstFrame, count: frameCount)
    return unsafe _overrideLifetime(span, borrowing: self)
  }
}

/// A voice of an instrument, which plays one note at a time.
///
/// ```swift
/// @_noLocks mutating func start(_ note: Note) { level = note.velocity }
/// @_noLocks mutating func release(_ note: Note) {}
/// @_noLocks mutating func render(_ note: Note, _ output: VoiceOutput) -> Bool {
///   var samples = output.samples(0)
///   for frame in samples.indices {
///     samples[frame] += level * Float(RealtimeMath.sin(2 * Double.pi * phase))
///     phase += note.frequency / sampleRate
///     level *= note.isHeld ? 1 : 0.999
///   }
///   return level > 1e-4
/// }
/// ```
///
/// It allocates nothing after its `init`, which runs on a control thread.
public protocol InstrumentVoice: ~Copyable {
  /// Begins a note; the voice may still sound of another, which it then leaves. Context: render.
  ///
  /// - Parameter note: The new note, held.
  mutating func start(_ note: Note)
  /// Releases the note; `render` is called on until it returns false. Context: render.
  mutating func release(_ note: Note)
  /// Adds its sound to all frames and channels of an output.
  ///
  /// - Parameters:
  ///   - note: The note as it is now, with `isHeld`, bend and pressure.
  ///   - output: The memory to add to.
  /// - Returns: Whether it still sounds; a voice that does not is free for another note.
  ///
  /// Context: render.
  mutating func render(_ note: Note, _ output: VoiceOutput) -> Bool
}
