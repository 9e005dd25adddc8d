// The door to flite, which is opened where espeak-ng is absent or not wanted.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
import Glibc

/// The functions of libflite.so.1 that are called here, and its voices, each in a separate library. They stay in
/// the process. The caller has the lock of `Speaker`.
///
/// @unchecked Sendable because it holds nothing but addresses.
@safe struct FliteLibrary: @unchecked Sendable {
  /// A thing of flite's: a voice, an utterance, an item of one, features.
  typealias Thing = UnsafeMutableRawPointer
  typealias Text = UnsafePointer<CChar>

  let synthesize: @convention(c) (Text, Thing?) -> Thing?
  let synthesizePhonemes: @convention(c) (Text, Thing?) -> Thing?
  let wave: @convention(c) (Thing?) -> UnsafeRawPointer?
  let deleteUtterance: @convention(c) (Thing?) -> Void
  let relation: @convention(c) (Thing?, Text) -> Thing?
  let head: @convention(c) (Thing?) -> Thing?
  let next: @convention(c) (Thing?) -> Thing?
  let item: @convention(c) (Thing?, Text) -> Thing?
  let text: @convention(c) (Thing?, Text) -> Text?
  let number: @convention(c) (Thing?, Text) -> Float
  let setNumber: @convention(c) (Thing?, Text, Float) -> Void

  /// The name of the library.
  static let name = "libflite.so.1"

  /// The library or a function of it is not there.
  struct Absence: Error {}

  /// Opens it.
  init() throws(Absence) {
    guard let library = unsafe dlopen(Self.name, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE) else {
      throw Absence()
    }
    func find<Function>(_ name: String) throws(Absence) -> Function {
      guard let address = unsafe dlsym(library, name) else { throw Absence() }
      return unsafe unsafeBitCast(address, to: Function.self)
    }
    let start: @convention(c) () -> Int32 = try find("flite_init")
    unsafe synthesize = try find("flite_synth_text")
    unsafe synthesizePhonemes = try find("flite_synth_phones")
    unsafe wave = try find("utt_wave")
    unsafe deleteUtterance = try find("delete_utterance")
    unsafe relation = try find("utt_relation")
    unsafe head = try find("relation_head")
    unsafe next = try find("item_next")
    unsafe item = try find("path_to_item")
    unsafe text = try find("item_feat_string")
    unsafe number = try find("item_feat_float")
    unsafe setNumber = try find("feat_set_float")
    _ = start()
  }

  /// Opens a voice; nil where it is not installed.
  static func voice(_ name: String) -> Thing? {
    guard
      let library = unsafe dlopen(
        "libflite_cmu_us_\(name).so.1", RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE),
      let register = unsafe dlsym(library, "register_cmu_us_\(name)")
    else { return nil }
    typealias Register = @convention(c) (Text?) -> Thing?
    return unsafe unsafeBitCast(register, to: Register.self)(nil)
  }
}
