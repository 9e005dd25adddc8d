// Compares what a file's header promises with what the file holds, before anything is read.
// SPDX-License-Identifier: Apache-2.0

import AudioFileParsing

/// What is wrong with a file as a whole, as the end of a sentence; nil when nothing shows.
///
/// The library shortens a file that was cut off to what is there and says nothing; so the sizes
/// are compared here. Sizes that recorders write when they cannot know (0, all ones, about 2 GiB)
/// promise nothing.
func integrityProblem(of stream: FileStream, container: AudioContainer) -> String? {
  let walk: SizeWalk
  switch container {
  case .ogg, .opus: return OggPages(stream).problem
  case .mp3: return MP3Frames(stream)?.problem
  case .wav, .wavex, .rf64: walk = .riff(stream)
  case .w64: walk = .wave64(stream)
  case .aiff: walk = .aiff(stream)
  case .au: walk = .sun(stream)
  case .caf: walk = .coreAudio(stream)
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
    if container == .w64 { return strayWave64(stream, sound: sound) }
    let isInChunks = [.wav, .wavex, .rf64, .aiff, .iff].contains(container)
    return isInChunks ? chunkProblem(of: stream, sound: sound) : nil
  }
  let missing = sound.end - stream.length
  return "it is cut short: \(missing) of \(sound.end - sound.start) bytes of sound are missing"
}
