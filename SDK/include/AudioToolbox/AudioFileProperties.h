// Audio File: properties of a file, and of the library without a file.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_AUDIOFILEPROPERTIES_H
#define AURICLE_AUDIOFILEPROPERTIES_H

#include "../MacTypes.h"

typedef UInt32 AudioFilePropertyID;

AURICLE_ENUM(AudioFilePropertyID) {
  kAudioFilePropertyFileFormat = 0x66666D74,  // 'ffmt'
  kAudioFilePropertyDataFormat = 0x64666D74,  // 'dfmt'
  kAudioFilePropertyIsOptimized = 0x6F70746D,  // 'optm'
  kAudioFilePropertyMagicCookieData = 0x6D676963,  // 'mgic'
  kAudioFilePropertyAudioDataByteCount = 0x62636E74,  // 'bcnt'
  kAudioFilePropertyAudioDataPacketCount = 0x70636E74,  // 'pcnt'
  kAudioFilePropertyMaximumPacketSize = 0x70737A65,  // 'psze'
  kAudioFilePropertyDataOffset = 0x646F6666,  // 'doff'
  kAudioFilePropertyChannelLayout = 0x636D6170,  // 'cmap'
  kAudioFilePropertyDeferSizeUpdates = 0x64737A75,  // 'dszu'
  kAudioFilePropertyDataFormatName = 0x666E6D65,  // 'fnme'
  kAudioFilePropertyMarkerList = 0x6D6B6C73,  // 'mkls'
  kAudioFilePropertyRegionList = 0x72676C73,  // 'rgls'
  kAudioFilePropertyPacketToFrame = 0x706B6672,  // 'pkfr'
  kAudioFilePropertyFrameToPacket = 0x6672706B,  // 'frpk'
  kAudioFilePropertyRestrictsRandomAccess = 0x72726170,  // 'rrap'
  kAudioFilePropertyPacketToRollDistance = 0x706B726C,  // 'pkrl'
  kAudioFilePropertyPreviousIndependentPacket = 0x70696E64,  // 'pind'
  kAudioFilePropertyNextIndependentPacket = 0x6E696E64,  // 'nind'
  kAudioFilePropertyPacketToDependencyInfo = 0x706B6470,  // 'pkdp'
  kAudioFilePropertyPacketToByte = 0x706B6279,  // 'pkby'
  kAudioFilePropertyByteToPacket = 0x6279706B,  // 'bypk'
  kAudioFilePropertyChunkIDs = 0x63686964,  // 'chid'
  kAudioFilePropertyInfoDictionary = 0x696E666F,  // 'info'
  kAudioFilePropertyPacketTableInfo = 0x706E666F,  // 'pnfo'
  kAudioFilePropertyFormatList = 0x666C7374,  // 'flst'
  kAudioFilePropertyPacketSizeUpperBound = 0x706B7562,  // 'pkub'
  kAudioFilePropertyPacketRangeByteCountUpperBound = 0x70727562,  // 'prub'
  kAudioFilePropertyReserveDuration = 0x72737276,  // 'rsrv'
  kAudioFilePropertyEstimatedDuration = 0x65647572,  // 'edur'
  kAudioFilePropertyBitRate = 0x62726174,  // 'brat'
  kAudioFilePropertyID3Tag = 0x69643374,  // 'id3t'
  kAudioFilePropertyID3TagOffset = 0x6964336F,  // 'id3o'
  kAudioFilePropertySourceBitDepth = 0x73627464,  // 'sbtd'
  kAudioFilePropertyAlbumArtwork = 0x61617274,  // 'aart'
  kAudioFilePropertyAudioTrackCount = 0x61746374,  // 'atct'
  kAudioFilePropertyUseAudioTrack = 0x7561746B,  // 'uatk'
};

AURICLE_ENUM(AudioFilePropertyID) {
  kAudioFileGlobalInfo_ReadableTypes = 0x61667266,  // 'afrf'
  kAudioFileGlobalInfo_WritableTypes = 0x61667766,  // 'afwf'
  kAudioFileGlobalInfo_FileTypeName = 0x66746E6D,  // 'ftnm'
  kAudioFileGlobalInfo_AvailableStreamDescriptionsForFormat = 0x73646964,  // 'sdid'
  kAudioFileGlobalInfo_AvailableFormatIDs = 0x666D6964,  // 'fmid'
  kAudioFileGlobalInfo_AllExtensions = 0x616C7874,  // 'alxt'
  kAudioFileGlobalInfo_AllHFSTypeCodes = 0x61686673,  // 'ahfs'
  kAudioFileGlobalInfo_AllUTIs = 0x61757469,  // 'auti'
  kAudioFileGlobalInfo_AllMIMETypes = 0x616D696D,  // 'amim'
  kAudioFileGlobalInfo_ExtensionsForType = 0x66657874,  // 'fext'
  kAudioFileGlobalInfo_HFSTypeCodesForType = 0x66686673,  // 'fhfs'
  kAudioFileGlobalInfo_UTIsForType = 0x66757469,  // 'futi'
  kAudioFileGlobalInfo_MIMETypesForType = 0x666D696D,  // 'fmim'
  kAudioFileGlobalInfo_TypesForMIMEType = 0x746D696D,  // 'tmim'
  kAudioFileGlobalInfo_TypesForUTI = 0x74757469,  // 'tuti'
  kAudioFileGlobalInfo_TypesForHFSTypeCode = 0x74686673,  // 'thfs'
  kAudioFileGlobalInfo_TypesForExtension = 0x74657874,  // 'text'
};

// Keys of the information dictionary; make strings of them.
#define kAFInfoDictionary_Album "album"
#define kAFInfoDictionary_ApproximateDurationInSeconds "approximate duration in seconds"
#define kAFInfoDictionary_Artist "artist"
#define kAFInfoDictionary_ChannelLayout "channel layout"
#define kAFInfoDictionary_Comments "comments"
#define kAFInfoDictionary_Composer "composer"
#define kAFInfoDictionary_Copyright "copyright"
#define kAFInfoDictionary_EncodingApplication "encoding application"
#define kAFInfoDictionary_Genre "genre"
#define kAFInfoDictionary_ISRC "ISRC"
#define kAFInfoDictionary_KeySignature "key signature"
#define kAFInfoDictionary_Lyricist "lyricist"
#define kAFInfoDictionary_NominalBitRate "nominal bit rate"
#define kAFInfoDictionary_RecordedDate "recorded date"
#define kAFInfoDictionary_SourceBitDepth "source bit depth"
#define kAFInfoDictionary_SourceEncoder "source encoder"
#define kAFInfoDictionary_SubTitle "subtitle"
#define kAFInfoDictionary_Tempo "tempo"
#define kAFInfoDictionary_TimeSignature "time signature"
#define kAFInfoDictionary_Title "title"
#define kAFInfoDictionary_TrackNumber "track number"
#define kAFInfoDictionary_Year "year"

#endif
