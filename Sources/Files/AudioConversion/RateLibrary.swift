// Opens libsoxr and makes resamplers with it.
// SPDX-License-Identifier: Apache-2.0

import AudioTypes
import CSoxr

/// The library of sample rates, which is opened with the first conversion.
enum RateLibrary {
  /// Makes a resampler of planar samples.
  ///
  /// Errors: `unavailable` where the library is not installed; `software` when it fails.
  static func makeResampler(
    from inputRate: Double, to outputRate: Double, channelCount: Int, type: soxr_datatype_t,
    recipe: UInt
  ) throws(AuricleError) -> (functions: AuricleSoxr, resampler: OpaquePointer) {
    guard let library = unsafe AuricleSoxrLibrary() else {
      let reason = unsafe String(cString: AuricleSoxrFailure())
      throw AuricleError(
        .unavailable, status: ConversionStatus.formatNotSupported,
        "cannot convert from \(inputRate) Hz to \(outputRate) Hz without libsoxr, which cannot be "
          + "opened (\(reason)): install it (Debian's package is libsoxr0)")
    }
    let functions = unsafe library.pointee
    var failure: UnsafePointer<CChar>?
    var formats = functions.formats(type, type)
    var quality = functions.quality(recipe, 0)
    var resources = functions.resources(1)
    let made = unsafe functions.create(
      inputRate, outputRate, UInt32(channelCount), &failure, &formats, &quality, &resources)
    guard let made = unsafe made else {
      let reason = unsafe failure.map { unsafe String(cString: $0) } ?? "no reason given"
      throw AuricleError(
        .software, status: ConversionStatus.formatNotSupported,
        "cannot convert from \(inputRate) Hz to \(outputRate) Hz: \(reason)")
    }
    return unsafe (functions, made)
  }
}
