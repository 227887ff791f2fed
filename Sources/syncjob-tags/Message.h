// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

/// A request or an answer: texts, each of which ends with a NUL, behind their length in bytes as 32 bits, the lowest
/// byte first.
using Message = std::vector<std::string>;

/// Waits for the next message. Nothing at the end of the input, or if the message is damaged or too long.
std::optional<Message> receive(int descriptor);

/// False if the other side is gone.
bool send(int descriptor, const Message &message);
