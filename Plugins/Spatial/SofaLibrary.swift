// The door to libmysofa, which reads measurements at the ears of a head.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
import Glibc

/// The functions of libmysofa.so.1 that are called here, found when a measured head is first asked for.
///
/// @unchecked Sendable because it holds nothing but addresses of functions.
@safe struct SofaLibrary: @unchecked Sendable {
  /// An array as the library has it: values, how many, attributes.
  @safe struct Values {
    var values: UnsafeMutablePointer<Float>?
    var count: UInt32
    var attributes: UnsafeMutableRawPointer?
  }

  /// A measured set as the library has it: numbers of the standard's dimensions, then arrays.
  @safe struct MeasuredSet {
    var singleton: UInt32
    var coordinates: UInt32
    var receivers: UInt32
    var emitters: UInt32
    var samples: UInt32
    var measurements: UInt32
    var listenerPosition: Values
    var receiverPosition: Values
    var sourcePosition: Values
    var emitterPosition: Values
    var listenerUp: Values
    var listenerView: Values
    var responses: Values
    var sampleRate: Values
    var delays: Values
    var attributes: UnsafeMutableRawPointer?
    var variables: UnsafeMutableRawPointer?
  }

  /// A set, whose memory is a `MeasuredSet`.
  typealias Handle = UnsafeMutableRawPointer
  let load: @convention(c) (UnsafePointer<CChar>, UnsafeMutablePointer<Int32>) -> Handle?
  let check: @convention(c) (Handle) -> Int32
  let normalize: @convention(c) (Handle) -> Float
  let useCartesian: @convention(c) (Handle) -> Void
  let free: @convention(c) (Handle) -> Void

  /// The set that comes with the library: the small head of a mannequin, measured at the MIT.
  static let defaultSet = "/usr/share/libmysofa/default.sofa"

  /// Returns the sentence for a missing library.
  static func absence(_ what: String) -> UnitRefusal {
    UnitRefusal(
      status: kAudioUnitErr_FailedInitialization,
      reason:
        "a measured head (HRTF) needs \(what), which cannot be loaded: install it (apt install libmysofa1), "
        + "or choose the spherical head")
  }

  /// Opens the library. Context: control.
  init() throws(UnitRefusal) {
    let name = "libmysofa.so.1"
    guard let library = unsafe dlopen(name, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE) else {
      throw Self.absence("the library \(name)")
    }
    func find<Function>(_ name: String) throws(UnitRefusal) -> Function {
      guard let address = unsafe dlsym(library, "mysofa_" + name) else {
        throw Self.absence("mysofa_\(name) of version 1 of libmysofa")
      }
      return unsafe unsafeBitCast(address, to: Function.self)
    }
    unsafe load = try find("load")
    unsafe check = try find("check")
    unsafe normalize = try find("loudness")
    unsafe useCartesian = try find("tocartesian")
    unsafe free = try find("free")
  }
}
