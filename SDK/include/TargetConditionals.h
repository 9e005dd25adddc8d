// The target of the build: a system with Core Audio, 64 bit, a little-endian processor.
// SPDX-License-Identifier: Apache-2.0
//
// TARGET_OS_MAC and TARGET_OS_OSX choose the branch of a source that is written for Core Audio, and
// are 1 for that reason. Define them as 0 (-DTARGET_OS_MAC=0 -DTARGET_OS_OSX=0) where that branch
// wants more of macOS than there is: nothing in these headers depends on them. TARGET_OS_LINUX and
// __linux__ name the system of the binary.
#ifndef AURICLE_TARGET_CONDITIONALS_H
#define AURICLE_TARGET_CONDITIONALS_H

#ifndef TARGET_OS_MAC
#define TARGET_OS_MAC 1
#endif
#ifndef TARGET_OS_OSX
#define TARGET_OS_OSX 1
#endif
#ifndef TARGET_OS_IPHONE
#define TARGET_OS_IPHONE 0
#endif
#define TARGET_OS_IOS 0
#define TARGET_OS_TV 0
#define TARGET_OS_WATCH 0
#define TARGET_OS_VISION 0
#define TARGET_OS_MACCATALYST 0
#define TARGET_OS_SIMULATOR 0
#define TARGET_OS_EMBEDDED 0
#define TARGET_OS_BRIDGE 0
#define TARGET_OS_WIN32 0
#define TARGET_OS_WINDOWS 0
#define TARGET_OS_UNIX 0
#define TARGET_OS_LINUX 1
#define TARGET_OS_ANDROID 0

#if defined(__x86_64__)
#define TARGET_CPU_X86_64 1
#else
#define TARGET_CPU_X86_64 0
#endif
#if defined(__aarch64__)
#define TARGET_CPU_ARM64 1
#else
#define TARGET_CPU_ARM64 0
#endif
#define TARGET_CPU_X86 0
#define TARGET_CPU_ARM 0
#define TARGET_CPU_PPC 0
#define TARGET_CPU_PPC64 0

// Older names: which of the system's interfaces there are.
#define TARGET_API_MAC_OS8 0
#define TARGET_API_MAC_CARBON 0
#define TARGET_API_MAC_OSX TARGET_OS_MAC

#define TARGET_RT_64_BIT 1
#define TARGET_RT_LITTLE_ENDIAN 1
#define TARGET_RT_BIG_ENDIAN 0
#define TARGET_RT_MAC_CFM 0
#define TARGET_RT_MAC_MACHO 0

// gcc has no availability test; there is one system version here, so the answer is always yes. Nor
// does it know how to ask for a feature of clang, which it has not.
#if !defined(__clang__) && !defined(__builtin_available)
#define __builtin_available(...) 1
#endif
#if !defined(__clang__) && !defined(__has_feature)
#define __has_feature(name) 0
#endif

// ISO C wants a declaration in every source, also in one that has this header alone.
#ifndef __ASSEMBLER__
struct AuricleTargetConditionals;
#endif

#endif
