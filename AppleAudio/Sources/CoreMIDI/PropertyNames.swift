// Names of properties of MIDI objects.
// SPDX-License-Identifier: Apache-2.0

import CoreAudioTypes

/// The property "name".
nonisolated(unsafe) public let kMIDIPropertyName = "name" as CFString
/// The property "manufacturer".
nonisolated(unsafe) public let kMIDIPropertyManufacturer = "manufacturer" as CFString
/// The property "model".
nonisolated(unsafe) public let kMIDIPropertyModel = "model" as CFString
/// The property "uniqueID".
nonisolated(unsafe) public let kMIDIPropertyUniqueID = "uniqueID" as CFString
/// The property "deviceID".
nonisolated(unsafe) public let kMIDIPropertyDeviceID = "deviceID" as CFString
/// The property "receiveChannels".
nonisolated(unsafe) public let kMIDIPropertyReceiveChannels = "receiveChannels" as CFString
/// The property "transmitChannels".
nonisolated(unsafe) public let kMIDIPropertyTransmitChannels = "transmitChannels" as CFString
/// The property "maxSysExSpeed".
nonisolated(unsafe) public let kMIDIPropertyMaxSysExSpeed = "maxSysExSpeed" as CFString
/// The property "scheduleAheadMuSec".
nonisolated(unsafe) public let kMIDIPropertyAdvanceScheduleTimeMuSec =
  "scheduleAheadMuSec" as CFString
/// The property "embedded".
nonisolated(unsafe) public let kMIDIPropertyIsEmbeddedEntity = "embedded" as CFString
/// The property "broadcast".
nonisolated(unsafe) public let kMIDIPropertyIsBroadcast = "broadcast" as CFString
/// The property "single realtime entity".
nonisolated(unsafe) public let kMIDIPropertySingleRealtimeEntity =
  "single realtime entity" as CFString
/// The property "connUniqueID".
nonisolated(unsafe) public let kMIDIPropertyConnectionUniqueID = "connUniqueID" as CFString
/// The property "offline".
nonisolated(unsafe) public let kMIDIPropertyOffline = "offline" as CFString
/// The property "private".
nonisolated(unsafe) public let kMIDIPropertyPrivate = "private" as CFString
/// The property "driver".
nonisolated(unsafe) public let kMIDIPropertyDriverOwner = "driver" as CFString
/// The property "driverVersion".
nonisolated(unsafe) public let kMIDIPropertyDriverVersion = "driverVersion" as CFString
/// The property "driverDeviceEditorApp".
nonisolated(unsafe) public let kMIDIPropertyDriverDeviceEditorApp =
  "driverDeviceEditorApp" as CFString
/// The property "displayName".
nonisolated(unsafe) public let kMIDIPropertyDisplayName = "displayName" as CFString
/// The property "image".
nonisolated(unsafe) public let kMIDIPropertyImage = "image" as CFString
/// The property "nameConfiguration".
nonisolated(unsafe) public let kMIDIPropertyNameConfiguration = "nameConfiguration" as CFString
/// The property "nameConfigurationDictionary".
nonisolated(unsafe) public let kMIDIPropertyNameConfigurationDictionary =
  "nameConfigurationDictionary" as CFString
/// The property "factoryPatchFile".
nonisolated(unsafe) public let kMIDIPropertyFactoryPatchNameFile = "factoryPatchFile" as CFString
/// The property "userPatchFile".
nonisolated(unsafe) public let kMIDIPropertyUserPatchNameFile = "userPatchFile" as CFString
/// The property "supports General MIDI".
nonisolated(unsafe) public let kMIDIPropertySupportsGeneralMIDI =
  "supports General MIDI" as CFString
/// The property "supports MMC".
nonisolated(unsafe) public let kMIDIPropertySupportsMMC = "supports MMC" as CFString
/// The property "supports show control".
nonisolated(unsafe) public let kMIDIPropertySupportsShowControl =
  "supports show control" as CFString
/// The property "can route".
nonisolated(unsafe) public let kMIDIPropertyCanRoute = "can route" as CFString
/// The property "receives clock".
nonisolated(unsafe) public let kMIDIPropertyReceivesClock = "receives clock" as CFString
/// The property "receives MTC".
nonisolated(unsafe) public let kMIDIPropertyReceivesMTC = "receives MTC" as CFString
/// The property "receives notes".
nonisolated(unsafe) public let kMIDIPropertyReceivesNotes = "receives notes" as CFString
/// The property "receives program changes".
nonisolated(unsafe) public let kMIDIPropertyReceivesProgramChanges =
  "receives program changes" as CFString
/// The property "receives bank select MSB".
nonisolated(unsafe) public let kMIDIPropertyReceivesBankSelectMSB =
  "receives bank select MSB" as CFString
/// The property "receives bank select LSB".
nonisolated(unsafe) public let kMIDIPropertyReceivesBankSelectLSB =
  "receives bank select LSB" as CFString
/// The property "transmits clock".
nonisolated(unsafe) public let kMIDIPropertyTransmitsClock = "transmits clock" as CFString
/// The property "transmits MTC".
nonisolated(unsafe) public let kMIDIPropertyTransmitsMTC = "transmits MTC" as CFString
/// The property "transmits notes".
nonisolated(unsafe) public let kMIDIPropertyTransmitsNotes = "transmits notes" as CFString
/// The property "transmits program changes".
nonisolated(unsafe) public let kMIDIPropertyTransmitsProgramChanges =
  "transmits program changes" as CFString
/// The property "transmits bank select MSB".
nonisolated(unsafe) public let kMIDIPropertyTransmitsBankSelectMSB =
  "transmits bank select MSB" as CFString
/// The property "transmits bank select LSB".
nonisolated(unsafe) public let kMIDIPropertyTransmitsBankSelectLSB =
  "transmits bank select LSB" as CFString
/// The property "pan disrupts stereo".
nonisolated(unsafe) public let kMIDIPropertyPanDisruptsStereo = "pan disrupts stereo" as CFString
/// The property "is sampler".
nonisolated(unsafe) public let kMIDIPropertyIsSampler = "is sampler" as CFString
/// The property "is drum machine".
nonisolated(unsafe) public let kMIDIPropertyIsDrumMachine = "is drum machine" as CFString
/// The property "is mixer".
nonisolated(unsafe) public let kMIDIPropertyIsMixer = "is mixer" as CFString
/// The property "is effect unit".
nonisolated(unsafe) public let kMIDIPropertyIsEffectUnit = "is effect unit" as CFString
/// The property "max receive channels".
nonisolated(unsafe) public let kMIDIPropertyMaxReceiveChannels = "max receive channels" as CFString
/// The property "max transmit channels".
nonisolated(unsafe) public let kMIDIPropertyMaxTransmitChannels =
  "max transmit channels" as CFString
/// The property "protocol".
nonisolated(unsafe) public let kMIDIPropertyProtocolID = "protocol" as CFString
/// The property "umpActiveGroupBitmap".
nonisolated(unsafe) public let kMIDIPropertyUMPActiveGroupBitmap =
  "umpActiveGroupBitmap" as CFString
/// The property "umpCanTransmitGroupless".
nonisolated(unsafe) public let kMIDIPropertyUMPCanTransmitGroupless =
  "umpCanTransmitGroupless" as CFString
/// The property "associatedEndpoint".
nonisolated(unsafe) public let kMIDIPropertyAssociatedEndpoint = "associatedEndpoint" as CFString
/// The property "umpEnabled".
nonisolated(unsafe) public let kMIDIPropertyUMPEnabled = "umpEnabled" as CFString
