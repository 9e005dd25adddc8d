// Locales as values (newlocale, uselocale), which the C library has in locale.h.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_XLOCALE_H
#define AURICLE_XLOCALE_H

#include <locale.h>

#endif
