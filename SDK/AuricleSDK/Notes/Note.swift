// A note that sounds: its key, how it was struck, and how it is bent and pressed now.
// SPDX-License-Identifier: Apache-2.0

import RealtimeSupport

/// A note that a voice plays, as it is at the frame where it is rendered from. Context: render.
@frozen public struct Note: BitwiseCopyable, Sendable {
  /// The number by which a host stops it; −1 for one that came as MIDI.
  public internal(set) var number: Int32 = -1
  /// MIDI channel, 0 to 15.
  public internal(set) var channel: Int = 0
  /// The key that was struck, 0 to 127; with a fraction where a host started the note so.
  public internal(set) var key: Float = 60
  /// Strength of the stroke, 0 to 1.
  public internal(set) var velocity: Float = 0
  /// Speed of the release, 0 to 1.
  public internal(set) var releaseVelocity: Float = 0.5
  /// Semitones by which wheels and its own expression bend it.
  public internal(set) var bend: Float = 0
  /// Pressure of the key, 0 to 1.
  public internal(set) var pressure: Float = 0
  /// Its brightness (controller 74), 0 to 1; 0.5 without expression.
  public internal(set) var timbre: Float = 0.5
  /// Whether it is held, by its key or by the pedal.
  public internal(set) var isHeld = false

  @_noLocks init() {}

  /// Its frequency (Hz) in equal temperament, A4 at 440 Hz, bent.
  public var frequency: Double {
    @_noLocks get { 440 * RealtimeMath.exp2(Double(key + bend - 69) / 12) }
  }
}

/// The memory that a voice adds its sound to: frames of the slice from `firstFrame` on. Context: render.
@safe public struct VoiceOutput {
  @usableFromInline let slice: RenderSlice
  /// Frame of the slice at which it begins; a `Ramp` is read from there on.
  public let firstFrame: Int
  /// Frames to add.
  public let frameCount: Int

  @_noLocks @usableFromInline init(_ slice: RenderSlice, firstFrame: Int, frameCount: Int) {
    self.slice = slice
    self.firstFrame = firstFrame
    self.frameCount = frameCount
  }

  /// Channels of the output.
  public var channelCount: Int { @_noLocks get { slice.channelCount } }

  /// Returns a channel, to be added to.
  @inlinable @_noLocks @_lifetime(borrow self)
  public func samples(_ channel: Int) -> MutableSpan<Float> {
    let span = unsafe MutableSpan(
      _unsafeStart: slice.channel(channel) + firstFrame, count: frameCount)
    return unsafe _overrideLifetime(span, borrowing: self)
  }
}

/// One voice of an instrument: it plays one note at a time.
public protocol InstrumentVoice: ~Copyable {
  /// Begins a note; the voice may still sound of another, which it then leaves. Context: render.
  mutating func start(_ note: Note)
  /// Releases the note. Context: render.
  mutating func release(_ note: Note)
  /// Adds its sound.
  ///
  /// - Returns: Whether it still sounds; a voice that does not is free for another note.
  ///
  /// Context: render.
  mutating func render(_ note: Note, _ output: VoiceOutput) -> Bool
}
