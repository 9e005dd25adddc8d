// The rules that a format of plug-ins adds to those of all units.
// SPDX-License-Identifier: Apache-2.0

package import AudioComponents

/// A format that adds rules to those of all units.
package protocol CheckedFormat: ComponentFormat {
  /// The rules, in their order.
  var formatChecks: [ValidationCheck] { get }
}

/// The catalog of a format that adds rules to those of all units.
package protocol CheckedCatalog: ComponentCatalog {
  /// The faults of a plug-in by the rules of its format; empty for one of another catalog.
  ///
  /// Context: control, in a process that may be lost: the plug-in's code is run.
  func faults(of component: AudioComponent) -> [UnitFault]

  /// The words in which a plug-in says that its render code calls nothing that may wait; nil when it does not.
  ///
  /// Context: control.
  func realtimeClaim(of component: AudioComponent) -> String?
}

extension CheckedCatalog {
  /// None.
  package func realtimeClaim(of component: AudioComponent) -> String? { nil }
}

extension ComponentFormat {
  /// The rules that the format adds to those of all units.
  package var checks: [ValidationCheck] { (self as? any CheckedFormat)?.formatChecks ?? [] }
}
