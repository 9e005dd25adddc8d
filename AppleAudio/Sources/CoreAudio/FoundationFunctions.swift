// Functions of C that exchange objects of Core Foundation.
// SPDX-License-Identifier: Apache-2.0

import CAuricle
import CoreAudioTypes

/// The function of C, with objects of Foundation.
@discardableResult
public func AudioHardwareCreateAggregateDevice(
  _ description: CFDictionary, _ outDevice: UnsafeMutablePointer<AudioObjectID>?
) -> OSStatus {
  withExtendedLifetime(description) {
    __AudioHardwareCreateAggregateDevice(auricleReference(description), outDevice)
  }
}
