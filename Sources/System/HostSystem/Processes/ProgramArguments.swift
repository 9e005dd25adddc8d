// The arguments of the program.
// SPDX-License-Identifier: Apache-2.0

import CHostSystem

/// The arguments of the program, even where a preloaded library changed its environment.
public enum ProgramArguments {
  /// The arguments without the name of the program; names of files as `FileNameText` has them.
  ///
  /// Context: any.
  public static var words: [String] {
    (1..<max(1, AuricleArgumentCount())).map {
      unsafe FileNameText.text(cString: AuricleArgument($0))
    }
  }
}
