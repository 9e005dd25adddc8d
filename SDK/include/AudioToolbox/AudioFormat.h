// Facts on formats and on layouts of channels: names, sizes, matrices.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_AUDIOFORMAT_H
#define AURICLE_AUDIOFORMAT_H

#include "../CoreAudioTypes/AudioChannelLayouts.h"
#include "../CoreAudioTypes/AudioFormats.h"

typedef UInt32 AudioFormatPropertyID;

// Makers of codecs, as older sources choose between them.
AURICLE_ENUM(OSType) {
  kAppleSoftwareAudioCodecManufacturer = 0x6170706c,  // 'appl'
  kAppleHardwareAudioCodecManufacturer = 0x61706877,  // 'aphw'
};

// The method of placing a mono source among loudspeakers.
typedef UInt32 AudioPanningMode;
AURICLE_ENUM(AudioPanningMode) {
  kPanningMode_SoundField = 3,  // by a sound field: several loudspeakers share the source
  kPanningMode_VectorBasedPanning = 4,  // by the two loudspeakers beside the source
};

// The wanted place of a mono source, and the loudspeakers around it.
typedef struct AudioPanningInfo {
  AudioPanningMode mPanningMode;
  UInt32 mCoordinateFlags;                     // kAudioChannelFlags_…
  Float32 mCoordinates[3];                     // azimuth, elevation, distance; or right, front, up
  Float32 mGainScale;                          // gains are multiplied by it
  const AudioChannelLayout *mOutputChannelMap;
} AudioPanningInfo;

typedef UInt32 AudioBalanceFadeType;
AURICLE_ENUM(AudioBalanceFadeType) {
  kAudioBalanceFadeType_MaxUnityGain = 0,  // the further side is lowered
  kAudioBalanceFadeType_EqualPower = 1,  // the nearer side is raised by up to 3 dB as well
};

// Weights of left against right and of front against rear.
typedef struct AudioBalanceFade {
  Float32 mLeftRightBalance;  // -1 left, 0 both, 1 right
  Float32 mBackFrontFade;     // -1 rear, 0 both, 1 front
  AudioBalanceFadeType mType;
  const AudioChannelLayout *mChannelLayout;
} AudioBalanceFade;

// A format and its cookie.
typedef struct AudioFormatInfo {
  AudioStreamBasicDescription mASBD;
  const void *mMagicCookie;
  UInt32 mMagicCookieSize;
} AudioFormatInfo;

// A format, its cookie and the codec that is asked.
typedef struct ExtendedAudioFormatInfo {
  AudioStreamBasicDescription mASBD;
  const void *mMagicCookie;
  UInt32 mMagicCookieSize;
  AudioClassDescription mClassDescription;
} ExtendedAudioFormatInfo;

// One of the formats that a stream can be read as.
typedef struct AudioFormatListItem {
  AudioStreamBasicDescription mASBD;
  AudioChannelLayoutTag mChannelLayoutTag;
} AudioFormatListItem;

// The properties: the specifier, an arrow, the value. Strings and dictionaries are the caller's to
// release.
AURICLE_ENUM(AudioFormatPropertyID) {
  // Properties of formats.
  kAudioFormatProperty_FormatInfo = 0x666d7469,  // 'fmti', cookie or none → format, in and out
  kAudioFormatProperty_FormatName = 0x666e616d,  // 'fnam', format → string
  kAudioFormatProperty_EncodeFormatIDs = 0x61636f66,  // 'acof', none → UInt32[]
  kAudioFormatProperty_DecodeFormatIDs = 0x61636966,  // 'acif', none → UInt32[]
  kAudioFormatProperty_FormatList = 0x666c7374,  // 'flst', AudioFormatInfo → AudioFormatListItem[]
  kAudioFormatProperty_ASBDFromESDS = 0x65737364,  // 'essd', bytes → format
  kAudioFormatProperty_ChannelLayoutFromESDS = 0x6573636c,  // 'escl', bytes → layout
  kAudioFormatProperty_OutputFormatList = 0x6f666c73,  // 'ofls', AudioFormatInfo → AudioFormatListItem[]
  kAudioFormatProperty_FirstPlayableFormatFromList = 0x6670666c,  // 'fpfl', AudioFormatListItem[] → UInt32
  kAudioFormatProperty_FormatIsVBR = 0x66766272,  // 'fvbr', format → UInt32
  kAudioFormatProperty_FormatIsExternallyFramed = 0x66657866,  // 'fexf', format → UInt32
  kAudioFormatProperty_FormatEmploysDependentPackets = 0x66646570,  // 'fdep', format → UInt32
  kAudioFormatProperty_FormatIsEncrypted = 0x63727970,  // 'cryp', format ID → UInt32
  kAudioFormatProperty_Encoders = 0x6176656e,  // 'aven', format ID → AudioClassDescription[]
  kAudioFormatProperty_Decoders = 0x61766465,  // 'avde', format ID → AudioClassDescription[]
  kAudioFormatProperty_AvailableEncodeBitRates = 0x61656272,  // 'aebr', format ID → AudioValueRange[]
  kAudioFormatProperty_AvailableEncodeSampleRates = 0x61657372,  // 'aesr', format ID → AudioValueRange[]
  kAudioFormatProperty_AvailableEncodeChannelLayoutTags = 0x6165636c,  // 'aecl', format → UInt32[]
  kAudioFormatProperty_AvailableEncodeNumberChannels = 0x61766e63,  // 'avnc', format → UInt32[]; 0xffffffff: any
  kAudioFormatProperty_AvailableDecodeNumberChannels = 0x61646e63,  // 'adnc', format → UInt32[]
  kAudioFormatProperty_ASBDFromMPEGPacket = 0x61646d70,  // 'admp', bytes → format
  // Of layouts.
  kAudioFormatProperty_BitmapForLayoutTag = 0x626d7467,  // 'bmtg', tag → bitmap
  kAudioFormatProperty_MatrixMixMap = 0x6d6d6170,  // 'mmap', layouts in, out → Float32[in][out]
  kAudioFormatProperty_ChannelMap = 0x63686d70,  // 'chmp', layouts in, out → SInt32[out]
  kAudioFormatProperty_NumberOfChannelsForLayout = 0x6e63686d,  // 'nchm', layout → UInt32
  kAudioFormatProperty_AreChannelLayoutsEquivalent = 0x63686571,  // 'cheq', two layouts → UInt32
  kAudioFormatProperty_ChannelLayoutHash = 0x63686861,  // 'chha', layout → UInt32
  kAudioFormatProperty_ValidateChannelLayout = 0x7661636c,  // 'vacl', layout → nothing
  kAudioFormatProperty_ChannelLayoutForTag = 0x636d706c,  // 'cmpl', tag → layout
  kAudioFormatProperty_TagForChannelLayout = 0x636d7074,  // 'cmpt', layout → tag
  kAudioFormatProperty_ChannelLayoutName = 0x6c6f6e6d,  // 'lonm', layout → string
  kAudioFormatProperty_ChannelLayoutSimpleName = 0x6c736e6d,  // 'lsnm', layout → string
  kAudioFormatProperty_ChannelLayoutForBitmap = 0x636d7062,  // 'cmpb', bitmap → layout
  kAudioFormatProperty_ChannelName = 0x636e616d,  // 'cnam', description → string
  kAudioFormatProperty_ChannelShortName = 0x63736e6d,  // 'csnm', description → string
  kAudioFormatProperty_TagsForNumberOfChannels = 0x74616763,  // 'tagc', UInt32 → tags
  kAudioFormatProperty_PanningMatrix = 0x70616e6d,  // 'panm', AudioPanningInfo → Float32[]
  kAudioFormatProperty_BalanceFade = 0x62616c66,  // 'balf', AudioBalanceFade → Float32[]
  // Of tags, and of hardware.
  kAudioFormatProperty_ID3TagSize = 0x69643373,  // 'id3s', ten bytes or more → UInt32
  kAudioFormatProperty_ID3TagToDictionary = 0x69643364,  // 'id3d', a tag → dictionary
  kAudioFormatProperty_HardwareCodecCapabilities = 0x68776363,  // 'hwcc', AudioClassDescription[] → UInt32
};

AURICLE_ENUM(OSStatus) {
  kAudioFormatUnspecifiedError = 0x77686174,  // 'what'
  kAudioFormatUnsupportedPropertyError = 0x70726f70,  // 'prop', not a property, or not of this format
  kAudioFormatBadPropertySizeError = 0x2173697a,  // '!siz', no room for the value
  kAudioFormatBadSpecifierSizeError = 0x21737063,  // '!spc', the specifier is none
  kAudioFormatUnsupportedDataFormatError = 0x666d743f,  // 'fmt?', no codec for this format
  kAudioFormatUnknownFormatError = 0x21666d74,  // '!fmt', nobody knows this format or layout
};

AURICLE_BEGIN_DECLS

// Returns the size of a value in bytes. Any thread.
extern OSStatus AudioFormatGetPropertyInfo(
    AudioFormatPropertyID property, UInt32 specifierSize, const void *specifier, UInt32 *dataSize);

// Returns a value: dataSize is the room for it, and afterwards its size. Without data only the size
// is returned. From a list that does not fit, the first items are returned. Any thread.
extern OSStatus AudioFormatGetProperty(
    AudioFormatPropertyID property, UInt32 specifierSize, const void *specifier, UInt32 *dataSize,
    void *data);

AURICLE_END_DECLS

#endif
