// The converter: other sample rates, other channels, and any linear PCM on either side.
// SPDX-License-Identifier: Apache-2.0

import AuricleSDK
public import CAudioToolbox

/// Makes one converter; the factory function of the component. Context: control.
@c(AuricleConverterFactory)
public func converterFactory(
  _ description: UnsafePointer<AudioComponentDescription>?
) -> UnsafeMutablePointer<AudioComponentPlugInInterface>? {
  let settings = ConversionSettings()
  return unsafe settings.makeUnit(settings.definition(), description)
}
