// The reason why an LV2 plug-in cannot be used.
// SPDX-License-Identifier: Apache-2.0

/// The reason why a bundle or a plug-in cannot be used.
package struct LV2Failure: Error {
  /// The rest of a sentence that begins with the plug-in's name.
  package var reason: String

  /// Whether its binary is missing, cannot be loaded, or does not contain it.
  package var isOfBinary: Bool

  /// Makes a failure.
  package init(reason: String, isOfBinary: Bool = false) {
    self.reason = reason
    self.isOfBinary = isOfBinary
  }
}
