// The door to Rubber Band: its C functions, found when the first unit is initialised.
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The functions of the library that is installed.
///
/// It is opened at run time, so that its licence and its absence concern these units alone.
@safe struct RubberBand: BitwiseCopyable, Sendable {
  typealias Rows = UnsafeMutablePointer<UnsafeMutablePointer<Float>?>
  typealias Make = @convention(c) (UInt32, UInt32, Int32, Double, Double) -> OpaquePointer?
  typealias Act = @convention(c) (OpaquePointer) -> Void
  typealias Count = @convention(c) (OpaquePointer) -> UInt32
  typealias Available = @convention(c) (OpaquePointer) -> Int32
  typealias SetRatio = @convention(c) (OpaquePointer, Double) -> Void
  typealias SetSize = @convention(c) (OpaquePointer, UInt32) -> Void
  typealias SetLevel = @convention(c) (OpaquePointer, Int32) -> Void
  typealias Process = @convention(c) (OpaquePointer, Rows, UInt32, Int32) -> Void
  typealias Retrieve = @convention(c) (OpaquePointer, Rows, UInt32) -> UInt32

  let make: Make
  let delete: Act
  let reset: Act
  let setTimeRatio: SetRatio
  /// Version 3 has it.
  let setFormantScale: SetRatio?
  let setMaximumProcessSize: SetSize
  let setDebugLevel: SetLevel
  let process: Process
  let available: Available
  let retrieve: Retrieve
  /// Frames of silence that come before the sound; version 3 has it.
  let startPad: Count?
  /// Frames that are dropped of the output.
  let startDelay: Count

  /// The library; nil where it is not installed. Context: control.
  static let installed: RubberBand? = RubberBand()

  /// What to say where it is not installed.
  static let absence =
    "Rubber Band (librubberband.so.2) cannot be loaded, which does the stretching: "
    + "install the package librubberband2"

  private init?() {
    guard let handle = unsafe dlopen("librubberband.so.2", RTLD_NOW | RTLD_LOCAL) else {
      return nil
    }
    func find<Function>(_ name: String, _ type: Function.Type) -> Function? {
      guard let symbol = unsafe dlsym(handle, "rubberband_" + name) else { return nil }
      return unsafe unsafeBitCast(symbol, to: type)
    }
    guard let make = unsafe find("new", Make.self), let delete = unsafe find("delete", Act.self),
      let reset = unsafe find("reset", Act.self),
      let setTimeRatio = unsafe find("set_time_ratio", SetRatio.self),
      let setSize = unsafe find("set_max_process_size", SetSize.self),
      let setLevel = unsafe find("set_debug_level", SetLevel.self),
      let process = unsafe find("process", Process.self),
      let available = unsafe find("available", Available.self),
      let retrieve = unsafe find("retrieve", Retrieve.self),
      let delay = unsafe find("get_start_delay", Count.self) ?? find("get_latency", Count.self)
    else { return nil }
    unsafe self.make = unsafe make
    unsafe self.delete = unsafe delete
    unsafe self.reset = unsafe reset
    unsafe self.setTimeRatio = unsafe setTimeRatio
    unsafe setFormantScale = unsafe find("set_formant_scale", SetRatio.self)
    unsafe setMaximumProcessSize = unsafe setSize
    unsafe setDebugLevel = unsafe setLevel
    unsafe self.process = unsafe process
    unsafe self.available = unsafe available
    unsafe self.retrieve = unsafe retrieve
    unsafe startPad = unsafe find("get_preferred_start_pad", Count.self)
    unsafe startDelay = unsafe delay
  }
}

// The functions that the render thread calls: each a door out of checked code.
extension RubberBand {
  /// Sets how many output frames become of an input frame. Context: render.
  @_noLocks func stretch(_ state: OpaquePointer, by ratio: Double) {
    let call = unsafe setTimeRatio
    unsafe _unsafePerformance { unsafe call(state, ratio) }
  }

  /// Moves the resonances of the sound by a factor. Context: render.
  @_noLocks func moveFormants(_ state: OpaquePointer, by scale: Double) {
    guard let call = unsafe setFormantScale else { return }
    unsafe _unsafePerformance { unsafe call(state, scale) }
  }

  /// Stretches so many frames of the rows. Context: render.
  @_noLocks func take(_ state: OpaquePointer, _ rows: Rows, _ count: Int) {
    let call = unsafe process
    unsafe _unsafePerformance { unsafe call(state, rows, UInt32(truncatingIfNeeded: count), 0) }
  }

  /// Frames that are ready. Context: render.
  @_noLocks func readyCount(_ state: OpaquePointer) -> Int {
    let call = unsafe available
    return unsafe _unsafePerformance { unsafe Int(call(state)) }
  }

  /// Copies frames that are ready to the rows; how many. Context: render.
  @_noLocks func give(_ state: OpaquePointer, _ rows: Rows, _ count: Int) -> Int {
    let call = unsafe retrieve
    return unsafe _unsafePerformance {
      unsafe Int(call(state, rows, UInt32(truncatingIfNeeded: count)))
    }
  }

  /// Forgets the past. Context: render.
  @_noLocks func clear(_ state: OpaquePointer) {
    let call = unsafe reset
    unsafe _unsafePerformance { unsafe call(state) }
  }

  /// Frames of silence to come first. Context: render.
  @_noLocks func padCount(_ state: OpaquePointer) -> Int {
    guard let call = unsafe startPad else { return 0 }
    return unsafe _unsafePerformance { unsafe Int(call(state)) }
  }

  /// Frames of output to be dropped first. Context: render.
  @_noLocks func delayCount(_ state: OpaquePointer) -> Int {
    let call = unsafe startDelay
    return unsafe _unsafePerformance { unsafe Int(call(state)) }
  }
}

/// How the library shall stretch.
struct StretchOptions: Hashable, Sendable {
  /// Whether the phases of a peak's bins move together: the finer engine of version 3.
  var locksPeaks = true
  /// Windows over each frame: few mean short windows, many long ones.
  var overlap: Float = 8
  /// Whether the resonances of a voice stay where they are; the finer engine alone does so.
  var keepsFormants = false
  /// Whether the older engine begins anew at a transient; the finer one always keeps them.
  var keepsTransients = true

  /// Whether the engine is the finer one.
  var isFine: Bool { locksPeaks || keepsFormants }

  /// The library's bits: real time, no threads, channels together, engine and window.
  var bits: Int32 {
    let always: Int32 = 0x1 | 0x1_0000 | 0x1000_0000
    if isFine {
      let formants: Int32 = keepsFormants ? 0x100_0000 : 0
      return always | 0x2000_0000 | formants | (overlap < 6 ? 0x10_0000 : 0)
    }
    let transients: Int32 = keepsTransients ? 0 : 0x200
    return always | 0x2000 | transients | (overlap < 6 ? 0x10_0000 : overlap > 16 ? 0x20_0000 : 0)
  }
}
