// What makes a plug-in give the same every time, whatever its process did before and however busy it is.
// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import LV2Bundles

/// Puts right, for an instance that is not rendered against a clock, what else makes results differ.
enum LV2Repeatability {
  /// The libraries of FFTW, a number type each, and their functions.
  private static let planners = [
    (library: "libfftw3f.so.3", function: "fftwf_set_timelimit"),
    (library: "libfftw3.so.3", function: "fftw_set_timelimit"),
    (library: "libfftw3l.so.3", function: "fftwl_set_timelimit"),
  ]

  /// Puts the C library's random numbers where they are when a process begins: before the plug-in's binary
  /// is loaded.
  static func seedRandomNumbers() {
    srand(1)
    srand48(0x1234_ABCD)
  }

  /// Has FFTW choose its algorithms by estimate, once the plug-in's binary is loaded. Left to itself it may
  /// measure which is the fastest: by chance, and each rounds otherwise.
  static func estimatePlans() {
    for planner in planners {
      guard let library = unsafe dlopen(planner.library, RTLD_LAZY | RTLD_NOLOAD) else { continue }
      defer { unsafe dlclose(library) }
      guard let symbol = unsafe dlsym(library, planner.function) else { continue }
      let setTimeLimit = unsafe unsafeBitCast(symbol, to: (@convention(c) (Double) -> Void).self)
      setTimeLimit(0)
    }
  }
}
