// A MIDI file or a text as a sound that a job can render: the output of its instruments, with the tail behind the end.
// SPDX-License-Identifier: Apache-2.0

package import AudioFiles
package import AudioTypes
package import FileRendering
import Glibc
import HostSystem
import MIDIFiles
import PlugInGuard
package import ResultSettings

/// A song that is read like an audio file. Context: one control thread.
package final class SongSound: SoundInput {
  package let path: String
  package let format: AudioFileFormat
  package let metadata = AudioFileMetadata()
  private let player: SongPlayer
  private let speaks: Bool
  /// The faults of the MIDI file.
  private var problems: [String]
  /// The rest of a piece: the mix, and behind it the output of each instrument where that is asked for.
  private let kept: PlanarBuffer
  private var keptCount = 0
  private var collectedCount = 0
  /// The output of instruments until their mix, which the effects behind all make later, is there.
  private let ahead: PlanarBuffer
  private let aheadFrames: Int
  private let channelCount: Int
  private var hasEnded = false

  /// Reads a MIDI file or a text, and opens the units that play it.
  ///
  /// - Parameters:
  ///   - descriptor: The open file, which is closed.
  ///   - path: Its name in messages.
  ///   - settings: Those of the job; `song` among them.
  ///   - variant: The variant to draw; nil without random values.
  ///   - ensemble: The instruments.
  /// - Throws: `.badData` for a file other than MIDI, `.inputOutput`, the units' errors.
  package init(
    descriptor: Int32, path: String, settings: JobSettings, variant: VariantRequest?,
    ensemble: ResolvedEnsemble
  ) throws(AuricleError) {
    self.path = path
    let song = settings.song ?? SongSettings()
    let bytes = try Self.read(descriptor, path)
    var events = SongEvents()
    var ensemble = ensemble
    speaks = song.speech != nil
    if speaks {
      (problems, toleratedDamage) = ([], [])
      ensemble = ensemble.saying(String(decoding: bytes, as: UTF8.self))
    } else {
      let file = try MIDIFile(bytes, name: path)
      problems = file.problems.filter { !file.damage.contains($0) }
      toleratedDamage = file.damage
      if !settings.isTolerant, let damage = file.damage.first {
        throw AuricleError(
          .badData, "\(path) is damaged: \(damage) (--tolerant plays what can be read)")
      }
      events = try SongEvents(
        file, track: settings.track, sampleRate: song.sampleRate,
        limits: SongLimits(song.longestSeconds), name: path)
    }
    problems += events.notes
    // Errors from here on are the fault of units.
    Heartbeat.enter(.prepare, unit: Heartbeat.noUnit)
    player = try SongPlayer(
      ensemble, events,
      ChainSpecification(
        sampleRate: song.sampleRate, channelCount: song.channelCount,
        maximumFrameCount: SongPlayer.sliceFrames, variant: variant),
      tailSeconds: settings.tailLimits.maximum, speaks: speaks)
    channelCount = song.channelCount
    let stemChannels = song.stems.isEmpty ? 0 : ensemble.parts.count * channelCount
    format = AudioFileFormat(
      container: .wav, encoding: .pcm24, sampleRate: song.sampleRate,
      channelCount: channelCount + stemChannels)
    kept = PlanarBuffer(channelCount: format.channelCount, frameCapacity: SongPlayer.sliceFrames)
    aheadFrames = player.latencyFrames - player.partsLatencyFrames
    ahead = PlanarBuffer(
      channelCount: stemChannels, frameCapacity: aheadFrames + SongPlayer.sliceFrames)
  }

  private static func read(
    _ descriptor: Int32, _ path: String
  ) throws(AuricleError) -> [UInt8] {
    defer { close(descriptor) }
    // Its place is shared with the descriptor that it was made of.
    lseek(descriptor, 0, SEEK_SET)
    guard let bytes = FileTransfer.readAll(descriptor, limit: MIDIFile.byteLimit + 1) else {
      throw systemError(errno, "read", path)
    }
    return bytes
  }

  /// Nobody knows how long it rings.
  package var frameCount: Int? { nil }
  package var likelyFrameCount: Int? { player.end }
  package var notes: [String] { problems + player.notes + player.refusals + silence }
  package let toleratedDamage: [String]
  package var video: VideoTracks? { nil }

  package func soundBitRate() -> Int? { nil }

  package func read(
    into channels: ChannelRows, frameCount count: Int
  ) throws(AuricleError) -> Int {
    // Where this throws, it is a unit that failed, not the file.
    Heartbeat.enter(.render, unit: Heartbeat.noUnit)
    var done = 0
    while done < count, try fill() {
      let step = min(keptCount - collectedCount, count - done)
      for channel in 0..<kept.channelCount {
        unsafe (channels[channel] + done).update(
          from: kept.rows[channel] + collectedCount, count: step)
      }
      collectedCount += step
      done += step
    }
    return done
  }

  /// Renders on where nothing is kept; false behind the end.
  private func fill() throws(AuricleError) -> Bool {
    while collectedCount == keptCount {
      // The first frames are those of the latency.
      let early = max(0, player.latencyFrames - player.place)
      guard let piece = try player.step() else {
        hasEnded = true
        return false
      }
      (collectedCount, keptCount) = (min(early, piece.count), piece.count)
      for channel in 0..<channelCount {
        unsafe kept.rows[channel].update(from: piece.result[channel], count: piece.count)
      }
      for row in 0..<ahead.channelCount {
        let line = unsafe ahead.rows[row]
        unsafe (line + aheadFrames).update(from: piece.parts[row], count: piece.count)
        unsafe kept.rows[channelCount + row].update(from: line, count: piece.count)
        unsafe line.update(from: line + piece.count, count: aheadFrames)
      }
    }
    return true
  }

  /// A result below this is silent, linear: -120 dBFS.
  private static let nothing: Float = 1e-6

  /// The notes on a silent song.
  private var silence: [String] {
    guard hasEnded, player.peak < Self.nothing else { return [] }
    return [
      speaks
        ? "the result is silent: the voice finds no words in it"
        : "the result is silent: an instrument may need a bank or samples (auricle info)"
    ]
  }
}
