// The functions of expat that are used.
// SPDX-License-Identifier: Apache-2.0
#include "LazyLibrary.h"

LIBRARY "libexpat.so.1"
FUNCTION XML_ErrorString
FUNCTION XML_GetCurrentColumnNumber
FUNCTION XML_GetCurrentLineNumber
FUNCTION XML_GetErrorCode
FUNCTION XML_Parse
FUNCTION XML_ParserCreate
FUNCTION XML_ParserFree
FUNCTION XML_SetCharacterDataHandler
FUNCTION XML_SetElementHandler
FUNCTION XML_SetSkippedEntityHandler
FUNCTION XML_SetStartDoctypeDeclHandler
FUNCTION XML_SetUserData
FUNCTION XML_StopParser
END
