// Version numbers that sources compare with when they ask what the system knows.
// SPDX-License-Identifier: Apache-2.0
//
// The presence of a name means that the interfaces of that release may be named in source; which of
// them are there is for the other headers to say.
#ifndef AURICLE_AVAILABILITY_VERSIONS_H
#define AURICLE_AVAILABILITY_VERSIONS_H

#define __MAC_10_7 1070
#define __MAC_10_11 101100
#define __MAC_10_15 101500
#define __MAC_11_0 110000
#define __MAC_12_0 120000
#define __MAC_13_0 130000
#define __MAC_14_0 140000
#define __IPHONE_15_0 150000
#define __IPHONE_16_0 160000
#define __IPHONE_17_0 170000

#define MAC_OS_X_VERSION_10_5 1050
#define MAC_OS_X_VERSION_10_6 1060
#define MAC_OS_X_VERSION_10_7 1070
#define MAC_OS_X_VERSION_10_11 101100
#define MAC_OS_VERSION_12_0 120000

// ISO C wants a declaration in every source, also in one that has this header alone.
#ifndef __ASSEMBLER__
struct AuricleAvailabilityVersions;
#endif

#endif
