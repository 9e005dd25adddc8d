// Names of parameters as they are compared.
// SPDX-License-Identifier: Apache-2.0

/// Compares names of parameters as presets do.
enum SettingNames {
  /// The letters and digits of a name, which tell parameters apart.
  static func comparable(_ name: String) -> String {
    name.lowercased().filter { $0.isLetter || $0.isNumber }
  }
}
