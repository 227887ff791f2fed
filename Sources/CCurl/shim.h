// SPDX-License-Identifier: Apache-2.0
#ifndef SYNCJOB_CCURL_SHIM_H
#define SYNCJOB_CCURL_SHIM_H

#include <curl/curl.h>
#include <string.h>

/* curl_easy_setopt, curl_easy_getinfo and curl_multi_setopt are variadic. Swift can neither call such a function nor name
   its type, so it passes the loaded function as a ccurl_variadic, and there is one setter per argument type. */
typedef void (*ccurl_variadic)(void);
typedef CURLcode (*ccurl_setopt)(CURL *, CURLoption, ...);
typedef CURLcode (*ccurl_getinfo)(CURL *, CURLINFO, ...);
typedef CURLMcode (*ccurl_multi_setopt)(CURLM *, CURLMoption, ...);

static inline CURLcode ccurl_set_long(ccurl_variadic setopt, CURL *easy, CURLoption option, long value) {
  return ((ccurl_setopt)setopt)(easy, option, value);
}

static inline CURLcode ccurl_set_offset(ccurl_variadic setopt, CURL *easy, CURLoption option, curl_off_t value) {
  return ((ccurl_setopt)setopt)(easy, option, value);
}

static inline CURLcode ccurl_set_string(ccurl_variadic setopt, CURL *easy, CURLoption option, const char *value) {
  return ((ccurl_setopt)setopt)(easy, option, value);
}

static inline CURLcode ccurl_set_pointer(ccurl_variadic setopt, CURL *easy, CURLoption option, void *value) {
  return ((ccurl_setopt)setopt)(easy, option, value);
}

static inline CURLcode ccurl_set_list(ccurl_variadic setopt, CURL *easy, CURLoption option, struct curl_slist *value) {
  return ((ccurl_setopt)setopt)(easy, option, value);
}

/* CURLOPT_HEADERFUNCTION and CURLOPT_WRITEFUNCTION. */
static inline CURLcode ccurl_set_receive_function(
    ccurl_variadic setopt, CURL *easy, CURLoption option, curl_write_callback function) {
  return ((ccurl_setopt)setopt)(easy, option, function);
}

static inline CURLcode ccurl_set_open_socket_function(ccurl_variadic setopt, CURL *easy, curl_opensocket_callback function) {
  return ((ccurl_setopt)setopt)(easy, CURLOPT_OPENSOCKETFUNCTION, function);
}

static inline CURLcode ccurl_set_prerequest_function(ccurl_variadic setopt, CURL *easy, curl_prereq_callback function) {
  return ((ccurl_setopt)setopt)(easy, CURLOPT_PREREQFUNCTION, function);
}

static inline CURLcode ccurl_get_long(ccurl_variadic getinfo, CURL *easy, CURLINFO info, long *value) {
  return ((ccurl_getinfo)getinfo)(easy, info, value);
}

static inline CURLcode ccurl_get_offset(ccurl_variadic getinfo, CURL *easy, CURLINFO info, curl_off_t *value) {
  return ((ccurl_getinfo)getinfo)(easy, info, value);
}

static inline CURLcode ccurl_get_pointer(ccurl_variadic getinfo, CURL *easy, CURLINFO info, void **value) {
  return ((ccurl_getinfo)getinfo)(easy, info, value);
}

static inline CURLMcode ccurl_multi_set_long(ccurl_variadic setopt, CURLM *multi, CURLMoption option, long value) {
  return ((ccurl_multi_setopt)setopt)(multi, option, value);
}

/* Of a body that comes in one piece with its head, libcurl tells only in its trace that the server sent more than
   it announced ("Excess found in a read: ..." in 7.x, "Excess found writing body: ..." in 8.x). */
static inline int ccurl_note_excess(CURL *easy, curl_infotype type, char *text, size_t size, void *seen) {
  static const char mark[] = "Excess found";
  (void)easy;
  if(type == CURLINFO_TEXT && size >= sizeof(mark) - 1 && !memcmp(text, mark, sizeof(mark) - 1))
    *(int *)seen = 1;
  return 0;
}

/* Sets *seen to 1 when more bytes than announced arrive. */
static inline CURLcode ccurl_watch_excess(ccurl_variadic setopt, CURL *easy, int *seen) {
  CURLcode code = ((ccurl_setopt)setopt)(easy, CURLOPT_DEBUGFUNCTION, ccurl_note_excess);
  if(code == CURLE_OK)
    code = ((ccurl_setopt)setopt)(easy, CURLOPT_DEBUGDATA, (void *)seen);
  if(code == CURLE_OK)
    code = ((ccurl_setopt)setopt)(easy, CURLOPT_VERBOSE, 1L);
  return code;
}

#endif
