// The arguments of the program.
// SPDX-License-Identifier: Apache-2.0

import CHostSystem

/// The arguments of the program, whatever a preloaded library did to its environment.
public enum ProgramArguments {
  /// The arguments without the name of the program; invalid UTF-8 is repaired.
  ///
  /// Context: any.
  public static var words: [String] {
    (1..<max(1, AuricleArgumentCount())).map { unsafe String(cString: AuricleArgument($0)) }
  }

  /// The first argument that is not UTF-8, repaired; nil without one.
  ///
  /// Context: any.
  public static var invalidWord: String? {
    (1..<max(1, AuricleArgumentCount())).first {
      unsafe String(validatingCString: AuricleArgument($0)) == nil
    }.map { unsafe String(cString: AuricleArgument($0)) }
  }
}
