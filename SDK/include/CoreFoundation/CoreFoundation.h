// All of Core Foundation that is declared here, and the C library headers that come along with it.
// SPDX-License-Identifier: Apache-2.0
#ifndef AURICLE_COREFOUNDATION_H
#define AURICLE_COREFOUNDATION_H

#include <ctype.h>
#include <errno.h>
#include <float.h>
#include <limits.h>
#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

#include "CFArray.h"
#include "CFBase.h"
#include "CFBundle.h"
#include "CFByteOrder.h"
#include "CFCharacterSet.h"
#include "CFData.h"
#include "CFDate.h"
#include "CFDictionary.h"
#include "CFError.h"
#include "CFLocale.h"
#include "CFNotificationCenter.h"
#include "CFNumber.h"
#include "CFPreferences.h"
#include "CFPropertyList.h"
#include "CFRunLoop.h"
#include "CFSet.h"
#include "CFStream.h"
#include "CFString.h"
#include "CFStringEncodingExt.h"
#include "CFTree.h"
#include "CFURL.h"
#include "CFURLAccess.h"
#include "CFUUID.h"

#endif
