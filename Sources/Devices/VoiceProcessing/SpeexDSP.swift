// The door to SpeexDSP: its C functions, found when the first unit for voices is initialised.
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The functions of the library that is installed: it cancels echoes, suppresses noise and levels voices.
///
/// It is opened at run time, so that its absence concerns those units alone. Its functions do not allocate but where
/// they make and free.
@safe struct SpeexDSP: BitwiseCopyable, Sendable {
  typealias MakeEcho = @convention(c) (Int32, Int32) -> OpaquePointer?
  typealias Free = @convention(c) (OpaquePointer) -> Void
  typealias Control = @convention(c) (OpaquePointer, Int32, UnsafeMutableRawPointer?) -> Int32
  typealias Cancel =
    @convention(c) (
      OpaquePointer, UnsafePointer<Int16>, UnsafePointer<Int16>, UnsafeMutablePointer<Int16>
    ) -> Void
  typealias Run = @convention(c) (OpaquePointer, UnsafeMutablePointer<Int16>) -> Int32

  let makeEcho: MakeEcho
  let freeEcho: Free
  let resetEcho: Free
  let controlEcho: Control
  let cancel: Cancel
  let makeCleaner: MakeEcho
  let freeCleaner: Free
  let controlCleaner: Control
  let clean: Run

  /// The library; nil where it is not installed. Context: control.
  static let installed: SpeexDSP? = SpeexDSP()

  /// The message where it is not installed.
  static let absence =
    "SpeexDSP (libspeexdsp.so.1) cannot be loaded, which cancels the echo: install the package libspeexdsp1"

  private init?() {
    guard let handle = unsafe dlopen("libspeexdsp.so.1", RTLD_NOW | RTLD_LOCAL) else { return nil }
    func find<Function>(_ name: String, _ type: Function.Type) -> Function? {
      guard let symbol = unsafe dlsym(handle, "speex_" + name) else { return nil }
      return unsafe unsafeBitCast(symbol, to: type)
    }
    guard let makeEcho = unsafe find("echo_state_init", MakeEcho.self),
      let freeEcho = unsafe find("echo_state_destroy", Free.self),
      let resetEcho = unsafe find("echo_state_reset", Free.self),
      let controlEcho = unsafe find("echo_ctl", Control.self),
      let cancel = unsafe find("echo_cancellation", Cancel.self),
      let makeCleaner = unsafe find("preprocess_state_init", MakeEcho.self),
      let freeCleaner = unsafe find("preprocess_state_destroy", Free.self),
      let controlCleaner = unsafe find("preprocess_ctl", Control.self),
      let clean = unsafe find("preprocess_run", Run.self)
    else { return nil }
    unsafe self.makeEcho = unsafe makeEcho
    unsafe self.freeEcho = unsafe freeEcho
    unsafe self.resetEcho = unsafe resetEcho
    unsafe self.controlEcho = unsafe controlEcho
    unsafe self.cancel = unsafe cancel
    unsafe self.makeCleaner = unsafe makeCleaner
    unsafe self.freeCleaner = unsafe freeCleaner
    unsafe self.controlCleaner = unsafe controlCleaner
    unsafe self.clean = unsafe clean
  }

  /// A request of `controlEcho`: the rate (Hz).
  static let echoRate: Int32 = 24

  /// A request of `controlCleaner`.
  enum Setting: Int32 {
    case suppressesNoise = 0
    case levels = 2
    /// Decibels, below 0.
    case noiseSuppression = 18
    case echoSuppression = 20
    case echoSuppressionWhileTalking = 22
    /// The echo's state, whose rest is suppressed.
    case echoState = 24
    /// Decibels.
    case greatestGain = 30
  }
}
