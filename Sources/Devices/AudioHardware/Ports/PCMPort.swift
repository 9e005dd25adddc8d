// The one door to one direction of a sound card: the operations for the device thread.
// SPDX-License-Identifier: Apache-2.0

package import AudioTypes

/// The direction of sound through a port.
package enum PCMDirection: Sendable, Hashable {
  /// To the listener.
  case playback
  /// From the microphone.
  case capture
}

/// The state of a port.
package enum PCMState: Sendable, Hashable {
  /// Opened, perhaps configured; it accepts no sound yet.
  case open
  /// Ready to be filled and started.
  case prepared
  /// Its clock runs.
  case running
  /// It ran out of sound, or of room for it.
  case overrun
  /// The machine went to sleep.
  case suspended
  /// The card is gone.
  case disconnected
  /// A file that was played in has come to its end.
  case ended
}

/// The result of a wait.
package enum PCMWait: Sendable, Hashable {
  /// Sound can be transferred, or the state has changed.
  case ready
  /// The time was over.
  case timedOut
  /// Another thread called `wake`.
  case woken
}

/// The configuration that a device is asked for.
package struct PCMRequest: Sendable, Equatable {
  /// Frames a second (Hz); the nearest that there is.
  package var sampleRate = 48_000.0
  /// Channels; nil for those of the device, or two of a device that accepts any number.
  package var channelCount: Int?
  /// Frames between two wakes; the nearest that there is.
  package var periodFrames = 256
  /// Periods that the buffer holds.
  package var periodCount = 3
  /// The only sample format; nil for the best.
  package var format: PCMFormat?

  /// Asks for 48 kHz, periods of 256 frames, three of them.
  package init() {}
}

/// The configuration of a device.
package struct PCMConfiguration: Sendable, Equatable {
  /// The format of a sample.
  package var format: PCMFormat
  /// Whether each channel has separate memory.
  package var isPlanar: Bool
  /// Channels.
  package var channelCount: Int
  /// Frames a second (Hz).
  package var sampleRate: Double
  /// Frames between two wakes.
  package var periodFrames: Int
  /// Frames that the device holds; not always a multiple of the period.
  package var bufferFrames: Int
  /// Whether its position moves by whole periods only, as that of USB devices.
  package var isBatch = false

  /// Describes a device.
  package init(
    format: PCMFormat, isPlanar: Bool, channelCount: Int, sampleRate: Double, periodFrames: Int,
    bufferFrames: Int, isBatch: Bool = false
  ) {
    self.format = format
    self.isPlanar = isPlanar
    self.channelCount = channelCount
    self.sampleRate = sampleRate
    self.periodFrames = periodFrames
    self.bufferFrames = bufferFrames
    self.isBatch = isBatch
  }
}

/// The position of a device in time.
package struct PCMStatus: Sendable, Equatable {
  /// The state of the port.
  package var state: PCMState
  /// Frames from the next one written to the connector, or from the connector to the next one read; nil where
  /// it is not known yet.
  package var delay: Int?
  /// Monotonic nanoseconds at which the delay was true; 0 where the driver does not report it.
  package var stamp: UInt64 = 0
  /// Frames that the device had done then, since it was prepared; nil where it does not report
  /// them.
  package var position: Int64?
}

/// One direction of a device; one thread owns it, and `wake` alone may be called from others.
///
/// Numbers below zero are negated `errno` codes: `-EPIPE` for an overrun, `-ESTRPIPE` for a suspended and
/// `-ENODEV` for a lost device. Context of everything: the thread that owns it.
package protocol PCMPort: AnyObject {
  /// The device's name, for messages.
  var name: String { get }
  /// Direction of the sound.
  var direction: PCMDirection { get }
  /// Whether it goes by the clock of another port, which is to be configured first.
  var isFollower: Bool { get }
  /// Frames that it holds back beyond its buffer.
  var heldFrames: Int { get }

  /// Negotiates format, rate, channels and sizes.
  ///
  /// - Throws: `.unavailable`, `.temporary` or `.noPermission` if it cannot be opened, `.badData` with the
  ///   nearest valid value for a refused one.
  func configure(_ request: PCMRequest) throws(AuricleError) -> PCMConfiguration

  /// Makes it ready to be filled and started; from any state but that of a lost device.
  func prepare() -> Int32

  /// Starts its clock.
  func start() -> Int32

  /// Waits until `frameCount` frames can be transferred or the state has changed.
  ///
  /// - Parameter timeout: Nanoseconds.
  func wait(frameCount: Int, timeout: UInt64) -> PCMWait

  /// Frames that can be transferred now.
  func available() -> Int

  /// Writes or reads frames of a block; may do fewer than asked for.
  func transfer(_ block: PCMBlock, from first: Int, frameCount: Int) -> Int

  /// The state, and the delay.
  func status() -> PCMStatus

  /// Goes on after the machine slept, where the device can.
  func resume() -> Int32

  /// Stops at once; the frames in the device are lost.
  func drop()

  /// Makes another port start and stop with this one; false where that is impossible.
  func link(_ other: any PCMPort) -> Bool

  /// Closes the device.
  func close()

  /// Ends a wait of the owner. Context: any thread.
  func wake()
}

extension PCMPort {
  /// It has a clock.
  package var isFollower: Bool { false }
  /// None.
  package var heldFrames: Int { 0 }
  /// There is no common start.
  package func link(_ other: any PCMPort) -> Bool { false }
}
