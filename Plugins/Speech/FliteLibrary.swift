// The door to flite, which is opened where espeak-ng is absent or not wanted.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
import Glibc

/// The functions of libflite.so.1 that are called here, and its voices, each a library of its own. They stay in the
/// process. Whoever speaks has the lock of `Speaker`.
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
  let isPresent: @convention(c) (Thing?, Text) -> Int32
  let text: @convention(c) (Thing?, Text) -> Text?
  let number: @convention(c) (Thing?, Text) -> Float
  let setNumber: @convention(c) (Thing?, Text, Float) -> Void

  /// The name of the library.
  static let name = "libflite.so.1"

  /// Opens it; nil where it is not installed.
  init?() {
    guard let library = unsafe dlopen(Self.name, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE) else {
      return nil
    }
    func find(_ name: String) -> Thing? { unsafe dlsym(library, name) }
    guard let initialize = unsafe find("flite_init"),
      let synthesize = unsafe find("flite_synth_text"),
      let phonemes = unsafe find("flite_synth_phones"), let wave = unsafe find("utt_wave"),
      let delete = unsafe find("delete_utterance"), let relation = unsafe find("utt_relation"),
      let head = unsafe find("relation_head"), let next = unsafe find("item_next"),
      let item = unsafe find("path_to_item"), let isPresent = unsafe find("item_feat_present"),
      let text = unsafe find("item_feat_string"), let number = unsafe find("item_feat_float"),
      let setNumber = unsafe find("feat_set_float")
    else { return nil }
    typealias Start = @convention(c) () -> Int32
    unsafe _ = unsafeBitCast(initialize, to: Start.self)()
    unsafe self.synthesize = unsafe unsafeBitCast(
      synthesize, to: (@convention(c) (Text, Thing?) -> Thing?).self)
    unsafe synthesizePhonemes = unsafe unsafeBitCast(
      phonemes, to: (@convention(c) (Text, Thing?) -> Thing?).self)
    unsafe self.wave = unsafe unsafeBitCast(
      wave, to: (@convention(c) (Thing?) -> UnsafeRawPointer?).self)
    unsafe deleteUtterance = unsafe unsafeBitCast(
      delete, to: (@convention(c) (Thing?) -> Void).self)
    unsafe self.relation = unsafe unsafeBitCast(
      relation, to: (@convention(c) (Thing?, Text) -> Thing?).self)
    unsafe self.head = unsafe unsafeBitCast(head, to: (@convention(c) (Thing?) -> Thing?).self)
    unsafe self.next = unsafe unsafeBitCast(next, to: (@convention(c) (Thing?) -> Thing?).self)
    unsafe self.item = unsafe unsafeBitCast(
      item, to: (@convention(c) (Thing?, Text) -> Thing?).self)
    unsafe self.isPresent = unsafe unsafeBitCast(
      isPresent, to: (@convention(c) (Thing?, Text) -> Int32).self)
    unsafe self.text = unsafe unsafeBitCast(
      text, to: (@convention(c) (Thing?, Text) -> Text?).self)
    unsafe self.number = unsafe unsafeBitCast(
      number, to: (@convention(c) (Thing?, Text) -> Float).self)
    unsafe self.setNumber = unsafe unsafeBitCast(
      setNumber, to: (@convention(c) (Thing?, Text, Float) -> Void).self)
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
