// Playing a file through a device: the request, the reports, and the commands meanwhile.
// SPDX-License-Identifier: Apache-2.0

package import AudioHardware
public import AuricleHost
import Synchronization

/// The file to play, and its device.
public struct PlayRequest: Sendable {
  /// The sound file.
  public var file: String
  /// The chain it goes through; nil for none.
  public var chain: ChainRequest?
  /// The name of the device; nil for the one of AURICLE_DEVICE, or else ALSA's `default`.
  public var device: String?
  /// Whether it begins again when it is over.
  public var loops = false
  /// Where it begins, in seconds.
  public var start = 0.0
  /// Frames between two wakes of the device's thread; nil for a value that suits a player.
  public var periodFrames: Int?
  /// Whether a device that is gone is waited for.
  public var waits = false
  /// Rights and limits of the process that decodes the file and runs the chain.
  public var isolation = SoundIsolation()

  /// Asks for a file as it is on the default device.
  public init(file: String) { self.file = file }
}

/// The state of playing or recording.
public struct SoundStatus: Sendable, Equatable {
  /// Seconds of the file that were played, or recorded.
  public var position = 0.0
  /// Seconds of the whole file; nil where that is unknown, and of recordings.
  public var seconds: Double?
  /// Whether it pauses.
  public var isPaused = false
  /// Whether the chain is passed over.
  public var isBypassed = false
  /// The linear gain.
  public var gain = 1.0
  /// The highest sample of the first two channels since the last time, linear.
  public var peaks = [0.0, 0.0]
  /// The name of the preset; nil for none.
  public var preset: String?
  /// The number of times that sound ran out.
  public var overrunCount = 0
  /// The part of a slice's time that rendering needs; nil where that is not known.
  public var load: Double?
  /// The unit that last exceeded the time of a slice; nil for none.
  public var slowUnit: String?
  /// Milliseconds from the input to the output; nil where that is not known.
  public var latencyMilliseconds: Double?
  /// The device, and how it is set: "hw:0, 48000 Hz, 2 ch, S32_LE, 3 × 512 frames".
  public var device = ""

  /// Makes the state before anything was played.
  public init() {}
}

/// Something to do while a file is played.
public enum PlayCommand: Sendable, Equatable {
  /// Pauses, or goes on.
  case togglePause
  /// Moves by seconds.
  case seek(by: Double)
  /// Changes the gain by decibels.
  case changeGain(by: Double)
  /// Switches to the next installed preset.
  case nextPreset
  /// Passes the chain over, or not.
  case toggleBypass
  /// Stops.
  case quit
}

/// Where commands for a player go, from any thread.
public final class PlayControl: Sendable {
  private let commands = Mutex<[PlayCommand]>([])
  private let update: @Sendable (SoundStatus) -> Void
  private let message: @Sendable (String) -> Void
  private let isInterrupted: @Sendable () -> Bool

  /// Makes a control.
  ///
  /// - Parameters:
  ///   - shouldStop: Asked often; true ends the playing.
  ///   - onUpdate: Receives the status some times a second, on the thread that plays.
  ///   - onMessage: Receives messages for the user.
  ///
  /// Context: any.
  public init(
    shouldStop: @escaping @Sendable () -> Bool = { false },
    onUpdate: @escaping @Sendable (SoundStatus) -> Void = { _ in },
    onMessage: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    isInterrupted = shouldStop
    update = onUpdate
    message = onMessage
  }

  /// Has something done soon. Context: any.
  public func send(_ command: PlayCommand) { commands.withLock { $0.append(command) } }

  /// The next command; nil for none. Context: the thread that plays.
  package func consume() -> PlayCommand? {
    commands.withLock { $0.isEmpty ? nil : $0.removeFirst() }
  }
  /// Whether the playing is to end.
  package var shouldStop: Bool { isInterrupted() }
  /// Reports how it goes.
  package func report(_ status: SoundStatus) { update(status) }
  /// Passes on a message for the user.
  package func say(_ message: String) { self.message(message) }
}

/// The end of playing or recording.
public struct SoundOutcome: Sendable, Equatable {
  /// Seconds played or recorded.
  public var seconds = 0.0
  /// The number of times that sound ran out: because the thread woke late, because rendering was slow, otherwise.
  public var overruns = (late: 0, long: 0, other: 0)
  /// Whether somebody stopped it before the end.
  public var isInterrupted = false
  /// The notes at the end.
  public var notes: [String] = []

  /// Counts a device's overruns and drops, so far as its end shows them.
  package init(of session: DeviceSession, seconds: Double, isInterrupted: Bool) {
    let counts = session.engine.statistics
    self.seconds = seconds
    overruns = (counts.lateWakes, counts.longRenders, counts.otherOverruns)
    self.isInterrupted = isInterrupted
    notes = counts.overrunNote.map { [$0] } ?? []
  }

  /// Equal where all is.
  public static func == (first: SoundOutcome, second: SoundOutcome) -> Bool {
    first.seconds == second.seconds && first.overruns == second.overruns
      && first.isInterrupted == second.isInterrupted && first.notes == second.notes
  }
}
