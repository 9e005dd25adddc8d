// The form of this folder's checks: facts that the compiler refuses when they do not hold.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_ABI_ASSERTIONS_H
#define AURICLE_ABI_ASSERTIONS_H

#include <stddef.h>

#if defined(__cplusplus)
#define ABI_ASSERT(condition) static_assert(condition, #condition)
#define ABI_ALIGNOF(type) alignof(type)
#else
#define ABI_ASSERT(condition) _Static_assert(condition, #condition)
#define ABI_ALIGNOF(type) _Alignof(type)
#endif

// A constant and its number; a code also says the four characters it is made of.
#define ABI_VALUE(name, number) ABI_ASSERT((name) == (number))
#define ABI_CODE(name, number, a, b, c, d)                                                   \
  ABI_ASSERT((name) == (number));                                                            \
  ABI_ASSERT((name) == (((a) << 24) | ((b) << 16) | ((c) << 8) | (d)))


// A string macro: its length. The tests in Swift compare its characters.
#define ABI_TEXT_LENGTH(name, length) ABI_ASSERT(sizeof(name) == (length) + 1)

// A struct's size and alignment, and where its fields lie.
#define ABI_STRUCT(type, size, alignment)                                                    \
  ABI_ASSERT(sizeof(type) == (size));                                                        \
  ABI_ASSERT(ABI_ALIGNOF(type) == (alignment))
#define ABI_FIELD(type, field, offset) ABI_ASSERT(offsetof(type, field) == (offset))

// A function: the headers declare it, and a second declaration with these types agrees.
#define ABI_FUNCTION(result, name, arguments)                                                \
  enum { AbiHas_##name = sizeof(&name) };                                                    \
  extern result name arguments

#endif
