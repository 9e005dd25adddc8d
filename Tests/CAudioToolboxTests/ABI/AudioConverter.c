// Converters: numbers and layouts.
// SPDX-License-Identifier: Apache-2.0
#include <AudioToolbox/AudioConverter.h>

#include "Assertions.h"

ABI_STRUCT(AudioConverterPrimeInfo, 8, 4);
ABI_VALUE(kAudioConverterOption_Unbuffered, 0x10000);
ABI_VALUE(kAudioConverterErr_OperationNotSupported, 1869627199);
ABI_CODE(kAudioConverterPropertyMinimumInputBufferSize, 0x6d696273, 'm', 'i', 'b', 's');
ABI_CODE(kAudioConverterPropertyMinimumOutputBufferSize, 0x6d6f6273, 'm', 'o', 'b', 's');
ABI_CODE(kAudioConverterPropertyMaximumInputBufferSize, 0x78696273, 'x', 'i', 'b', 's');
ABI_CODE(kAudioConverterPropertyMaximumInputPacketSize, 0x78697073, 'x', 'i', 'p', 's');
ABI_CODE(kAudioConverterPropertyMaximumOutputPacketSize, 0x786f7073, 'x', 'o', 'p', 's');
ABI_CODE(kAudioConverterPropertyCalculateInputBufferSize, 0x63696273, 'c', 'i', 'b', 's');
ABI_CODE(kAudioConverterPropertyCalculateOutputBufferSize, 0x636f6273, 'c', 'o', 'b', 's');
ABI_CODE(kAudioConverterPropertyInputCodecParameters, 0x69636470, 'i', 'c', 'd', 'p');
ABI_CODE(kAudioConverterPropertyOutputCodecParameters, 0x6f636470, 'o', 'c', 'd', 'p');
ABI_CODE(kAudioConverterSampleRateConverterAlgorithm, 0x73726369, 's', 'r', 'c', 'i');
ABI_CODE(kAudioConverterSampleRateConverterComplexity, 0x73726361, 's', 'r', 'c', 'a');
ABI_CODE(kAudioConverterSampleRateConverterQuality, 0x73726371, 's', 'r', 'c', 'q');
ABI_CODE(kAudioConverterSampleRateConverterInitialPhase, 0x73726370, 's', 'r', 'c', 'p');
ABI_CODE(kAudioConverterCodecQuality, 0x63647175, 'c', 'd', 'q', 'u');
ABI_CODE(kAudioConverterPrimeMethod, 0x70726d6d, 'p', 'r', 'm', 'm');
ABI_CODE(kAudioConverterPrimeInfo, 0x7072696d, 'p', 'r', 'i', 'm');
ABI_CODE(kAudioConverterChannelMap, 0x63686d70, 'c', 'h', 'm', 'p');
ABI_CODE(kAudioConverterDecompressionMagicCookie, 0x646d6763, 'd', 'm', 'g', 'c');
ABI_CODE(kAudioConverterCompressionMagicCookie, 0x636d6763, 'c', 'm', 'g', 'c');
ABI_CODE(kAudioConverterEncodeBitRate, 0x62726174, 'b', 'r', 'a', 't');
ABI_CODE(kAudioConverterEncodeAdjustableSampleRate, 0x616a7372, 'a', 'j', 's', 'r');
ABI_CODE(kAudioConverterInputChannelLayout, 0x69636c20, 'i', 'c', 'l', ' ');
ABI_CODE(kAudioConverterOutputChannelLayout, 0x6f636c20, 'o', 'c', 'l', ' ');
ABI_CODE(kAudioConverterApplicableEncodeBitRates, 0x61656272, 'a', 'e', 'b', 'r');
ABI_CODE(kAudioConverterAvailableEncodeBitRates, 0x76656272, 'v', 'e', 'b', 'r');
ABI_CODE(kAudioConverterApplicableEncodeSampleRates, 0x61657372, 'a', 'e', 's', 'r');
ABI_CODE(kAudioConverterAvailableEncodeSampleRates, 0x76657372, 'v', 'e', 's', 'r');
ABI_CODE(kAudioConverterAvailableEncodeChannelLayoutTags, 0x6165636c, 'a', 'e', 'c', 'l');
ABI_CODE(kAudioConverterCurrentOutputStreamDescription, 0x61636f64, 'a', 'c', 'o', 'd');
ABI_CODE(kAudioConverterCurrentInputStreamDescription, 0x61636964, 'a', 'c', 'i', 'd');
ABI_CODE(kAudioConverterPropertySettings, 0x61637073, 'a', 'c', 'p', 's');
ABI_CODE(kAudioConverterPropertyBitDepthHint, 0x61636264, 'a', 'c', 'b', 'd');
ABI_CODE(kAudioConverterPropertyFormatList, 0x666c7374, 'f', 'l', 's', 't');
ABI_CODE(kAudioConverterPropertyPerformDownmix, 0x646d6978, 'd', 'm', 'i', 'x');
ABI_CODE(kAudioConverterPropertyChannelMixMap, 0x6d6d6170, 'm', 'm', 'a', 'p');
ABI_CODE(kAudioConverterPropertyDithering, 0x64697468, 'd', 'i', 't', 'h');
ABI_CODE(kAudioConverterPropertyDitherBitDepth, 0x64626974, 'd', 'b', 'i', 't');
ABI_CODE(kAudioConverterPropertyCanResumeFromInterruption, 0x63726669, 'c', 'r', 'f', 'i');
ABI_CODE(kAudioConverterErr_PropertyNotSupported, 0x70726f70, 'p', 'r', 'o', 'p');
ABI_CODE(kAudioConverterErr_InvalidInputSize, 0x696e737a, 'i', 'n', 's', 'z');
ABI_CODE(kAudioConverterErr_InvalidOutputSize, 0x6f74737a, 'o', 't', 's', 'z');
ABI_CODE(kAudioConverterErr_UnspecifiedError, 0x77686174, 'w', 'h', 'a', 't');
ABI_CODE(kAudioConverterErr_BadPropertySizeError, 0x2173697a, '!', 's', 'i', 'z');
ABI_CODE(kAudioConverterErr_RequiresPacketDescriptionsError, 0x21706b64, '!', 'p', 'k', 'd');
ABI_CODE(kAudioConverterErr_InputSampleRateOutOfRange, 0x21697372, '!', 'i', 's', 'r');
ABI_CODE(kAudioConverterErr_OutputSampleRateOutOfRange, 0x216f7372, '!', 'o', 's', 'r');
ABI_CODE(kAudioConverterErr_HardwareInUse, 0x68776975, 'h', 'w', 'i', 'u');
ABI_CODE(kAudioConverterErr_NoHardwarePermission, 0x7065726d, 'p', 'e', 'r', 'm');
