// The decoding reader of sound files in libauricle.so, which is opened with the first file of a kind without packets.
// SPDX-License-Identifier: Apache-2.0

import AudioFilePackets
import CAuricleCodec
import Glibc

/// The functions of `Sources/Fronts/HostLibrary/SoundFunctions.swift`.
@safe struct SoundLibrary {
  typealias Open =
    @convention(c) (Int32, UnsafePointer<CChar>, UnsafeMutablePointer<AuricleCodecFormat>) ->
    UnsafeMutableRawPointer?
  typealias Read =
    @convention(c) (UnsafeMutableRawPointer, UnsafeMutablePointer<Float>, Int64) -> Int64
  typealias Texts =
    @convention(c) (UnsafeMutableRawPointer, AuricleCodecTextProc, UnsafeMutableRawPointer?) -> Void
  typealias Marks =
    @convention(c) (UnsafeMutableRawPointer, AuricleCodecMarkProc, UnsafeMutableRawPointer?) -> Void
  typealias Close = @convention(c) (UnsafeMutableRawPointer) -> Void

  let open: Open
  let read: Read
  let texts: Texts
  let marks: Marks
  let close: Close

  /// The library, opened with the first use; nil where it is not installed.
  static let shared = SoundLibrary()

  /// Opens it beside this library: by its name there, or by that of a build.
  private init?() {
    for name in ["libauricle.so", "libHostLibrary.so"] {
      let path = (Toolbox.ownFolder.map { $0 + "/" } ?? "") + name
      guard let library = unsafe dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE),
        let open = unsafe dlsym(library, "AuricleSoundOpen"),
        let read = unsafe dlsym(library, "AuricleSoundRead"),
        let texts = unsafe dlsym(library, "AuricleSoundTexts"),
        let marks = unsafe dlsym(library, "AuricleSoundMarks"),
        let close = unsafe dlsym(library, "AuricleSoundClose")
      else { continue }
      unsafe self.open = unsafeBitCast(open, to: Open.self)
      unsafe self.read = unsafeBitCast(read, to: Read.self)
      unsafe self.texts = unsafeBitCast(texts, to: Texts.self)
      unsafe self.marks = unsafeBitCast(marks, to: Marks.self)
      unsafe self.close = unsafeBitCast(close, to: Close.self)
      return
    }
    return nil
  }
}
