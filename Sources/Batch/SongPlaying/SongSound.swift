// A MIDI file as a sound that a job can render: what a band makes of it, with what rings behind the end.
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
  private let mix: SongMix
  /// What was wrong with the MIDI file.
  private let problems: [String]
  /// The rest of a slice.
  private let kept: PlanarBuffer
  private var keptCount = 0
  private var takenCount = 0
  private var hasEnded = false

  /// Reads a MIDI file, and opens the units that play it.
  ///
  /// - Parameters:
  ///   - descriptor: The open file, which is closed.
  ///   - path: How messages name it.
  ///   - settings: Those of the job; `song` among them.
  ///   - variant: The variant to draw; nil without random values.
  ///   - band: What plays.
  /// - Throws: `.badData` for what is no MIDI file, `.inputOutput`, what units refuse.
  package init(
    descriptor: Int32, path: String, settings: JobSettings, variant: VariantRequest?,
    band: ResolvedBand
  ) throws(AuricleError) {
    self.path = path
    let song = settings.song ?? SongSettings()
    let file = try Self.read(descriptor, path)
    problems = file.problems
    let events = try SongEvents(
      file, track: settings.track, sampleRate: song.sampleRate, name: path)
    // What is refused from here on is the fault of units.
    Heartbeat.enter(.prepare, unit: Heartbeat.noUnit)
    mix = try SongMix(
      band, events,
      ChainSpecification(
        sampleRate: song.sampleRate, channelCount: song.channelCount,
        maximumFrameCount: SongInstrument.sliceFrames, variant: variant),
      tailSeconds: settings.tailLimits.maximum)
    format = AudioFileFormat(
      container: .wav, encoding: .pcm24, sampleRate: song.sampleRate,
      channelCount: song.channelCount)
    kept = PlanarBuffer(
      channelCount: song.channelCount, frameCapacity: SongInstrument.sliceFrames)
  }

  private static func read(
    _ descriptor: Int32, _ path: String
  ) throws(AuricleError) -> MIDIFile {
    defer { close(descriptor) }
    // Its place is shared with the descriptor that it was made of.
    lseek(descriptor, 0, SEEK_SET)
    guard let bytes = FileTransfer.readAll(descriptor, limit: MIDIFile.byteLimit + 1) else {
      throw systemError(errno, "read", path)
    }
    return try MIDIFile(bytes, name: path)
  }

  /// Nobody knows how long it rings.
  package var frameCount: Int? { nil }
  package var likelyFrameCount: Int? { mix.end }
  package var notes: [String] {
    let silence = hasEnded && !mix.isHeard ? ["the song is silent: \(SongMix.reasonOfSilence)"] : []
    return problems + mix.notes + mix.refusals + silence
  }
  package var toleratedDamage: [String] { [] }
  package var video: VideoTracks? { nil }

  package func soundBitRate() -> Int? { nil }

  package func read(
    into channels: ChannelRows, frameCount count: Int
  ) throws(AuricleError) -> Int {
    // Where this throws, it is a unit that failed, not the file.
    Heartbeat.enter(.render, unit: Heartbeat.noUnit)
    var done = 0
    while done < count, try fill() {
      let step = min(keptCount - takenCount, count - done)
      for channel in 0..<kept.channelCount {
        unsafe (channels[channel] + done).update(
          from: kept.rows[channel] + takenCount, count: step)
      }
      takenCount += step
      done += step
    }
    return done
  }

  /// Renders on where nothing is kept; false behind the end.
  private func fill() throws(AuricleError) -> Bool {
    while takenCount == keptCount {
      (takenCount, keptCount) = (0, 0)
      guard
        try unsafe mix.step(sum: { (rows, count) throws(AuricleError) in
          for channel in 0..<kept.channelCount {
            unsafe kept.rows[channel].update(from: rows[channel], count: count)
          }
          keptCount = count
        })
      else {
        hasEnded = true
        return false
      }
    }
    return true
  }
}
