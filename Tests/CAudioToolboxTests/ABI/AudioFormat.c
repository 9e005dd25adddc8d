// Format services: numbers, layouts and types of functions.
// SPDX-License-Identifier: Apache-2.0
#include <AudioToolbox/AudioFormat.h>

#include "Assertions.h"

ABI_CODE(kAudioFormatProperty_FormatInfo, 0x666d7469, 'f', 'm', 't', 'i');
ABI_CODE(kAudioFormatProperty_FormatName, 0x666e616d, 'f', 'n', 'a', 'm');
ABI_CODE(kAudioFormatProperty_EncodeFormatIDs, 0x61636f66, 'a', 'c', 'o', 'f');
ABI_CODE(kAudioFormatProperty_DecodeFormatIDs, 0x61636966, 'a', 'c', 'i', 'f');
ABI_CODE(kAudioFormatProperty_FormatList, 0x666c7374, 'f', 'l', 's', 't');
ABI_CODE(kAudioFormatProperty_ASBDFromESDS, 0x65737364, 'e', 's', 's', 'd');
ABI_CODE(kAudioFormatProperty_ChannelLayoutFromESDS, 0x6573636c, 'e', 's', 'c', 'l');
ABI_CODE(kAudioFormatProperty_OutputFormatList, 0x6f666c73, 'o', 'f', 'l', 's');
ABI_CODE(kAudioFormatProperty_FirstPlayableFormatFromList, 0x6670666c, 'f', 'p', 'f', 'l');
ABI_CODE(kAudioFormatProperty_FormatIsVBR, 0x66766272, 'f', 'v', 'b', 'r');
ABI_CODE(kAudioFormatProperty_FormatIsExternallyFramed, 0x66657866, 'f', 'e', 'x', 'f');
ABI_CODE(kAudioFormatProperty_FormatEmploysDependentPackets, 0x66646570, 'f', 'd', 'e', 'p');
ABI_CODE(kAudioFormatProperty_FormatIsEncrypted, 0x63727970, 'c', 'r', 'y', 'p');
ABI_CODE(kAudioFormatProperty_Encoders, 0x6176656e, 'a', 'v', 'e', 'n');
ABI_CODE(kAudioFormatProperty_Decoders, 0x61766465, 'a', 'v', 'd', 'e');
ABI_CODE(kAudioFormatProperty_AvailableEncodeBitRates, 0x61656272, 'a', 'e', 'b', 'r');
ABI_CODE(kAudioFormatProperty_AvailableEncodeSampleRates, 0x61657372, 'a', 'e', 's', 'r');
ABI_CODE(kAudioFormatProperty_AvailableEncodeChannelLayoutTags, 0x6165636c, 'a', 'e', 'c', 'l');
ABI_CODE(kAudioFormatProperty_AvailableEncodeNumberChannels, 0x61766e63, 'a', 'v', 'n', 'c');
ABI_CODE(kAudioFormatProperty_AvailableDecodeNumberChannels, 0x61646e63, 'a', 'd', 'n', 'c');
ABI_CODE(kAudioFormatProperty_ASBDFromMPEGPacket, 0x61646d70, 'a', 'd', 'm', 'p');
ABI_CODE(kAudioFormatProperty_BitmapForLayoutTag, 0x626d7467, 'b', 'm', 't', 'g');
ABI_CODE(kAudioFormatProperty_MatrixMixMap, 0x6d6d6170, 'm', 'm', 'a', 'p');
ABI_CODE(kAudioFormatProperty_ChannelMap, 0x63686d70, 'c', 'h', 'm', 'p');
ABI_CODE(kAudioFormatProperty_NumberOfChannelsForLayout, 0x6e63686d, 'n', 'c', 'h', 'm');
ABI_CODE(kAudioFormatProperty_AreChannelLayoutsEquivalent, 0x63686571, 'c', 'h', 'e', 'q');
ABI_CODE(kAudioFormatProperty_ChannelLayoutHash, 0x63686861, 'c', 'h', 'h', 'a');
ABI_CODE(kAudioFormatProperty_ValidateChannelLayout, 0x7661636c, 'v', 'a', 'c', 'l');
ABI_CODE(kAudioFormatProperty_ChannelLayoutForTag, 0x636d706c, 'c', 'm', 'p', 'l');
ABI_CODE(kAudioFormatProperty_TagForChannelLayout, 0x636d7074, 'c', 'm', 'p', 't');
ABI_CODE(kAudioFormatProperty_ChannelLayoutName, 0x6c6f6e6d, 'l', 'o', 'n', 'm');
ABI_CODE(kAudioFormatProperty_ChannelLayoutSimpleName, 0x6c736e6d, 'l', 's', 'n', 'm');
ABI_CODE(kAudioFormatProperty_ChannelLayoutForBitmap, 0x636d7062, 'c', 'm', 'p', 'b');
ABI_CODE(kAudioFormatProperty_ChannelName, 0x636e616d, 'c', 'n', 'a', 'm');
ABI_CODE(kAudioFormatProperty_ChannelShortName, 0x63736e6d, 'c', 's', 'n', 'm');
ABI_CODE(kAudioFormatProperty_TagsForNumberOfChannels, 0x74616763, 't', 'a', 'g', 'c');
ABI_CODE(kAudioFormatProperty_PanningMatrix, 0x70616e6d, 'p', 'a', 'n', 'm');
ABI_CODE(kAudioFormatProperty_BalanceFade, 0x62616c66, 'b', 'a', 'l', 'f');
ABI_CODE(kAudioFormatProperty_ID3TagSize, 0x69643373, 'i', 'd', '3', 's');
ABI_CODE(kAudioFormatProperty_ID3TagToDictionary, 0x69643364, 'i', 'd', '3', 'd');
ABI_CODE(kAudioFormatProperty_HardwareCodecCapabilities, 0x68776363, 'h', 'w', 'c', 'c');
ABI_CODE(kAudioFormatUnspecifiedError, 0x77686174, 'w', 'h', 'a', 't');
ABI_CODE(kAudioFormatUnsupportedPropertyError, 0x70726f70, 'p', 'r', 'o', 'p');
ABI_CODE(kAudioFormatBadPropertySizeError, 0x2173697a, '!', 's', 'i', 'z');
ABI_CODE(kAudioFormatBadSpecifierSizeError, 0x21737063, '!', 's', 'p', 'c');
ABI_CODE(kAudioFormatUnsupportedDataFormatError, 0x666d743f, 'f', 'm', 't', '?');
ABI_CODE(kAudioFormatUnknownFormatError, 0x21666d74, '!', 'f', 'm', 't');

ABI_CODE(kAppleSoftwareAudioCodecManufacturer, 0x6170706c, 'a', 'p', 'p', 'l');
ABI_CODE(kAppleHardwareAudioCodecManufacturer, 0x61706877, 'a', 'p', 'h', 'w');
ABI_STRUCT(AudioFormatInfo, 56, 8);
ABI_FIELD(AudioFormatInfo, mMagicCookie, 40);
ABI_STRUCT(ExtendedAudioFormatInfo, 64, 8);
ABI_FIELD(ExtendedAudioFormatInfo, mClassDescription, 52);
ABI_STRUCT(AudioFormatListItem, 48, 8);
ABI_STRUCT(AudioPanningInfo, 32, 8);
ABI_FIELD(AudioPanningInfo, mOutputChannelMap, 24);
ABI_STRUCT(AudioBalanceFade, 24, 8);
ABI_FIELD(AudioBalanceFade, mChannelLayout, 16);
