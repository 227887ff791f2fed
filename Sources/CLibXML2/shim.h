// SPDX-License-Identifier: Apache-2.0
#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <libxml/xmlerror.h>

#include <errno.h>
#include <iconv.h>

enum cxml_conversion { CXML_DONE, CXML_UNFINISHED, CXML_INVALID, CXML_FULL };

/* iconv(3) with its error as the result, since Swift code outside Glibc cannot read errno: CXML_UNFINISHED when the
   input ends inside a character, CXML_INVALID at bytes that are not of the encoding. The positions move along. */
static inline enum cxml_conversion cxml_convert(
    iconv_t converter, char **input, size_t *input_left, char **output, size_t *output_left) {
  if(iconv(converter, input, input_left, output, output_left) != (size_t)-1)
    return CXML_DONE;
  return errno == E2BIG ? CXML_FULL : errno == EINVAL ? CXML_UNFINISHED : CXML_INVALID;
}

static inline int cxml_is_converter(iconv_t converter) { return converter != (iconv_t)-1; }
