// The door to espeak-ng, which is opened when something is first to be said.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
import Glibc

/// The functions of libespeak-ng.so.1 that are called here. The library is found at run time, since its licence (GPL)
/// and its dependencies are not this project's. It has one state in a process: `Speaker` locks it.
///
/// @unchecked Sendable because it holds nothing but addresses of functions.
@safe struct SpeechLibrary: @unchecked Sendable {
  typealias Text = UnsafePointer<CChar>
  /// A function that receives samples and events; 0 to go on.
  typealias Receiver =
    @convention(c) (UnsafeMutablePointer<Int16>?, Int32, UnsafeMutableRawPointer?) -> Int32

  let initialize: @convention(c) (Int32, Int32, Text?, Int32) -> Int32
  let terminate: @convention(c) () -> Int32
  let setReceiver: @convention(c) (Receiver?) -> Void
  let setParameter: @convention(c) (Int32, Int32, Int32) -> Int32
  let setVoice: @convention(c) (Text) -> Int32
  let listVoices: @convention(c) (UnsafeRawPointer?) -> UnsafePointer<UnsafeRawPointer?>?
  let synthesize:
    @convention(c) (
      UnsafeRawPointer, Int, UInt32, Int32, UInt32, UInt32, UnsafeMutablePointer<UInt32>?,
      UnsafeMutableRawPointer?
    ) -> Int32

  /// The phonemes of the next clause of a text, which the pointer is moved past.
  let phonemes: @convention(c) (UnsafeMutablePointer<UnsafeRawPointer?>, Int32, Int32) -> Text?
  let version: @convention(c) (UnsafeMutablePointer<Text?>?) -> Text?

  private let handle: UnsafeMutableRawPointer

  static let name = "libespeak-ng.so.1"

  /// Whether the library can be loaded. Context: control.
  static var isInstalled: Bool {
    guard let library = unsafe dlopen(name, RTLD_NOW | RTLD_LOCAL) else { return false }
    unsafe dlclose(library)
    return true
  }

  private init() throws(UnitRefusal) {
    guard let library = unsafe dlopen(Self.name, RTLD_NOW | RTLD_LOCAL) else {
      throw UnitRefusal(
        "texts are spoken by espeak-ng, whose library \(Self.name) cannot be loaded: install it "
          + "(apt install libespeak-ng1)")
    }
    func find<Function>(_ name: String) throws(UnitRefusal) -> Function {
      guard let address = unsafe dlsym(library, name) else {
        throw UnitRefusal(
          "espeak-ng has no \(name): install version 1.49 or later (apt install libespeak-ng1)")
      }
      return unsafe unsafeBitCast(address, to: Function.self)
    }
    unsafe handle = unsafe library
    unsafe initialize = try find("espeak_Initialize")
    terminate = try find("espeak_Terminate")
    unsafe setReceiver = try find("espeak_SetSynthCallback")
    setParameter = try find("espeak_SetParameter")
    unsafe setVoice = try find("espeak_SetVoiceByName")
    unsafe listVoices = try find("espeak_ListVoices")
    unsafe synthesize = try find("espeak_Synth")
    unsafe phonemes = try find("espeak_TextToPhonemes")
    unsafe version = try find("espeak_Info")
  }

  /// Runs a body in a fresh espeak-ng, which is loaded for it and leaves the process afterwards: one that has spoken
  /// sounds a little different, and ending it does not change that. The process's locale and random numbers are
  /// restored at the end.
  ///
  /// - Parameter body: Receives the library and its sample rate (Hz).
  /// - Throws: A sentence where espeak-ng or its data are missing; the errors of `body`.
  ///
  /// Context: control, one at a time.
  static func whileReady<Value>(
    _ body: (SpeechLibrary, Double) throws(UnitRefusal) -> Value
  ) throws(UnitRefusal) -> Value {
    let library = try SpeechLibrary()
    defer { unsafe _ = dlclose(library.handle) }
    let letters = unsafe setlocale(LC_CTYPE, nil).map { unsafe String(cString: $0) }
    let numbers = UnsafeMutablePointer<CChar>.allocate(capacity: 128)
    let before = unsafe initstate(1, numbers, 128)
    defer {
      unsafe _ = before.map { unsafe setstate($0) }
      unsafe numbers.deallocate()
      if let letters { unsafe _ = setlocale(LC_CTYPE, letters) }
    }
    let (synchronous, tellsPhonemes, doNotExit): (Int32, Int32, Int32) = (2, 1, 0x8000)
    let rate = library.initialize(synchronous, 0, nil, tellsPhonemes | doNotExit)
    guard rate > 0 else {
      throw UnitRefusal(
        "espeak-ng does not find its voices: install them (apt install espeak-ng-data)")
    }
    defer { _ = library.terminate() }
    return try body(library, Double(rate))
  }
}
