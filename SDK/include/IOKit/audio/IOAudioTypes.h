// The kinds of a sound card's ports: codes that a device's data sources and streams carry.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_IOKIT_IOAUDIOTYPES_H
#define AURICLE_IOKIT_IOAUDIOTYPES_H

// Ports: values of kAudioDevicePropertyDataSource.
enum {
  kIOAudioOutputPortSubTypeInternalSpeaker = 0x6973706b,   // 'ispk'
  kIOAudioOutputPortSubTypeExternalSpeaker = 0x6573706b,   // 'espk'
  kIOAudioOutputPortSubTypeHeadphones = 0x6864706e,        // 'hdpn'
  kIOAudioOutputPortSubTypeLine = 0x6c696e65,              // 'line'
  kIOAudioOutputPortSubTypeSPDIF = 0x73706466,             // 'spdf'
  kIOAudioInputPortSubTypeInternalMicrophone = 0x696d6963, // 'imic'
  kIOAudioInputPortSubTypeExternalMicrophone = 0x656d6963, // 'emic'
  kIOAudioInputPortSubTypeCD = 0x63642020,                 // 'cd  '
  kIOAudioInputPortSubTypeLine = 0x6c696e65,               // 'line'
  kIOAudioInputPortSubTypeSPDIF = 0x73706466,              // 'spdf'
};

// The connection of a card: values of kAudioDevicePropertyTransportType.
enum {
  kIOAudioDeviceTransportTypeBuiltIn = 0x626c746e,    // 'bltn'
  kIOAudioDeviceTransportTypePCI = 0x70636920,        // 'pci '
  kIOAudioDeviceTransportTypeUSB = 0x75736220,        // 'usb '
  kIOAudioDeviceTransportTypeFireWire = 0x31333934,   // '1394'
  kIOAudioDeviceTransportTypeNetwork = 0x6e74776b,    // 'ntwk'
  kIOAudioDeviceTransportTypeWireless = 0x77726c73,   // 'wrls'
  kIOAudioDeviceTransportTypeOther = 0x6f746872,      // 'othr'
  kIOAudioDeviceTransportTypeBluetooth = 0x626c7565,  // 'blue'
  kIOAudioDeviceTransportTypeVirtual = 0x76697274,    // 'virt'
};

// Terminals, as USB numbers them.
enum {
  INPUT_UNDEFINED = 0x0200,
  INPUT_MICROPHONE = 0x0201,
  INPUT_DESKTOP_MICROPHONE = 0x0202,
  INPUT_PERSONAL_MICROPHONE = 0x0203,
  INPUT_OMNIDIRECTIONAL_MICROPHONE = 0x0204,
  INPUT_MICROPHONE_ARRAY = 0x0205,
  OUTPUT_UNDEFINED = 0x0300,
  OUTPUT_SPEAKER = 0x0301,
  OUTPUT_HEADPHONES = 0x0302,
  OUTPUT_HEAD_MOUNTED_DISPLAY_AUDIO = 0x0303,
  OUTPUT_DESKTOP_SPEAKER = 0x0304,
  OUTPUT_ROOM_SPEAKER = 0x0305,
  OUTPUT_COMMUNICATION_SPEAKER = 0x0306,
  OUTPUT_LOW_FREQUENCY_EFFECTS_SPEAKER = 0x0307,
  BIDIRECTIONAL_HANDSET = 0x0401,
  BIDIRECTIONAL_HEADSET = 0x0402,
  EXTERNAL_ANALOG_CONNECTOR = 0x0601,
  EXTERNAL_DIGITAL_AUDIO_INTERFACE = 0x0602,
  EXTERNAL_LINE_CONNECTOR = 0x0603,
  EXTERNAL_SPDIF_INTERFACE = 0x0605,
};

#endif
