// The built-in components, assembled beside the products that the tests were built with.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The folder of the `.component` bundles made of this build.
public enum ShippedComponents {
  /// Why the components could not be assembled.
  public struct Failure: Error, CustomStringConvertible {
    /// The output of the script.
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

  /// Returns the path of the folder; the first call assembles outdated components.
  public static func folder() throws -> String { try result.get() }
}
