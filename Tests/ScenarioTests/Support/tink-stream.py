# SPDX-License-Identifier: Apache-2.0
"""Seals and opens files with Tink, and opens them with a second implementation.

tink-stream.py seal KEYSET [DATA IN OUT]...     seals with Tink
tink-stream.py open KEYSET [DATA IN OUT]...     opens with Tink
tink-stream.py second KEYSET [DATA IN OUT]...   opens with the code below, on top of `cryptography`
tink-stream.py keyset OUT SEGMENT               makes a keyset: 4KB or 1MB
DATA is the associated data. The exit status is 1 if a file does not open.
"""
import base64
import json
import struct
import sys

import tink
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from tink import secret_key_access, streaming_aead

streaming_aead.register()


def handle(path):
    with open(path) as file:
        return tink.json_proto_keyset_format.parse(file.read(), secret_key_access.TOKEN)


def seal(keyset, data, source, target):
    primitive = handle(keyset).primitive(streaming_aead.StreamingAead)
    with open(source, "rb") as plain, primitive.new_encrypting_stream(open(target, "wb"), data.encode()) as sealed:
        sealed.write(plain.read())


def unseal(keyset, data, source, target):
    primitive = handle(keyset).primitive(streaming_aead.StreamingAead)
    with primitive.new_decrypting_stream(open(source, "rb"), data.encode()) as sealed, open(target, "wb") as plain:
        while True:
            piece = sealed.read(1 << 20)
            if not piece:
                break
            plain.write(piece)


def fields(message):
    """The fields of a message of Protocol Buffers."""
    found, position = {}, 0

    def number():
        nonlocal position
        value = shift = 0
        while True:
            byte = message[position]
            position += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    while position < len(message):
        tag = number()
        if tag & 7:
            length = number()
            found[tag >> 3] = message[position:position + length]
            position += length
        else:
            found[tag >> 3] = number()
    return found


def second(keyset, data, source, target):
    with open(keyset) as file:
        keys = json.load(file)
    key = next(key for key in keys["key"] if key["keyId"] == keys["primaryKeyId"])
    value = fields(base64.b64decode(key["keyData"]["value"]))
    segment = fields(value[2])[1]
    with open(source, "rb") as file:
        sealed = file.read()
    header = 40
    if sealed[0] != header:
        raise ValueError("no header")
    salt, prefix = sealed[1:33], sealed[33:header]
    cipher = AESGCM(HKDF(SHA256(), 32, salt, data.encode()).derive(value[3]))
    plain, position, end, index = b"", header, segment, 0
    while True:
        last = end >= len(sealed)
        plain += cipher.decrypt(prefix + struct.pack(">IB", index, last), sealed[position:end], b"")
        if last:
            break
        position, end, index = end, end + segment, index + 1
    with open(target, "wb") as file:
        file.write(plain)


def keyset(target, segment):
    template = getattr(streaming_aead.streaming_aead_key_templates, "AES256_GCM_HKDF_" + segment)
    text = tink.json_proto_keyset_format.serialize(tink.new_keyset_handle(template), secret_key_access.TOKEN)
    with open(target, "w") as file:
        file.write(text)


try:
    action, first, *rest = sys.argv[1:]
    if action == "keyset":
        keyset(first, *rest)
    for start in range(0, len(rest) - 2, 3):
        {"seal": seal, "open": unseal, "second": second}[action](first, *rest[start:start + 3])
except (tink.TinkError, InvalidTag, ValueError) as error:
    sys.exit(f"does not open: {error!r}")
