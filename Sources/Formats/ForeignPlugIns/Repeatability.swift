// Makes a plug-in's output repeatable, independent of its process's history and the machine's load.
// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// For an offline instance, removes other causes of differing results.
package enum Repeatability {
  /// The libraries of FFTW, one for each number type, and their functions.
  private static let planners = [
    (library: "libfftw3f.so.3", function: "fftwf_set_timelimit"),
    (library: "libfftw3.so.3", function: "fftw_set_timelimit"),
    (library: "libfftw3l.so.3", function: "fftwl_set_timelimit"),
  ]

  /// Resets the C library's random numbers to those of a new process; call it before the plug-in's binary is
  /// loaded.
  package static func seedRandomNumbers() {
    srand(1)
    srand48(0x1234_ABCD)
  }

  /// Makes FFTW choose its algorithms by estimate, once the plug-in's binary is loaded. Otherwise it
  /// may measure the fastest one, with random results, and each rounds differently.
  package static func estimatePlans() {
    for planner in planners {
      guard let library = unsafe dlopen(planner.library, RTLD_LAZY | RTLD_NOLOAD) else { continue }
      defer { unsafe dlclose(library) }
      guard let symbol = unsafe dlsym(library, planner.function) else { continue }
      let setTimeLimit = unsafe unsafeBitCast(symbol, to: (@convention(c) (Double) -> Void).self)
      setTimeLimit(0)
    }
  }
}
