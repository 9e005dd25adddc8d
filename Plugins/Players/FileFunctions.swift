// The C functions by which files are read, looked up in the program when the first file is set.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox
import Glibc

/// The functions of ExtendedAudioFile.h that a player needs.
///
/// A program that has an AudioFileID has the library that made it: nothing is linked.
@safe struct FileFunctions: BitwiseCopyable, Sendable {
  typealias File = ExtAudioFileRef
  typealias Wrap = @convention(c) (AudioFileHandle, UInt8, UnsafeMutablePointer<File?>) -> OSStatus
  typealias Dispose = @convention(c) (File) -> OSStatus
  typealias Seek = @convention(c) (File, Int64) -> OSStatus
  typealias Read =
    @convention(c) (
      File, UnsafeMutablePointer<UInt32>, UnsafeMutablePointer<AudioBufferList>
    ) -> OSStatus
  typealias Get =
    @convention(c) (
      File, ExtAudioFilePropertyID, UnsafeMutablePointer<UInt32>, UnsafeMutableRawPointer
    ) -> OSStatus
  typealias Set =
    @convention(c) (
      File, ExtAudioFilePropertyID, UInt32, UnsafeRawPointer
    ) -> OSStatus

  let wrap: Wrap
  let dispose: Dispose
  let seek: Seek
  let read: Read
  let get: Get
  let set: Set

  /// The functions; nil where the program has no such library. Context: control.
  static let found: FileFunctions? = FileFunctions()

  /// The message where there are none.
  static let absence =
    "the functions of libAudioToolbox.so, by which files are read, are not in this program: "
    + "link it, or open it with dlopen and RTLD_GLOBAL"

  private init?() {
    // A library that was opened for itself alone is found by its name.
    let library = unsafe dlopen("libAudioToolbox.so", RTLD_NOW | RTLD_NOLOAD)
    func find<Function>(_ name: String, _ type: Function.Type) -> Function? {
      let symbol = unsafe dlsym(nil, name) ?? (library == nil ? nil : dlsym(library, name))
      guard let symbol = unsafe symbol else { return nil }
      return unsafe unsafeBitCast(symbol, to: type)
    }
    guard let wrap = unsafe find("ExtAudioFileWrapAudioFileID", Wrap.self),
      let dispose = unsafe find("ExtAudioFileDispose", Dispose.self),
      let seek = unsafe find("ExtAudioFileSeek", Seek.self),
      let read = unsafe find("ExtAudioFileRead", Read.self),
      let get = unsafe find("ExtAudioFileGetProperty", Get.self),
      let set = unsafe find("ExtAudioFileSetProperty", Set.self)
    else { return nil }
    unsafe self.wrap = unsafe wrap
    unsafe self.dispose = unsafe dispose
    unsafe self.seek = unsafe seek
    unsafe self.read = unsafe read
    unsafe self.get = unsafe get
    unsafe self.set = unsafe set
  }
}
