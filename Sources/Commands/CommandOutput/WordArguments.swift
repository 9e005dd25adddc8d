// Values of options that are one of a few words.
// SPDX-License-Identifier: Apache-2.0

public import ArgumentParser

/// The words of such a value, listed by the parser for each option at each start.
///
/// Its own list makes key paths, which cost more than the rest of the option.
extension ExpressibleByArgument where Self: CaseIterable & RawRepresentable, RawValue == String {
  /// The words.
  public static var allValueStrings: [String] { allCases.map { $0.rawValue } }

  /// No description beside the words.
  public static var allValueDescriptions: [String: String] { [:] }
}
