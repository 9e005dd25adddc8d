// Byte order of numbers: native, big and little, each to each.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_ENDIAN_H
#define AURICLE_ENDIAN_H

#include "../MacTypes.h"

#define Endian16_Swap(value) ((UInt16)__builtin_bswap16((UInt16)(value)))
#define Endian32_Swap(value) ((UInt32)__builtin_bswap32((UInt32)(value)))
#define Endian64_Swap(value) ((UInt64)__builtin_bswap64((UInt64)(value)))

#define EndianS16_BtoN(value) ((SInt16)Endian16_Swap(value))
#define EndianS16_NtoB(value) ((SInt16)Endian16_Swap(value))
#define EndianS16_LtoN(value) ((SInt16)(value))
#define EndianS16_NtoL(value) ((SInt16)(value))
#define EndianS16_LtoB(value) ((SInt16)Endian16_Swap(value))
#define EndianS16_BtoL(value) ((SInt16)Endian16_Swap(value))

#define EndianU16_BtoN(value) ((UInt16)Endian16_Swap(value))
#define EndianU16_NtoB(value) ((UInt16)Endian16_Swap(value))
#define EndianU16_LtoN(value) ((UInt16)(value))
#define EndianU16_NtoL(value) ((UInt16)(value))
#define EndianU16_LtoB(value) ((UInt16)Endian16_Swap(value))
#define EndianU16_BtoL(value) ((UInt16)Endian16_Swap(value))

#define EndianS32_BtoN(value) ((SInt32)Endian32_Swap(value))
#define EndianS32_NtoB(value) ((SInt32)Endian32_Swap(value))
#define EndianS32_LtoN(value) ((SInt32)(value))
#define EndianS32_NtoL(value) ((SInt32)(value))
#define EndianS32_LtoB(value) ((SInt32)Endian32_Swap(value))
#define EndianS32_BtoL(value) ((SInt32)Endian32_Swap(value))

#define EndianU32_BtoN(value) ((UInt32)Endian32_Swap(value))
#define EndianU32_NtoB(value) ((UInt32)Endian32_Swap(value))
#define EndianU32_LtoN(value) ((UInt32)(value))
#define EndianU32_NtoL(value) ((UInt32)(value))
#define EndianU32_LtoB(value) ((UInt32)Endian32_Swap(value))
#define EndianU32_BtoL(value) ((UInt32)Endian32_Swap(value))

#define EndianS64_BtoN(value) ((SInt64)Endian64_Swap(value))
#define EndianS64_NtoB(value) ((SInt64)Endian64_Swap(value))
#define EndianS64_LtoN(value) ((SInt64)(value))
#define EndianS64_NtoL(value) ((SInt64)(value))
#define EndianS64_LtoB(value) ((SInt64)Endian64_Swap(value))
#define EndianS64_BtoL(value) ((SInt64)Endian64_Swap(value))

#define EndianU64_BtoN(value) ((UInt64)Endian64_Swap(value))
#define EndianU64_NtoB(value) ((UInt64)Endian64_Swap(value))
#define EndianU64_LtoN(value) ((UInt64)(value))
#define EndianU64_NtoL(value) ((UInt64)(value))
#define EndianU64_LtoB(value) ((UInt64)Endian64_Swap(value))
#define EndianU64_BtoL(value) ((UInt64)Endian64_Swap(value))

// ISO C wants a declaration in every source, also in one that has this header alone.
struct AuricleEndian;

#endif
