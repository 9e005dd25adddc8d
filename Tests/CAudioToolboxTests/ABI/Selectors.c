// The numbers of selectors and their ranges.
// SPDX-License-Identifier: Apache-2.0
#include <AudioToolbox/AudioToolbox.h>

#include "Assertions.h"

ABI_VALUE(kAudioUnitRange, 0x0000);
ABI_VALUE(kMusicDeviceRange, 0x0100);
ABI_VALUE(kAudioOutputUnitRange, 0x0200);
ABI_VALUE(kAudioUnitInitializeSelect, 0x0001);
ABI_VALUE(kAudioUnitUninitializeSelect, 0x0002);
ABI_VALUE(kAudioUnitGetPropertyInfoSelect, 0x0003);
ABI_VALUE(kAudioUnitGetPropertySelect, 0x0004);
ABI_VALUE(kAudioUnitSetPropertySelect, 0x0005);
ABI_VALUE(kAudioUnitGetParameterSelect, 0x0006);
ABI_VALUE(kAudioUnitSetParameterSelect, 0x0007);
ABI_VALUE(kAudioUnitResetSelect, 0x0009);
ABI_VALUE(kAudioUnitAddPropertyListenerSelect, 0x000a);
ABI_VALUE(kAudioUnitRemovePropertyListenerSelect, 0x000b);
ABI_VALUE(kAudioUnitRenderSelect, 0x000e);
ABI_VALUE(kAudioUnitAddRenderNotifySelect, 0x000f);
ABI_VALUE(kAudioUnitRemoveRenderNotifySelect, 0x0010);
ABI_VALUE(kAudioUnitScheduleParametersSelect, 0x0011);
ABI_VALUE(kAudioUnitRemovePropertyListenerWithUserDataSelect, 0x0012);
ABI_VALUE(kAudioUnitComplexRenderSelect, 0x0013);
ABI_VALUE(kAudioUnitProcessSelect, 0x0014);
ABI_VALUE(kAudioUnitProcessMultipleSelect, 0x0015);
ABI_VALUE(kMusicDeviceMIDIEventSelect, 0x0101);
ABI_VALUE(kMusicDeviceSysExSelect, 0x0102);
ABI_VALUE(kMusicDevicePrepareInstrumentSelect, 0x0103);
ABI_VALUE(kMusicDeviceReleaseInstrumentSelect, 0x0104);
ABI_VALUE(kMusicDeviceStartNoteSelect, 0x0105);
ABI_VALUE(kMusicDeviceStopNoteSelect, 0x0106);
ABI_VALUE(kMusicDeviceMIDIEventListSelect, 0x0107);
ABI_VALUE(kAudioOutputUnitStartSelect, 0x0201);
ABI_VALUE(kAudioOutputUnitStopSelect, 0x0202);
