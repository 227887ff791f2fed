// SPDX-License-Identifier: Apache-2.0
//
// Reads and writes the tags of media files with TagLib, for syncjob, which starts it and writes requests to its standard
// input. The files come from anywhere, and TagLib is a C++ library that parses them: whatever a file does to it must
// not end a run or read its secrets (docs/decisions/0070).
//
//   read PATH EXTENSION            ok MILLISECONDS | unknown
//   count PATH EXTENSION           the same, from the frames of an MP3 file and not from its header
//   tags PATH EXTENSION            ok MILLISECONDS TITLE ARTIST ALBUM | unknown; a text that is missing is empty
#include "BasicTags.h"
#include "MediaFile.h"
#include "Message.h"

#include <csignal>
#include <exception>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <taglib/tdebuglistener.h>
#include <unistd.h>

namespace {

/// The largest that the process may grow, and the time for one request in seconds.
constexpr rlim_t mostMemory = 768 << 20;
constexpr unsigned longestRequest = 30;

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

Message answer(const Message &request) {
  if(request.size() == 3 && (request[0] == "read" || request[0] == "count")) {
    const long long length = duration(request[1], request[2], request[0] == "count");
    return length > 0 ? Message{"ok", std::to_string(length)} : Message{"unknown"};
  }
  if(request.size() == 3 && request[0] == "tags") {
    const auto texts = basicTags(request[1], request[2]);
    return texts ? *texts : Message{"unknown"};
  }
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
    alarm(longestRequest);
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
