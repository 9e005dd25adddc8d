// Compares the promises of a file's header with its content, before anything is read.
// SPDX-License-Identifier: Apache-2.0

import AudioFilePackets
import AudioFileParsing

/// Damage of a file as a whole, as the end of a sentence; nil for none.
///
/// The library shortens a file that was cut off to its present bytes, without an error; so the
/// sizes are compared here. Sizes that recorders write when they cannot know (0, all ones, about 2
/// GiB) promise nothing.
func integrityProblem(of stream: FileStream, container: AudioContainer) -> String? {
  let walk: SizeWalk
  switch container {
  case .ogg, .opus: return OggPages(stream).problem
  case .mp3:
    return (try? PacketFile.open(StoredBytes(stream), fileExtension: "mp3"))
      .flatMap { MPEGFrames(stream, $0)?.problem }
  case .wav, .wavex, .rf64, .w64, .aiff, .au, .caf:
    return PacketFile.extent(of: StoredBytes(stream)).flatMap {
      chunkProblem(stream, $0, container)
    }
  case .sds: return SampleDump(stream)?.problem
  case .iff: walk = .amiga(stream)
  case .voc: walk = .voice(stream)
  case .avr: walk = .visualResearch(stream)
  case .nist: walk = .sphere(stream)
  case .mat5: walk = .matrix(stream)
  default: return nil
  }
  guard let sound = walk.sound else { return nil }
  if sound.end <= stream.length {
    return container == .iff ? chunkProblem(of: stream, sound: sound) : nil
  }
  return missing(sound.end - stream.length, of: sound.end - sound.start)
}

private func missing(_ missing: Int, of promised: Int) -> String {
  "it is cut short: \(missing) of \(promised) bytes of sound are missing"
}

/// Describes the damage of a file whose sound is a chunk, or follows a header with its length; nil for a whole file.
private func chunkProblem(
  _ stream: FileStream, _ extent: SoundExtent, _ container: AudioContainer
) -> String? {
  let sound = (start: Int(extent.body), end: Int(extent.start + extent.byteCount))
  switch extent.length {
  case .open, .wrapped: return nil
  case .cut(let count):
    return missing(Int(count), of: sound.end - sound.start + Int(count))
  case .stored:
    if container == .w64 { return strayWave64(stream, sound: sound) }
    return [.au, .caf].contains(container) ? nil : chunkProblem(of: stream, sound: sound)
  }
}
