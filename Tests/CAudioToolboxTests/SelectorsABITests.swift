// The numbers of selectors and their ranges, as Swift sees them.
// SPDX-License-Identifier: Apache-2.0

import CAudioToolbox
import Testing

@Suite struct SelectorsABITests {
  @Test("Selectors and their ranges") func numbers() {
    selector(kAudioUnitRange, 0x0000)
    selector(kMusicDeviceRange, 0x0100)
    selector(kAudioOutputUnitRange, 0x0200)
    selector(kAudioUnitInitializeSelect, 0x0001)
    selector(kAudioUnitUninitializeSelect, 0x0002)
    selector(kAudioUnitGetPropertyInfoSelect, 0x0003)
    selector(kAudioUnitGetPropertySelect, 0x0004)
    selector(kAudioUnitSetPropertySelect, 0x0005)
    selector(kAudioUnitGetParameterSelect, 0x0006)
    selector(kAudioUnitSetParameterSelect, 0x0007)
    selector(kAudioUnitResetSelect, 0x0009)
    selector(kAudioUnitAddPropertyListenerSelect, 0x000a)
    selector(kAudioUnitRemovePropertyListenerSelect, 0x000b)
    selector(kAudioUnitRenderSelect, 0x000e)
    selector(kAudioUnitAddRenderNotifySelect, 0x000f)
    selector(kAudioUnitRemoveRenderNotifySelect, 0x0010)
    selector(kAudioUnitScheduleParametersSelect, 0x0011)
    selector(kAudioUnitRemovePropertyListenerWithUserDataSelect, 0x0012)
    selector(kAudioUnitComplexRenderSelect, 0x0013)
    selector(kAudioUnitProcessSelect, 0x0014)
    selector(kAudioUnitProcessMultipleSelect, 0x0015)
    selector(kMusicDeviceMIDIEventSelect, 0x0101)
    selector(kMusicDeviceSysExSelect, 0x0102)
    selector(kMusicDevicePrepareInstrumentSelect, 0x0103)
    selector(kMusicDeviceReleaseInstrumentSelect, 0x0104)
    selector(kMusicDeviceStartNoteSelect, 0x0105)
    selector(kMusicDeviceStopNoteSelect, 0x0106)
    selector(kMusicDeviceMIDIEventListSelect, 0x0107)
    selector(kAudioOutputUnitStartSelect, 0x0201)
    selector(kAudioOutputUnitStopSelect, 0x0202)
  }
}
