// Finds the end of the sound where the file library would read other data as sound.
// SPDX-License-Identifier: Apache-2.0

/// The end of the sound of a file by its header, if something else follows; nil where the header
/// has none, and for kinds in which the library finds the end itself.
package func endBeforeMore(_ stream: FileStream) -> Int? {
  let start = stream.bytes(at: 0, count: 20)
  func has(_ text: String, at offset: Int = 0) -> Bool {
    start.dropFirst(offset).starts(with: text.utf8)
  }
  let walk: SizeWalk
  if has("FORM"), has("8SVX", at: 8) || has("16SV", at: 8) {
    walk = .amiga(stream)
  } else if has("NIST_1A") {
    walk = .sphere(stream)
  } else if has("2BIT") {
    walk = .visualResearch(stream)
  } else if has("MATLAB 5.0 MAT-f") {
    walk = .matrixNumbers(stream)
  } else if has("ALawSoundFile") {
    walk = .psion(stream)
  } else {
    return nil
  }
  guard let sound = walk.sound, !SizeWalk.isUnknown(sound.end - sound.start),
    sound.end < stream.length
  else { return nil }
  return sound.end
}

/// Sound behind the sound of Wave64: the file as a whole continues, but not with a chunk.
package func strayWave64(_ stream: FileStream, sound: (start: Int, end: Int)) -> String? {
  guard let whole = SizeWalk.integer(stream, at: 16, bytes: 8, bigEndian: false), whole > 0,
    !SizeWalk.isUnknown(whole)
  else { return nil }
  // Data behind the whole is no part of it; chunks begin at whole eights.
  let end = min(whole, stream.length)
  let place = (sound.end + 7) & ~7
  let next = stream.bytes(at: place, count: 24)
  guard end - place >= 24, next.count == 24, next.contains(where: { $0 != 0 }),
    let size = SizeWalk.integer(stream, at: place + 16, bytes: 8, bigEndian: false),
    !(24...whole - place + 7).contains(size)
  else { return nil }
  return
    "\(end - place) bytes that are no chunk follow its \(sound.end - sound.start) bytes of sound"
}

/// The bytes that are missing from the last block of WavPack; nil where all of it is there, and for other files.
package func missingFromWavPack(_ stream: FileStream) -> Int? {
  let headSize = 8
  var place = 0
  while true {
    let head = stream.bytes(at: place, count: headSize)
    guard head.starts(with: "wvpk".utf8), head.count == headSize,
      let size = SizeWalk.integer(stream, at: place + 4, bytes: 4, bigEndian: false), size >= 24
    else { return nil }
    let end = place + headSize + size
    if end > stream.length { return end - stream.length }
    place = end
  }
}
