// The loader's message on a binary that it cannot load, and a person's remedy.
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The reason why a shared object was not loaded.
enum LoaderReason {
  /// Returns the loader's message, with its meaning if the plug-in lacks the Swift runtime.
  static func text(_ message: String) -> String {
    guard let hint = hint(message) else { return message }
    return "\(message); \(hint)"
  }

  private static func hint(_ message: String) -> String? {
    let ours = "this Auricle runs Swift \(swiftVersion)"
    if message.contains("undefined symbol: $s") || message.contains("undefined symbol: swift_") {
      return
        "it was built by another Swift toolchain than its runtime is of (\(ours)): build it with that one"
    }
    let library = message.prefix { $0 != ":" }
    guard message.contains("cannot open shared object file"),
      ["libswift", "lib_Foundation", "libFoundation", "lib_String", "libdispatch", "libBlocks"]
        .contains(where: { library.hasPrefix($0) })
    else { return nil }
    return
      "\(library) is of the runtime of a Swift toolchain, which is not installed here (\(ours)): "
      + "build the plug-in with that version, or install the toolchain that it was built with"
  }

  /// The version of the toolchain that this was built with.
  private static var swiftVersion: String {
    #if compiler(>=6.5)
      "6.5 or later"
    #elseif compiler(>=6.4)
      "6.4"
    #else
      "6.3"
    #endif
  }
}
