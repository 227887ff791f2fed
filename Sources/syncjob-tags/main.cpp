// SPDX-License-Identifier: Apache-2.0
//
// Reads and writes the tags of media files with TagLib, for syncjob, which starts it and writes requests to its standard
// input. The files come from anywhere, and TagLib is a C++ library that parses them: whatever a file does to it must
// not end a run or read its secrets (docs/decisions/0070).
//
//   read PATH EXTENSION            ok MILLISECONDS | unknown
//   count PATH EXTENSION           the same, from the frames of an MP3 file and not from its header
//   tags PATH EXTENSION            ok MILLISECONDS TITLE ARTIST ALBUM | unknown; a text that is missing is empty
//   write PATH COPY EXTENSION MODE [NAME VALUE]...   see TagWriter.h
//
// Any other request is answered with `invalid`.
#include "BasicTags.h"
#include "MediaFile.h"
#include "Message.h"
#include "TagWriter.h"

#include <csignal>
#include <exception>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <taglib/tdebuglistener.h>
#include <unistd.h>

namespace {

/// The largest that the process may grow, and the time for one request in seconds.
constexpr rlim_t mostMemory = 768 << 20;
constexpr unsigned longestRequest = 30;
/// The bytes for which a copy gets another second.
constexpr off_t bytesPerSecond = 4 << 20;

/// TagLib writes what it thinks of a damaged file to the standard error.
class Silence : public TagLib::DebugListener {
  void printMessage(const TagLib::String &) override {}
};

void limitResources() {
  const rlimit memory = {mostMemory, mostMemory}, nothing = {0, 0};
#if !defined(__SANITIZE_ADDRESS__)
  setrlimit(RLIMIT_AS, &memory);
#endif
  setrlimit(RLIMIT_CORE, &nothing);
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
}

/// The time for a request, in seconds. `syncjob` waits a little longer.
unsigned patience(const Message &request) {
  struct stat status;
  if(request.size() < 2 || request[0] != "write" || stat(request[1].c_str(), &status) != 0)
    return longestRequest;
  return longestRequest + static_cast<unsigned>(status.st_size / bytesPerSecond);
}

Message answer(const Message &request) {
  if(request.size() == 3 && (request[0] == "read" || request[0] == "count")) {
    const long long length = duration(request[1], request[2], request[0] == "count");
    return length > 0 ? Message{"ok", std::to_string(length)} : Message{"unknown"};
  }
  if(request.size() == 3 && request[0] == "tags") {
    const auto texts = basicTags(request[1], request[2]);
    return texts ? *texts : Message{"unknown"};
  }
  if(request.size() >= 5 && request.size() % 2 == 1 && request[0] == "write")
    return writeTags(request);
  return {"invalid"};
}

}

int main() {
  limitResources();
  // The default for each: it may have been changed by whoever started syncjob.
  std::signal(SIGALRM, SIG_DFL);
  Silence silence;
  TagLib::setDebugListener(&silence);
  while(const auto request = receive(STDIN_FILENO)) {
    alarm(patience(*request));
    Message reply = {"unknown"};
    try {
      reply = answer(*request);
    } catch(const std::exception &) {
      // Too little memory, or a value that no file should have.
    }
    alarm(0);
    if(!send(STDOUT_FILENO, reply))
      return 1;
  }
  return 0;
}
