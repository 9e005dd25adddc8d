// Pictures of a file and its result, made in the worker that has both open.
// SPDX-License-Identifier: Apache-2.0

import AudioFiles
import AudioPictures
import AudioTypes
import FileRendering
import Glibc
import HostSystem
import PlugInGuard
import RealtimeSupport
import ResultSettings
import RunLedgers

/// Makes the pictures of a job.
///
/// Both files are read again, so the pictures show the stored sound, and the rendering is the same with
/// pictures and without.
enum WorkPictures {
  /// The pictures; nil when one cannot be made, which is no failure.
  ///
  /// The caller keeps the descriptors.
  static func make(
    input: Int32, output: Int32, size: PictureSize, settings: JobSettings
  ) -> FilePictures? {
    Heartbeat.enter(.verify, unit: Heartbeat.noUnit)
    let first = read(input, size, raw: settings.rawInput, track: settings.track)
    let second = read(output, size)
    guard var before = first, var after = second else { return nil }
    let seconds = max(before.seconds, after.seconds)
    return FilePictures(
      before: Base64.text(before.png(widthInSeconds: seconds)),
      after: Base64.text(after.png(widthInSeconds: seconds)))
  }

  private static func read(
    _ descriptor: Int32, _ size: PictureSize, raw: AudioFileFormat? = nil, track: Int? = nil
  ) -> SoundPicture? {
    // The reader closes its own.
    let own = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
    guard own >= 0 else { return nil }
    do throws(AuricleError) {
      let reader = try AudioFileReader(
        descriptor: own, path: "the file of a picture", raw: raw, track: track, isTolerant: true)
      let format = reader.format
      var picture = SoundPicture(
        size: size, sampleRate: format.sampleRate, channelCount: format.channelCount,
        expectedFrames: reader.frameCount)
      let frames = 8192
      let buffer = PlanarBuffer(channelCount: format.channelCount, frameCapacity: frames)
      while true {
        // Each slice counts as progress.
        Heartbeat.enter(.verify, unit: Heartbeat.noUnit)
        let count = try unsafe reader.read(into: buffer.rows, frameCount: frames)
        guard count > 0 else { return picture }
        unsafe picture.add(UnsafePointer(buffer.rows), frameCount: count)
      }
    } catch {
      return nil
    }
  }
}
