// The generic output: head of a graph that a host pulls itself, in any rate and format.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
public import CAudioToolbox

/// Makes one generic output; the factory function of the component.
///
/// Starting it only sets a flag: it renders when a host asks it to. Context: control.
@c(AuricleGenericOutputFactory)
public func genericOutputFactory(
  _ description: UnsafePointer<AudioComponentDescription>?
) -> UnsafeMutablePointer<AudioComponentPlugInInterface>? {
  let settings = ConversionSettings()
  var definition = settings.definition()
  definition.allowsChangesWhileInitialized = true
  return unsafe settings.makeUnit(definition, description)
}
