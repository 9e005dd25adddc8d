// The components that ship, assembled beside what the tests were built with.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The folder of the `.component` bundles made of this build.
public enum ShippedComponents {
  /// Why the components could not be assembled.
  public struct Failure: Error, CustomStringConvertible {
    /// What the script said.
    public let description: String
  }

  private static let result = Result<String, any Error> {
    let run = try runProcess(
      Places.inPackage("Scripts/assemble-components"), [Places.builtProducts])
    guard run.exitCode == 0 else {
      throw Failure(description: "components are not assembled: \(run.summary)")
    }
    return Places.builtProducts + "/Components"
  }

  /// Path of the folder; the first call assembles what is not up to date.
  public static func folder() throws -> String { try result.get() }
}
