// Whether the picture tracks of an input are copied into its results, and why not.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import AudioTypes
import ResultSettings

/// The treatment of a video's pictures.
enum VideoKeeping {
  /// The tracks to be copied into a file; nil for none.
  static func tracks(
    of reader: any SoundInput, forFileNamed path: String, _ settings: JobSettings
  ) -> VideoTracks? {
    guard settings.keepsVideo, problem(settings) == nil, VideoTracks.mayLie(inFileNamed: path)
    else { return nil }
    return reader.video
  }

  /// Why pictures could not stay with the sound; the end of a sentence, nil when they can.
  private static func problem(_ settings: JobSettings) -> String? {
    let isWhole =
      settings.start == nil && settings.end == nil && settings.crop == nil
      && settings.silenceThreshold == nil
    if !isWhole { return "only the sound can be cut" }
    return settings.latency == .keep ? "the sound comes later by the latency that is kept" : nil
  }

  /// A note that the pictures are left out of a result that is named like a video.
  static func notes(
    _ reader: any SoundInput, _ output: JobOutput, _ settings: JobSettings
  ) -> [String] {
    guard reader.video != nil, settings.keepsVideo, let problem = problem(settings),
      output.files.contains(where: { VideoTracks.mayLie(inFileNamed: $0.path) })
    else { return [] }
    return ["its picture track is left out: \(problem)"]
  }

  /// Refuses to put a result in the place of a video that loses something by it.
  ///
  /// Errors: `badData`.
  static func refuseLoss(
    _ reader: any SoundInput, _ settings: JobSettings
  ) throws(AuricleError) {
    guard let video = reader.video else { return }
    let loss: String
    if tracks(of: reader, forFileNamed: reader.path, settings) == nil {
      loss = "its picture track"
    } else if video.otherTrackCount > 0 {
      loss = "its subtitles or data tracks"
    } else {
      return
    }
    throw AuricleError(
      .badData, "\(reader.path) would lose \(loss): give --output instead of --in-place")
  }
}
