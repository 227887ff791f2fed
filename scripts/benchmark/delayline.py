# SPDX-License-Identifier: Apache-2.0
"""A delay line: what arrives at one Ethernet interface leaves by the other some time later, or is lost.

    delayline.py INTERFACE INTERFACE MILLISECONDS LOSS SEED

LOSS is the share of frames that get lost, 0 to 1, drawn for each direction from SEED. Says `up` when it is, and
runs until it is killed. Stands for a long way where the kernel has no netem.
"""

import collections
import random
import select
import socket
import sys
import time

EVERY_PROTOCOL = 3  # ETH_P_ALL
SO_RCVBUFFORCE = 33
LONGEST_FRAME = 65536


class Side:
    """One end: frames that came in here, each with the time when it leaves by the other."""

    def __init__(self, interface, seed):
        self.socket = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(EVERY_PROTOCOL))
        self.socket.bind((interface, EVERY_PROTOCOL))
        self.socket.setblocking(False)
        self.socket.setsockopt(socket.SOL_SOCKET, SO_RCVBUFFORCE, 16 << 20)
        self.random = random.Random(f"{seed} {interface}")
        self.waiting = collections.deque()

    def take(self, delay, loss):
        for _ in range(128):
            try:
                frame, (_, _, kind, *_) = self.socket.recvfrom(LONGEST_FRAME)
            except OSError:  # nothing left, or the interface is down for now
                return
            # Our own frames are heard here again on their way out.
            if kind != socket.PACKET_OUTGOING and self.random.random() >= loss:
                self.waiting.append((time.monotonic() + delay, frame))

    def hand_over(self, other):
        while self.waiting and self.waiting[0][0] <= time.monotonic():
            try:
                other.socket.send(self.waiting.popleft()[1])
            except OSError:
                pass  # a full interface drops, as a router would


def main():
    first, second, milliseconds, loss, seed = sys.argv[1:]
    sides = {side.socket.fileno(): side for side in (Side(first, seed), Side(second, seed))}
    one, two = sides.values()
    ears = select.poll()
    for number in sides:
        ears.register(number, select.POLLIN)
    print("up", flush=True)
    while True:
        one.hand_over(two)
        two.hand_over(one)
        due = min((side.waiting[0][0] for side in (one, two) if side.waiting), default=None)
        for number, _ in ears.poll(None if due is None else max(0, (due - time.monotonic()) * 1000)):
            sides[number].take(float(milliseconds) / 1000, float(loss))


main()
